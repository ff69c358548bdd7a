"""What a script is told when a robot cannot do what it asks for."""


class RobotError(RuntimeError):
    """It cannot be done, or was not. One or two sentences: what happened, and the remedy."""
