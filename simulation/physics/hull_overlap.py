"""Hull overlap: how deep the edges of a world's triangles reach into it, in compiled code.

How deep an edge is says the shortest way by which all of it comes out: through a plane of the hull,
or past one of its edges, square to both (separating axes of convex bodies).
"""

import math
from typing import Any, Final

from simulation.compiler.decorators import njit_part, njit_shared
from simulation.compiler.program import reals_at, wholes_at
from simulation.mathematics.rotation import to_body
from simulation.mathematics.vectors import Vector, between, cross, dot, length, moved, vector
from simulation.records.flight import ATTITUDE, HULL_PLANES, POSITION
from simulation.worlds.ray_casting import (
    LIST_BITS,
    PLANE_NUMBERS,
    coordinate,
    frame_of,
    inner_frame,
    reached,
)

Edge = tuple[Vector, Vector]
"""Where it begins and ends."""
Overlap = tuple[float, int, Vector, Vector, Edge]
"""How deep; past what it comes out, the number of a plane, or HULL_PLANES and that of an edge; its
deepest place, the way out of length 1, and the edge. In body axes, from the centre of mass."""

_LEVEL: Final = 1e-9
_PARALLEL: Final = 1e-12


@njit_shared
def deepest_edge(p: Any, motion: Any, grid: Any, depth: float) -> Overlap:
    """The edge that reaches deepest into the hull, if it is deeper than `depth`; else that, and -1
    for the part."""
    middle = vector(motion[POSITION : POSITION + 3])
    q = motion[ATTITUDE : ATTITUDE + 4]
    cells, frame = wholes_at(grid["cells"]), frame_of(grid)
    nowhere = (0.0, 0.0, 0.0)
    found = (depth, -1, nowhere, nowhere, (nowhere, nowhere))
    (x0, x1), (y0, y1), (z0, z1) = reached(frame, middle, p["contact_reach"])
    for x in range(x0, x1):
        for y in range(y0, y1):
            for z in range(z0, z1):
                cell = cells[(x * frame[0][2] + y) * frame[0][3] + z]
                if cell > 0:
                    found = _of_list(p, (middle, q), (grid, cell), found)
                elif cell < 0:
                    inner = inner_frame(grid, (x, y, z, -1 - cell))
                    found = _deepest_inside(p, (middle, q), (grid, inner), found)
    return found


@njit_shared
def _deepest_inside(p: Any, pose: Any, within: Any, found: Overlap) -> Overlap:
    """The same in an inner grid."""
    grid, frame = within
    cells = wholes_at(grid["cells"])
    first, _, ny, nz = frame[0]
    (x0, x1), (y0, y1), (z0, z1) = reached(frame, pose[0], p["contact_reach"])
    for x in range(x0, x1):
        for y in range(y0, y1):
            for z in range(z0, z1):
                cell = cells[first + (x * ny + y) * nz + z]
                if cell != 0:
                    found = _of_list(p, pose, (grid, cell), found)
    return found


@njit_shared
def _of_list(p: Any, pose: Any, within: Any, found: Overlap) -> Overlap:
    """The same of the triangles in a cell."""
    (middle, q), (grid, cell) = pose, within
    items, planes = wholes_at(grid["items"]), reals_at(grid["planes"])
    sticking_out = wholes_at(grid["edges"])
    first = cell >> LIST_BITS
    for k in range(first, first + (cell & ((1 << LIST_BITS) - 1))):
        j, edges = items[k] * PLANE_NUMBERS, sticking_out[items[k]]
        if edges != 0 and abs(coordinate(planes, j, middle)) < p["contact_reach"]:
            one, two, three = _corners(planes, j, middle)
            a = to_body(q, one[0], one[1], one[2])
            b = to_body(q, two[0], two[1], two[2])
            c = to_body(q, three[0], three[1], three[2])
            if edges & 1 != 0:
                found = _of_edge(p, a, b, found)
            if edges & 2 != 0:
                found = _of_edge(p, b, c, found)
            if edges & 4 != 0:
                found = _of_edge(p, c, a, found)
    return found


@njit_part
def _corners(planes: Any, j: int, middle: Vector) -> tuple[Vector, Vector, Vector]:
    """The corners of a triangle, from `middle`: where its coordinates are 0 and 1."""
    n = vector(planes[j : j + 3])
    u, v = vector(planes[j + 4 : j + 7]), vector(planes[j + 8 : j + 11])
    first, second = cross(v, n), cross(n, u)
    scale = 1.0 / dot(u, first)
    first = (scale * first[0], scale * first[1], scale * first[2])
    second = (scale * second[0], scale * second[1], scale * second[2])
    up = -coordinate(planes, j, middle)
    right, left = -coordinate(planes, j + 4, middle), -coordinate(planes, j + 8, middle)
    corner = (
        up * n[0] + right * first[0] + left * second[0],
        up * n[1] + right * first[1] + left * second[1],
        up * n[2] + right * first[2] + left * second[2],
    )
    return corner, moved(corner, 1.0, first), moved(corner, 1.0, second)


@njit_shared
def _of_edge(p: Any, start: Vector, end: Vector, found: Overlap) -> Overlap:
    """The same of one edge."""
    low, high = _stretch_inside(p, -1, start, end)
    if low >= high:
        return found
    way = between(start, end)
    inside = (moved(start, low, way), moved(start, high, way))
    out = _out_through_planes(p, (start, end), inside)
    if out[0] > found[0]:
        out = _out_past_edges(p, (start, end), inside, out, found[0])
    return out if out[0] > found[0] else found


@njit_part
def _stretch_inside(p: Any, but: int, start: Vector, end: Vector) -> tuple[float, float]:
    """From which share of an edge to which it is inside of the hull's planes, of all but one;
    nowhere, if the first is not below the second."""
    low, high = 0.0, 1.0
    for k in range(p["hull_plane_count"]):
        one, two = _above(p, k, start), _above(p, k, end)
        if k != but and (one >= 0.0 or two >= 0.0):
            if one >= 0.0 and two >= 0.0:
                return 1.0, 0.0
            if one > 0.0:
                low = max(low, one / (one - two))
            else:
                high = min(high, one / (one - two))
    return low, high


@njit_part
def _out_through_planes(p: Any, edge: Edge, inside: Edge) -> Overlap:
    """The shortest way out through a plane; `inside` is the stretch of the edge in the hull."""
    best = (math.inf, -1, edge[0], edge[0], edge)
    for k in range(p["hull_plane_count"]):
        one, two = -_above(p, k, edge[0]), -_above(p, k, edge[1])
        depth = max(one, two)
        if depth < best[0]:
            plane = p["hull_plane"][k]
            place = inside[0] if one > two else inside[1]
            best = (depth, k, place, vector(plane), edge)
    return best


@njit_part
def _out_past_edges(p: Any, edge: Edge, inside: Edge, best: Overlap, enough: float) -> Overlap:
    """`best`, or a shorter way out past an edge of the hull; any one that is not longer than
    `enough` will do."""
    for k in range(p["hull_edge_count"]):
        if best[0] <= enough:
            break
        corner, along = hull_edge(p, k)
        out = square_to_both(between(edge[0], edge[1]), along)
        side = 1.0 if dot(out, corner) >= dot(out, edge[0]) else -1.0
        out = (side * out[0], side * out[1], side * out[2])
        depth = dot(out, corner) - dot(out, edge[0])
        if 0.0 < depth < best[0] and is_outmost(p, out, corner):
            share = share_across(inside, (corner, along), out)
            place = moved(inside[0], min(max(share, 0.0), 1.0), between(inside[0], inside[1]))
            best = (depth, HULL_PLANES + k, place, out, edge)
    return best


@njit_part
def square_to_both(one: Vector, other: Vector) -> Vector:
    """The direction of length 1 that is; 0 if they are parallel."""
    out = cross(one, other)
    size = length(out)
    if size <= _PARALLEL * (dot(one, one) + dot(other, other)):
        return 0.0, 0.0, 0.0
    return out[0] / size, out[1] / size, out[2] / size


@njit_part
def share_across(edge: Edge, line: tuple[Vector, Vector], out: Vector) -> float:
    """The share of an edge at which a line, given by a place and its direction, crosses it, seen
    along `out`."""
    across = cross(line[1], out)
    return dot(between(edge[0], line[0]), across) / dot(between(edge[0], edge[1]), across)


@njit_part
def _pressed_plane(p: Any, k: int, edge: Edge) -> tuple[float, Vector, Vector]:
    """The same for a plane: where the stretch between the others is deepest, or between its ends,
    where they are as deep."""
    out = vector(p["hull_plane"][k])
    low, high = _stretch_inside(p, k, edge[0], edge[1])
    way = between(edge[0], edge[1])
    start, end = moved(edge[0], low, way), moved(edge[0], high, way)
    one, two = max(-_above(p, k, start), 0.0), max(-_above(p, k, end), 0.0)
    depth = max(one, two)
    if low >= high or depth <= 0.0:
        return 0.0, start, out
    place = moved(start, two / (one + two), between(start, end))
    return depth, moved(place, -_above(p, k, place), out), out


@njit_part
def pressed_part(p: Any, part: int, edge: Edge, before: Vector) -> tuple[float, Vector, Vector]:
    """How deep an edge is behind the part of the hull that it presses on, where on that, and the
    way out; `before` is about that. 0 if it is out, or beside that part."""
    if part < HULL_PLANES:
        return _pressed_plane(p, part, edge)
    corner, along = hull_edge(p, part - HULL_PLANES)
    out = square_to_both(between(edge[0], edge[1]), along)
    side = 1.0 if dot(out, before) > 0.0 else -1.0
    out = (side * out[0], side * out[1], side * out[2])
    depth = dot(out, corner) - dot(out, edge[0])
    if not 0.0 < depth < p["contact_reach"] or not is_outmost(p, out, corner):
        return 0.0, corner, out
    own = (corner, moved(corner, 1.0, along))
    share = share_across(own, (edge[0], between(edge[0], edge[1])), out)
    other = share_across(edge, (corner, along), out)
    if not (0.0 <= share <= 1.0 and 0.0 <= other <= 1.0):
        return 0.0, corner, out
    return depth, moved(corner, share, along), out


@njit_part
def is_outmost(p: Any, out: Vector, corner: Vector) -> bool:
    """Whether no point is farther out than that; for no direction, not."""
    level = dot(out, corner)
    limit = level + _LEVEL * p["contact_reach"]
    if level == 0.0:
        return False
    for k in range(p["point_count"]):
        point = p["point"][k]
        if dot(out, point) > limit:
            return False
    return True


@njit_part
def hull_edge(p: Any, k: int) -> tuple[Vector, Vector]:
    """Where edge `k` of the hull begins, and the way to its end."""
    edge = p["hull_edge"][k]
    start, end = p["point"][edge[0]], p["point"][edge[1]]
    return vector(start), between(start, end)


@njit_part
def _above(p: Any, k: int, place: Vector) -> float:
    """How far a place is outside of plane `k` of the hull."""
    plane = p["hull_plane"][k]
    return float(dot(plane, place) - plane[3])
