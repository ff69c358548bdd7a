"""Pulse ranges seen of controls: their ends, where they rest, and a switch's positions."""

from collections import deque
from dataclasses import dataclass, field
from statistics import median
from typing import Final

WIDE_US: Final = 300
"""A control that went over less has not been moved to both ends."""
MOST_POSITIONS: Final = 6
_STILL: Final = 5
_POSITION_US: Final = 60
"""Pulses closer than this are one position of a switch."""
_END_SHARE: Final = 0.2
_VISITS: Final = 3
"""A position was rested on for so many readings, not only passed."""


@dataclass(slots=True)
class Seen:
    """One control's pulses in µs."""

    low: int = 0
    high: int = 0
    newest: int = 0
    _recent: deque[int] = field(default_factory=lambda: deque(maxlen=_STILL))
    _visits: dict[int, int] = field(default_factory=dict)

    def take(self, pulse: int) -> None:
        """A reading."""
        self.low = min(self.low or pulse, pulse)
        self.high = max(self.high, pulse)
        self.newest = pulse
        self._recent.append(pulse)
        self._visit(pulse)

    @property
    def is_wide(self) -> bool:
        """Whether it seems to have been at both ends."""
        return self.high - self.low >= WIDE_US

    @property
    def rest(self) -> int:
        """Where it is now, without a single reading's noise."""
        return round(median(self._recent)) if self._recent else 0

    @property
    def positions(self) -> int:
        """How many positions a switch was put to, 1 to MOST_POSITIONS."""
        rested = sum(count >= _VISITS for count in self._visits.values())
        return min(max(rested, 1), MOST_POSITIONS)

    def _visit(self, pulse: int) -> None:
        near = min(self._visits, key=lambda known: abs(known - pulse), default=None)
        if near is None or abs(near - pulse) > _POSITION_US:
            self._visits[pulse] = 1
        else:
            self._visits[near] += 1


def is_rest(seen: Seen, centre: int, is_centred: bool) -> bool:
    """Whether a control was in its middle at `centre`, or, if it is none that is centred, at one
    of its ends."""
    span = seen.high - seen.low
    share = (centre - seen.low) / span if span else 0.0
    is_end = share < _END_SHARE or share > 1.0 - _END_SHARE
    return is_end != is_centred
