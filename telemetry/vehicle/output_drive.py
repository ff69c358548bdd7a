"""Output drive with a dead man's handle: outputs move while somebody keeps saying so.

They are told to rest several times over when nobody does. Pure; the worker sends what it says."""

from dataclasses import dataclass
from typing import Final

DRIVE_FRESH_S: Final = 0.25
"""So long a word that outputs shall move is good for."""
PERIOD_S: Final = 0.05
STOP_REPEATS: Final = 8
"""How often the board is told to rest, since any single word may be lost on the way."""

Pulses = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class OutputDrive:
    """What ActuatorCommand.Channel shall hold while the handle is held, and after it."""

    pulses: Pulses
    rest: Pulses


class DeadMan:
    """Decides what to send when. Let nothing be sent, and nothing moves."""

    def __init__(self) -> None:
        self._rest: Pulses = ()
        self._stops_left = 0
        self._next_s = 0.0

    def due(self, drive: OutputDrive | None, now: float) -> Pulses | None:
        """What to send now, if anything. `drive` is None once the handle was let go."""
        if drive is None and self._stops_left == STOP_REPEATS:
            self._next_s = now  # the first stop does not wait
        if now < self._next_s:
            return None
        self._next_s = now + PERIOD_S
        if drive is not None:
            self._rest, self._stops_left = drive.rest, STOP_REPEATS
            return drive.pulses
        return self._take_stop()

    def remaining_stops(self) -> tuple[Pulses, ...]:
        """All stops that are still to be sent, at once: the conversation ends."""
        stops = (self._rest,) * self._stops_left
        self._stops_left = 0
        return stops

    def _take_stop(self) -> Pulses | None:
        if not self._stops_left:
            return None
        self._stops_left -= 1
        return self._rest
