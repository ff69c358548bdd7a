"""Altitude controller with two throttles, as in seed 003 (appendix B.2, lines 335 to 342), but one
that looks ahead.

The seed switches where the height itself passes a limit. What its throttles leave over of the
weight is 2 mN of 0.3 N, so that it takes seconds until a sinking helicopter climbs: it swings down
to 1.16 m while it flies ahead, where a tilted rotor lifts less, and between 0.9 and 2.0 m where it
hovers, without the drag of its speed. Here the height in LEAD_S counts, by the climb seen so far;
with 0 it is the seed's.
"""

from typing import Final

from simulation.scenarios.coaxial_flight import CYCLE_S

BEGIN: Final = 0.3835
"""The throttle until the first limit is passed."""
SINKING: Final = 0.382
CLIMBING: Final = 0.385
LOWER_M: Final = 1.3
UPPER_M: Final = 1.7
LEAD_S: Final = 1.0
_SLOW_S: Final = 0.2
"""Over which climb is looked at, as heights are noisy."""


class AltitudeSwitch:
    """If it is going to be above UPPER_M it takes one throttle, below LOWER_M another, and in
    between what it took before."""

    def __init__(
        self, sinking: float = SINKING, climbing: float = CLIMBING, lead_s: float = LEAD_S
    ) -> None:
        self._sinking, self._climbing, self._lead_s = sinking, climbing, lead_s
        self._throttle = BEGIN
        self._slow_m: float | None = None

    def at(self, height_m: float) -> float:
        """The throttle for that height, of this cycle."""
        slow_m = height_m if self._slow_m is None else self._slow_m
        climb_mps = (height_m - slow_m) / _SLOW_S
        self._slow_m = slow_m + CYCLE_S * climb_mps
        ahead_m = height_m + self._lead_s * climb_mps
        if ahead_m > UPPER_M:
            self._throttle = self._sinking
        elif ahead_m < LOWER_M:
            self._throttle = self._climbing
        return self._throttle
