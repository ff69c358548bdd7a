"""Camera fit: lens and mount of a camera whose film is synchronised with a log."""

import math

import numpy as np
import numpy.typing as npt
from scipy.spatial.transform import Rotation

from telemetry.review.cameras.camera_settings import CameraSettings
from telemetry.review.flights.sync import Sync
from telemetry.review.flights.synchronisation.camera_estimate import CameraEstimate
from telemetry.review.flights.synchronisation.log_motion import LogMotion
from telemetry.review.flights.synchronisation.motion_signals import PictureMotion
from telemetry.review.flights.synchronisation.rotations import CAMERA_FROM_BODY, rotations_of
from telemetry.review.flights.synchronisation.turns import turns_of_log, turns_of_picture

_Column = npt.NDArray[np.float64]

_ROUNDS = 10
_SIGMA_SHARE, _MOUNT_SIGMA_DEG = 0.05, (1.0, 1.0, 1.0)


def fit_camera(
    motion: PictureMotion, log: LogMotion, sync: Sync, camera: CameraSettings
) -> CameraEstimate:
    """What the film's motion says of its camera; `camera` is what was assumed when it was
    measured."""
    picture, turns = turns_of_picture(motion, np.empty(0)), turns_of_log(log)
    start_s, end_s = (
        np.array([sync.medium_s(float(t)) or np.nan for t in times])
        for times in (turns.start_s, turns.end_s)
    )
    seen, is_seen = picture.between(np.nan_to_num(start_s), np.nan_to_num(end_s))
    is_seen &= np.isfinite(start_s) & np.isfinite(end_s)
    seen, told = seen[is_seen], turns.turn_rad[is_seen]
    scale = 1.0
    for _ in range(_ROUNDS):
        straight = seen / [scale, scale, 1.0]
        mount = rotations_of(straight.T @ told)
        expected = told @ mount.T
        scale = float(np.sum(seen[:, :2] ** 2) / np.sum(seen[:, :2] * expected[:, :2]))
    half = math.atan(math.tan(math.radians(camera.field_of_view_deg) / 2) / scale)
    field_deg = math.degrees(2 * half)
    return CameraEstimate(field_deg, _SIGMA_SHARE * field_deg, _mount_deg(mount), _MOUNT_SIGMA_DEG)


def _mount_deg(mount: _Column) -> tuple[float, float, float]:
    """(roll, pitch, yaw) as in CameraSettings."""
    body_from_mount = (CAMERA_FROM_BODY.T @ mount @ CAMERA_FROM_BODY).T
    yaw, pitch, roll = Rotation.from_matrix(body_from_mount).as_euler("ZYX", degrees=True)
    return float(roll), float(pitch), float(yaw)
