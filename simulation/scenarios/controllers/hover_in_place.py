"""Hovering in place by optic flow, without any other sensor but a gyro (seed 003, 7.4).

A camera that looks along a (from the nose to the right) sees what is at the distance D move to the
right with (v_ahead sin(a) - v_right cos(a)) / D. The sums of all flow times sin(a) and times
-cos(a) are therefore the speeds ahead and to the right, by the mean distance; their sums over time
are the way from where it began.
"""

from typing import Final

import numpy as np

from simulation.scenarios.coaxial_flight import CYCLE_S, CoaxialCommand
from simulation.scenarios.controllers.altitude import AltitudeSwitch
from simulation.scenarios.flow_view import FlowView

PER_COUNT: Final = 0.12
"""Units of both servos, per count of speed."""
PER_WAY: Final = 0.06
"""Units per count that was seen for a second."""
MOST: Final = 1.5
YAW_DAMPING: Final = 0.01


class HoverInPlace:
    """Holds speed and way at zero."""

    def __init__(self, per_count: float = PER_COUNT, per_way: float = PER_WAY) -> None:
        self._per_count, self._per_way = per_count, per_way
        self._way = np.zeros(2)
        self._altitude = AltitudeSwitch()

    def __call__(self, view: FlowView) -> CoaxialCommand:
        share = 2.0 / len(view.flow)
        ahead = share * float(view.flow @ np.sin(view.azimuths_rad))
        right = -share * float(view.flow @ np.cos(view.azimuths_rad))
        speed = np.array([ahead, right])
        self._way += CYCLE_S * speed
        back, left = np.clip(self._per_count * speed + self._per_way * self._way, -MOST, MOST)
        return CoaxialCommand(
            self._altitude.at(view.height_m),
            yaw=-YAW_DAMPING * view.yaw_rate_radps,
            pitch=float(back),
            roll=-float(left),
        )
