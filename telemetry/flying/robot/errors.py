"""Robot errors: what a script is told when something cannot be done."""


class RobotError(RuntimeError):
    """It cannot be done, or was not. One or two sentences: what happened, and the remedy."""
