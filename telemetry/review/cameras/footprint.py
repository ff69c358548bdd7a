"""Camera footprint: the ground that a camera on an aircraft sees, over flat ground."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from telemetry.base.rotations import Floats, matrix_by_angles
from telemetry.review.cameras.camera_settings import CameraSettings
from telemetry.review.cameras.lens import lens_of
from telemetry.review.cameras.projection import camera_from_body

FARTHEST_HEIGHTS = 10.0
"""The picture is cut where the ground is so many heights away: beyond, a degree of attitude is
half the distance, and at the horizon there is no end."""
_WIDE = (1600, 900)
"""The picture of a camera of which nobody said more than its field of view."""
_PER_SIDE = 24
_LEAST_DOWN = 0.01
_LEAST_HEIGHT_M = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Footprint:
    """`corners`: metres north and east of the aircraft, (n, 2), in order around it. `is_cut`:
    whether the picture reaches further, to the horizon or beyond."""

    corners: Floats
    is_cut: bool


def footprint(
    camera: CameraSettings, attitude_deg: tuple[float, float, float], height_m: float
) -> Footprint | None:
    """What is seen from `height_m` above the ground at roll, pitch and yaw (of the body, FRD to
    NED); None on the ground, and where the picture shows only what is too far away."""
    if height_m < _LEAST_HEIGHT_M:
        return None
    rays = _border(camera) @ camera_from_body(camera) @ matrix_by_angles(*attitude_deg).T
    rays = _below(rays)
    if not len(rays):
        return None
    places = rays[:, :2] / rays[:, 2:] * height_m
    farthest_m = FARTHEST_HEIGHTS * height_m
    away_m = np.hypot(*places.T)
    is_far = away_m > farthest_m
    if is_far.all():
        return None
    places[is_far] *= (farthest_m / away_m[is_far])[:, None]
    return Footprint(places, bool(is_far.any()))


def _border(camera: CameraSettings) -> Floats:
    """Directions (n, 3) in the camera's frame along the picture's border, clockwise. They lie in
    one plane, 1 ahead, unless the lens is distorted."""
    width, height = size = _picture_size(camera)
    share = np.linspace(0.0, 1.0, _PER_SIDE, endpoint=False)
    along_x, along_y = share * width - 0.5, share * height - 0.5
    right, bottom = np.full(_PER_SIDE, width - 0.5), np.full(_PER_SIDE, height - 0.5)
    edge = np.full(_PER_SIDE, -0.5)
    across = np.concatenate((along_x, right, width - 1.0 - along_x, edge))
    down = np.concatenate((edge, along_y, bottom, height - 1.0 - along_y))
    seen = lens_of(camera, size).directions(np.column_stack((across, down)))
    return np.column_stack((np.ones(len(seen)), seen))


def _picture_size(camera: CameraSettings) -> tuple[int, int]:
    """A calibrated lens tells about where its picture's middle is."""
    if not camera.centre_px:
        return _WIDE
    width, height = (max(2, round(2.0 * value + 1.0)) for value in camera.centre_px)
    return width, height


def _below(rays: Floats) -> Floats:
    """The part of a border (n, 3) that looks below the horizon, closed along it; empty if none."""
    down = rays[:, 2] - _LEAST_DOWN
    if (down >= 0.0).all():
        return rays
    parts = []
    for here, there, a, b in zip(rays, np.roll(rays, -1, 0), down, np.roll(down, -1), strict=True):
        if a >= 0.0:
            parts.append(here)
        if (a >= 0.0) != (b >= 0.0):
            parts.append(here + (there - here) * a / (a - b))
    return np.array(_with_far_edge(parts)) if parts else np.empty((0, 3))


def _with_far_edge(parts: list[Floats]) -> list[Floats]:
    """With points along the cut, so that it becomes an arc at the farthest distance."""
    closed = [*parts, parts[0]]
    filled: list[Floats] = []
    for here, there in pairwise(closed):
        is_cut = max(here[2], there[2]) < _LEAST_DOWN * (1.0 + 1e-6)
        steps = _PER_SIDE if is_cut else 1
        filled += [here + (there - here) * i / steps for i in range(steps)]
    return filled
