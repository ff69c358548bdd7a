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
    """Why a board is restarted."""

    RESTART = "restart"
    SAFE_START = "safe start"
    ERASE = "erase"

    @property
    def erasure(self) -> Erasure | None:
        """What has to be erased first."""
        if self is Purpose.SAFE_START:
            return Erasure("Delete", "HwSettings")
        return Erasure("FullErase") if self is Purpose.ERASE else None

    @property
    def title(self) -> str:
        """What its button says."""
        return _TITLES[self]

    @property
    def loses(self) -> str:
        """What is lost by it."""
        return _LOSES[self]

    @property
    def done(self) -> str:
        """What has happened once the board is back."""
        return _DONE[self]


_TITLES = {
    Purpose.RESTART: "Restart the board",
    Purpose.SAFE_START: "Safe boot, default hardware",
    Purpose.ERASE: "Erase all settings",
}
_LOSES = {
    Purpose.RESTART: "Lost on board: what was changed there and not saved; it is staged again "
    "here. New ports, modules and estimation take effect.",
    Purpose.SAFE_START: "For a board that does not start well with its ports and modules. Lost on "
    "board: HwSettings; all else stays. Telemetry may then answer by USB only. What it held can be "
    "staged again afterwards.",
    Purpose.ERASE: "Lost on board: every setting that was ever saved, with calibrations, gains, "
    "receiver and arming; the aircraft cannot fly before it is set up again. What was on board can "
    "be staged again afterwards, as long as this station stays open: keep a set first.",
}
_DONE = {
    Purpose.RESTART: "Restarted",
    Purpose.SAFE_START: "Restarted with default hardware settings",
    Purpose.ERASE: "Erased and restarted",
}
