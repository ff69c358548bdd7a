"""Visible triangles of a square of a camera's pixels, found without a ray for each pixel.

All of them are in the pyramid from the camera through the square's corners, up to a surface that
all four corners meet or up to a distance. For a triangle with the plane n p + d and a ray o + r w,
everything about the hit is linear in w when divided by r: f = 1 / r = -(n w) / (n o + d), and so
are f u and f v for its coordinates. A triangle is therefore not seen between the corners if at all
four f is below a limit (it is too far away, or behind that surface), or if one of u, v, 1 - u - v
is negative. The others are asked by each pixel in the order of their numbers, as the grid does, and
where none of them is met, the grid: pictures are the same with squares as without.
"""

from typing import Any, Final

import numpy as np

from simulation.compiler.decorators import njit_part, njit_shared
from simulation.compiler.program import reals_at, wholes_at
from simulation.worlds.back_faces import is_back
from simulation.worlds.ray_casting import EDGE, PLANE_NUMBERS, coordinate
from simulation.worlds.triangle_tree import PER_LEAF, is_outside, next_node

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
        ("side", np.float64, (5, 4)),  # planes above 0 inside of it, the last where it ends
    ],
    align=True,
)
_MARGIN: Final = 1e-7
_AROUND: Final = (0, 1, 3, 2)
"""The corners of a square one after the other."""

Way = tuple[float, float, float]


@njit_shared
def find_few(scene: tuple[Any, Any, Any], pyramid: Any, few: Any) -> None:
    """Make `few` those of all triangles that may be seen in a pyramid; `scene` is its grid, its
    tree and the backs of its bodies."""
    grid, tree, backs = scene
    planes, items = reals_at(grid["planes"]), wholes_at(tree["items"])
    leaves, node = tree["leaves"], 1
    few["count"] = 0
    while node > 0 and few["count"] >= 0:
        if is_outside(tree, node, pyramid["side"]):
            node = next_node(node)
        elif node < leaves:
            node *= 2
        else:
            first = PER_LEAF * (node - leaves)
            for i in range(first, first + PER_LEAF):
                _take(few, (planes, backs), pyramid, items[i])
            node = next_node(node)


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
def set_sides(pyramid: Any) -> None:
    """Set the planes around a pyramid."""
    ways, sides, place = pyramid["way"], pyramid["side"], pyramid["place"]
    for i in range(4):
        a, b, inside = ways[_AROUND[i]], ways[_AROUND[(i + 1) % 4]], ways[_AROUND[(i + 2) % 4]]
        x, y, z = a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
        sign = 1.0 if x * inside[0] + y * inside[1] + z * inside[2] > 0.0 else -1.0
        sides[i, 0], sides[i, 1], sides[i, 2] = sign * x, sign * y, sign * z
        sides[i, 3] = -sign * (x * place[0] + y * place[1] + z * place[2])


@njit_part
def end_nowhere(pyramid: Any) -> None:
    """Look as far as there is something."""
    for i in range(4):
        pyramid["side"][4, i] = pyramid["limit"][i] = 0.0


@njit_part
def end_at_surface(pyramid: Any, planes: Any, triangle: int) -> bool:
    """Look as far as the plane of a triangle; whether it is possible."""
    k, place = triangle * PLANE_NUMBERS, pyramid["place"]
    height = coordinate(planes, k, place)
    sign = 1.0 if height > 0.0 else -1.0
    for i in range(4):
        pyramid["side"][4, i] = sign * planes[k + i]
        pyramid["limit"][i] = -_along(planes, k, pyramid["way"][i]) / height if height != 0.0 else 0
    return bool(height != 0.0)


@njit_part
def end_at_distance(pyramid: Any, distance: float, chord: float) -> None:
    """Look as far as that; a mean of the corners' directions is `chord` long at least."""
    side, place = pyramid["side"], pyramid["place"]
    side[4, 3] = 4.0 * distance
    for axis in range(3):
        total = 0.0
        for i in range(4):
            total += pyramid["way"][i, axis]
        side[4, axis] = -total
        side[4, 3] += total * place[axis]
    for i in range(4):
        pyramid["limit"][i] = chord / distance


@njit_part
def _take(few: Any, scene: tuple[Any, Any], pyramid: Any, item: int) -> None:
    """Insert a triangle in its place if it may be seen and there is room."""
    count = few["count"]
    if item < 0 or count < 0:
        return
    (planes, backs), place = scene, pyramid["place"]
    k = PLANE_NUMBERS * item
    height = coordinate(planes, k, place)
    if is_back(backs, item, height, place):
        return
    says = (height, coordinate(planes, k + 4, place), coordinate(planes, k + 8, place))
    if _is_unseen(planes, item, says, pyramid):
        return
    if count == MOST:
        few["count"] = -1
        return
    numbers, places = few["number"], few["place"]
    while count > 0 and numbers[count - 1] > item:
        numbers[count] = numbers[count - 1]
        for axis in range(3):
            places[count, axis] = places[count - 1, axis]
        count -= 1
    numbers[count] = item
    places[count, 0], places[count, 1], places[count, 2] = says
    few["count"] += 1


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
