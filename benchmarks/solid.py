"""Solid bodies of a world, judged without its contact: by windings, crossed triangles, distances.

A place is inside where the triangles of closed bodies above it, each counted by the side that it
turns to the place, do not cancel out, and where the ground is above it. What else is open is judged
by whether a way leads through it.
"""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from simulation.worlds.closed_bodies import turned
from simulation.worlds.rays import SceneRays
from simulation.worlds.scene import NO_MESH, Mesh, WorldScene

Array = npt.NDArray[np.float64]
Truths = npt.NDArray[np.bool_]
Wholes = npt.NDArray[np.int64]

_CELL_M = 4.0
_MOST_CELLS = 1600
"""Along an axis; what is farther out is in the cells of the border."""
_HIGH_M = 1000.0
"""The ground above a place that is below it is no higher."""


class SolidJudge:
    """Says of places (n, 3), NED, what they are in."""

    def __init__(self, scene: WorldScene) -> None:
        vertices, triangles = scene.triangles()
        self._corners = vertices[triangles].astype(np.float64)
        self._low, self._high = self._corners.min(axis=1), self._corners.max(axis=1)
        self._side = np.concatenate([_sides(mesh) for mesh in scene.meshes])
        self._columns = _Columns(self._corners, np.flatnonzero(self._side))
        self._rays = SceneRays(scene)
        self._ground = SceneRays(replace(scene, bodies=NO_MESH, pictured=()))

    def crossed(self, before: Array, after: Array) -> Truths:
        """(n,): whether the straight way from a place to the next leads through a triangle."""
        way = after - before
        far = np.linalg.norm(way, axis=1)
        moves = np.flatnonzero(far > 1e-9)
        found = np.zeros(len(far), bool)
        if len(moves):
            ways = way[moves] / far[moves, None]
            hits = self._rays.cast(before[moves], ways, float(far.max()))
            found[moves] = hits.range_m < far[moves]
        return found

    def inside(self, places: Array) -> Truths:
        """(n,): whether they are inside of a closed body or below the ground."""
        rows, items = self._columns.near(places)
        a, b, c = (self._corners[items, i] - places[rows] for i in range(3))
        shares = np.stack([_cross(b, c), _cross(c, a), _cross(a, b)])
        area = shares.sum(axis=0)
        is_met = (area != 0.0) & ((shares * np.sign(area) > 0.0).all(axis=0))
        down = np.einsum("kn,nk->n", shares, np.stack([a[:, 2], b[:, 2], c[:, 2]], 1))
        is_met &= down * np.sign(area) < 0.0
        winding = np.bincount(rows, is_met * self._side[items], len(places))
        up = np.tile((0.0, 0.0, -1.0), (len(places), 1))
        return np.asarray(
            (winding != 0.0) | (self._ground.first_triangles(places, up, _HIGH_M) >= 0)
        )

    def distance(self, place: Array, within_m: float) -> float:
        """How far the nearest triangle is from one place (3,), or `within_m`."""
        corners = self._corners[self.near(place, within_m)]
        if not len(corners):
            return within_m
        return min(within_m, float(_distances(corners, place).min()))

    def near(self, place: Array, within_m: float) -> Wholes:
        """The triangles whose boxes are so near to a place (3,)."""
        is_near = (self._low <= place + within_m).all(axis=1) & (
            self._high >= place - within_m
        ).all(axis=1)
        found: Wholes = np.flatnonzero(is_near)
        return found

    def corners(self, items: Wholes) -> Array:
        """Of triangles: (m, 3 corners, 3)."""
        return self._corners[items]


class _Columns:
    """Triangles by the upright columns that they are in."""

    def __init__(self, corners: Array, chosen: Wholes) -> None:
        first = self._cells(corners[chosen].min(axis=1))
        last = self._cells(corners[chosen].max(axis=1))
        size = last - first + 1
        # What fills many columns is asked for every place.
        wide = size.prod(axis=1) > 64
        self._wide = chosen[wide]
        items = np.flatnonzero(~wide)
        counts = size[items].prod(axis=1)
        each = np.repeat(items, counts)
        number = np.arange(len(each)) - np.repeat(np.cumsum(counts) - counts, counts)
        across = size[each, 1]
        cells = first[each] + np.column_stack([number // across, number % across]).astype(np.int64)
        keys = cells[:, 0] * _MOST_CELLS + cells[:, 1]
        order = np.argsort(keys, kind="stable")
        self._keys, self._items = keys[order], chosen[each[order]]

    def _cells(self, places: Array) -> Wholes:
        cells = np.floor(places[:, :2] / _CELL_M) + _MOST_CELLS // 2
        found: Wholes = np.clip(cells, 0, _MOST_CELLS - 1).astype(np.int64)
        return found

    def near(self, places: Array) -> tuple[Wholes, Wholes]:
        """Pairs of the number of a place and that of a triangle in its column."""
        cells = self._cells(places)
        keys = cells[:, 0] * _MOST_CELLS + cells[:, 1]
        first = np.searchsorted(self._keys, keys)
        count = np.searchsorted(self._keys, keys, side="right") - first
        rows = np.repeat(np.arange(len(places)), count)
        offset = np.arange(len(rows)) - np.repeat(np.cumsum(count) - count, count)
        items = self._items[np.repeat(first, count) + offset]
        wide_rows = np.repeat(np.arange(len(places)), len(self._wide))
        return (
            np.concatenate([rows, wide_rows]),
            np.concatenate([items, np.tile(self._wide, len(places))]),
        )


def _sides(mesh: Mesh) -> Array:
    """1 for a triangle of a closed body that looks up, -1 if down, 0 if upright or open."""
    closed = turned(mesh)
    corners = closed.mesh.vertices[closed.mesh.triangles].astype(np.float64)
    up = -np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])[:, 2]
    return np.asarray(np.sign(up) * np.isfinite(closed.diameter_m))


def _cross(a: Array, b: Array) -> Array:
    return np.asarray(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])


def _distances(corners: Array, place: Array) -> Array:
    """Of triangles (m, 3, 3) from a place: to the nearest of the sides, or to the plane where the
    place is above the triangle."""
    best = np.full(len(corners), np.inf)
    for i in range(3):
        start, way = corners[:, i], corners[:, (i + 1) % 3] - corners[:, i]
        square = np.maximum((way * way).sum(axis=1), 1e-300)
        share = np.clip(((place - start) * way).sum(axis=1) / square, 0.0, 1.0)
        best = np.minimum(best, np.linalg.norm(start + share[:, None] * way - place, axis=1))
    a, u, v = corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    normal = np.cross(u, v)
    square = np.maximum((normal * normal).sum(axis=1), 1e-300)
    second = (np.cross(place - a, v) * normal).sum(axis=1) / square
    third = (np.cross(u, place - a) * normal).sum(axis=1) / square
    is_above = (second >= 0.0) & (third >= 0.0) & (second + third <= 1.0)
    height = np.abs(((place - a) * normal).sum(axis=1)) / np.sqrt(square)
    return np.where(is_above, height, best)
