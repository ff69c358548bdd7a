"""Restart purposes: what a board can be restarted for, and what is lost by it, in words."""

from dataclasses import dataclass
from enum import Enum

from telemetry.vehicle.commands import Operation


@dataclass(frozen=True, slots=True)
class Erasure:
    """What is erased before the restart, as ObjectPersistence names it."""

    operation: Operation
    name: str = ""


class Purpose(Enum):
    """Why a board is restarted: `title` is what its button says, `done` what has happened once the
    board is back, `loses` what is lost by it, and `erasure` what has to be erased first."""

    RESTART = (
        "Restart the board",
        "Restarted",
        "Lost on board: what was changed there and not saved; it is staged again here. New ports, "
        "modules and estimation take effect.",
    )
    SAFE_START = (
        "Safe boot, default hardware",
        "Restarted with default hardware settings",
        "For a board that does not start well with its ports and modules. Lost on board: "
        "HwSettings; all else stays. Telemetry may then answer by USB only. What it held can be "
        "staged again afterwards.",
        Erasure("Delete", "HwSettings"),
    )
    ERASE = (
        "Erase all settings",
        "Erased and restarted",
        "Lost on board: every setting that was ever saved, with calibrations, gains, receiver and "
        "arming; the aircraft cannot fly before it is set up again. What was on board can be "
        "staged again afterwards, as long as this station stays open: keep a set first.",
        Erasure("FullErase"),
    )

    def __init__(self, title: str, done: str, loses: str, erasure: Erasure | None = None) -> None:
        self.title = title
        self.done = done
        self.loses = loses
        self.erasure = erasure
