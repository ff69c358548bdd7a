"""A behaviour that sees: wanders through rooms by lidar alone, without GPS.

Connect to sim:hector-indoor@office, arm, Fly by hand, raise the throttle for about three seconds
(it climbs after two, and to the ceiling if it stays raised), and have Lapwing run this file (Guided
flight, Behaviour, Script).
Ahead as far as there is room, away from what is near, and where the way is blocked it turns to the
freer side until it is free. It measures how fast it flies by the change from scan to scan (range
flow: Jaimez et al., Planar Odometry from a Radial Laser Scanner, ICRA 2016), since a lidar tells
places and an aircraft without GPS does not know its speed. A sonar, if there is one, holds its
height: a barometer drifts by metres. If it ends, the stream of sticks stops and the aircraft's
failsafe acts. Touch any stick to take over.
"""

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from telemetry.base.rotations import matrix_of
from telemetry.flying.behaviours.script_moment import ScriptMoment, read_moments, sticks_line
from telemetry.protocol.streams.samples import (
    ScanSample,
    StreamDescription,
    ValueSample,
    ray_directions,
)

Array = npt.NDArray[np.float64]

HEIGHT_M = 1.2
CRUISE_MPS = 0.5
NEAR_M = 1.1  # what is nearer pushes away; arms reach 0.4 m
AWAY_MPS = 0.8
WAY_M = 0.65  # half of how wide a way ahead has to be
BLOCKED_M, FREE_M = 1.6, 2.4  # ahead: turns below the one until it is the other
TURN = 0.3
STICK_PER_MPS = 0.5  # of 15 degrees: reaches a velocity in about 0.8 s
CLIMB_PER_M = 1.5
COMPARED_S = 0.09
SMOOTH = 9  # rays


@dataclass
class Scan:
    """Ranges in the plane of the body: x ahead, y right, angles clockwise from above, rising."""

    time_s: float
    angle: Array
    range_m: Array

    @property
    def points(self) -> Array:
        """(n, 2) metres; without return far away."""
        far = np.nan_to_num(self.range_m, nan=100.0)
        points: Array = far[:, None] * np.stack([np.cos(self.angle), np.sin(self.angle)], 1)
        return points


@dataclass
class KeepClear:
    """Steers from moment to moment."""

    velocity: Array = field(default_factory=lambda: np.zeros(2))
    turning: float = 0.0
    climb: float = 0.0
    scans: list[Scan] = field(default_factory=list)
    sticks: dict[str, float] = field(default_factory=dict)

    def steer(self, moment: ScriptMoment) -> dict[str, float]:
        """Where the sticks shall be."""
        for name, sample in moment.samples.items():
            description = moment.descriptions[name]
            if isinstance(sample, ScanSample):
                self._look(in_body(description, sample))
            elif isinstance(sample, ValueSample) and name == "sonar":
                self.climb = climb_stick(float(sample.values[0]), description.details)
        return {**self.sticks, "throttle": self.climb} if self.sticks else {}

    def _look(self, scan: Scan) -> None:
        if self.scans and scan.time_s < self.scans[-1].time_s:
            self.scans.clear()
        self.scans.append(scan)
        before = [old for old in self.scans if scan.time_s - old.time_s >= COMPARED_S]
        if not before:
            return
        self.velocity += 0.5 * (flown_mps(before[-1], scan) - self.velocity)
        self.scans = self.scans[self.scans.index(before[-1]) :]
        free_m = free_ahead_m(scan)
        self._turn(scan, free_m)
        wanted = pushed_mps(scan)
        if self.turning == 0.0:
            wanted[0] += CRUISE_MPS * np.clip((free_m - 0.5 * BLOCKED_M) / FREE_M, 0.0, 1.0)
        forward, right = STICK_PER_MPS * (wanted - self.velocity)
        self.sticks = {"roll": right, "pitch": -forward, "yaw": TURN * self.turning}

    def _turn(self, scan: Scan, free_m: float) -> None:
        """One way until the way ahead is free, so that corners do not make it waver."""
        if free_m > FREE_M:
            self.turning = 0.0
        elif free_m < BLOCKED_M and self.turning == 0.0:
            is_right = (scan.angle > 0.0) & (scan.angle < 1.6)
            is_left = (scan.angle < 0.0) & (scan.angle > -1.6)
            right, left = (np.nanmean(scan.range_m[side]) for side in (is_right, is_left))
            self.turning = 1.0 if right > left else -1.0


def in_body(description: StreamDescription, sample: ScanSample) -> Scan:
    """A scan as the aircraft's nose has it, however its sensor is mounted."""
    rays = ray_directions(description) @ matrix_of(description.attitude_q_wxyz).T
    angle = np.arctan2(rays[:, 1], rays[:, 0])
    order = np.argsort(angle)
    ranges = np.where(np.isfinite(sample.ranges_m), sample.ranges_m, np.nan)
    return Scan(sample.time_us / 1e6, angle[order], ranges[order].astype(np.float64))


def climb_stick(height_m: float, details: Mapping[str, float]) -> float:
    """The throttle by sonar; the middle where it hears nothing."""
    if not details["least_m"] < height_m < details["longest_m"]:
        return 0.0
    return float(np.clip(CLIMB_PER_M * (HEIGHT_M - height_m), -0.5, 0.5))


def flown_mps(before: Scan, now: Scan) -> Array:
    """How fast it flies ahead and to the right: what explains the change of most ranges."""
    r = 0.5 * (before.range_m + now.range_m)
    kernel = np.ones(SMOOTH) / SMOOTH
    slope = np.convolve(np.gradient(r, now.angle), kernel, "same")
    change = (now.range_m - before.range_m) / (now.time_s - before.time_s)
    cos, sin = np.cos(now.angle), np.sin(now.angle)
    rows = np.stack([-cos - slope * sin / r, -sin + slope * cos / r, slope], 1)
    weight = (np.isfinite(change + slope) & (np.abs(slope) < 4.0 * r)).astype(np.float64)
    rows, change = np.nan_to_num(rows), np.nan_to_num(change)
    motion = np.zeros(3)
    for _ in range(5):
        motion = np.linalg.lstsq(rows * weight[:, None], change * weight, rcond=None)[0]
        error = np.abs(change - rows @ motion)
        weight = (weight > 0.0) / (1.0 + (error / 0.2) ** 2)
    return np.asarray(motion[:2])


def free_ahead_m(scan: Scan) -> float:
    """How far ahead the way is free, as wide as it needs."""
    points = scan.points
    met = points[(np.abs(points[:, 1]) < WAY_M) & (points[:, 0] > 0.0), 0]
    return float(met.min(initial=100.0))


def pushed_mps(scan: Scan) -> Array:
    """Away from what is near, the faster the nearer."""
    share = np.clip(1.0 - np.nan_to_num(scan.range_m, nan=100.0) / NEAR_M, 0.0, 1.0)
    if share.max() == 0.0:
        return np.zeros(2)
    side = np.stack([np.cos(scan.angle), np.sin(scan.angle)], 1)
    away = -(share @ side) / share.sum()
    return np.asarray(2.0 * AWAY_MPS * share.max() * away)


def main() -> None:
    behaviour = KeepClear()
    for moment in read_moments(sys.stdin):
        print(sticks_line(**behaviour.steer(moment)), flush=True)


if __name__ == "__main__":
    main()
