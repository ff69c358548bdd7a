"""Hand input of an aircraft: what all panels of the station know of who flies it by hand."""

from collections.abc import Callable
from typing import Final
from weakref import WeakSet

from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from plugins.pilot.held_keys import HeldKeys
from plugins.pilot.window_attention import is_shown
from telemetry.flying.controls import FlightControls, controls_of
from telemetry.flying.transmitter.order import Source
from telemetry.flying.transmitter.release import RELEASED
from telemetry.vehicle.vehicle import Vehicle

BY_KEYS: Final[tuple[Source, ...]] = ("either", "keyboard")
ON_SCREEN: Final[tuple[Source, ...]] = ("either", "screen")


class HandInput:
    """`wants_keys` is whether the flying keys are its sticks, from *Fly by hand* to Esc;
    `stick_views` the on-screen sticks that fly it, `watchers` who is told when keys may mean
    something else."""

    def __init__(self, controls: FlightControls) -> None:
        self.wants_keys = False
        self.stick_views: WeakSet[QWidget] = WeakSet()
        self.watchers: set[Callable[[], None]] = set()
        self._controls = controls
        self._keys = HeldKeys(controls.press, self._let_go)

    @property
    def are_sticks_in_sight(self) -> bool:
        """Whether somebody can drag them."""
        return any(isValid(view) and is_shown(view) for view in self.stick_views)

    def can_fly(self, source: Source) -> bool:
        """Whether there is something to fly with: on-screen sticks alone need room."""
        return source != "screen" or self.are_sticks_in_sight

    def hold_keys(self) -> None:
        """Begin to fly by keyboard, if that is among the inputs chosen."""
        self.wants_keys = self._controls.source in BY_KEYS
        self.follow_keys()

    def release_keys(self) -> None:
        """Give the keys back to the window; the sticks spring to the middle."""
        self.wants_keys = False
        self.follow_keys()

    def follow_keys(self) -> None:
        """Hold the keys as long as they fly the aircraft, or, where nothing else does, take over
        from a behaviour."""
        controls = self._controls
        takes_over = controls.is_behaving and controls.source == "keyboard"
        is_by_keys = controls.is_by_hand and controls.source in BY_KEYS
        self.wants_keys = (self.wants_keys or takes_over) and is_by_keys
        self._keys.watch(self.wants_keys)
        for tell in tuple(self.watchers):
            tell()

    def _let_go(self) -> None:
        """Esc: nobody flies any more."""
        self.release_keys()
        if self._controls.needs_focus:
            self._controls.release(RELEASED)


def hand_input_of(vehicle: Vehicle) -> HandInput:
    """That of an aircraft, the same for everybody."""
    return vehicle.attachment("pilot.hand_input", lambda: HandInput(controls_of(vehicle)))
