"""Ray casting in compiled code: the nearest triangle that a ray meets, by a walk through a grid.

The grid has two levels: a cell in which many triangles lie is a grid of its own. A triangle is kept
as three planes: its own, and two that give its coordinates u and v in it, each as a direction of
three numbers and a distance from the origin. `simulation.worlds.triangle_grid` makes all of it.
"""

import math
from typing import Any, Final

import numpy as np

from simulation.compiler.decorators import njit_part, njit_shared
from simulation.compiler.program import reals_at, wholes_at

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
        ("edges", np.int64),  # which of its edges stick out, see simulation.worlds.triangle_edges
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
_Axis = tuple[int, int, int, int, int]
"""Along one axis: the cell, the way to the next, the cell behind the last, the ray's range at the
end of this cell, and how much farther it is through each. Ranges are whole numbers of _UNIT_M:
which is the least of three is found in a quarter of the time."""
_UNIT_M: Final = 1e-12
_PER_METRE: Final = 1e12
_NEVER: Final = 1 << 60


@njit_shared
def nearest_hit(grid: Any, ray: Ray, longest: float) -> tuple[float, int]:
    """Range in metres and number of the first triangle that the ray meets from either side before
    `longest`; `longest` and -1 if there is none."""
    per = (_inverse(ray[3]), _inverse(ray[4]), _inverse(ray[5]))
    entry, end = _span(grid, ray, per, longest)
    if not entry <= end:
        return longest, -1
    cells, count = wholes_at(grid["cells"]), grid["count"]
    ny, nz = count[1], count[2]
    frame = ((0, count[0], ny, nz), _corner(grid), _size(grid))
    x, y, z = _begin((ray, per), frame, entry)
    last = _units(longest)
    while True:
        cell = cells[(x[0] * ny + y[0]) * nz + z[0]]
        leave = min(x[3], y[3], z[3])
        if cell != 0:
            reach, item = longest, -1
            if cell > 0:
                reach, item = _nearest_of(grid, cell, ray, min(leave * _UNIT_M, longest))
            else:
                inner = inner_frame(grid, (x[0], y[0], z[0], -1 - cell))
                reach, item = _nearest_inside(grid, (ray, per), inner, entry, longest)
            if item >= 0:
                return reach, item
        if leave >= last:
            break
        x, y, z = _move_on(x, y, z)
        if _has_left(x, y, z):
            break
        entry = leave * _UNIT_M
    return longest, -1


@njit_shared
def _nearest_inside(
    grid: Any, line: tuple[Ray, Any], frame: Any, entry: float, longest: float
) -> tuple[float, int]:
    """The same in an inner grid, which the ray enters at the range `entry`."""
    ray, cells = line[0], wholes_at(grid["cells"])
    first, _, ny, nz = frame[0]
    x, y, z = _begin(line, frame, entry)
    last = _units(longest)
    while True:
        cell = cells[first + (x[0] * ny + y[0]) * nz + z[0]]
        leave = min(x[3], y[3], z[3])
        if cell != 0:
            reach, item = _nearest_of(grid, cell, ray, min(leave * _UNIT_M, longest))
            if item >= 0:
                return reach, item
        if leave >= last:
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
def _corner(grid: Any) -> tuple[float, float, float]:
    return grid["low"][0], grid["low"][1], grid["low"][2]


@njit_part
def _size(grid: Any) -> tuple[float, float, float]:
    return grid["size"][0], grid["size"][1], grid["size"][2]


@njit_part
def frame_of(grid: Any) -> Any:
    """Of the whole grid: its first cell and how many along each axis, its corner, and the size of
    its cells."""
    count = grid["count"]
    return (0, count[0], count[1], count[2]), _corner(grid), _size(grid)


@njit_part
def inner_frame(grid: Any, place: tuple[int, int, int, int]) -> Any:
    """The same of an inner grid, `place` being the cell it stands for and its number."""
    inner, low, size = wholes_at(grid["inner"]), grid["low"], grid["size"]
    row = 4 * place[3]
    first, nx, ny, nz = inner[row], inner[row + 1], inner[row + 2], inner[row + 3]
    x, y, z = place[0] * size[0], place[1] * size[1], place[2] * size[2]
    corner = (low[0] + x, low[1] + y, low[2] + z)
    return (first, nx, ny, nz), corner, (size[0] / nx, size[1] / ny, size[2] / nz)


@njit_part
def _begin(line: tuple[Ray, Any], frame: Any, entry: float) -> tuple[_Axis, _Axis, _Axis]:
    """In the cell in which a ray, given with the inverses of its direction, is at that range."""
    (ray, per), (counts, low, size) = line, frame
    return (
        _begin_axis((ray[0], ray[3], per[0]), (low[0], size[0], counts[1]), entry),
        _begin_axis((ray[1], ray[4], per[1]), (low[1], size[1], counts[2]), entry),
        _begin_axis((ray[2], ray[5], per[2]), (low[2], size[2], counts[3]), entry),
    )


@njit_part
def _begin_axis(line: tuple[float, float, float], frame: Any, entry: float) -> _Axis:
    """`line` is where the ray begins, its direction and the inverse of that, `frame` where the
    cells begin, how large they are and how many."""
    origin, way, per_way = line
    low, size, count = frame
    i = int(min(max((origin + way * entry - low) / size, 0.0), count - 1.0))
    if way == 0.0:
        return i, 0, -1, _NEVER, _NEVER
    ahead = 1 if way > 0.0 else 0
    end = (low + (i + ahead) * size - origin) * per_way
    stop = (count + 1) * ahead - 1
    return i, 2 * ahead - 1, stop, _units(end), _units(size * abs(per_way))


@njit_part
def _units(range_m: float) -> int:
    """In units, as far as it matters."""
    return int(min(max(range_m * _PER_METRE, -1e18), 1e18))


@njit_part
def _move_on(x: _Axis, y: _Axis, z: _Axis) -> tuple[_Axis, _Axis, _Axis]:
    """To the next cell, by sums in place of branches, which nobody could foresee."""
    is_x = x[3] <= y[3] and x[3] <= z[3]
    is_y = y[3] <= z[3] and not is_x
    is_z = not (is_x or is_y)
    return _moved(x, is_x), _moved(y, is_y), _moved(z, is_z)


@njit_part
def _moved(axis: _Axis, moves: bool) -> _Axis:
    i = axis[0] + (axis[1] if moves else 0)
    return i, axis[1], axis[2], axis[3] + (axis[4] if moves else 0), axis[4]


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
    above = coordinate(planes, k, ray)
    ahead, pace = (above, -facing) if facing < 0.0 else (-above, facing)
    if not (ahead >= 0.0 and ahead < best * pace):  # most are refused here, without a division
        return best
    reach = ahead / pace
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


@njit_shared
def clearance(grid: Any, point: Any, within: float) -> float:
    """How far every triangle is away from a point at least, if that is less than `within`; else
    `within`. Beside a corner it may be somewhat farther."""
    cells, count = wholes_at(grid["cells"]), grid["count"]
    (x0, x1), (y0, y1), (z0, z1) = reached(frame_of(grid), point, within)
    nearest = within
    for x in range(x0, x1):
        for y in range(y0, y1):
            for z in range(z0, z1):
                cell = cells[(x * count[1] + y) * count[2] + z]
                if cell > 0:
                    nearest = min(nearest, _distance_to(grid, cell, point, nearest))
                elif cell < 0:
                    inner = inner_frame(grid, (x, y, z, -1 - cell))
                    nearest = min(nearest, _clearance_inside(grid, inner, point, nearest))
    return nearest


@njit_shared
def _clearance_inside(grid: Any, frame: Any, point: Any, within: float) -> float:
    """The same in an inner grid."""
    cells = wholes_at(grid["cells"])
    first, _, ny, nz = frame[0]
    (x0, x1), (y0, y1), (z0, z1) = reached(frame, point, within)
    nearest = within
    for x in range(x0, x1):
        for y in range(y0, y1):
            for z in range(z0, z1):
                cell = cells[first + (x * ny + y) * nz + z]
                if cell != 0:
                    nearest = min(nearest, _distance_to(grid, cell, point, nearest))
    return nearest


@njit_part
def reached(frame: Any, point: Any, within: float) -> Any:
    """Along each axis, the first cell and the one behind the last that are so near."""
    (_, nx, ny, nz), low, size = frame
    return (
        _stretch((point[0] - low[0]) / size[0], within / size[0], nx),
        _stretch((point[1] - low[1]) / size[1], within / size[1], ny),
        _stretch((point[2] - low[2]) / size[2], within / size[2], nz),
    )


@njit_part
def _stretch(middle: float, reach: float, count: int) -> tuple[int, int]:
    first = int(min(max(middle - reach, 0.0), float(count)))
    return first, int(min(max(middle + reach + 1.0, 0.0), float(count)))


@njit_part
def _distance_to(grid: Any, cell: int, point: Any, within: float) -> float:
    """How far the triangles of a list are away at least."""
    items, planes = wholes_at(grid["items"]), reals_at(grid["planes"])
    first = cell >> LIST_BITS
    nearest = within
    for k in range(first, first + (cell & ((1 << LIST_BITS) - 1))):
        j = items[k] * PLANE_NUMBERS
        height = coordinate(planes, j, point)
        if abs(height) < nearest:
            aside = _beyond(planes, j, point)
            nearest = min(nearest, math.sqrt(height * height + aside * aside))
    return nearest


@njit_part
def _beyond(planes: Any, j: int, point: Any) -> float:
    """How far a point is outside of a triangle's sides, seen from above it."""
    u, v = coordinate(planes, j + 4, point), coordinate(planes, j + 8, point)
    a, b, c = planes[j + 4], planes[j + 5], planes[j + 6]
    d, e, f = planes[j + 8], planes[j + 9], planes[j + 10]
    third = math.sqrt((a + d) * (a + d) + (b + e) * (b + e) + (c + f) * (c + f))
    return max(
        0.0,
        -u / math.sqrt(a * a + b * b + c * c),
        -v / math.sqrt(d * d + e * e + f * f),
        (u + v - 1.0) / third,
    )
