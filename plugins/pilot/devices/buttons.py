"""Button watch of a device: a button asks when held long enough, and again while it is down."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from plugins.pilot.devices.profile import ButtonSetup
from telemetry.flying.inputs.reading import Reading

STOP: Final = "stop"
DISARM: Final = "disarm"
ARM: Final = "arm"
MARKER: Final = "marker"
TAKE_CONTROL: Final = "take control"
GIVE_CONTROL: Final = "give control"
POSITION: Final = "position "
"""Followed by the number of a position of the flight mode switch, from 1."""
ACTION: Final = "action "
"""Followed by the id of an action of the station, as "pilot.land"."""
LEAST_HOLD_S: Final[Mapping[str, float]] = {ARM: 0.7, f"{ACTION}pilot.take_off": 0.7}
"""What starts motors is never asked for by a touch."""


def hold_s(setup: ButtonSetup) -> float:
    """How long a button has to be held."""
    return max(setup.hold_s, LEAST_HOLD_S.get(setup.command, 0.0))


@dataclass(slots=True)
class _Press:
    since_s: float
    due_s: float
    is_done: bool = False


class ButtonWatch:
    """Follows the buttons of one device.

    What is down when the device appears, a switch that stands somewhere or a button that is
    stuck, asks for nothing before it was let go.
    """

    def __init__(self) -> None:
        self._presses: dict[ButtonSetup, _Press] = {}
        self._ignored: set[ButtonSetup] | None = None

    def step(
        self, setups: tuple[ButtonSetup, ...], reading: Reading, now_s: float
    ) -> tuple[str, ...]:
        """The commands that are due now."""
        down = {setup for setup in setups if setup.trigger.is_down(reading)}
        if self._ignored is None:
            self._ignored = set(down)
        self._ignored &= down
        self._presses = {s: press for s, press in self._presses.items() if s in down}
        return tuple(
            setup.command
            for setup in setups
            if setup in down - self._ignored and self._is_due(setup, now_s)
        )

    def is_held(self, setups: tuple[ButtonSetup, ...], command: str, reading: Reading) -> bool:
        """Whether a button for `command` is down at this moment, however long."""
        return any(s.command == command and s.trigger.is_down(reading) for s in setups)

    def forget(self) -> None:
        """The device has vanished: whatever is down when it is back means nothing."""
        self._presses, self._ignored = {}, None

    def _is_due(self, setup: ButtonSetup, now_s: float) -> bool:
        press = self._presses.setdefault(setup, _Press(now_s, now_s + hold_s(setup)))
        if now_s < press.due_s or (press.is_done and setup.repeat_s <= 0.0):
            return False
        press.is_done = True
        press.due_s = now_s + setup.repeat_s
        return True
