"""Hand input of an aircraft: what all panels of the station know of who flies it by hand."""

from typing import Final
from weakref import WeakSet

from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from plugins.pilot.window_attention import is_shown
from telemetry.flying.transmitter.order import Source
from telemetry.vehicle.vehicle import Vehicle

BY_KEYS: Final[tuple[Source, ...]] = ("either", "keyboard")
ON_SCREEN: Final[tuple[Source, ...]] = ("either", "screen")


class HandInput:
    """`wants_keys` is whether the flying keys are its sticks, from *Fly by hand* to Esc;
    `stick_views` the on-screen sticks that fly it."""

    def __init__(self) -> None:
        self.wants_keys = False
        self.stick_views: WeakSet[QWidget] = WeakSet()

    @property
    def are_sticks_in_sight(self) -> bool:
        """Whether somebody can drag them."""
        return any(isValid(view) and is_shown(view) for view in self.stick_views)

    def can_fly(self, source: Source) -> bool:
        """Whether there is something to fly with: on-screen sticks alone need room."""
        return source != "screen" or self.are_sticks_in_sight


def hand_input_of(vehicle: Vehicle) -> HandInput:
    """That of an aircraft, the same for everybody."""
    return vehicle.attachment("pilot.hand_input", HandInput)
