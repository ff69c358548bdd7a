"""Contact of the hull around an aircraft's contact points with what comes between them, such as a
pole, the edge of a table, or the end of a branch.

It begins with the edge of a world that is deepest in the hull (`simulation.physics.hull_overlap`):
what is flat, points alone feel. From then on that edge presses the same part of the hull until it
is free or has slid off it, so that nothing thin comes out on the other side. An edge of a surface
without a body behind it presses as others.

The spring is that of all feet together. It is pressed by what the hull has moved against the edge
and not by how deep that is, which may change by leaps where it slides: so it gives back what it
took, and no more. The damping stops the aircraft at once and without a
rebound: the spring alone would let an edge go on for decimetres, into other parts of the hull.
"""

from typing import Any, Final

from simulation.compiler.decorators import njit_part, njit_shared
from simulation.mathematics.rotation import clamp, to_body, to_ned
from simulation.mathematics.vectors import Vector, between, dot, length, vector
from simulation.physics.hard_stop import keep_plane
from simulation.physics.hull_overlap import deepest_edge, pressed_part
from simulation.physics.surface_law import contact_law, moved_mass, place_of, press, speed_of
from simulation.records.flight import (
    ATTITUDE,
    HULL_CONTACTS,
    HULL_PLANES,
    POINTS,
    POSITION,
    RATES,
    VELOCITY,
)
from simulation.records.interface import STEP_S

_FELT_M: Final = 5e-4
"""An edge is felt if it is so deep in the hull."""
_FLAT: Final = 2.0
"""What points feel, edges do not, up to so many static deflections of the feet."""
_LOOK_M: Final = 1e-3
"""An aircraft that is not pressed does not look again before it has moved so far."""
_STOPS_S: Final = 0.002
"""Time constant of stopping; two steps, so that several contacts together are stable."""
_SLIPPED_M: Final = 0.02
"""How far the place that is pressed may move before another one sticks."""

_SAME_M: Final = 1e-6


@njit_part
def leave_hull(s: Any) -> None:
    """End all contacts of the hull."""
    for i in range(HULL_CONTACTS):
        s["hull_part"][i] = -1
        s["point_sticks"][POINTS + i] = 0
    s["hull_moved"] = _LOOK_M


@njit_part
def press_hull(p: Any, s: Any, o: Any, deepest: float) -> float:
    """Add the forces on the hull; the larger of `deepest` and how deep it is pressed."""
    for i in range(HULL_CONTACTS):
        if s["hull_part"][i] >= 0:
            deepest = max(deepest, _press(p, s, o, i))
    return deepest


@njit_part
def keep_hull_planes(p: Any, s: Any) -> None:
    """Remember what they meet for a hard stop."""
    for i in range(HULL_CONTACTS):
        arm, plane = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0)
        if s["hull_part"][i] >= 0:
            depth, arm, out = _pressed(p, s, i)
            if depth > 0.0:
                away = _away(s, out)
                plane = (away[0], away[1], away[2], -depth)
        keep_plane(s, POINTS + i, arm, plane)


@njit_part
def _pressed(p: Any, s: Any, i: int) -> tuple[float, Vector, Vector]:
    """How deep the edge of contact `i` is in the hull, where on that, and its way out (body)."""
    x, edge, kept = s["motion"], s["hull_pressed"][i], s["hull_out"][i]
    ends = (_in_body(x, edge[0]), _in_body(x, edge[1]))
    return pressed_part(p, s["hull_part"][i], ends, vector(kept))


@njit_part
def _away(s: Any, out: Vector) -> Vector:
    """Where an edge with this way out pushes the hull (NED)."""
    return to_ned(s["motion"][ATTITUDE : ATTITUDE + 4], -out[0], -out[1], -out[2])


@njit_shared
def _press(p: Any, s: Any, o: Any, i: int) -> float:
    """The same for one contact, which ends where it is free."""
    part, kept = s["hull_part"][i], s["hull_out"][i]
    depth, arm, out = _pressed(p, s, i)
    if depth <= 0.0:
        s["hull_part"][i] = -1
        s["point_sticks"][POINTS + i] = 0
        s["hull_moved"] = _LOOK_M
        return 0.0
    kept[0], kept[1], kept[2] = out
    away = _away(s, out)
    closing = -dot(away, speed_of(s["motion"], arm))
    spring = clamp(s["hull_spring"][i] + closing * STEP_S, 0.0, depth)
    s["hull_spring"][i] = spring
    stiffness, damping = contact_law(p)
    feet = p["foot_count"]
    law = (feet * stiffness, moved_mass(p, arm, out) / _STOPS_S, feet * damping)
    at = (arm, _sticking(s, i, arm))
    lies = 1 - p["hull_stands"][part]
    press((p, s, o), (POINTS + i, lies), at, (away[0], away[1], away[2], -spring), law)
    return depth


@njit_part
def _in_body(x: Any, place: Any) -> Vector:
    """A place (NED) in body axes."""
    north, east, down = between(x[POSITION : POSITION + 3], place)
    return to_body(x[ATTITUDE : ATTITUDE + 4], north, east, down)


@njit_part
def _sticking(s: Any, i: int, arm: Vector) -> Vector:
    """Where the place that began to stick is now (NED); a new one, if it is pressed elsewhere."""
    kept = s["hull_arm"][i]
    if s["point_sticks"][POINTS + i] == 0 or length(between(kept, arm)) > _SLIPPED_M:
        s["point_sticks"][POINTS + i] = 0
        kept[0], kept[1], kept[2] = arm
    return place_of(s["motion"], vector(kept))


@njit_part
def look_between(p: Any, s: Any, grid: Any, deepest: float) -> None:
    """Begin a contact where an edge is deepest in the hull, and deeper than `deepest`, but that a
    foot should give way by."""
    x, reach = s["motion"], p["contact_reach"]
    speed, turning = length(x[VELOCITY : VELOCITY + 3]), length(x[RATES : RATES + 3])
    s["hull_moved"] += STEP_S * (speed + reach * turning)
    for i in range(HULL_CONTACTS):
        if s["hull_part"][i] >= 0:
            s["hull_moved"] = _LOOK_M
    if s["hull_moved"] < _LOOK_M:
        return
    s["hull_moved"] = 0.0
    _, part, _, out, edge = deepest_edge(
        p, x, grid, min(deepest, _FLAT * p["contact_depth"]) + _FELT_M
    )
    one, two = place_of(x, edge[0]), place_of(x, edge[1])
    i = _contact_for(s, part, one, two)
    if part < 0 or i < 0:
        return
    if not _is_same(s["hull_pressed"][i], one, two):
        s["hull_spring"][i] = 0.0
    s["hull_part"][i] = part
    for k in range(3):
        s["hull_pressed"][i, 0, k], s["hull_pressed"][i, 1, k] = one[k], two[k]
        s["hull_out"][i, k] = out[k]


@njit_part
def _contact_for(s: Any, part: int, one: Vector, two: Vector) -> int:
    """The contact that is past the same edge of the hull, or a free one; -1 if there is none, or if
    that edge presses already."""
    free = -1
    for i in range(HULL_CONTACTS):
        if _is_same(s["hull_pressed"][i], one, two):
            return i if s["hull_part"][i] < 0 else -1
        if s["hull_part"][i] == part and part >= HULL_PLANES:
            return i
        if s["hull_part"][i] < 0:
            free = i
    return free


@njit_part
def _is_same(edge: Any, one: Vector, two: Vector) -> bool:
    """Whether an edge is that from one place to the other, either way round."""
    there = length(between(edge[0], one)) + length(between(edge[1], two))
    back = length(between(edge[0], two)) + length(between(edge[1], one))
    return bool(min(there, back) < _SAME_M)
