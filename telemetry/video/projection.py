"""Where a direction of the world stands in a camera's picture: a pinhole with OpenCV's distortion.

The camera's frame is x forwards along the optical axis, y right, z down, as the body's (FRD). A
picture's u runs right and v down, in pixels from its upper left corner.
"""

import math

import numpy as np
import numpy.typing as npt

from telemetry.video.camera_settings import CameraSettings

Floats = npt.NDArray[np.float64]

BESIDE_DEG = 80.0
"""So far to either side of what is ahead a line is followed."""
_POINTS = 33
_LEAST_FORWARD = 0.05
"""A direction further aside than 87 degrees stands nowhere in a picture."""


def down_in_body(roll_deg: float, pitch_deg: float) -> Floats:
    """The direction of gravity in the body's frame (FRD), shape (3,); all of an attitude that a
    horizon depends on."""
    roll, pitch = math.radians(roll_deg), math.radians(pitch_deg)
    across = math.cos(pitch)
    return np.array([-math.sin(pitch), math.sin(roll) * across, math.cos(roll) * across])


def camera_from_body(camera: CameraSettings) -> Floats:
    """The matrix (3, 3) that turns body vectors into the camera's frame: yaw, pitch, roll."""
    roll, pitch, yaw = (
        math.radians(angle)
        for angle in (camera.mount_roll_deg, camera.mount_pitch_deg, camera.mount_yaw_deg)
    )
    about_x = np.array(
        [
            [1.0, 0.0, 0.0],
            [0.0, math.cos(roll), math.sin(roll)],
            [0.0, -math.sin(roll), math.cos(roll)],
        ]
    )
    about_y = np.array(
        [
            [math.cos(pitch), 0.0, -math.sin(pitch)],
            [0.0, 1.0, 0.0],
            [math.sin(pitch), 0.0, math.cos(pitch)],
        ]
    )
    about_z = np.array(
        [[math.cos(yaw), math.sin(yaw), 0.0], [-math.sin(yaw), math.cos(yaw), 0.0], [0.0, 0.0, 1.0]]
    )
    turned: Floats = about_x @ about_y @ about_z
    return turned


def project(directions: Floats, camera: CameraSettings, size: tuple[int, int]) -> Floats:
    """Pixels (n, 2) of directions (n, 3) in the camera's frame, in a picture of `size`.

    NaN for what stands behind the camera or beyond what its lens can show.
    """
    forward = directions[:, 0]
    is_ahead = forward > _LEAST_FORWARD * np.linalg.norm(directions, axis=1)
    depth = np.where(is_ahead, forward, np.nan)
    x, y = directions[:, 1] / depth, directions[:, 2] / depth
    if camera.distortion:
        x, y = _distorted(x, y, camera.distortion)
    (focal_x, focal_y), (centre_x, centre_y) = _lens(camera, size)
    return np.column_stack([centre_x + focal_x * x, centre_y + focal_y * y])


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


def _lens(
    camera: CameraSettings, size: tuple[int, int]
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Focal lengths and principal point in pixels: calibrated, or those of the field of view."""
    width, height = size
    focal = width / 2 / math.tan(math.radians(camera.field_of_view_deg) / 2)
    focals = camera.focal_px or (focal, focal)
    centre = camera.centre_px or (width / 2, height / 2)
    return (focals[0], focals[1]), (centre[0], centre[1])


def _distorted(x: Floats, y: Floats, coefficients: tuple[float, ...]) -> tuple[Floats, Floats]:
    """OpenCV's model (k1, k2, p1, p2, k3); NaN from where it would fold the picture over."""
    k1, k2, p1, p2, k3 = (*coefficients, *(0.0,) * 5)[:5]
    r2 = x * x + y * y
    radial = 1.0 + r2 * (k1 + r2 * (k2 + r2 * k3))
    grows = 1.0 + r2 * (3.0 * k1 + r2 * (5.0 * k2 + r2 * 7.0 * k3)) > 0.0
    radial = np.where(grows, radial, np.nan)
    return (
        x * radial + 2.0 * p1 * x * y + p2 * (r2 + 2.0 * x * x),
        y * radial + p1 * (r2 + 2.0 * y * y) + 2.0 * p2 * x * y,
    )
