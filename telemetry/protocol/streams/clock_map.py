"""Clock map: a simulator's time against that of a flight in which its samples arrive."""

from typing import Final

_JUMP_S: Final = 0.05
"""Words that arrive so much later than they should were not late: time stood still meanwhile, or
was set back."""


class ClockMap:
    """Says when in the flight a time of the simulator was, by when it told its time.

    What arrived soonest after it was said counts, so that a busy computer does not move pictures
    against each other. A flight that was paused, reset or hurried has a new offset from then on.
    """

    def __init__(self) -> None:
        self._speed = 1.0
        self._told: tuple[float, float] | None = None

    def take(self, now_us: int, speed: float, arrived_s: float) -> None:
        """The simulator said `now_us`, with time passing at `speed` (0: standing still); that was
        heard at `arrived_s` of the flight."""
        due_s = self.flight_s(now_us)
        is_other = due_s is None or speed != self._speed
        if is_other or due_s is None or not due_s <= arrived_s <= due_s + _JUMP_S:
            self._told, self._speed = (now_us / 1e6, arrived_s), speed

    def flight_s(self, time_us: int) -> float | None:
        """The second of the flight at which it was `time_us`; None before anything was heard."""
        if self._told is None:
            return None
        simulated_s, arrived_s = self._told
        return arrived_s + (time_us / 1e6 - simulated_s) / (self._speed or 1.0)
