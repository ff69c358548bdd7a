"""Pixels of a picture to directions in front of the camera."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from telemetry.video.camera_settings import CameraSettings

_Points = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Lens:
    """A pinhole with OpenCV's distortion for pictures of one size.

    `focal_px` and `centre_px` are (x, y) in pixels of that size, the centre of the top left pixel
    being (0, 0).
    """

    focal_px: tuple[float, float]
    centre_px: tuple[float, float]
    distortion: tuple[float, ...] = ()

    def directions(self, pixels: _Points) -> _Points:
        """Where pixels (n, 2) look: (x, y) of the direction (x, y, 1) in the camera frame."""
        if self.distortion:
            return self._undistorted(pixels)
        return (pixels - self.centre_px) / self.focal_px

    def pixels(self, directions: _Points) -> _Points:
        """Where directions (n, 3) in front of the camera are seen, (n, 2), without distortion."""
        return directions[:, :2] / directions[:, 2:] * self.focal_px + self.centre_px

    def _undistorted(self, pixels: _Points) -> _Points:
        import cv2

        (fx, fy), (cx, cy) = self.focal_px, self.centre_px
        matrix = np.array([[fx, 0.0, cx], [0.0, fy, cy], [0.0, 0.0, 1.0]])
        straight = cv2.undistortPoints(pixels.reshape(-1, 1, 2), matrix, np.array(self.distortion))
        return np.asarray(straight, np.float64).reshape(-1, 2)


def lens_of(camera: CameraSettings, size: tuple[int, int], full_width: int) -> Lens:
    """The lens for pictures of `size` (width, height), made smaller from `full_width`.

    A calibration is valid for pictures of full width; without one the pixels are square and the
    optical axis is in the middle.
    """
    width, height = size
    scale = width / full_width
    focal = 0.5 * width / math.tan(math.radians(camera.field_of_view_deg) / 2.0)
    centre = (width / 2.0 - 0.5, height / 2.0 - 0.5)
    if camera.focal_px:
        fx, fy = (scale * value for value in camera.focal_px)
    else:
        fx = fy = focal
    if camera.centre_px:
        x, y = (scale * (value + 0.5) - 0.5 for value in camera.centre_px)
        centre = (x, y)
    return Lens((fx, fy), centre, camera.distortion)
