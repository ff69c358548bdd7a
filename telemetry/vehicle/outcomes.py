"""Command outcomes in sentences: what happened, what it means, what to do."""

from typing import Literal

from telemetry.protocol.session.transactions import TransactionOutcome

Text = tuple[Literal["done", "failed"], str]

LINK_ENDED = "Not done: the link ended before the board answered. Reconnect and try again."
_VERBS = {"Save": "saved", "Load": "loaded", "Delete": "erased", "FullErase": "erased"}


def written(name: str, outcome: TransactionOutcome) -> Text:
    """The outcome of sending values."""
    if outcome is TransactionOutcome.DONE:
        return "done", f"Applied: {name} holds these values on board. They are not saved there yet."
    if outcome is TransactionOutcome.REFUSED:
        return "failed", (
            f"Not applied: {name} was refused by the board (NACK). It is unchanged on board."
        )
    if outcome is TransactionOutcome.SILENT:
        return "failed", (
            f"Not applied: the board did not acknowledge {name}. "
            "Check the link, request the object to see what it holds, and send again."
        )
    return "failed", LINK_ENDED


def requested(name: str, outcome: TransactionOutcome) -> Text:
    """The outcome of asking for an object."""
    if outcome is TransactionOutcome.DONE:
        return "done", f"Received {name}."
    if outcome is TransactionOutcome.REFUSED:
        return "failed", f"Not received: this board does not have {name} (NACK)."
    if outcome is TransactionOutcome.SILENT:
        return "failed", (
            f"Not received: the board did not answer for {name}. Check the link and request again."
        )
    return "failed", LINK_ENDED


def persisted(operation: str, name: str, outcome: TransactionOutcome) -> Text:
    """The outcome of saving, loading or erasing on board."""
    verb = _VERBS[operation]
    if outcome is TransactionOutcome.DONE:
        return "done", _persisted_well(operation, name)
    if outcome is TransactionOutcome.REFUSED:
        reason = "was refused by the board (NACK). It is unchanged on board."
    elif outcome is TransactionOutcome.FAILED:
        reason = (
            "was not possible for the board. Boards refuse while armed, "
            "and cannot load or erase what was never saved."
        )
    elif outcome is TransactionOutcome.DIFFERENT:
        return "failed", (
            f"Not verified: {name} was saved, but reading it back gave other values. "
            "Compare what is on board now and save again."
        )
    elif outcome is TransactionOutcome.SILENT:
        reason = (
            "was not confirmed by the board. Its firmware may not have this object; "
            "check the link and try again."
        )
    else:
        return "failed", LINK_ENDED
    return "failed", f"Not {verb}: {name} {reason}"


def _persisted_well(operation: str, name: str) -> str:
    if operation == "Save":
        return f"Saved: {name} is stored on board and was read back."
    if operation == "Load":
        return f"Loaded: {name} holds the values stored on board."
    if operation == "Delete":
        return f"Erased: what was stored of {name} is gone; it holds its defaults."
    return "Erased: all stored settings are gone. Restart the board to use the defaults."
