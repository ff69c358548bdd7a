"""Airframe error: what cannot be done with an airframe, and what to do instead."""


class AirframeError(ValueError):
    """What cannot be done, and what to do instead. The text is one sentence for the user."""
