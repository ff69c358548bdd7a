"""Behaviour slot: a behaviour in the place of the input device.

It is a pilot like any other, whose sticks go the way of all sticks. A stick of the user's that is
touched ends it, in the transmitter's own thread; so does a window that does not answer, since
nobody is looking then.
"""

from typing import Final, Protocol

from telemetry.flying.inputs.device_input import DeviceInput
from telemetry.vehicle.sticks import Sticks

TOUCHED: Final = 0.15
WATCHED_S: Final = 1.0
"""Without a sign of life from the window for so long it flies no more."""


class Behaviour(Protocol):
    """What flies. All calls but `close` come from the transmitter's thread."""

    @property
    def name(self) -> str:
        """What it does, in a word or two."""

    def read(self, now_s: float) -> DeviceInput | None:
        """Its sticks now; None if it has none, and the aircraft's failsafe acts."""

    def close(self) -> None:
        """It flies no more. Closing twice is fine."""


class BehaviourSlot:
    """The behaviour that flies in the place of the chosen device, if any does."""

    def __init__(self) -> None:
        self.flying: Behaviour | None = None
        """Written by the GUI thread, and by the transmitter's when a stick is touched."""
        self.was_touched = False
        """Whether a stick has ended the last one."""
        self.is_silent = False
        """Whether it had no sticks when it was asked last, so that nothing was sent."""
        self._rest: Sticks | None = None
        self._beat_s: float | None = None
        self._is_beaten = False

    def beat(self) -> None:
        """A sign of life from the window that shows it."""
        self._is_beaten = True

    def begin(self, behaviour: Behaviour) -> None:
        """Have it fly from the next step on."""
        self.end()
        self._is_beaten = True
        self.was_touched = self.is_silent = False
        self._rest = None
        self.flying = behaviour

    def end(self) -> None:
        """Have it fly no more."""
        flying, self.flying = self.flying, None
        if flying is not None:
            flying.close()

    def touch(self) -> None:
        """The user has touched a stick: it is theirs."""
        if self.flying is not None:
            self.was_touched = True
            self.end()

    def read(self, now_s: float, device: DeviceInput | None) -> DeviceInput | None:
        """What flies now: the behaviour, or the device once somebody has touched it."""
        flying = self.flying
        if flying is None:
            return device
        if device is not None:
            if device.stops:
                return device
            self._rest = self._rest or device.sticks
            if _is_moved(device.sticks, self._rest):
                self.touch()
                return device
        asked = flying.read(now_s) if self._is_watched(now_s) else None
        self.is_silent = asked is None
        return asked

    def _is_watched(self, now_s: float) -> bool:
        if self._is_beaten or self._beat_s is None:
            self._is_beaten, self._beat_s = False, now_s
        return now_s - self._beat_s <= WATCHED_S


def _is_moved(sticks: Sticks, rest: Sticks) -> bool:
    """Against where they were when it began: a throttle stays where it was left."""
    moves = (sticks.roll - rest.roll, sticks.pitch - rest.pitch, sticks.yaw - rest.yaw)
    throttle = 2.0 * (sticks.throttle - rest.throttle)
    return max(map(abs, (*moves, throttle))) > TOUCHED
