"""Triangle grid of a scene: which triangle a ray meets first, in float64.

Embree (`simulation.worlds.rays`) answers the same for many rays at once in float32. This one can
also be asked from compiled code, ray by ray, and gives the same bits compiled or not.
"""

import math
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from simulation.compiler.program import Program, reals_at, record_at, wholes_at
from simulation.compiler.program_record import ProgramCall, ProgramTables
from simulation.compiler.source_digest import sources_digest
from simulation.worlds.closed_bodies import welded
from simulation.worlds.ray_casting import GRID, PLANE_NUMBERS, nearest_hit
from simulation.worlds.triangle_cells import cell_table, planes_of, whole_of
from simulation.worlds.triangle_edges import edges_of

Floats = npt.NDArray[np.float64]
Wholes = npt.NDArray[np.int64]


class GridHits(NamedTuple):
    """What n rays meet: `range_m` (n,), infinite for nothing; `normal` (n, 3) of length 1, towards
    where the ray comes from; `triangle` (n,), -1 for nothing; `inside` (n, 2), the place in the
    triangle as shares of its second and third vertex."""

    range_m: Floats
    normal: Floats
    triangle: Wholes
    inside: Floats


class TriangleGrid:
    """Rays among triangles. `vertices` (n, 3) are NED metres, `triangles` (m, 3) numbers of them.

    `memory` is for compiled code: `nearest_hit` of `simulation.worlds.ray_casting` on the record
    `record_at(memory, GRID)`; `plain` gives that for plain Python. Any number of threads may ask.
    """

    def __init__(self, vertices: npt.ArrayLike, triangles: npt.ArrayLike) -> None:
        numbers = np.asarray(triangles, np.int64)
        corners = np.asarray(vertices, np.float64)[numbers]
        planes, is_met = planes_of(corners)
        edges = edges_of(welded(np.asarray(vertices), numbers)[1], corners, planes)
        whole = whole_of(corners[is_met])
        table = cell_table(corners, np.flatnonzero(is_met), whole)
        self._tables = ProgramTables(
            GRID,
            {**table, "planes": planes.ravel(), "edges": edges},
            low=whole.low[0].tolist(),
            size=whole.size[0].tolist(),
            count=whole.count[0].tolist(),
        )
        self.memory, self.plain = self._tables.memory, self._tables.plain

    def cast(
        self, origins: npt.ArrayLike, directions: npt.ArrayLike, longest_m: float = math.inf
    ) -> GridHits:
        """What rays meet before `longest_m`. `origins` (n, 3) or (3,), `directions` (n, 3) of
        length 1. Raises ValueError for what is no number."""
        ways = np.ascontiguousarray(directions, np.float64)
        starts = np.ascontiguousarray(np.broadcast_to(np.asarray(origins, np.float64), ways.shape))
        if not (np.isfinite(ways).all() and np.isfinite(starts).all()):
            raise ValueError("A ray begins at, or goes to, what is no number.")
        n = len(ways)
        hits = GridHits(np.empty(n), np.empty((n, 3)), np.empty(n, np.int64), np.empty((n, 2)))
        numbers = {"grid": self.memory, "count": n, "longest": longest_m}
        rows = {"origins": starts, "directions": ways, **hits._asdict()}
        ProgramCall(_cast_rays, _BATCH, numbers, rows).run()
        return hits


_BATCH: Final = np.dtype(
    [
        ("grid", np.int64),
        ("count", np.int64),
        ("longest", np.float64),
        ("origins", np.int64),
        ("directions", np.int64),
        ("range_m", np.int64),
        ("normal", np.int64),
        ("triangle", np.int64),
        ("inside", np.int64),
    ],
    align=True,
)
"""Rays for `_cast_rays`, and where in memory their numbers are."""


def _cast(batch: Any) -> None:
    grid = record_at(batch["grid"], GRID)
    planes = reals_at(grid["planes"])
    origins, directions = reals_at(batch["origins"]), reals_at(batch["directions"])
    ranges, normals = reals_at(batch["range_m"]), reals_at(batch["normal"])
    triangles, inside = wholes_at(batch["triangle"]), reals_at(batch["inside"])
    for i in range(batch["count"]):
        j = 3 * i
        x, y, z = origins[j], origins[j + 1], origins[j + 2]
        dx, dy, dz = directions[j], directions[j + 1], directions[j + 2]
        reach, item = nearest_hit(grid, (x, y, z, dx, dy, dz), batch["longest"])
        triangles[i] = item
        if item < 0:
            ranges[i] = math.inf
            normals[j] = normals[j + 1] = normals[j + 2] = 0.0
            inside[2 * i] = inside[2 * i + 1] = 0.0
            continue
        ranges[i] = reach
        k = item * PLANE_NUMBERS
        a, b, c = planes[k], planes[k + 1], planes[k + 2]
        towards = -1.0 if a * dx + b * dy + c * dz > 0.0 else 1.0
        normals[j], normals[j + 1], normals[j + 2] = towards * a, towards * b, towards * c
        x, y, z = x + reach * dx, y + reach * dy, z + reach * dz
        for n in range(2):
            m = k + 4 * n + 4
            inside[2 * i + n] = (
                planes[m] * x + planes[m + 1] * y + planes[m + 2] * z + planes[m + 3]
            )


_cast_rays = Program(_cast, _BATCH, sources=sources_digest(__name__))
