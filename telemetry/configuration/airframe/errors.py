"""What is wrong with a wish about an airframe."""


class AirframeError(ValueError):
    """What cannot be done, and what to do instead. The text is one sentence for the user."""
