"""Errors that end the reading or erasing of a board's log."""


class BoardLogError(Exception):
    """Why it does not go on: one sentence with a remedy. What was fetched before is kept."""


class BoardLogStopped(BoardLogError):  # noqa: N818 - reads as what happened
    """Somebody stopped it."""


class EraseNotKnownError(BoardLogError):
    """The board was told to erase its log; whether it has is not known."""


class BoardSilentError(BoardLogError):
    """The board is silent."""
