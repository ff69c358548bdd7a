"""Where a square of a camera's pixels sees one surface only, found without a ray for each.

If the rays of all four corners meet the same triangle, so do those between them, unless something
stands in front. All that could is in the grid's cells that the pyramid from the camera to the four
places passes. For a triangle with the plane n p + d and a ray o + r w, everything about the hit is
linear in w when divided by r: f = 1 / r = -(n w) / (n o + d), and so are f u and f v for its
coordinates. A triangle is therefore not seen between the corners if at all four f is below that of
the surface (it is behind it), or if one of u, v, 1 - u - v is negative. Anything else is a doubt,
and then each pixel asks for itself: pictures are the same with squares as without.
"""

from typing import Any, Final

from simulation.compiled import njit_part, njit_shared
from simulation.program import reals_at, wholes_at
from simulation.worlds.triangle_walk import LIST_BITS, PLANE_NUMBERS, coordinate

KNOWN: Final = 16
"""Most triangles of which it is remembered that they are not seen."""
_MOST_CELLS: Final = 800
_MARGIN: Final = 1e-7
_LENGTH: Final = (1 << LIST_BITS) - 1

Way = tuple[float, float, float]


@njit_part
def sees_only(grid: Any, origin: Way, corners: tuple[Any, Any], triangle: int, known: Any) -> bool:
    """Whether nothing stands between a camera and the triangle that all four corners see;
    `corners` are their directions (4, 3) and how far it is there (4,), `known` is room for KNOWN
    numbers."""
    ways, reaches = corners
    count = 0
    x = _cells(grid, 0, origin[0], ways, reaches)
    y = _cells(grid, 1, origin[1], ways, reaches)
    z = _cells(grid, 2, origin[2], ways, reaches)
    if (x[1] - x[0]) * (y[1] - y[0]) * (z[1] - z[0]) > _MOST_CELLS:
        return False
    cells, items = wholes_at(grid["cells"]), wholes_at(grid["items"])
    rows, columns = grid["count"][1], grid["count"][2]
    for i in range(x[0], x[1]):
        for j in range(y[0], y[1]):
            first = (i * rows + j) * columns
            for cell in range(first + z[0], first + z[1]):
                content = cells[cell]
                if content < 0:
                    return False
                begin = content >> LIST_BITS
                for k in range(begin, begin + (content & _LENGTH if begin > 0 else 0)):
                    item = items[k]
                    if item == triangle or _is_known(known, count, item):
                        continue
                    if count == KNOWN or not _is_unseen(grid, origin, ways, (item, triangle)):
                        return False
                    known[count] = item
                    count += 1
    return True


@njit_part
def plane_from(grid: Any, triangle: int, origin: Way) -> tuple[float, float, float, float]:
    """A triangle's plane as seen from a place: how far the place is in front of it, and the
    direction that stands on it."""
    planes, k = reals_at(grid["planes"]), triangle * PLANE_NUMBERS
    return coordinate(planes, k, origin), planes[k], planes[k + 1], planes[k + 2]


@njit_part
def range_to_plane(plane: tuple[float, float, float, float], way: Way) -> float:
    """How far it is to that plane in a direction; of a ray that meets the triangle, to the bit its
    range."""
    return -plane[0] / (plane[1] * way[0] + plane[2] * way[1] + plane[3] * way[2])


@njit_part
def _cells(grid: Any, axis: int, begin: float, ways: Any, reaches: Any) -> tuple[int, int]:
    """The first cell along an axis that the pyramid passes, and the one behind the last."""
    low = high = begin
    for i in range(4):
        end = begin + reaches[i] * ways[i, axis]
        low, high = min(low, end), max(high, end)
    start, size, count = grid["low"][axis], grid["size"][axis], grid["count"][axis]
    first = int(min(max((low - start) / size - _MARGIN, 0.0), count - 1.0))
    last = int(min(max((high - start) / size + _MARGIN, 0.0), count - 1.0))
    return first, last + 1


@njit_part
def _is_known(known: Any, count: int, item: int) -> bool:
    for i in range(count):  # noqa: SIM110 - generators cannot be compiled
        if known[i] == item:
            return True
    return False


@njit_shared
def _is_unseen(grid: Any, origin: Way, ways: Any, which: tuple[int, int]) -> bool:
    """Whether a triangle is certainly not in front of another one between the corners."""
    planes = reals_at(grid["planes"])
    item, surface = which[0] * PLANE_NUMBERS, which[1] * PLANE_NUMBERS
    height, behind = coordinate(planes, item, origin), coordinate(planes, surface, origin)
    if height == 0.0 or behind == 0.0:
        return False
    u0, v0 = coordinate(planes, item + 4, origin), coordinate(planes, item + 8, origin)
    is_farther = is_u = is_v = is_w = True
    for i in range(4):
        near = -_along(planes, item, ways[i]) / height
        limit = -_along(planes, surface, ways[i]) / behind
        u = u0 * near + _along(planes, item + 4, ways[i])
        v = v0 * near + _along(planes, item + 8, ways[i])
        little = _MARGIN * (abs(near) + abs(u) + abs(v))
        is_farther = is_farther and near < limit * (1.0 - _MARGIN)
        is_u = is_u and u < -little
        is_v = is_v and v < -little
        is_w = is_w and near - u - v < -little
    return is_farther or is_u or is_v or is_w


@njit_part
def _along(planes: Any, k: int, way: Any) -> float:
    return float(planes[k] * way[0] + planes[k + 1] * way[1] + planes[k + 2] * way[2])
