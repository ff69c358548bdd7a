"""Steering of behaviours: the sticks for a course, in a mode that levels itself and holds height.

A velocity over ground becomes a bank, by its error and what of it stays (wind); the middle of the
throttle stick holds the height (AltitudeVario). Stick units follow the settings on board.
"""

import math
from dataclasses import dataclass
from typing import Final

from telemetry.flying.behaviours.pose import PilotPose
from telemetry.recording.sample import Sample
from telemetry.vehicle.sticks import Sticks

MOST_BANK_DEG: Final = 20.0
_BANK_PER_MPS: Final = 5.0
_WIND_PER_S: Final = 1.0
_MOST_WIND_DEG: Final = 8.0
_PLACE_PER_S: Final = 0.5
_CLIMB_PER_M: Final = 0.3
_MOST_CLIMB: Final = 0.6
_YAW_FULL_DEG: Final = 60.0
_MOST_YAW: Final = 0.4
_FULL_EXPO: Final = 4.0
"""stabilizedhandler.c: the stick counts with the power 4 ** (expo / 100)."""


@dataclass(frozen=True, slots=True)
class Course:
    """What a behaviour wants: a velocity in m/s over ground, a height above home in metres, and a
    heading in degrees; None leaves the nose as it is."""

    north_mps: float
    east_mps: float
    height_m: float
    heading_deg: float | None = None


@dataclass(frozen=True, slots=True)
class StickFeel:
    """The bank at full stick in degrees, and the expo, of roll and pitch."""

    full_deg: tuple[float, float] = (55.0, 55.0)
    expo: tuple[float, float] = (0.0, 0.0)

    def stick(self, axis: int, bank_deg: float) -> float:
        """The stick that asks for a bank: the firmware's curve, backwards."""
        share = min(abs(bank_deg) / max(self.full_deg[axis], 1.0), 1.0)
        power = _FULL_EXPO ** (self.expo[axis] / 100.0)
        return math.copysign(share ** (1.0 / power), bank_deg)


def read_feel(bank: Sample | None) -> StickFeel:
    """From StabilizationBank, which is the one in use; the defaults while it is unknown."""
    if bank is None:
        return StickFeel()
    return StickFeel(
        (float(bank.raw("RollMax")), float(bank.raw("PitchMax"))),
        (float(bank.raw("StickExpo.Roll")), float(bank.raw("StickExpo.Pitch"))),
    )


def towards(
    pose: PilotPose, north_m: float, east_m: float, speed_mps: float
) -> tuple[float, float]:
    """The velocity that flies to a place and stops there, no faster than `speed_mps`."""
    north, east = north_m - pose.north_m, east_m - pose.east_m
    wanted = math.hypot(north, east) * _PLACE_PER_S
    scale = _PLACE_PER_S * min(1.0, speed_mps / max(wanted, 1e-6))
    return north * scale, east * scale


class Steering:
    """Works sticks out, step by step."""

    def __init__(self) -> None:
        self._wind_deg = [0.0, 0.0]

    def sticks(self, course: Course, pose: PilotPose, feel: StickFeel, dt_s: float) -> Sticks:
        """Where the sticks have to be to fly `course` from `pose`."""
        errors = (course.north_mps - pose.north_mps, course.east_mps - pose.east_mps)
        banks = [self._bank(axis, error, dt_s) for axis, error in enumerate(errors)]
        yaw = math.radians(pose.yaw_deg)
        forward = banks[0] * math.cos(yaw) + banks[1] * math.sin(yaw)
        right = -banks[0] * math.sin(yaw) + banks[1] * math.cos(yaw)
        climb = _bounded((course.height_m - pose.height_m) * _CLIMB_PER_M, _MOST_CLIMB)
        return Sticks(
            roll=feel.stick(0, _bounded(right, MOST_BANK_DEG)),
            pitch=-feel.stick(1, _bounded(forward, MOST_BANK_DEG)),
            yaw=turn(course.heading_deg, pose.yaw_deg),
            throttle=0.5 + climb / 2.0,
        )

    def _bank(self, axis: int, error_mps: float, dt_s: float) -> float:
        wind = self._wind_deg[axis] + _WIND_PER_S * error_mps * dt_s
        self._wind_deg[axis] = _bounded(wind, _MOST_WIND_DEG)
        return _BANK_PER_MPS * error_mps + self._wind_deg[axis]


def turn(heading_deg: float | None, yaw_deg: float) -> float:
    """The yaw stick that turns the nose to a heading the shorter way."""
    if heading_deg is None:
        return 0.0
    error = (heading_deg - yaw_deg + 180.0) % 360.0 - 180.0
    return _bounded(error / _YAW_FULL_DEG, _MOST_YAW)


def _bounded(value: float, most: float) -> float:
    return max(-most, min(most, value))
