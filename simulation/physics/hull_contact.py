"""Contact of the hull around an aircraft's contact points with what comes between them, such as a
pole, the edge of a table, or the end of a branch.

It begins with the edge of a world that is deepest in the hull (`simulation.physics.hull_overlap`),
if that is deeper than the points are in anything: what is flat, points alone feel. From then on
that edge presses the same part of the hull until it is free or has slid off it, so that nothing
thin comes out on the other side. An edge of a surface without a body behind it presses as others.

The spring is that of all feet together. The damping stops the aircraft at once and without a
rebound: the spring alone would let an edge go on for decimetres, into other parts of the hull.
"""

from typing import Any, Final

from simulation.compiler.decorators import njit_part, njit_shared
from simulation.mathematics.rotation import to_body, to_ned
from simulation.mathematics.vectors import Vector, between, cross, length, vector
from simulation.physics.hull_overlap import deepest_edge, pressed_part
from simulation.physics.surface_law import contact_law, place_of, press
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

_DEEPER_M: Final = 5e-4
"""An edge is felt if it is so much deeper in the hull than its points are in anything."""
_LOOK_M: Final = 1e-3
"""An aircraft that is not pressed does not look again before it has moved so far."""
_STOPS_S: Final = 0.002
"""Time constant of stopping; two steps, so that several contacts together are stable."""
_SLIPPED_M: Final = 0.02
"""How far the place that is pressed may move before another one sticks."""


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


@njit_shared
def _press(p: Any, s: Any, o: Any, i: int) -> float:
    """The same for one contact, which ends where it is free."""
    x, part, edge, kept = s["motion"], s["hull_part"][i], s["hull_pressed"][i], s["hull_out"][i]
    q = x[ATTITUDE : ATTITUDE + 4]
    ends = (_in_body(x, edge[0]), _in_body(x, edge[1]))
    depth, arm, out = pressed_part(p, part, ends, vector(kept))
    if depth <= 0.0:
        s["hull_part"][i] = -1
        s["point_sticks"][POINTS + i] = 0
        return 0.0
    kept[0], kept[1], kept[2] = out
    away = to_ned(q, -out[0], -out[1], -out[2])
    stiffness, damping = contact_law(p)
    feet = p["foot_count"]
    law = (feet * stiffness, _moved_mass(p, arm, out) / _STOPS_S, feet * damping)
    at = (arm, _sticking(s, i, arm))
    lies = 1 - p["hull_stands"][part]
    press((p, s, o), (POINTS + i, lies), at, (away[0], away[1], away[2], -depth), law)
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
def _moved_mass(p: Any, arm: Vector, way: Vector) -> float:
    """The mass in kg that a push at `arm` along `way`, of length 1, has to move."""
    x, y, z = cross(arm, way)
    inertia = p["inertia"]
    turning = x * x / inertia[0] + y * y / inertia[1] + z * z / inertia[2]
    return float(1.0 / (1.0 / p["mass"] + turning))


@njit_part
def look_between(p: Any, s: Any, grid: Any, deepest: float) -> None:
    """Begin a contact where an edge is deeper in the hull than `deepest`."""
    x, reach = s["motion"], p["contact_reach"]
    speed, turning = length(x[VELOCITY : VELOCITY + 3]), length(x[RATES : RATES + 3])
    s["hull_moved"] += STEP_S * (speed + reach * turning)
    for i in range(HULL_CONTACTS):
        if s["hull_part"][i] >= 0:
            s["hull_moved"] = _LOOK_M
    if s["hull_moved"] < _LOOK_M:
        return
    s["hull_moved"] = 0.0
    _, part, _, out, edge = deepest_edge(p, x, grid, deepest + _DEEPER_M)
    one, two = place_of(x, edge[0]), place_of(x, edge[1])
    i = _contact_for(s, part)
    if part < 0 or i < 0:
        return
    s["hull_part"][i] = part
    for k in range(3):
        s["hull_pressed"][i, 0, k], s["hull_pressed"][i, 1, k] = one[k], two[k]
        s["hull_out"][i, k] = out[k]


@njit_part
def _contact_for(s: Any, part: int) -> int:
    """The contact that is past the same edge of the hull, or a free one; -1 if there is none."""
    free = -1
    for i in range(HULL_CONTACTS):
        if s["hull_part"][i] == part and part >= HULL_PLANES:
            return i
        if s["hull_part"][i] < 0:
            free = i
    return free
