"""Whether aircraft would have something to stand on."""

import numpy as np
import numpy.typing as npt

from simulation.worlds.scene import WorldScene
from simulation.worlds.world import World, WorldError

Array = npt.NDArray[np.float64]

_DEEP_M = 1000.0
"""Ground that is further down does not count."""
_ABOVE_M = 0.05
"""Ground may be so much above a start place: it is given to the centimetre."""


def check_starts(world: World, scene: WorldScene) -> None:
    """Raises WorldError for a world without a start place, and for one without ground under it."""
    if not world.starts:
        raise WorldError(
            f"World {world.name}: there is no place to start from; add [starts.NAME] with "
            "position_m."
        )
    vertices, triangles = scene.triangles()
    corners = vertices[triangles].astype(np.float64)
    for start in world.starts:
        depths = surface_depths(np.array(start.position_m), corners)
        below = depths[(depths >= -_ABOVE_M) & (depths < _DEEP_M)]
        if not len(below):
            above = f", but {-depths.max():.2f} m above it" if len(depths) else ""
            raise WorldError(
                f"World {world.name}: there is no ground under the start '{start.name}'{above}; "
                f"add [ground], or move [starts.{start.name}]."
            )


def surface_depths(place: Array, corners: Array) -> Array:
    """How far below a place (3,) those of the triangles (n, 3, 3) are that are under or over it."""
    a, b, c = (corners[:, i, :2] - place[:2] for i in range(3))
    weights = np.stack([_cross(b, c), _cross(c, a), _cross(a, b)])
    area = weights.sum(axis=0)
    is_met = (area != 0.0) & ((weights * np.sign(area) >= 0.0).all(axis=0))
    share = weights[:, is_met] / area[is_met]
    return np.asarray((share.T * corners[is_met, :, 2]).sum(axis=1) - place[2])


def _cross(a: Array, b: Array) -> Array:
    return np.asarray(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])
