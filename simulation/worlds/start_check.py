"""Start check of worlds: whether aircraft would have something to stand on, and room."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from simulation.worlds.scene import Mesh, Segments, WorldScene, joined
from simulation.worlds.world import World, WorldError

Array = npt.NDArray[np.float64]

_DEEP_M = 1000.0
"""Ground that is further down does not count."""
_ABOVE_M = 0.05
"""Ground may be so much above a start place: it is given to the centimetre."""


def check_starts(world: World, scene: WorldScene) -> None:
    """Raises WorldError for a world without a start place, for one without ground under it, and for
    one inside of a body."""
    if not world.starts:
        raise WorldError(
            f"World {world.name}: there is no place to start from; add [starts.NAME] with "
            "position_m."
        )
    everything = joined(scene.meshes)
    corners = everything.vertices[everything.triangles].astype(np.float64)
    for start in world.starts:
        place = np.array(start.position_m)
        depths = surface_depths(place, corners)
        below = depths[(depths >= -_ABOVE_M) & (depths < _DEEP_M)]
        if not len(below):
            above = f", but {-depths.max():.2f} m above it" if len(depths) else ""
            raise WorldError(
                f"World {world.name}: there is no ground under the start '{start.name}'{above}; "
                f"add [ground], or move [starts.{start.name}]."
            )
        if body := _body_around(place, everything, scene.segments(), corners):
            raise WorldError(
                f"World {world.name}: the start '{start.name}' is inside '{body}'; move "
                f"[starts.{start.name}] or what it is in."
            )


def bodies_around(places: Sequence[Array], scene: WorldScene) -> list[str]:
    """The name of the body that each of these places (3,) is inside of; "" for those in none."""
    everything, segments = joined(scene.meshes), scene.segments()
    corners = everything.vertices[everything.triangles].astype(np.float64)
    return [_body_around(place, everything, segments, corners) for place in places]


def _body_around(place: Array, everything: Mesh, segments: Segments, corners: Array) -> str:
    """The name of what has its top above a place (3,) and its underside below it; "" if nothing
    has: the nearest surface above is the upper side of something."""
    met, depths = _surfaces(place, corners)
    above = met[depths < -_ABOVE_M]
    if not len(above):
        return ""
    nearest = above[depths[depths < -_ABOVE_M].argmax()]
    faces_up = everything.normals[everything.triangles[met]].mean(axis=1)[:, 2] < 0.0
    number = segments.numbers[nearest]
    is_underside = ~faces_up & (segments.numbers[met] == number) & (depths >= -_ABOVE_M)
    has_top = faces_up[met == nearest][0]
    return segments.names[number] if has_top and is_underside.any() else ""


def surface_depths(place: Array, corners: Array) -> Array:
    """How far below a place (3,) those of the triangles (n, 3, 3) are that are under or over it."""
    return _surfaces(place, corners)[1]


def _surfaces(place: Array, corners: Array) -> tuple[npt.NDArray[np.int64], Array]:
    """Which of the triangles are under or over a place, and how far below it."""
    a, b, c = (corners[:, i, :2] - place[:2] for i in range(3))
    weights = np.stack([_cross(b, c), _cross(c, a), _cross(a, b)])
    area = weights.sum(axis=0)
    met = np.flatnonzero((area != 0.0) & ((weights * np.sign(area) >= 0.0).all(axis=0)))
    share = weights[:, met] / area[met]
    return met, np.asarray((share.T * corners[met, :, 2]).sum(axis=1) - place[2])


def _cross(a: Array, b: Array) -> Array:
    return np.asarray(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])
