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
        depth = depth_below(np.array(start.position_m), corners)
        if depth > _DEEP_M:
            raise WorldError(
                f"World {world.name}: there is no ground under the start '{start.name}'; add "
                "[ground], or move [starts."
                f"{start.name}] above something."
            )


def depth_below(place: Array, corners: Array) -> float:
    """How far below a place (3,) the first of the triangles (n, 3, 3) is; inf if none is."""
    a, b, c = (corners[:, i, :2] - place[:2] for i in range(3))
    weights = np.stack([_cross(b, c), _cross(c, a), _cross(a, b)])
    area = weights.sum(axis=0)
    is_over = (area != 0.0) & ((weights * np.sign(area) >= 0.0).all(axis=0))
    if not is_over.any():
        return float("inf")
    share = weights[:, is_over] / area[is_over]
    depth = (share.T * corners[is_over, :, 2]).sum(axis=1) - place[2]
    return float(min(depth[depth >= -_ABOVE_M], default=float("inf")))


def _cross(a: Array, b: Array) -> Array:
    return np.asarray(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])
