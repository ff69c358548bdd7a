"""Answer of an axis to a step: its figures, by the definitions that the *Stabilization* page shows.

Rise from 10 to 90 % of the way, overshoot as a share of it, seconds until it stays within 5 %, and
how much it still moves in the last half second, peak to peak, as a share.
"""

import math
from dataclasses import dataclass

import numpy as np

from simulation.scenarios.measures import Column, overshoot, rise_time, settling_time

_SETTLED = 0.05
_REST_S = 0.5
NO_FIGURES = {"rise_s": math.nan, "overshoot": math.nan, "settling_s": math.nan, "rest": math.nan}


@dataclass(frozen=True, slots=True, eq=False)
class StepAnswer:
    """One axis from just before its step (time 0) to the end of it, (n,) each, in any unit."""

    time_s: Column
    desired: Column
    flown: Column

    def metrics(self) -> dict[str, float]:
        """The figures by name; NaN where there are none."""
        start, end = float(self.flown[0]), float(self.desired[-1])
        last = self.flown[self.time_s > self.time_s[-1] - _REST_S]
        way = abs(end - start)
        if not way > 0.0:
            return NO_FIGURES
        return {
            "rise_s": rise_time(self.time_s, self.flown, start, end),
            "overshoot": overshoot(self.flown, start, end),
            "settling_s": settling_time(self.time_s, self.flown, end, _SETTLED * way),
            "rest": float(np.ptp(last)) / way,
        }
