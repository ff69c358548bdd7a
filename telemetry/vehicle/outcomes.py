"""Command outcomes in sentences: what happened, what it means, what to do."""

from collections.abc import Mapping
from typing import Literal

from telemetry.protocol.session.transactions import TransactionOutcome

Text = tuple[Literal["done", "failed"], str]

LINK_ENDED = "Not done: the link ended before the board answered. Reconnect and try again."
_VERBS = {"Save": "saved", "Load": "loaded", "Delete": "erased", "FullErase": "erased"}


def written(name: str, outcome: TransactionOutcome) -> Text:
    """The outcome of sending values."""
    told = {
        TransactionOutcome.DONE: f"Applied: {name} holds these values on board. They are not saved "
        "there yet.",
        TransactionOutcome.REFUSED: f"Not applied: {name} was refused by the board (NACK). It is "
        "unchanged on board.",
        TransactionOutcome.SILENT: f"Not applied: the board did not acknowledge {name}. Check the "
        "link, request the object to see what it holds, and send again.",
    }
    return _text(outcome, told)


def requested(name: str, outcome: TransactionOutcome) -> Text:
    """The outcome of asking for an object."""
    told = {
        TransactionOutcome.DONE: f"Received {name}.",
        TransactionOutcome.REFUSED: f"Not received: this board does not have {name} (NACK).",
        TransactionOutcome.SILENT: f"Not received: the board did not answer for {name}. Check the "
        "link and request again.",
    }
    return _text(outcome, told)


def persisted(operation: str, name: str, outcome: TransactionOutcome) -> Text:
    """The outcome of saving, loading or erasing on board."""
    done = {
        "Save": f"Saved: {name} is stored on board and was read back.",
        "Load": f"Loaded: {name} holds the values stored on board.",
        "Delete": f"Erased: what was stored of {name} is gone; it holds its defaults.",
        "FullErase": "Erased: all stored settings are gone. Restart the board to use the defaults.",
    }
    failed = f"Not {_VERBS[operation]}: {name}"
    told = {
        TransactionOutcome.DONE: done[operation],
        TransactionOutcome.REFUSED: f"{failed} was refused by the board (NACK). It is unchanged on "
        "board.",
        TransactionOutcome.FAILED: f"{failed} was not possible for the board. Boards refuse while "
        "armed, and cannot load or erase what was never saved.",
        TransactionOutcome.DIFFERENT: f"Not verified: {name} was saved, but reading it back gave "
        "other values. Compare what is on board now and save again.",
        TransactionOutcome.SILENT: f"{failed} was not confirmed by the board. Its firmware may not "
        "have this object; check the link and try again.",
    }
    return _text(outcome, told)


def _text(outcome: TransactionOutcome, told: Mapping[TransactionOutcome, str]) -> Text:
    is_done = outcome is TransactionOutcome.DONE
    return "done" if is_done else "failed", told.get(outcome, LINK_ENDED)
