"""Hovering in place by optic flow, without any other sensor but a gyro (seed 003, 7.4).

A camera that looks along a (from the nose to the right) sees what is at the distance D move to the
right with (v_ahead sin(a) - v_right cos(a)) / D - r, r being the rate of turning. The sums of all
flow times sin(a) and times -cos(a) are therefore the speeds ahead and to the right, by the mean
distance; their sums over time are the way from where it began.

These sums drift by half a metre in some minutes: flow is cut off to whole counts, so that below a
count nothing is seen (4 cm/s at 2 m), and the gyro's bias turns the nose by tens of degrees. So it
keeps the pictures that it took where it began, as the work that the seed names does (its [15],
Barrows et al.), and once they are moved by less than a pixel, way and heading are what image
interpolation finds between them and the newest ones: that does not add up.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from simulation.perception.flow.image_interpolation import COUNTS
from simulation.perception.flow.picture_flow import INT16, PictureFlow
from simulation.scenarios.coaxial_flight import CYCLE_S, CoaxialCommand
from simulation.scenarios.controllers.altitude import AltitudeSwitch
from simulation.scenarios.flow_view import Array, FlowView, ahead_and_right

PER_COUNT: Final = 0.12
"""Units of both servos, per count of speed."""
PER_WAY: Final = 0.06
"""Units per count that was seen for a second."""
MOST: Final = 1.5
YAW_DAMPING: Final = 0.002
"""Units per rad/s."""
YAW_PER_COUNT: Final = 1e-6
"""Units per count that all pictures are moved to the right."""
HOME_S: Final = 0.5
"""Over which the way becomes that of the pictures where it began."""


@dataclass(frozen=True, slots=True)
class _Moved:
    """How far pictures are from those where it began: ahead and to the right, and turned, in
    counts, a turn to the left positive. `is_near`: no farther than image interpolation sees."""

    way: Array
    turned: float
    is_near: bool


class HoverInPlace:
    """Holds speed and way at zero."""

    def __init__(
        self, per_count: float = PER_COUNT, per_way: float = PER_WAY, is_homing: bool = True
    ) -> None:
        """Unless it `is_homing`, it forgets the pictures where it began."""
        self._per_count, self._per_way, self._is_homing = per_count, per_way, is_homing
        self._way = np.zeros(2)
        self._home: Array | None = None
        self._altitude = AltitudeSwitch()

    def __call__(self, view: FlowView) -> CoaxialCommand:
        speed = ahead_and_right(view.flow, view.azimuths_rad)
        self._way += CYCLE_S * speed
        yaw = -YAW_DAMPING * view.yaw_rate_radps
        moved = self._moved(view)
        if self._is_homing and moved.is_near:
            self._way += CYCLE_S / HOME_S * (CYCLE_S * moved.way - self._way)
            yaw += YAW_PER_COUNT * moved.turned
        back, left = np.clip(self._per_count * speed + self._per_way * self._way, -MOST, MOST)
        return CoaxialCommand(
            self._altitude.at(view.height_m), yaw=yaw, pitch=float(back), roll=-float(left)
        )

    def _moved(self, view: FlowView) -> _Moved:
        if self._home is None:
            self._home = view.pictures
            self._between = PictureFlow(view.pictures.shape, INT16)
        self._between.add(self._home)
        self._between.add(view.pictures)
        counts = self._between.flow[:, 0]
        way = ahead_and_right(counts, view.azimuths_rad)
        return _Moved(way, float(counts.mean()), bool(np.abs(counts).max() < COUNTS))
