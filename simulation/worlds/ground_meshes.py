"""The ground of a world's file as triangles."""

import numpy as np

from simulation.worlds.scene import Mesh
from simulation.worlds.terrain import grid_triangles
from simulation.worlds.world import PlaneGround

_ROWS_IN_HAZE = 81
_GATHERED = 5.0
"""How much denser rows stand in the middle, where haze and light change fastest from pixel to
pixel."""
_CLEAR = 0.02


def plane_mesh(ground: PlaneGround, haze_per_m: float) -> Mesh:
    """A square about the origin. Haze is worked out at its corners, so that it is cut where there
    is any."""
    is_clear = haze_per_m * ground.reach_m < _CLEAR
    rows = 2 if is_clear else _ROWS_IN_HAZE
    s = np.linspace(-1.0, 1.0, rows)
    axis = ground.reach_m * (s if is_clear else np.sinh(_GATHERED * s) / np.sinh(_GATHERED))
    north, east = (part.ravel() for part in np.meshgrid(axis, axis, indexing="ij"))
    count = rows * rows
    return Mesh(
        np.column_stack([north, east, np.full(count, ground.down_m)]).astype(np.float32),
        np.tile(np.array((0.0, 0.0, -1.0), np.float32), (count, 1)),
        np.tile(np.array(ground.surface.colour, np.float32), (count, 1)),
        grid_triangles(rows),
    )
