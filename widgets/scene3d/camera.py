"""Camera of a 3-D view: its pose, its angle of view, and where in its picture a place stands.

Its axes are x along the line of sight, y to the picture's right, z to its bottom.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from widgets.scene3d.scene import Floats, Place, PlacedMesh

NEAREST_M, FARTHEST_M = 0.1, 20_000.0
"""What is closer, or farther away, is not drawn."""
_LEAST_INSET_PX = 60


@dataclass(frozen=True, slots=True, eq=False)
class ViewCamera:
    """`to_eye` (3, 3) turns NED into the eye's axes, and may shear them (see `aimed`); `view_deg`
    is how much it sees from the lower edge of its picture to the upper one. It may sit in the
    aircraft."""

    position: Place
    to_eye: Floats
    view_deg: float = 55.0
    is_carried: bool = False

    def tangents(self, width: int, height: int) -> tuple[float, float]:
        """Of the angles to the right and lower edge of a picture."""
        down = math.tan(math.radians(self.view_deg) / 2.0)
        return down * width / max(height, 1), down

    def aimed(self, at: tuple[float, float], width: int, height: int) -> "ViewCamera":
        """The same with what it looks at standing at a pixel of a picture: as if that were cut out
        of a larger one, by a shear of the axes across the line of sight."""
        across, down = self.tangents(width, height)
        shear = np.eye(3)
        shear[1:, 0] = (2.0 * at[0] / width - 1.0) * across, (2.0 * at[1] / height - 1.0) * down
        return replace(self, to_eye=shear @ self.to_eye)

    def sees(self, placed: PlacedMesh) -> bool:
        """Whether it is not the body it sits in."""
        return not (self.is_carried and placed.is_carrier)

    def scale_of(self, placed: PlacedMesh, height: int) -> float:
        """How much larger than it is a mesh is drawn in a picture of such a height."""
        if not placed.least_px:
            return placed.scale
        away_m = math.dist(self.position, placed.position)
        metre_px = height / 2.0 / math.tan(math.radians(self.view_deg) / 2.0) / max(away_m, 1e-3)
        return max(placed.scale, placed.least_px / metre_px)

    def project(self, points: Floats, width: int, height: int) -> Floats:
        """Pixels x, y and the depth in metres, (n, 3), of NED places (n, 3). Those that are not
        in front of the eye have NaN for x and y."""
        seen = (points - np.asarray(self.position)) @ self.to_eye.T
        across, down = self.tangents(width, height)
        depth = seen[:, 0]
        with np.errstate(divide="ignore", invalid="ignore"):
            scale = np.where(depth > NEAREST_M, 1.0 / depth, np.nan)
        x = width / 2 * (1.0 + seen[:, 1] * scale / across)
        y = height / 2 * (1.0 + seen[:, 2] * scale / down)
        return np.column_stack((x, y, depth))


def looking(azimuth_deg: float, down_deg: float) -> Floats:
    """The rotation of NED into the axes of an eye that looks clockwise from north, and down."""
    a, e = math.radians(azimuth_deg), math.radians(down_deg)
    sight = (math.cos(e) * math.cos(a), math.cos(e) * math.sin(a), math.sin(e))
    right = (-math.sin(a), math.cos(a), 0.0)
    return np.array([sight, right, np.cross(sight, right)])


def looking_at(position: Place, target: Place) -> Floats:
    """The same for an eye that looks from a place to another."""
    north, east, down = (there - here for there, here in zip(target, position, strict=True))
    level = math.hypot(north, east)
    return looking(math.degrees(math.atan2(east, north)), math.degrees(math.atan2(down, level)))


def inset_place(width: int, height: int) -> tuple[int, int, int, int]:
    """Where a second picture stands in one of so many pixels: x, y, width and height, at the upper
    right; of no width where there is no room."""
    wide, high = round(0.32 * width), round(0.32 * height)
    if min(wide, high) < _LEAST_INSET_PX:
        return width, 0, 0, 0
    margin = max(6, round(0.012 * width))
    return width - wide - margin, margin, wide, high
