"""Timeline: the cursor in time that every view reads at; arithmetic on a `now` passed in.

Live, the cursor sticks to the end of what is recorded. Paused or playing it may stand anywhere
while the recording grows on.

In and out points choose a stretch of the flight, the `selection`: exports, spectra and statistics
take it, all of the flight where it is None. Playing repeats it while `is_looping`.
"""

import math
from typing import Literal

Mode = Literal["live", "paused", "playing"]

MIN_RATE = 0.1
MAX_RATE = 50.0
LEAST_SELECTION_S = 0.05
"""In and out points lie at least so far apart."""


class Timeline:
    """Where in the flight the views look, how that moves, and which stretch is selected.

    `t` is seconds in the recording; `rate` is signed, negative plays backwards. `in_s` and `out_s`
    are None where the user has not set them: the stretch then reaches to that end of the flight,
    also while that grows. Call `advance` once per tick; all other verbs take effect at once.
    """

    def __init__(self, can_live: bool = True) -> None:
        self.can_live = can_live
        self.mode: Mode = "live" if can_live else "paused"
        self.t = 0.0
        self.rate = 1.0
        self.in_s: float | None = None
        self.out_s: float | None = None
        self.is_looping = False
        self.focus: tuple[float, float] | None = None
        """What is worth looking at first, None for all."""
        self._last_now: float | None = None
        self._first_s = 0.0
        self._last_s = 0.0

    def advance(self, now: float, first_s: float, last_s: float) -> None:
        """Move the cursor to where it is at `now`, in a recording from `first_s` to `last_s`."""
        elapsed_s = 0.0 if self._last_now is None else max(0.0, now - self._last_now)
        self._last_now = now
        self._first_s, self._last_s = first_s, max(first_s, last_s)
        if self.mode == "live":
            self.t = self._last_s
            return
        if self.mode == "playing":
            self.t += elapsed_s * self.rate
            self._turn_at_loop()
            self._stop_at_ends()
        self.t = self._clamped(self.t)

    def go_live(self) -> None:
        """Stick to the end again. Without a live flight, go to the end and pause."""
        self.t = self._last_s
        self.rate = 1.0
        self.mode = "live" if self.can_live else "paused"

    def end_live(self) -> None:
        """The flight has ended: what was recorded stays, and the cursor stays where it is."""
        self.can_live = False
        if self.mode == "live":
            self.mode = "paused"

    def pause(self) -> None:
        """Stand still while the recording goes on."""
        self.mode = "paused"

    def play(self) -> None:
        """Move from where the cursor stands; from the far end if there is nothing left ahead."""
        if self.mode != "live" and self.loop is None:
            if self.rate > 0 and self.t >= self._last_s and not self.can_live:
                self.t = self._first_s
            elif self.rate < 0 and self.t <= self._first_s:
                self.t = self._last_s
        self.mode = "playing"

    def toggle(self) -> None:
        """Play if paused, else pause."""
        if self.mode == "paused":
            self.play()
        else:
            self.pause()

    def seek(self, t: float) -> None:
        """Go to `t`. Leaves live; playing goes on from there."""
        if not math.isfinite(t):
            raise ValueError(f"a time in a flight is a number of seconds, not {t}")
        self.t = self._clamped(t)
        if self.mode == "live":
            self.mode = "paused"

    def step_s(self, dt: float) -> None:
        """Go `dt` seconds on (negative: back) and stand still."""
        self.seek(self.t + dt)
        self.mode = "paused"

    def set_rate(self, rate: float) -> None:
        """Set the signed speed; its size is kept within 0.1 to 50."""
        if not math.isfinite(rate):
            raise ValueError(f"a replay speed is a number, not {rate}")
        self.rate = math.copysign(min(MAX_RATE, max(MIN_RATE, abs(rate))), rate)

    def reverse(self) -> None:
        """Turn the direction round. A live cursor starts to play backwards."""
        self.rate = -self.rate
        if self.mode == "live":
            self.rate = -abs(self.rate)
            self.mode = "playing"

    @property
    def selection(self) -> tuple[float, float] | None:
        """The chosen stretch (start, end), within the flight; None where none is chosen."""
        if self.in_s is None and self.out_s is None:
            return None
        start = self._first_s if self.in_s is None else self._clamped(self.in_s)
        end = self._last_s if self.out_s is None else self._clamped(self.out_s)
        return (start, end) if end > start else None

    @property
    def loop(self) -> tuple[float, float] | None:
        """What playing repeats; None if it goes on to the end."""
        return self.selection if self.is_looping else None

    def select(self, a: float, b: float) -> None:
        """Choose the stretch between two times, given in any order; raise ValueError if they are
        the same."""
        start, end = min(a, b), max(a, b)
        if not end - start >= LEAST_SELECTION_S:
            raise ValueError("a stretch needs two different times")
        self.in_s, self.out_s = start, end

    def set_in(self, t: float) -> None:
        """Begin the stretch at `t`; an end that lies before it is forgotten."""
        self.in_s = t
        if self.out_s is not None and self.out_s - t < LEAST_SELECTION_S:
            self.out_s = None

    def set_out(self, t: float) -> None:
        """End the stretch at `t`; a beginning that lies after it is forgotten."""
        self.out_s = t
        if self.in_s is not None and t - self.in_s < LEAST_SELECTION_S:
            self.in_s = None

    def clear_selection(self) -> None:
        """Choose nothing, and repeat nothing."""
        self.in_s = self.out_s = None
        self.is_looping = False

    def _turn_at_loop(self) -> None:
        if self.loop is None:
            return
        start, end = self.loop
        if (self.rate > 0 and self.t >= end) or (self.rate < 0 and self.t <= start):
            beyond = (self.t - end if self.rate > 0 else start - self.t) % (end - start)
            self.t = start + beyond if self.rate > 0 else end - beyond

    def _stop_at_ends(self) -> None:
        if self.loop is not None:
            return
        if self.rate > 0 and self.t >= self._last_s:
            self.mode = "live" if self.can_live else "paused"
            self.t = self._last_s
        elif self.rate < 0 and self.t <= self._first_s:
            self.mode = "paused"

    def _clamped(self, t: float) -> float:
        return min(self._last_s, max(self._first_s, t))


def format_time(seconds: float, digits: int = 1) -> str:
    """Write a time in a flight as m:ss.s, or h:mm:ss.s from an hour on, with so many digits behind
    the point."""
    per_s: int = 10**digits
    parts = round(abs(seconds) * per_s)
    sign = "-" if seconds < 0 and parts else ""
    minutes, rest = divmod(parts, 60 * per_s)
    hours, minutes = divmod(minutes, 60)
    tail = f"{rest // per_s:02d}.{rest % per_s:0{digits}d}"
    return f"{sign}{hours}:{minutes:02d}:{tail}" if hours else f"{sign}{minutes}:{tail}"


def parse_time(text: str) -> float:
    """Read "s", "mm:ss.s" or "hh:mm:ss.s" as seconds; raise ValueError with a hint."""
    total = 0.0
    try:
        parts = [float(part) for part in text.strip().split(":")]
    except ValueError:
        parts = []
    plausible = all(math.isfinite(part) and part >= 0 for part in parts)
    if not 1 <= len(parts) <= 3 or not plausible:
        raise ValueError(f"'{text}' is not a time; write seconds (75.5) or minutes (1:15.5)")
    for part in parts:
        total = total * 60 + part
    return total
