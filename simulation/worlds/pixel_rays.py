"""Pixel rays: the direction of each pixel of a camera through its lens."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from telemetry.review.cameras.lens import Lens

Floats = npt.NDArray[np.float32]

_UNDONE_PX = 0.1
_STEEPEST = 8.0
"""Tangent of the furthest aside that is drawn: 83 degrees from the line of sight."""


@dataclass(frozen=True, slots=True, eq=False)
class PixelRays:
    """Directions (1, `right`, `down`) in the camera's axes, one for each pixel of a picture of
    `size` (width, height): arrays (height, width), or without distortion (1, width), (height, 1).

    NaN where the lens shows nothing, as around the circle of a fisheye.
    """

    size: tuple[int, int]
    right: Floats
    down: Floats

    def every(self, rows: int, columns: int) -> "PixelRays":
        """Those of every so manyth row and column."""
        right, down = (rays[::rows, ::columns] for rays in (self.right, self.down))
        return PixelRays((right.shape[1], down.shape[0]), right, down)

    def tangents(self) -> tuple[float, float]:
        """How far to either side and up and down anything is seen."""
        return float(np.nanmax(np.abs(self.right))), float(np.nanmax(np.abs(self.down)))


def rays_of(lens: Lens, size: tuple[int, int]) -> PixelRays:
    """The rays of all pixels of pictures of `size` (width, height). Raises ValueError for a lens
    that shows nothing in its middle."""
    width, height = size
    across, along = np.arange(width, dtype=float), np.arange(height, dtype=float)
    if not any(lens.distortion) and not lens.is_fisheye:
        sides = zip((across, along), lens.centre_px, lens.focal_px, strict=True)
        right, down = (((pixel - c) / f).astype(np.float32) for pixel, c, f in sides)
        return PixelRays(size, right[None], down[:, None])
    pixels = np.stack(np.meshgrid(across, along), axis=-1).reshape(-1, 2)
    seen = lens.directions(pixels)
    back = lens.pixels(np.column_stack([seen, np.ones(len(seen))]))
    # Where a lens cannot be undone, what comes back is another pixel.
    is_shown = np.abs(back - pixels).max(axis=1) < _UNDONE_PX
    is_shown &= np.abs(seen).max(axis=1) < _STEEPEST
    if not is_shown[(height // 2) * width + width // 2]:
        raise ValueError("the lens shows nothing in the middle of the picture")
    shown = np.where(is_shown[:, None], seen, np.nan).astype(np.float32)
    right, down = np.ascontiguousarray(shown.T).reshape(2, height, width)
    return PixelRays(size, right, down)
