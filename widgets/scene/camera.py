"""The eye of the scene: it orbits a point and projects points of NED onto the widget."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

NEAREST_M = 0.05
"""What lies closer in front of the eye than this is not drawn."""


@dataclass(frozen=True, slots=True)
class Camera:
    """Looks at `target` (NED, metres) from `distance_m` away.

    `azimuth_deg` is where the eye looks (0 north, 90 east), `elevation_deg` how far it looks
    down. `width` and `height` are those of the widget; `focal_px` the scale at distance 1.
    """

    target: tuple[float, float, float] = (0.0, 0.0, 0.0)
    azimuth_deg: float = 25.0
    elevation_deg: float = 18.0
    distance_m: float = 12.0
    width: int = 1
    height: int = 1

    @property
    def focal_px(self) -> float:
        """Pixels per unit of the tangent: about 60 degrees across the smaller side."""
        return 0.85 * min(self.width, self.height)

    def axes(self) -> Floats:
        """Rows right, down and forward of the eye, in NED."""
        a, e = math.radians(self.azimuth_deg), math.radians(self.elevation_deg)
        forward = (math.cos(e) * math.cos(a), math.cos(e) * math.sin(a), math.sin(e))
        right = (-math.sin(a), math.cos(a), 0.0)
        down = np.cross(forward, right)
        return np.array([right, down, forward])

    def eye(self) -> Floats:
        """Where the eye is, NED in metres."""
        eye: Floats = np.array(self.target) - self.distance_m * self.axes()[2]
        return eye

    def project(self, points: Floats) -> Floats:
        """Pixels x, y and depth in metres, shape (n, 3), of NED points of shape (n, 3).

        Points nearer than NEAREST_M, or behind, have NaN for x and y.
        """
        seen = (points - self.eye()) @ self.axes().T
        depth = seen[:, 2]
        with np.errstate(divide="ignore", invalid="ignore"):
            scale = np.where(depth > NEAREST_M, self.focal_px / depth, np.nan)
        return np.column_stack(
            (self.width / 2 + seen[:, 0] * scale, self.height / 2 + seen[:, 1] * scale, depth)
        )

    def clip(self, starts: Floats, ends: Floats) -> tuple[Floats, Floats]:
        """The parts of lines that lie in front of the eye; lines quite behind it are dropped."""
        forward, eye = self.axes()[2], self.eye()
        a, b = (starts - eye) @ forward, (ends - eye) @ forward
        near = 2.0 * NEAREST_M
        keep = (a > near) | (b > near)
        starts, ends, a, b = starts[keep], ends[keep], a[keep], b[keep]
        span = np.where(a == b, 1.0, b - a)
        share = np.clip((near - a) / span, 0.0, 1.0)[:, None]
        crossing = starts + share * (ends - starts)
        return np.where((a > near)[:, None], starts, crossing), np.where(
            (b > near)[:, None], ends, crossing
        )

    def horizon_px(self) -> float:
        """Height of the horizon on the widget, pixels from the top."""
        return self.height / 2 - self.focal_px * math.tan(math.radians(self.elevation_deg))

    def grid_step_m(self, ground_down_m: float = 0.0) -> float:
        """Distance between lines on the ground that suits the view: 1, 2, 5, 10 ... metres.

        From high up one sees far, so the height of the eye counts as its distance does.
        """
        height_m = ground_down_m - float(self.eye()[2])
        wanted = max(self.distance_m, height_m) / 6.0
        decade = 10.0 ** math.floor(math.log10(max(wanted, 0.1)))
        return next(decade * n for n in (1.0, 2.0, 5.0, 10.0) if decade * n >= wanted)


def body_to_ned(q_wxyz: tuple[float, float, float, float]) -> Floats:
    """Rotation matrix from body (FRD) to NED of a unit quaternion."""
    w, x, y, z = q_wxyz
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
