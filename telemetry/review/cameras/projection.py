"""Camera projection: a direction of the world as a place in a camera's picture.

The camera's frame is x forwards along the optical axis, y right, z down, as the body's (FRD).
Pixels are those of `telemetry.review.cameras.lens`.
"""

import math

import numpy as np

from telemetry.base.rotations import Floats, matrix_by_angles
from telemetry.review.cameras.camera_settings import CameraSettings
from telemetry.review.cameras.lens import lens_of

BESIDE_DEG = 80.0
"""So far to either side of what is ahead a line is followed."""
_POINTS = 33


def down_in_body(roll_deg: float, pitch_deg: float) -> Floats:
    """The direction of gravity in the body's frame (FRD), shape (3,); all of an attitude that a
    horizon depends on."""
    roll, pitch = math.radians(roll_deg), math.radians(pitch_deg)
    across = math.cos(pitch)
    return np.array([-math.sin(pitch), math.sin(roll) * across, math.cos(roll) * across])


def camera_from_body(camera: CameraSettings) -> Floats:
    """The matrix (3, 3) that turns body vectors into the camera's frame: yaw, pitch, roll."""
    return matrix_by_angles(*camera.mount_deg).T


def project(directions: Floats, camera: CameraSettings, size: tuple[int, int]) -> Floats:
    """Pixels (n, 2) of directions (n, 3) in the camera's frame, in a picture of `size`.

    NaN for what stands behind the camera or beyond what its lens can show.
    """
    return lens_of(camera, size).pixels(directions[:, [1, 2, 0]])


def horizon_line(
    down: Floats,
    camera: CameraSettings,
    size: tuple[int, int],
    elevation_deg: float = 0.0,
    beside_deg: float = BESIDE_DEG,
) -> Floats:
    """Pixels (n, 2) of the horizon, or of a circle so far above it, from left to right.

    `down` is gravity in the body's frame (`down_in_body`). It reaches `beside_deg` to either side.
    """
    down_camera = camera_from_body(camera) @ down
    ahead = np.array([1.0, 0.0, 0.0]) - down_camera[0] * down_camera
    if np.linalg.norm(ahead) < 1e-3:  # it looks straight up or down: no side is ahead
        return np.empty((0, 2))
    ahead /= np.linalg.norm(ahead)
    right = np.cross(down_camera, ahead)
    bearing = np.radians(np.linspace(-beside_deg, beside_deg, _POINTS))[:, None]
    level = np.cos(bearing) * ahead + np.sin(bearing) * right
    elevation = math.radians(elevation_deg)
    directions = math.cos(elevation) * level - math.sin(elevation) * down_camera
    return project(directions, camera, size)
