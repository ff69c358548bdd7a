"""Route by sticks: how somebody with a gamepad flies along a line of stops, by a map that is shown.

The board holds the tilt that the sticks say, and turns throttle into climbing; place and speed are
those that the map shows, and the height is that of a range finder that looks down.
"""

import math
from typing import Final

import numpy as np
import numpy.typing as npt

from simulation.environment.earth import GRAVITY
from simulation.mathematics.rotation import clamp, wrap_pi
from telemetry.vehicle.sticks import Sticks

Array = npt.NDArray[np.float64]

_PER_M, _PER_MPS, _PER_M_S = 2.0, 2.4, 0.5
"""Wanted acceleration by what is missing of place, of speed, and of place summed up over time."""
_MOST_SUM_MPS2, _MOST_MPS2 = 0.4, 1.5
_NEAR_M: Final = 0.3
"""Where it ought to be waits for an aircraft that is so far behind, and slows down for a nearer
one."""
_SLOWEST_MPS, _PER_S = 0.15, 1.0
"""Near a stop the speed is this much more than the slowest by the distance of the stop."""
_REST_S: Final = 1.5
_LINED_UP_M: Final = 0.05
"""It rests for so long so near a stop, which may be before a door."""
_CLIMB_PER_M, _MOST_CLIMB = 0.6, 0.3
_DEAD_BAND, _DEAD_M = 0.1, 0.05
"""Of the throttle, about its middle, on board; it is left where so much height is missing."""
_YAW_PER_RAD, _MOST_YAW = 1.0, 0.3


class RouteBySticks:
    """Flies from stop to stop, and rests at each for a moment."""

    def __init__(
        self,
        stops: Array,
        speed_mps: float,
        heading_rad: float,
        height_m: float,
        most_tilt_deg: float,
    ) -> None:
        """`stops` (n, 2) north and east; the nose always points to `heading_rad`. A full stick is
        `most_tilt_deg`."""
        self._stops, self._speed = stops, speed_mps
        self._heading, self._height_m = heading_rad, height_m
        self._full_deg = most_tilt_deg
        self._ends_m = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(stops, axis=0).T))])
        self._way_m = 0.0
        self._rest_s = 0.0
        self._sum = np.zeros(2)

    @property
    def is_done(self) -> bool:
        """Whether it has come to the last stop."""
        return self._way_m >= self._ends_m[-1] and self._rest_s <= 0.0

    @property
    def stops_left(self) -> int:
        """How many stops it has not come to."""
        return 0 if self.is_done else int(np.sum(self._ends_m > self._way_m - 1e-9))

    def sticks(
        self, pose: Array, velocity_mps: Array, height_m: float, dt_s: float, *, is_leaving: bool
    ) -> Sticks:
        """What to hold from now on; unless it `is_leaving`, it climbs above the first stop."""
        speed_mps = self._go_on(pose, dt_s) if is_leaving else 0.0
        leg = self._leg
        along = (self._stops[leg + 1] - self._stops[leg]) / self._length_m(leg)
        missing = self._stops[leg] + (self._way_m - self._ends_m[leg]) * along - pose[:2]
        if is_leaving:
            self._sum = np.clip(
                self._sum + _PER_M_S * dt_s * missing, -_MOST_SUM_MPS2, _MOST_SUM_MPS2
            )
        wanted = _PER_M * missing + _PER_MPS * (speed_mps * along - velocity_mps) + self._sum
        north, east = np.clip(wanted, -_MOST_MPS2, _MOST_MPS2)
        cosine, sine = math.cos(pose[2]), math.sin(pose[2])
        turn = wrap_pi(self._heading - float(pose[2]))
        too_low_m = self._height_m - height_m
        climb = clamp(_CLIMB_PER_M * too_low_m, -_MOST_CLIMB, _MOST_CLIMB)
        climb += clamp(_DEAD_BAND * too_low_m / _DEAD_M, -_DEAD_BAND, _DEAD_BAND)
        return Sticks(
            self._share(east * cosine - north * sine),
            -self._share(north * cosine + east * sine),
            clamp(_YAW_PER_RAD * turn, -_MOST_YAW, _MOST_YAW),
            0.5 + climb,
        )

    def _go_on(self, pose: Array, dt_s: float) -> float:
        """Move where it ought to be; how fast."""
        leg = self._leg
        end_m, length_m = float(self._ends_m[leg + 1]), self._length_m(leg)
        share = (self._way_m - self._ends_m[leg]) / length_m
        way = self._stops[leg + 1] - self._stops[leg]
        place = self._stops[leg] + share * way
        if self._rest_s > 0.0:
            is_lined_up = math.hypot(*(place - pose[:2])) < _LINED_UP_M
            self._rest_s -= dt_s if is_lined_up else 0.0
            return 0.0
        from_stop_m = min(self._way_m - self._ends_m[leg], end_m - self._way_m)
        speed_mps = min(self._speed, _SLOWEST_MPS + _PER_S * max(float(from_stop_m), 0.0))
        behind_m = float((place - pose[:2]) @ way) / length_m
        speed_mps *= min(max(1.0 - behind_m / _NEAR_M, 0.0), 1.0)
        self._way_m = min(self._way_m + dt_s * speed_mps, end_m)
        if self._way_m >= end_m:
            self._rest_s = _REST_S
        return speed_mps

    @property
    def _leg(self) -> int:
        behind = int(np.searchsorted(self._ends_m, self._way_m, side="right")) - 1
        return min(behind, len(self._stops) - 2)

    def _length_m(self, leg: int) -> float:
        return float(self._ends_m[leg + 1] - self._ends_m[leg])

    def _share(self, acceleration_mps2: float) -> float:
        return math.degrees(math.atan2(acceleration_mps2, GRAVITY)) / self._full_deg
