"""Terrain: hills that begin where the field ends."""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from simulation.worlds.random_tiles import random_tile, repeated
from simulation.worlds.scene import Mesh

if TYPE_CHECKING:
    from scipy.spatial import Delaunay

Array = npt.NDArray[np.float64]

REACH_M = 9000.0
"""From the origin to the edge of the world."""
_FLAT_M = 450.0
_SLOPE_M = 3550.0
_TILE_M = 8192.0
_TILE = 256
_HIGHEST_M = 16.0
_FINE_M = 20.0
"""From one vertex to the next in the middle."""
_COARSER = 1.0 / 11.0
"""Further out, so many metres for each from the middle, whose height is smooth."""
_FAR_M = 1800.0
"""Beyond this, more: there a triangle would be smaller than a pixel, but cost as much to draw."""
_EDGE = 48
_ROUNDING = 1e-9
_GOLDEN_RAD = math.pi * (3.0 - math.sqrt(5.0))


class Terrain:
    """Heights over the plane of the field, in which the physics has its ground: flat within
    `flat_m` of the middle, with hills of about `highest_m` further out."""

    def __init__(
        self, random: np.random.Generator, flat_m: float = _FLAT_M, highest_m: float = _HIGHEST_M
    ) -> None:
        self._tile = random_tile(random, _TILE, 1.9, coarsest=2)
        self._flat_m, self._highest_m = flat_m, highest_m

        self._vertices, self._cut = _cut(self._hills)

    def height(self, north: Array, east: Array) -> Array:
        """Metres above the field, (n,), of the triangles of `mesh`; NaN beyond them."""
        places = np.column_stack([north, east])
        found, shares = _triangles_at(self._cut, places)
        heights = -self._vertices[self._cut.simplices[found], 2]
        return np.where(found < 0, np.nan, (shares * heights).sum(axis=1))

    def places(self, north_east: Array) -> Array:
        """NED places (n, 3) on the ground, of (n, 2) of the field."""
        return np.column_stack([north_east, -self.height(*north_east.T)])

    def mesh(self) -> Mesh:
        """All of the ground, in triangles that grow with the distance."""
        triangles = self._cut.simplices.astype(np.int32)
        return Mesh(
            self._vertices.astype(np.float32),
            _normals(self._vertices, triangles).astype(np.float32),
            np.ones(self._vertices.shape, np.float32),
            triangles,
        )

    def _hills(self, north: Array, east: Array) -> Array:
        away = np.hypot(north, east)
        rise = np.clip((away - self._flat_m) / _SLOPE_M, 0.0, 1.0)
        hills = repeated(self._tile, north / _TILE_M * _TILE, east / _TILE_M * _TILE)
        return np.asarray(self._highest_m * rise * (hills + 0.7))


def _cut(height: Callable[[Array, Array], Array]) -> tuple[Array, "Delaunay"]:
    """Vertices (n, 3) of the ground, and the triangles between them."""
    from scipy.spatial import Delaunay

    places = _places()
    vertices = np.column_stack([places, -height(*places.T)])
    return vertices, Delaunay(places)


def _places() -> Array:
    """North and east (n, 2) of vertices on a sunflower's spiral, as far apart as they shall be,
    and around the edge."""
    radius = np.linspace(0.0, REACH_M * (1.0 - math.pi / _EDGE), 4096)
    apart = np.maximum(_FINE_M, _COARSER * radius) * np.sqrt(np.maximum(radius / _FAR_M, 1.0))
    within = np.cumsum(2.0 * math.pi * radius / apart**2) * radius[1]
    number = np.arange(int(within[-1]))
    away = np.interp(number + 0.5, within, radius)
    turn = np.arange(_EDGE) * (2.0 * math.pi / _EDGE)
    away = np.concatenate([away, np.full(_EDGE, REACH_M)])
    turn = np.concatenate([number * _GOLDEN_RAD, turn])
    return np.column_stack([away * np.cos(turn), away * np.sin(turn)])


def _triangles_at(cut: "Delaunay", places: Array) -> tuple[npt.NDArray[np.intp], Array]:
    """In which triangle each place (n, 2) is, -1 for none, and the shares of its corners (n, 3).

    Goes from triangle to triangle. (`Delaunay.find_simplex` inverts a matrix for each one first,
    for which it starts threads.)
    """
    found = np.zeros(len(places), np.intp)
    while True:
        a, b, c = (cut.points[cut.simplices[found, i]] - places for i in range(3))
        shares = np.column_stack([_cross(b, c), _cross(c, a), _cross(a, b)])
        shares /= shares.sum(axis=1, keepdims=True)
        least = shares.argmin(axis=1)
        is_outside = (shares.min(axis=1) < -_ROUNDING) & (found >= 0)
        if not is_outside.any():
            return found, shares
        found[is_outside] = cut.neighbors[found, least][is_outside]


def _cross(a: Array, b: Array) -> Array:
    return np.asarray(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])


def _normals(vertices: Array, triangles: npt.NDArray[np.int32]) -> Array:
    """Upwards at each vertex: the mean of its triangles' by their areas."""
    a, b, c = (vertices[triangles[:, i]] for i in range(3))
    upwards = np.cross(b - a, c - a)
    upwards *= -np.sign(upwards[:, 2:])
    total = np.zeros_like(vertices)
    for corner in range(3):
        np.add.at(total, triangles[:, corner], upwards)
    return np.asarray(total / np.linalg.norm(total, axis=1, keepdims=True))


def grid_triangles(rows: int, columns: int) -> npt.NDArray[np.int32]:
    """Two triangles for every cell of a grid of rows x columns vertices."""
    corner = np.arange(rows * columns, dtype=np.int32).reshape(rows, columns)
    a, b, c, d = corner[:-1, :-1], corner[:-1, 1:], corner[1:, :-1], corner[1:, 1:]
    return np.concatenate(
        [np.stack([a, b, c], -1).reshape(-1, 3), np.stack([b, d, c], -1).reshape(-1, 3)]
    )
