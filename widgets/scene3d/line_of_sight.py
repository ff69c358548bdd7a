"""Line of sight: whether something stands between two places.

Cameras that look at an aircraft stay on its side of walls by it.
"""

from collections.abc import Sequence

import numpy as np

from widgets.scene3d.mesh_parts import parted
from widgets.scene3d.scene import Floats, Place, SolidMesh

_DEEP_M = 2000.0
"""So far below is looked for ground."""


class LineOfSight:
    """Asked often; only triangles near the line are looked at."""

    def __init__(self, meshes: Sequence[SolidMesh]) -> None:
        """Meshes that stand where their vertices say."""
        cut = [parted(mesh) for mesh in meshes]
        self._centre = np.concatenate([parts.centre for _, parts in cut])
        self._radius = np.concatenate([parts.radius for _, parts in cut])
        self._corners = [
            mesh.vertices[triangles[first : first + count]]
            for mesh, (triangles, parts) in zip(meshes, cut, strict=True)
            for first, count in zip(parts.first, parts.count, strict=True)
        ]

    def free_share(self, start: Place, end: Place) -> float:
        """How much of the way from one place to another is free, 0 to 1."""
        begin = np.asarray(start, np.float64)
        way = np.asarray(end, np.float64) - begin
        near = np.flatnonzero(self._are_near(begin, way))
        if not len(near):
            return 1.0
        corners = np.concatenate([self._corners[part] for part in near]).astype(np.float64)
        return min(_first_hit(corners, begin, way), 1.0)

    def below_m(self, place: Place) -> float | None:
        """Down to the first thing below a place; None where there is nothing."""
        north, east, down = place
        share = self.free_share(place, (north, east, down + _DEEP_M))
        return down + share * _DEEP_M if share < 1.0 else None

    def top_m(self, north_m: float, east_m: float) -> float | None:
        """Down to the highest of all that is somewhere, however high; None where there is
        nothing."""
        highest_m = float(np.min(self._centre[:, 2] - self._radius)) - 1.0
        lowest_m = float(np.max(self._centre[:, 2] + self._radius)) + 1.0
        start, end = (north_m, east_m, highest_m), (north_m, east_m, lowest_m)
        share = self.free_share(start, end)
        return highest_m + share * (lowest_m - highest_m) if share < 1.0 else None

    def _are_near(self, begin: Floats, way: Floats) -> np.ndarray:
        """Which parts' spheres the line passes through."""
        to_centre = self._centre - begin
        share = np.clip(to_centre @ way / max(float(way @ way), 1e-12), 0.0, 1.0)
        aside = np.linalg.norm(to_centre - share[:, None] * way, axis=1)
        return np.asarray(aside <= self._radius)


def _first_hit(corners: Floats, begin: Floats, way: Floats) -> float:
    """The share of the way at which it meets the first of some triangles (n, 3, 3), infinity if it
    meets none (Moeller and Trumbore, 1997)."""
    a = corners[:, 0]
    ab, ac = corners[:, 1] - a, corners[:, 2] - a
    across = np.cross(way, ac)
    size = np.einsum("ij,ij->i", ab, across)
    with np.errstate(divide="ignore", invalid="ignore"):
        inverse = 1.0 / size
        from_a = begin - a
        u = np.einsum("ij,ij->i", from_a, across) * inverse
        turned = np.cross(from_a, ab)
        v = turned @ way * inverse
        share = np.einsum("ij,ij->i", ac, turned) * inverse
        is_hit = (u >= 0.0) & (v >= 0.0) & (u + v <= 1.0) & (share > 0.0)
    return float(share[is_hit].min(initial=np.inf))
