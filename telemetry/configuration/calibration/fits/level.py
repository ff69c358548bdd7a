"""Level fit: AttitudeSettings.BoardLevelTrim, from two attitudes half a turn apart.

A sloping table tilts the aircraft one way, and after half a turn the other way; the mean of both
is the board's own tilt. The trim turns the airframe's axes after BoardRotation, so it is what has
to be added to the board's roll and pitch.
"""

import math

import numpy as np

from telemetry.configuration.calibration.fits.correction import Correction
from telemetry.configuration.calibration.fits.result import (
    Array,
    Calibration,
    CalibrationError,
    Quality,
    checked_rows,
)
from telemetry.configuration.calibration.fits.robust import robust_mean
from telemetry.configuration.calibration.fits.rotation import angle_between, rotation_of

_LEAST = 10
_HALF_TURN_TOLERANCE_DEG = 30.0
_LARGEST_DEG = 20.0
_STEEP_DEG = 5.0
_DOWN = np.array([0.0, 0.0, 1.0])


def fit_level(first: Array, second: Array, on_board: Correction) -> Calibration:
    """The trim from AttitudeState before and after half a turn: rows (n, 3) of roll, pitch, yaw
    in degrees. Raise CalibrationError if it was not turned, or is far from level.
    """
    before, after = (checked_rows(rows, 3, _LEAST, "attitude") for rows in (first, second))
    turned = abs((_heading(after) - _heading(before) + 180.0) % 360.0 - 180.0)
    if turned < 180.0 - _HALF_TURN_TOLERANCE_DEG:
        raise CalibrationError(
            f"Between the two readings it was turned by {turned:.0f} degrees.",
            "Turn it by half a turn on the same spot, so that the slope of the table cancels.",
        )
    downs = [_down(rows) for rows in (before, after)]
    mean = sum(downs, np.zeros(3))
    tilt = angle_between(mean, _DOWN)
    slope = angle_between(downs[0], downs[1]) / 2.0
    untrimmed = rotation_of(*on_board.trim).T @ mean / np.linalg.norm(mean)
    roll = -math.degrees(math.asin(float(np.clip(untrimmed[1], -1.0, 1.0))))
    pitch = math.degrees(math.atan2(untrimmed[0], untrimmed[2]))
    if max(abs(roll), abs(pitch)) > _LARGEST_DEG:
        raise CalibrationError(
            f"The board would have to be trimmed by {max(abs(roll), abs(pitch)):.0f} degrees.",
            "Set the board's rotation first, and stand the aircraft level.",
        )
    left = angle_between(rotation_of(roll, pitch) @ untrimmed, _DOWN)
    is_good = slope < _STEEP_DEG
    verdict = f"The table slopes by {slope:.1f} degrees, which cancels." + (
        "" if is_good else " That is steep: use a table that is nearly level."
    )
    values = {"BoardLevelTrim.Roll": roll, "BoardLevelTrim.Pitch": pitch}
    quality = Quality("Level is shown tilted by", tilt, left, "deg")
    return Calibration({"AttitudeSettings": values}, (quality,), verdict, is_good)


def _heading(rows: Array) -> float:
    yaw = np.radians(rows[:, 2])
    return math.degrees(math.atan2(np.sin(yaw).mean(), np.cos(yaw).mean()))


def _down(rows: Array) -> Array:
    """Which way is down along the airframe's axes, by its roll and pitch."""
    roll, pitch = np.radians(rows[:, 0]), np.radians(rows[:, 1])
    down = [-np.sin(pitch), np.sin(roll) * np.cos(pitch), np.cos(roll) * np.cos(pitch)]
    return robust_mean(np.stack(down, axis=1))
