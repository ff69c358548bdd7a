"""Board mounting fit: AttitudeSettings.BoardRotation, from gravity in two poses.

Level tells which way is down, nose up which way is forward; of the 24 rotations that lay axes on
axes the one that explains both is taken. What is left over is the aircraft not standing exactly
so, and the level calibration's business.
"""

from dataclasses import dataclass

import numpy as np

from telemetry.configuration.calibration.fits.correction import Correction
from telemetry.configuration.calibration.fits.poses import RestPose
from telemetry.configuration.calibration.fits.result import (
    Array,
    Calibration,
    CalibrationError,
    Quality,
    checked_rows,
)
from telemetry.configuration.calibration.fits.robust import robust_mean
from telemetry.configuration.calibration.fits.rotation import (
    aligned_rotations,
    angle_between,
    angles_of,
)

_LEAST = 5
_POSES = (RestPose.LEVEL, RestPose.NOSE_UP)
_SQUARE_WITHIN_DEG = 25.0
_ODD_DEG = 20.0


@dataclass(frozen=True, slots=True)
class Mounting:
    """The rotation to write, and the angles the readings themselves would give, deg."""

    calibration: Calibration
    measured_deg: tuple[float, float, float]


def fit_mounting(level: Array, nose_up: Array, on_board: Correction) -> Mounting:
    """The rotation from rows (n, 3 or 4) of published acceleration, level and with the nose up.

    Raise CalibrationError if the poses are not square to each other, or if no rotation by quarter
    turns fits. The trim starts again at zero, as it was against the old rotation.
    """
    published = [
        robust_mean(checked_rows(np.asarray(rows)[:, :3], 3, _LEAST, "accelerometer"))
        for rows in (level, nose_up)
    ]
    before = _misfit(published[0], published[1], np.eye(3))
    u, v = (on_board.to_airframe.T @ row for row in published)
    if abs(angle_between(u, v) - 90.0) > _SQUARE_WITHIN_DEG:
        raise CalibrationError(
            f"The two poses are {angle_between(u, v):.0f} degrees apart.",
            "Stand it level first, then on its tail with the nose straight up.",
        )
    measured = _measured(u, v)
    best = min(aligned_rotations(), key=lambda rotation: _misfit(u, v, rotation))
    left = _misfit(u, v, best)
    roll, pitch, yaw = (round(angle) for angle in angles_of(measured))
    if left > _ODD_DEG:
        raise CalibrationError(
            f"The board is not mounted in quarter turns: off by {left:.0f} degrees.",
            f"If it is mounted askew, set the rotation by hand, near roll {roll}, pitch {pitch}, "
            f"yaw {yaw} degrees; otherwise repeat with the aircraft standing square.",
        )
    angles = np.round(angles_of(best)) + 0.0
    values = {
        "BoardRotation.Roll": float(angles[0]),
        "BoardRotation.Pitch": float(angles[1]),
        "BoardRotation.Yaw": float(angles[2]),
        "BoardLevelTrim.Roll": 0.0,
        "BoardLevelTrim.Pitch": 0.0,
    }
    verdict = (
        f"Mounted with roll {angles[0]:.0f}, pitch {angles[1]:.0f}, yaw {angles[2]:.0f} degrees; "
        f"{left:.0f} degrees are left. Calibrate level next."
    )
    quality = Quality("The worst pose is explained within", before, left, "deg")
    calibration = Calibration({"AttitudeSettings": values}, (quality,), verdict)
    return Mounting(calibration, angles_of(measured))


def _misfit(level: Array, nose_up: Array, rotation: Array) -> float:
    """The larger of the angles by which gravity points elsewhere than the poses say."""
    return max(
        angle_between(rotation @ row, -pose.down)
        for row, pose in zip((level, nose_up), _POSES, strict=True)
    )


def _measured(level: Array, nose_up: Array) -> Array:
    """The rotation that lays level's gravity exactly and the nose's as well as it can."""
    down = -level / np.linalg.norm(level)
    right = np.cross(down, nose_up)
    right /= np.linalg.norm(right)
    return np.stack([np.cross(right, down), right, down])
