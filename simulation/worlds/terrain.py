"""The ground: hills that begin where the field ends."""

import numpy as np
import numpy.typing as npt

from simulation.worlds.random_tiles import random_tile
from simulation.worlds.scene import Mesh

Array = npt.NDArray[np.float64]

REACH_M = 9000.0
"""From the origin to the edge of the world."""
_FLAT_M = 450.0
_SLOPE_M = 3550.0
_TILE_M = 8192.0
_TILE = 256
_HIGHEST_M = 16.0
_ROWS = 161
_GATHERED = 4.0
"""How much denser the rows stand in the middle: 15 m there, 450 m at the edge."""


class Terrain:
    """Heights over the plane of the field, in which the physics has its ground: flat within
    `flat_m` of the middle, with hills of about `highest_m` further out."""

    def __init__(
        self, random: np.random.Generator, flat_m: float = _FLAT_M, highest_m: float = _HIGHEST_M
    ) -> None:
        self._tile = random_tile(random, _TILE, 1.9, coarsest=2)
        self._flat_m, self._highest_m = flat_m, highest_m

    def height(self, north: Array, east: Array) -> Array:
        """Metres above the field."""
        away = np.hypot(north, east)
        rise = np.clip((away - self._flat_m) / _SLOPE_M, 0.0, 1.0)
        hills = self._between(north / _TILE_M * _TILE, east / _TILE_M * _TILE)
        return np.asarray(self._highest_m * rise * (hills + 0.7))

    def mesh(self) -> Mesh:
        """All of the ground, in triangles that grow with the distance."""
        s = np.linspace(-1.0, 1.0, _ROWS)
        axis = REACH_M * np.sinh(_GATHERED * s) / np.sinh(_GATHERED)
        north, east = np.meshgrid(axis, axis, indexing="ij")
        height = self.height(north, east)
        slope_north, slope_east = np.gradient(height, axis, axis)
        normals = np.stack([-slope_north, -slope_east, -np.ones_like(height)], axis=-1)
        normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
        vertices = np.stack([north, east, -height], axis=-1)
        return Mesh(
            vertices.reshape(-1, 3).astype(np.float32),
            normals.reshape(-1, 3).astype(np.float32),
            np.ones((_ROWS * _ROWS, 3), np.float32),
            grid_triangles(_ROWS, _ROWS),
        )

    def _between(self, row: Array, column: Array) -> Array:
        i, j = np.floor(row).astype(int), np.floor(column).astype(int)
        y, x = row - i, column - j
        a, b = self._tile[i % _TILE, j % _TILE], self._tile[i % _TILE, (j + 1) % _TILE]
        c, d = self._tile[(i + 1) % _TILE, j % _TILE], self._tile[(i + 1) % _TILE, (j + 1) % _TILE]
        return np.asarray((a * (1 - x) + b * x) * (1 - y) + (c * (1 - x) + d * x) * y)


def grid_triangles(rows: int, columns: int) -> npt.NDArray[np.int32]:
    """Two triangles for every cell of a grid of rows x columns vertices."""
    corner = np.arange(rows * columns, dtype=np.int32).reshape(rows, columns)
    a, b, c, d = corner[:-1, :-1], corner[:-1, 1:], corner[1:, :-1], corner[1:, 1:]
    return np.concatenate(
        [np.stack([a, b, c], -1).reshape(-1, 3), np.stack([b, d, c], -1).reshape(-1, 3)]
    )
