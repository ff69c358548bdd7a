"""Lidar pose: where an aircraft is that has a lidar and no GPS, by matching its scans.

Each is matched to the map of those before. Between scans it goes on by what the board says of its
attitude: it accelerates with g tan(tilt), and turns as its heading does. A board's tilt is wrong by
a degree, which is 0.17 m/s2: that is estimated too. Each scan is made level by the board's
attitude, and its rays are moved to where they left, with the rate of turning and the speed of that
moment.
"""

import math
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from simulation.environment.earth import GRAVITY
from simulation.mathematics.rotation import euler_of, wrap_pi
from simulation.perception.scan_map import ScanMap, turned
from telemetry.base.rotations import matrix_by_angles
from telemetry.protocol.streams.samples import ScanSample

Array = npt.NDArray[np.float64]

_SLICE_M: Final = 0.25
"""What is so much above or below the scanner is not matched."""
_LEAST_M, _FAR_M = 0.3, 25.0
_EVERY: Final = 3
"""Of all rays, those that are matched."""
_EVERY_STANDING: Final = 5
"""Of the scans while it stands, those that the map begins with."""
_TO_SPEED, _TO_BIAS = 0.3, 0.1
"""Shares of what a match corrects, by the time between scans, that are speed and acceleration."""
_MOST_BIAS_MPS2: Final = 0.5
_DRAG_PER_S: Final = 0.2
_NEW_M, _NEW_RAD = 0.1, math.radians(4.0)
"""Moved or turned by so much, it draws a scan into the map."""


@dataclass(frozen=True, slots=True, eq=False)
class LidarScanner:
    """How a lidar stands in its aircraft: `rays` (n, 3) in body axes, when each of them leaves,
    `after_s` (n,), and `place_m` (3,) in body axes."""

    rays: Array
    after_s: Array
    place_m: Array


@dataclass(frozen=True, slots=True, eq=False)
class PlacedScan:
    """A scan as it arrived, with the pose (north, east, heading) and NED velocity that were found
    for it, the board's attitude, and the height above the floor."""

    sample: ScanSample
    pose: Array
    velocity_mps: Array
    attitude: tuple[float, ...]
    turning_radps: float
    arrived_s: float
    height_m: float


class LidarPose:
    """Position and heading in the axes of the map, whose origin is given with the first pose."""

    def __init__(self, scanner: LidarScanner, pose: Array, *, is_matching: bool = True) -> None:
        """`pose`: north, east, heading at the beginning. Unless it `is_matching`, it goes on by
        attitude alone."""
        self.pose = np.array(pose, np.float64)
        self.velocity_mps = np.zeros(2)
        self.scans: list[PlacedScan] = []
        self._scanner, self._is_matching = scanner, is_matching
        self._map = ScanMap()
        self._bias_mps2 = np.zeros(2)
        self._heading_rad: float | None = None
        self._drawn = self.pose.copy()
        self._taken_s = 0.0

    def go_on(self, output: Any, dt_s: float) -> None:
        """Fly on for a moment by the board's attitude."""
        roll, pitch, heading = euler_of(output["quaternion"].tolist())
        if self._heading_rad is not None:
            self.pose[2] += wrap_pi(heading - self._heading_rad)
        self._heading_rad = heading
        ahead, right = -GRAVITY * math.tan(pitch), GRAVITY * math.tan(roll)
        pull = turned(np.array([ahead, right]), self.pose[2]) - self._bias_mps2
        self.pose[:2] += dt_s * self.velocity_mps
        self.velocity_mps += dt_s * (pull - _DRAG_PER_S * self.velocity_mps)

    def stand(self, output: Any) -> None:
        """It has not moved: its place is known."""
        self._heading_rad = euler_of(output["quaternion"].tolist())[2]
        self.velocity_mps[:] = 0.0

    def take(
        self, sample: ScanSample, output: Any, at: tuple[float, float], *, is_standing: bool
    ) -> None:
        """Match a scan that has just arrived, `at` this time (s) and height (m). While it
        `is_standing` the map begins with it."""
        now_s, height_m = at
        scan = PlacedScan(
            sample,
            self.pose,
            self.velocity_mps.copy(),
            tuple(output["quaternion"].tolist()),
            math.radians(float(output["gyro"][2])),
            now_s,
            height_m,
        )
        points = level_points(self._scanner, scan, _EVERY)
        if is_standing:
            if len(self.scans) % _EVERY_STANDING == 0:
                self._map.add(points, self.pose)
        elif self._is_matching:
            self._correct(self._map.match(points, self.pose), now_s - self._taken_s)
            away = self.pose - self._drawn
            if math.hypot(away[0], away[1]) > _NEW_M or abs(away[2]) > _NEW_RAD:
                self._map.add(points, self.pose)
                self._drawn = self.pose.copy()
        self._taken_s = now_s
        velocity = self.velocity_mps.copy()
        self.scans.append(replace(scan, pose=self.pose.copy(), velocity_mps=velocity))

    def _correct(self, pose: Array, since_s: float) -> None:
        missing = (pose[:2] - self.pose[:2]) / since_s
        self.pose = pose
        self.velocity_mps += _TO_SPEED * missing
        self._bias_mps2 = np.clip(
            self._bias_mps2 - _TO_BIAS * missing, -_MOST_BIAS_MPS2, _MOST_BIAS_MPS2
        )


def level_points(scanner: LidarScanner, scan: PlacedScan, every: int = 1) -> Array:
    """What a scan met about the scanner's height, ahead and to the right (n, 2) of where the
    aircraft was when it arrived."""
    ranges = scan.sample.ranges_m[::every].astype(np.float64)
    good = (ranges > _LEAST_M) & (ranges < _FAR_M)  # NaN is not
    late_s = scan.arrived_s - scan.sample.time_us / 1e6 - scanner.after_s[::every][good]
    met = scanner.rays[::every][good] * ranges[good, None] + scanner.place_m
    roll, pitch, _ = euler_of(list(scan.attitude))
    level = met @ matrix_by_angles(math.degrees(roll), math.degrees(pitch), 0.0).T
    back_rad = -scan.turning_radps * late_s
    cosine, sine = np.cos(back_rad), np.sin(back_rad)
    ahead = level[:, 0] * cosine - level[:, 1] * sine
    right = level[:, 0] * sine + level[:, 1] * cosine
    moved = late_s[:, None] * turned(scan.velocity_mps, -scan.pose[2])
    is_level = np.abs(level[:, 2] - scanner.place_m[2]) < _SLICE_M
    return np.asarray((np.stack([ahead, right], axis=1) - moved)[is_level])
