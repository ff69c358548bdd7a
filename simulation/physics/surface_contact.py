"""Contact with the surfaces of a world: the law of the ground (`simulation.physics.contact`), along
the direction that stands on the surface, with friction in its plane.

A contact point may be in a body by centimetres, if it hits it fast. So that it comes out where it
went in, however thin the body is, each point is followed by another that stays outside: it goes to
it as far as surfaces let it, and along them (the god-object of Zilles and Salisbury, A
constraint-based god-object method for haptic display, IROS 1995). What it cannot go is how deep the
point is in the surface. Far from all surfaces nothing is followed. What comes between the points
touches the hull around them, see `simulation.physics.hull_contact`.
"""

import math
from typing import Any, Final

from simulation.compiler.decorators import njit_part, njit_shared
from simulation.compiler.program import Memory, reals_at
from simulation.mathematics.vectors import Vector, between, dot, length, moved, vector
from simulation.physics.hard_stop import is_fast, keep_plane, stop, stop_core
from simulation.physics.hull_contact import (
    keep_hull_planes,
    leave_hull,
    look_between,
    press_hull,
)
from simulation.physics.surface_law import (
    Plane,
    begin_contact,
    contact_law,
    place_of,
    press_point,
    speed_of,
)
from simulation.records.flight import CONTACTS, POINTS, POSITION
from simulation.records.interface import STEP_S
from simulation.worlds.ray_casting import PLANE_NUMBERS, clearance, coordinate, nearest_hit
from simulation.worlds.world_effects import grid_of

_SKIN_M: Final = 1e-6
"""The point outside stays so far from a surface."""
_NEAR_M: Final = 2.0
"""Surfaces farther away from the aircraft are not looked at more closely."""
_NEAR_PERIOD: Final = 16
"""Steps after which an aircraft near a surface looks whether it still is."""
_NOTHING: Final = 1e-12
_AHEAD_M: Final = 0.1
"""As far as nothing gets within a step."""
_CORE_CASTS: Final = 3

_JUMP_M: Final = 0.5
"""An aircraft that has moved farther than that in a step was put elsewhere."""


@njit_shared
def apply_surfaces(p: Any, s: Any, o: Any, surroundings: Memory, step: int) -> None:
    """Set the contact wrench of this step and the flags `touches_ground` and `crashed`."""
    begin_contact(s)
    o["touches_ground"] = 0
    grid = grid_of(surroundings)
    if _is_far(p, s, grid, step):
        return
    _go_on(p, s)
    if is_fast(p, s) or s["touches_surface"] > 1:
        _stop_fast(p, s, o, grid)
    deepest, law = 0.0, contact_law(p)
    for i in range(p["point_count"]):
        place = place_of(s["motion"], vector(p["point"][i]))
        plane = _followed(grid, s["point_outside"][i], place)
        deepest = max(deepest, press_point((p, s, o), law, i, place, plane))
    deepest = press_hull(p, s, o, deepest)
    s["touches_surface"] = 2 if deepest > p["contact_stroke"] else 1 if deepest > 0.0 else 0
    look_between(p, s, grid, deepest)


@njit_part
def _is_far(p: Any, s: Any, grid: Any, step: int) -> bool:
    """Whether no point can touch anything. After that, the points outside begin anew."""
    if s["touches_surface"] != 0:
        return False
    seen, place = s["clear_from"], vector(s["motion"][POSITION : POSITION + 3])
    was_clear = s["clear_m"] > 0.0
    if length(between(seen, place)) < s["clear_m"]:
        return True
    if was_clear or step % _NEAR_PERIOD == 0:
        reach = p["contact_reach"]
        s["clear_m"] = clearance(grid, place, reach + _NEAR_M) - reach - _AHEAD_M
        for i in range(3):
            seen[i] = place[i]
            if s["clear_m"] > 0.0:
                s["contact_place"][i] = math.inf
    return bool(s["clear_m"] > 0.0)


@njit_part
def _go_on(p: Any, s: Any) -> None:
    """Remember where the aircraft is. If it was elsewhere, have the points outside begin in its
    middle, which is in no body."""
    before, place = s["contact_place"], vector(s["motion"][POSITION : POSITION + 3])
    jumped = not length(between(before, place)) < _JUMP_M
    before[0], before[1], before[2] = place
    if jumped:
        for i in range(p["point_count"]):
            s["point_sticks"][i] = 0
            for k in range(3):
                s["point_outside"][i, k] = place[k]
        leave_hull(s)


@njit_shared
def _stop_fast(p: Any, s: Any, o: Any, grid: Any) -> None:
    """Stop by impulses what springs would let in too deep, see `simulation.physics.hard_stop`."""
    x, none = s["motion"], (0.0, 0.0, 0.0, 0.0)
    for i in range(p["point_count"]):
        arm = vector(p["point"][i])
        place = place_of(x, arm)
        plane = _followed(grid, s["point_outside"][i], place)
        if plane[3] >= 0.0:
            ahead = moved(place, STEP_S, speed_of(x, arm))
            _, plane = _gone(grid, vector(s["point_outside"][i]), ahead, place)
        keep_plane(s, i, arm, plane)
    for i in range(p["point_count"], POINTS):
        keep_plane(s, i, (0.0, 0.0, 0.0), none)
    keep_hull_planes(p, s)
    stop(p, s, o, CONTACTS)


@njit_shared
def keep_core_out(p: Any, s: Any, o: Any, surroundings: Memory, before: Vector) -> None:
    """After a step that began `before`, turn the centre of mass back if its way led into a surface,
    or nearer to one than half a stroke: it moves along that, stopped as by a hard stop. It is never
    lifted above where it was, so no energy comes from that."""
    if s["touches_surface"] == 0 and not is_fast(p, s):
        return
    grid, x, near = grid_of(surroundings), s["motion"], 0.5 * p["contact_stroke"]
    for cast in range(_CORE_CASTS + 1):
        place = vector(x[POSITION : POSITION + 3])
        way = between(before, place)
        far = length(way)
        if far < _NOTHING:
            return
        _, plane = _gone(grid, before, moved(place, near / far, way), place)
        if plane[0] == 0.0 and plane[1] == 0.0 and plane[2] == 0.0:
            return
        lift = min(near, plane[3] - dot(plane, way)) - plane[3]
        back = moved(place, lift, plane) if cast < _CORE_CASTS else before
        x[POSITION], x[POSITION + 1], x[POSITION + 2] = back
        stop_core(p, s, o, plane)


@njit_part
def _followed(grid: Any, outside: Any, place: Vector) -> Plane:
    """Let the point outside follow a contact point at `place`; the plane that keeps it back."""
    end, plane = _gone(grid, vector(outside), place, place)
    if plane[3] < 0.0:
        end, plane = _slid(grid, end, place, plane)
    outside[0], outside[1], outside[2] = end
    return plane


@njit_part
def _slid(grid: Any, start: Vector, place: Vector, first: Plane) -> tuple[Vector, Plane]:
    """Go on along a plane, and where that ends at another one, along both; where it comes to, and
    what keeps it back."""
    out = _SKIN_M - first[3]
    end, second = _gone(grid, start, _pushed(place, out, first, 0.0, first), place)
    if second[3] >= 0.0:
        return end, first
    along = dot(first, second)
    narrow = 1.0 - along * along
    if narrow < _NOTHING:
        return end, second
    one, two = (along * second[3] - first[3]) / narrow, (along * first[3] - second[3]) / narrow
    if one <= 0.0:
        aim = _pushed(place, _SKIN_M - second[3], second, 0.0, second)
        end, third = _gone(grid, end, aim, place)
        return end, second if third[3] >= 0.0 else _back(end, place)
    aim = _pushed(place, one, first, two, second)
    inner = _pushed(aim, _SKIN_M, first, _SKIN_M, second)
    end, third = _gone(grid, end, inner, place)
    return end, _back(aim if third[3] >= 0.0 else end, place)


@njit_shared
def _gone(grid: Any, start: Vector, aim: Vector, place: Vector) -> tuple[Vector, Plane]:
    """Go straight from `start` to `aim`; where that ends, and the plane there, with how far `place`
    is above it."""
    way = between(start, aim)
    far = length(way)
    if far < _NOTHING:
        return start, (0.0, 0.0, 0.0, 0.0)
    way = (way[0] / far, way[1] / far, way[2] / far)
    ray = (start[0], start[1], start[2], way[0], way[1], way[2])
    reach, item = nearest_hit(grid, ray, far + _SKIN_M)
    if item < 0:
        return aim, (0.0, 0.0, 0.0, 0.0)
    planes, k = reals_at(grid["planes"]), item * PLANE_NUMBERS
    n = vector(planes[k : k + 3])
    steep = dot(n, way)
    side = -1.0 if steep > 0.0 else 1.0
    free = max(reach - _SKIN_M / max(abs(steep), _SKIN_M), 0.0)
    above = side * coordinate(planes, k, place)
    return moved(start, free, way), (side * n[0], side * n[1], side * n[2], above)


@njit_part
def _pushed(place: Vector, one: float, first: Plane, two: float, second: Plane) -> Vector:
    """A place moved out of two planes by so much."""
    return (
        place[0] + one * first[0] + two * second[0],
        place[1] + one * first[1] + two * second[1],
        place[2] + one * first[2] + two * second[2],
    )


@njit_part
def _back(end: Vector, place: Vector) -> Plane:
    """The plane at `end` that looks away from `place`: what several planes are together."""
    way = between(place, end)
    far = length(way)
    if far < _NOTHING:
        return 0.0, 0.0, 0.0, 0.0
    return way[0] / far, way[1] / far, way[2] / far, -far
