"""Surface contact law: what a surface does to a place of an aircraft that is in it.

It is the law of the ground (`simulation.physics.contact`) along the direction that stands on the
surface, and friction in its plane.

Feet that touch something to stand on break as on the ground; what else touches breaks above the
speed of a crash, and hull that lies on the ground at any.
"""

import math
from typing import Any, Final

from simulation.compiler.decorators import njit_part, njit_shared
from simulation.mathematics.rotation import to_body, to_ned
from simulation.physics.contact import add_contact, is_lying
from simulation.records.flight import ATTITUDE, POSITION, RATES, VELOCITY

Vector = tuple[float, float, float]
Plane = tuple[float, float, float, float]
"""The direction of length 1 that stands on it, and how far a place is above it; all 0: no plane."""

_CARRIES: Final = 0.5
"""Cosine of the steepest slope that something can lie on."""
_TURNED: Final = 0.999
"""Cosine of the angle by which a surface may turn under a foot that sticks to it."""


@njit_part
def place_of(x: Any, arm: Vector) -> Vector:
    """Where a place of the aircraft is, NED."""
    offset = to_ned(x[ATTITUDE : ATTITUDE + 4], arm[0], arm[1], arm[2])
    return x[POSITION] + offset[0], x[POSITION + 1] + offset[1], x[POSITION + 2] + offset[2]


@njit_part
def _speed_of(x: Any, arm: Vector) -> Vector:
    """How fast it moves, NED."""
    a, b, c = x[RATES], x[RATES + 1], x[RATES + 2]
    turning = to_ned(
        x[ATTITUDE : ATTITUDE + 4],
        b * arm[2] - c * arm[1],
        c * arm[0] - a * arm[2],
        a * arm[1] - b * arm[0],
    )
    return x[VELOCITY] + turning[0], x[VELOCITY + 1] + turning[1], x[VELOCITY + 2] + turning[2]


@njit_shared
def press(flight: Any, contact: Any, at: tuple[Vector, Vector], plane: Plane, law: Any) -> None:
    """Add the force on a place that is below a plane. Of the contact: its number, and 1 if what
    lies on it is broken; of the place, its arm and where what sticks there is now (NED); of the law
    stiffness, damping, and that along the plane."""
    (p, s, o), (i, lies), (arm, place) = flight, contact, at
    x = s["motion"]
    q = x[ATTITUDE : ATTITUDE + 4]
    speed = _speed_of(x, arm)
    closing = -along_normal(plane, speed)
    normal = max(law[1] * closing - law[0] * plane[3], 0.0)
    held = _friction(s, i, plane, (place, speed), (law[0], law[2], p["friction"] * normal))
    force = (
        normal * plane[0] + held[0],
        normal * plane[1] + held[1],
        normal * plane[2] + held[2],
    )
    add_contact(s, arm, to_body(q, force[0], force[1], force[2]), force)
    s["touches_surface"] = 1
    breaks = closing > p["crash_speed"]
    if plane[2] < -_CARRIES:
        o["touches_ground"] = 1
        breaks = breaks or lies != 0 or is_lying(q)
    if breaks:
        o["crashed"] = 1


@njit_part
def _friction(s: Any, i: int, plane: Plane, motion: tuple[Vector, Vector], law: Any) -> Vector:
    """The force on point `i` along the surface; `motion` is its place and speed, `law` stiffness,
    damping and the most that friction can hold."""
    place, speed = motion
    anchor, normal = s["point_anchor"][i], s["point_normal"][i]
    turned = along_normal(plane, (normal[0], normal[1], normal[2])) < _TURNED
    if s["point_sticks"][i] == 0 or turned:
        s["point_sticks"][i] = 1
        for k in range(3):
            anchor[k], normal[k] = place[k], plane[k]
    away = (place[0] - anchor[0], place[1] - anchor[1], place[2] - anchor[2])
    out, up = along_normal(plane, away), along_normal(plane, speed)
    north = -law[0] * (away[0] - out * plane[0]) - law[1] * (speed[0] - up * plane[0])
    east = -law[0] * (away[1] - out * plane[1]) - law[1] * (speed[1] - up * plane[1])
    down = -law[0] * (away[2] - out * plane[2]) - law[1] * (speed[2] - up * plane[2])
    size = length((north, east, down))
    if size > law[2]:
        share = law[2] / size
        north, east, down = north * share, east * share, down * share
        anchor[0] = place[0] + north / law[0]
        anchor[1] = place[1] + east / law[0]
        anchor[2] = place[2] + down / law[0]
    return north, east, down


@njit_part
def along_normal(plane: Plane, way: Vector) -> float:
    """How much of `way` is along the direction that stands on a plane."""
    return plane[0] * way[0] + plane[1] * way[1] + plane[2] * way[2]


@njit_part
def length(way: Vector) -> float:
    """Of a vector."""
    return math.sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2])
