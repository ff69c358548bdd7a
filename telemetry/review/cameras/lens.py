"""Lens between pixels and directions: a pinhole with OpenCV's distortion, or a fisheye.

Pixels are OpenCV's: the centre of the top left one is (0, 0), its upper left corner (-0.5, -0.5).
"""

import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from telemetry.review.cameras.camera_settings import CameraSettings

Floats = npt.NDArray[np.float64]

_GRID = (33, 25)
_UNDONE_PX = 0.1
_LEAST_FORWARD = 0.05
"""A direction further aside than 87 degrees stands nowhere in a picture."""


@dataclass(frozen=True, slots=True, eq=False)
class Lens:
    """The lens for pictures of one size.

    `focal_px` and `centre_px` are (x, y) in pixels of that size, `distortion` OpenCV's
    (k1, k2, p1, p2, k3), of a fisheye (k1, k2, k3, k4) of `cv2.fisheye`; either may end early.
    Directions are (right, down, ahead).
    """

    focal_px: tuple[float, float]
    centre_px: tuple[float, float]
    distortion: tuple[float, ...] = ()
    is_fisheye: bool = False

    def directions(self, pixels: Floats) -> Floats:
        """Where pixels (n, 2) look: (x, y) of the direction (x, y, 1)."""
        if self.distortion or self.is_fisheye:
            return self._undistorted(pixels)
        return (pixels - self.centre_px) / self.focal_px

    def pixels(self, directions: Floats) -> Floats:
        """Where directions (n, 3) are seen, (n, 2); NaN for what stands behind the camera or
        beyond what its lens can show."""
        ahead = directions[:, 2]
        is_ahead = ahead > _LEAST_FORWARD * np.linalg.norm(directions, axis=1)
        seen = directions[:, :2] / np.where(is_ahead, ahead, np.nan)[:, None]
        if self.is_fisheye:
            seen = _bent(seen, self.distortion)
        elif self.distortion:
            seen = _distorted(seen, self.distortion)
        return seen * self.focal_px + self.centre_px

    def matrix(self) -> Floats:
        """The camera matrix (3, 3)."""
        (fx, fy), (cx, cy) = self.focal_px, self.centre_px
        return np.array([[fx, 0.0, cx], [0.0, fy, cy], [0.0, 0.0, 1.0]])

    def _undistorted(self, pixels: Floats) -> Floats:
        import cv2

        points, count = pixels.reshape(-1, 1, 2), 4 if self.is_fisheye else 5
        coefficients = np.array((*self.distortion, *(0.0,) * 5)[:count])
        if self.is_fisheye:
            straight = cv2.fisheye.undistortPoints(points, self.matrix(), coefficients)
        else:
            straight = cv2.undistortPoints(points, self.matrix(), coefficients)
        return np.asarray(straight, np.float64).reshape(-1, 2)


def lens_of(camera: CameraSettings, size: tuple[int, int], full_width: int | None = None) -> Lens:
    """The lens for pictures of `size` (width, height), made smaller from `full_width` if given.

    A calibration is valid for pictures of full width; without one the pixels are square and the
    optical axis is in the middle. The field of view is that before distortion.
    """
    width, height = size
    scale = width / full_width if full_width else 1.0
    centre = (width / 2.0 - 0.5, height / 2.0 - 0.5)
    if camera.focal_px:
        fx, fy = (scale * value for value in camera.focal_px)
    else:
        field = math.radians(camera.field_of_view_deg)
        fx = fy = width / (field if camera.is_fisheye else 2.0 * math.tan(field / 2.0))
    if camera.centre_px:
        x, y = (scale * (value + 0.5) - 0.5 for value in camera.centre_px)
        centre = (x, y)
    return Lens((fx, fy), centre, camera.distortion, camera.is_fisheye)


def four_term_lens(lens: Lens, size: tuple[int, int]) -> tuple[Lens, float]:
    """The lens without k3 that comes nearest in pictures of `size` (width, height), and by how many
    pixels it is off at most.

    Focal lengths, centre and the four terms are fitted together. `lens` itself, and 0, if it has no
    k3.
    """
    from scipy.optimize import least_squares

    if not any(lens.distortion[4:]):
        return replace(lens, distortion=lens.distortion[:4]), 0.0
    across = np.linspace(0.0, size[0] - 1.0, _GRID[0])
    down = np.linspace(0.0, size[1] - 1.0, _GRID[1])
    grid = np.stack(np.meshgrid(across, down), axis=-1).reshape(-1, 2)
    rays = np.column_stack([lens.directions(grid), np.ones(len(grid))])
    pixels = lens.pixels(rays)  # where the lens cannot be undone nothing is asked
    is_seen = np.hypot(*(pixels - grid).T) < _UNDONE_PX

    def fitted(values: Floats) -> Lens:
        fx, fy, cx, cy, *terms = values.tolist()
        return Lens((fx, fy), (cx, cy), tuple(terms))

    def off_px(values: Floats) -> Floats:
        off: Floats = fitted(values).pixels(rays[is_seen]) - grid[is_seen]
        return np.where(np.isnan(off), 1e3, off)

    start = np.array([*lens.focal_px, *lens.centre_px, *lens.distortion[:4]])
    found = least_squares(lambda values: off_px(values).ravel(), start, x_scale="jac").x
    return fitted(found), float(np.hypot(*off_px(found).T).max())


def _distorted(points: Floats, coefficients: tuple[float, ...]) -> Floats:
    """OpenCV's model; NaN from where it would fold the picture over."""
    k1, k2, p1, p2, k3 = (*coefficients, *(0.0,) * 5)[:5]
    x, y = points[:, 0], points[:, 1]
    r2 = x * x + y * y
    radial = 1.0 + r2 * (k1 + r2 * (k2 + r2 * k3))
    grows = 1.0 + r2 * (3.0 * k1 + r2 * (5.0 * k2 + r2 * 7.0 * k3)) > 0.0
    radial = np.where(grows, radial, np.nan)
    return np.column_stack(
        [
            x * radial + 2.0 * p1 * x * y + p2 * (r2 + 2.0 * x * x),
            y * radial + p1 * (r2 + 2.0 * y * y) + 2.0 * p2 * x * y,
        ]
    )


def _bent(points: Floats, coefficients: tuple[float, ...]) -> Floats:
    """OpenCV's fisheye; NaN from where it would fold the picture over."""
    k1, k2, k3, k4 = (*coefficients, *(0.0,) * 4)[:4]
    radius = np.hypot(points[:, 0], points[:, 1])
    angle = np.arctan(radius)
    t2 = angle * angle
    bent = angle * (1.0 + t2 * (k1 + t2 * (k2 + t2 * (k3 + t2 * k4))))
    grows = 1.0 + t2 * (3.0 * k1 + t2 * (5.0 * k2 + t2 * (7.0 * k3 + t2 * 9.0 * k4))) > 0.0
    scale = np.divide(bent, radius, out=np.ones_like(radius), where=radius > 0.0)
    return points * np.where(grows, scale, np.nan)[:, None]
