"""Visible triangles of a square of a camera's pixels, found without a ray for each pixel.

It pays in scenes of few triangles, all of which are looked at for each camera. Those of a square
are in the pyramid from the camera through its corners, up to a surface that all four corners meet
or up to a distance. For a triangle with the plane n p + d and a ray o + r w,
everything about the hit is linear in w when divided by r: f = 1 / r = -(n w) / (n o + d), and so
are f u and f v for its coordinates. A triangle is therefore not seen between the corners if at all
four f is below a limit (it is too far away, or behind that surface), or if one of u, v, 1 - u - v
is negative. The others are asked by each pixel in the order of their numbers, as the grid does, and
where none of them is met, the grid: pictures are the same with squares as without.
"""

from typing import Any, Final

import numpy as np

from simulation.compiler.decorators import njit_part, njit_shared
from simulation.worlds.back_faces import is_back
from simulation.worlds.ray_casting import EDGE, PLANE_NUMBERS, coordinate

MOST: Final = 32
FEW: Final = np.dtype(
    [
        ("count", np.int64),  # -1: more than there is room for
        ("number", np.int64, MOST),
        ("place", np.float64, (MOST, 3)),  # what the triangle's three planes say of the camera's
    ],
    align=True,
)
"""A few triangles, by ascending numbers."""
PYRAMID: Final = np.dtype(
    [
        ("place", np.float64, 3),  # NED
        ("way", np.float64, (4, 3)),  # of its corners, row by row
        ("limit", np.float64, 4),  # 1 / r there: what is farther is not seen
    ],
    align=True,
)
_MARGIN: Final = 1e-7

Way = tuple[float, float, float]


@njit_shared
def find_few(planes: Any, backs: Any, pyramid: Any, few: Any) -> None:
    """Make `few` those of all triangles that may be seen in a pyramid; `backs` are of bodies."""
    place = pyramid["place"]
    few["count"] = 0
    for item in range(backs["triangles"]):
        k = PLANE_NUMBERS * item
        says = (
            coordinate(planes, k, place),
            coordinate(planes, k + 4, place),
            coordinate(planes, k + 8, place),
        )
        if not (is_back(backs, item, says[0], place) or _is_unseen(planes, item, says, pyramid)):
            count = few["count"]
            if count == MOST:
                few["count"] = -1
                return
            few["number"][count] = item
            few["place"][count, 0], few["place"][count, 1], few["place"][count, 2] = says
            few["count"] = count + 1


@njit_shared
def choose_few(planes: Any, some: Any, pyramid: Any, few: Any) -> None:
    """Make `few` those of some triangles that may be seen in a pyramid."""
    few["count"] = 0
    for i in range(some["count"]):
        if not _is_unseen(planes, some["number"][i], some["place"][i], pyramid):
            count = few["count"]
            few["number"][count] = some["number"][i]
            few["place"][count, 0] = some["place"][i, 0]
            few["count"] = count + 1


@njit_part
def nearest_of_few(planes: Any, few: Any, origin: Way, way: Way, longest: float) -> Any:
    """What `nearest_hit` of the grid finds, if it is one of these triangles."""
    best, nearest = longest, -1
    for i in range(few["count"]):
        k = few["number"][i] * PLANE_NUMBERS
        facing = planes[k] * way[0] + planes[k + 1] * way[1] + planes[k + 2] * way[2]
        above = few["place"][i, 0]
        ahead, pace = (above, -facing) if facing < 0.0 else (-above, facing)
        if ahead >= 0.0 and ahead < best * pace:
            reach = ahead / pace
            x, y, z = origin
            there = (x + reach * way[0], y + reach * way[1], z + reach * way[2])
            u, v = coordinate(planes, k + 4, there), coordinate(planes, k + 8, there)
            if u >= -EDGE and v >= -EDGE and u + v <= 1.0 + EDGE and reach < best:
                best, nearest = reach, few["number"][i]
    return best, nearest


@njit_part
def end_nowhere(pyramid: Any) -> None:
    """Look as far as there is something."""
    for i in range(4):
        pyramid["limit"][i] = 0.0


@njit_part
def end_at_surface(pyramid: Any, planes: Any, triangle: int) -> bool:
    """Look as far as the plane of a triangle; whether it is possible."""
    k = triangle * PLANE_NUMBERS
    height = coordinate(planes, k, pyramid["place"])
    for i in range(4):
        pyramid["limit"][i] = -_along(planes, k, pyramid["way"][i]) / height if height != 0.0 else 0
    return bool(height != 0.0)


@njit_part
def end_at_distance(pyramid: Any, distance: float, chord: float) -> None:
    """Look as far as that; a mean of the corners' directions is `chord` long at least."""
    for i in range(4):
        pyramid["limit"][i] = chord / distance


@njit_part
def _is_unseen(planes: Any, item: int, says: Any, pyramid: Any) -> bool:
    """Whether a triangle, whose planes say that of the camera's place, is certainly not seen."""
    if says[0] == 0.0:
        return False
    ways, limits, k, per_height = (
        pyramid["way"],
        pyramid["limit"],
        item * PLANE_NUMBERS,
        1 / says[0],
    )
    is_farther = is_u = is_v = is_w = True
    for i in range(4):
        way = ways[i]
        near = -_along(planes, k, way) * per_height
        u = says[1] * near + _along(planes, k + 4, way)
        v = says[2] * near + _along(planes, k + 8, way)
        little = _MARGIN * (abs(near) + abs(u) + abs(v))
        is_farther = is_farther and near < limits[i] * (1.0 - _MARGIN)
        is_u = is_u and u < -little
        is_v = is_v and v < -little
        is_w = is_w and near - u - v < -little
    return is_farther or is_u or is_v or is_w


@njit_part
def _along(planes: Any, k: int, way: Any) -> float:
    return float(planes[k] * way[0] + planes[k + 1] * way[1] + planes[k + 2] * way[2])
