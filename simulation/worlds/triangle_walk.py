"""The nearest triangle that a ray meets, in compiled code: a walk through the cells of a grid.

The grid has two levels: a cell in which many triangles lie is a grid of its own. A triangle is kept
as three planes: its own, and two that give its coordinates u and v in it, each as a direction of
three numbers and a distance from the origin. `simulation.worlds.triangle_grid` makes all of it.
"""

import math
from typing import Any, Final

import numpy as np

from simulation.compiled import njit_part, njit_shared
from simulation.program import reals_at, wholes_at

GRID: Final = np.dtype(
    [
        ("low", np.float64, 3),  # corner of the whole, NED
        ("size", np.float64, 3),  # of a cell
        ("count", np.int64, 3),
        # --- where these are in memory ---
        ("cells", np.int64),  # what is in each, see CELL_...
        ("inner", np.int64),  # of each inner grid: its first cell, and how many along each axis
        ("items", np.int64),  # numbers of triangles, list after list
        ("planes", np.int64),  # PLANE_NUMBERS of each triangle
    ],
    align=True,
)
LIST_BITS: Final = 20
"""A cell below 0 is an inner grid, -1 the first. One of `1 << LIST_BITS` or more is a list: where
it begins in `items` and, in its last LIST_BITS, how long it is. All others are empty, and so are
those around them that are fewer cells away in every direction."""
PLANE_NUMBERS: Final = 12
EDGE: Final = 1e-9
"""By this share of its size a triangle is larger than it is, so that no ray slips between two."""

Ray = tuple[float, float, float, float, float, float]
"""Where it begins, NED, and its direction of length 1."""
_Axis = tuple[int, int, int, float, float]
"""Along one axis: the cell, the way to the next, the cell behind the last, the ray's range at the
end of this cell, and how much farther it is through each."""


@njit_shared
def nearest_hit(grid: Any, ray: Ray, longest: float) -> tuple[float, int]:
    """Range in metres and number of the first triangle that the ray meets from either side before
    `longest`; `longest` and -1 if there is none."""
    low, size, count = grid["low"], grid["size"], grid["count"]
    per = (_inverse(ray[3]), _inverse(ray[4]), _inverse(ray[5]))
    entry, end = _span(grid, ray, per, longest)
    if not entry <= end:
        return longest, -1
    cells = wholes_at(grid["cells"])
    nx, ny, nz = count[0], count[1], count[2]
    x = _begin((ray[0], ray[3], per[0]), (low[0], size[0], nx), entry)
    y = _begin((ray[1], ray[4], per[1]), (low[1], size[1], ny), entry)
    z = _begin((ray[2], ray[5], per[2]), (low[2], size[2], nz), entry)
    while True:
        cell = cells[(x[0] * ny + y[0]) * nz + z[0]]
        leave = min(x[3], y[3], z[3])
        if cell != 0:
            reach, item = longest, -1
            if cell > 0:
                reach, item = _nearest_of(grid, cell, ray, min(leave, longest))
            else:
                place = (x[0], y[0], z[0], -1 - cell)
                reach, item = _nearest_inside(grid, (ray, per), place, entry, longest)
            if item >= 0:
                return reach, item
        if leave >= longest:
            break
        x, y, z = _move_on(x, y, z)
        if _has_left(x, y, z):
            break
        entry = leave
    return longest, -1


@njit_shared
def _nearest_inside(
    grid: Any, line: tuple[Ray, Any], place: Any, entry: float, longest: float
) -> tuple[float, int]:
    """The same in an inner grid: `place` are the cell it stands for and its number, `entry` is the
    ray's range where it comes in."""
    ray, per = line
    inner, cells = wholes_at(grid["inner"]), wholes_at(grid["cells"])
    row = 4 * place[3]
    first, nx, ny, nz = inner[row], inner[row + 1], inner[row + 2], inner[row + 3]
    low, size = grid["low"], grid["size"]
    x = _begin((ray[0], ray[3], per[0]), (low[0] + place[0] * size[0], size[0] / nx, nx), entry)
    y = _begin((ray[1], ray[4], per[1]), (low[1] + place[1] * size[1], size[1] / ny, ny), entry)
    z = _begin((ray[2], ray[5], per[2]), (low[2] + place[2] * size[2], size[2] / nz, nz), entry)
    while True:
        cell = cells[first + (x[0] * ny + y[0]) * nz + z[0]]
        leave = min(x[3], y[3], z[3])
        if cell != 0:
            reach, item = _nearest_of(grid, cell, ray, min(leave, longest))
            if item >= 0:
                return reach, item
        if leave >= longest:
            break
        x, y, z = _move_on(x, y, z)
        if _has_left(x, y, z):
            break
    return longest, -1


@njit_part
def _inverse(way: float) -> float:
    return 1.0 / way if way != 0.0 else math.inf


@njit_part
def _span(grid: Any, ray: Ray, per: Any, longest: float) -> tuple[float, float]:
    """The ray's ranges where it enters and leaves the grid."""
    entry, end = 0.0, longest
    for axis in range(3):
        low = grid["low"][axis] - ray[axis]
        high = low + grid["size"][axis] * grid["count"][axis]
        if ray[axis + 3] != 0.0:
            first, second = low * per[axis], high * per[axis]
            entry = max(entry, min(first, second))
            end = min(end, max(first, second))
        elif low > 0.0 or high < 0.0:
            end = -1.0
    return entry, end


@njit_part
def _begin(line: tuple[float, float, float], frame: Any, entry: float) -> _Axis:
    """Along one axis: `line` is where the ray begins, its direction and the inverse of that,
    `frame` where the cells begin, how large they are and how many."""
    origin, way, per_way = line
    low, size, count = frame
    i = int(min(max((origin + way * entry - low) / size, 0.0), count - 1.0))
    if way == 0.0:
        return i, 0, -1, math.inf, math.inf
    ahead = 1 if way > 0.0 else 0
    end = (low + (i + ahead) * size - origin) * per_way
    return i, 2 * ahead - 1, (count + 1) * ahead - 1, end, size * abs(per_way)


@njit_part
def _move_on(x: _Axis, y: _Axis, z: _Axis) -> tuple[_Axis, _Axis, _Axis]:
    """To the next cell. Whole numbers and sums in place of branches, which nobody could foresee."""
    is_x = x[3] <= y[3] and x[3] <= z[3]
    is_y = y[3] <= z[3] and not is_x
    is_z = not (is_x or is_y)
    return _moved(x, is_x), _moved(y, is_y), _moved(z, is_z)


@njit_part
def _moved(axis: _Axis, moves: bool) -> _Axis:
    i = axis[0] + (axis[1] if moves else 0)
    return i, axis[1], axis[2], axis[3] + (axis[4] if moves else 0.0), axis[4]


@njit_part
def _has_left(x: _Axis, y: _Axis, z: _Axis) -> bool:
    return x[0] == x[2] or y[0] == y[2] or z[0] == z[2]


@njit_part
def _nearest_of(grid: Any, cell: int, ray: Ray, longest: float) -> tuple[float, int]:
    """The nearest triangle of a list that is met before `longest`, or that and -1."""
    items, planes = wholes_at(grid["items"]), reals_at(grid["planes"])
    first = cell >> LIST_BITS
    best, nearest = longest, -1
    for k in range(first, first + (cell & ((1 << LIST_BITS) - 1))):
        reach = _range_to(planes, items[k] * PLANE_NUMBERS, ray, best)
        if reach < best:
            best, nearest = reach, items[k]
    return best, nearest


@njit_part
def _range_to(planes: Any, k: int, ray: Ray, best: float) -> float:
    """The range at which the ray meets the triangle whose numbers begin at `k`, if that is below
    `best`; else `best`."""
    facing = planes[k] * ray[3] + planes[k + 1] * ray[4] + planes[k + 2] * ray[5]
    if facing == 0.0:
        return best
    reach = -coordinate(planes, k, ray) / facing
    if not (reach >= 0.0 and reach < best):
        return best
    point = (ray[0] + reach * ray[3], ray[1] + reach * ray[4], ray[2] + reach * ray[5])
    u, v = coordinate(planes, k + 4, point), coordinate(planes, k + 8, point)
    return reach if u >= -EDGE and v >= -EDGE and u + v <= 1.0 + EDGE else best


@njit_part
def coordinate(planes: Any, k: int, point: Any) -> float:
    """What the plane whose four numbers begin at `k` says of a point; of the first plane of a
    triangle that is how far the point is in front of it, of the others its share of the second and
    the third vertex."""
    along = planes[k] * point[0] + planes[k + 1] * point[1] + planes[k + 2] * point[2]
    return float(along + planes[k + 3])
