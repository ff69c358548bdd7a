"""Surface contact law: what a surface, such as the ground, does to a place of an aircraft in it.

Along the direction that stands on it act spring and damper, in its plane bristle friction that
sticks without creep.

N = max(0, k z + c z') with k = m g / (n depth), c = 2 zeta m sqrt(g / depth) / n for n feet.
Friction is a spring to the anchor where the point stuck; beyond friction * N it slides and the
anchor is dragged along. Forces are held over one step, which is stable below 4 ms.

Feet that touch something to stand on break above the speed of a crash, as what else touches does,
and hull that lies on the ground at any.
"""

import math
from typing import Any, Final

from simulation.compiler.decorators import njit_part, njit_shared
from simulation.environment.earth import GRAVITY
from simulation.mathematics.rotation import to_body, to_ned
from simulation.mathematics.vectors import Vector, between, cross, dot, length, moved, vector
from simulation.records.flight import ATTITUDE, POSITION, RATES, VELOCITY

Plane = tuple[float, float, float, float]
"""The direction of length 1 that stands on it, and how far a place is above it; all 0: no plane."""

_LYING: Final = 0.5
"""Cosine of the tilt at which an aircraft on the ground counts as crashed."""
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
def speed_of(x: Any, arm: Vector) -> Vector:
    """How fast it moves, NED."""
    a, b, c = cross(x[RATES : RATES + 3], arm)
    turning = to_ned(x[ATTITUDE : ATTITUDE + 4], a, b, c)
    return moved(x[VELOCITY : VELOCITY + 3], 1.0, turning)


@njit_part
def begin_contact(s: Any) -> None:
    """Nothing touches anything yet in this step."""
    s["contact_energy"] = 0.0
    for i in range(3):
        s["contact_force"][i] = s["contact_moment"][i] = 0.0


@njit_part
def press_point(flight: Any, law: Any, i: int, place: Vector, plane: Plane) -> float:
    """Add the force by the contact law on contact point `i`, if `place`, where it is, is below a
    plane; how deep."""
    p, s, _ = flight
    if plane[3] >= 0.0:
        s["point_sticks"][i] = 0
        return 0.0
    stiffness, damping = law
    lies = 1 if i >= p["foot_count"] else 0
    at = (vector(p["point"][i]), place)
    press(flight, (i, lies), at, plane, (stiffness, damping, damping))
    return -plane[3]


@njit_shared
def press(flight: Any, contact: Any, at: tuple[Vector, Vector], plane: Plane, law: Any) -> None:
    """Add the force on a place that is below a plane. Of the contact: its number, and 1 if what
    lies on it is broken; of the place, its arm and where what sticks there is now (NED); of the law
    stiffness, damping, and that along the plane."""
    (p, s, o), (i, lies), (arm, place) = flight, contact, at
    x = s["motion"]
    q = x[ATTITUDE : ATTITUDE + 4]
    speed = speed_of(x, arm)
    closing = -dot(plane, speed)
    normal = max(law[1] * closing - law[0] * plane[3], 0.0)
    held = _friction(s, i, plane, (place, speed), (law[0], law[2], p["friction"] * normal))
    s["contact_energy"] += 0.5 * law[0] * plane[3] * plane[3]
    force = moved(held, normal, plane)
    add_contact(s, arm, to_body(q, force[0], force[1], force[2]), force)
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
    turned = dot(plane, normal) < _TURNED
    if s["point_sticks"][i] == 0 or turned:
        s["point_sticks"][i] = 1
        for k in range(3):
            anchor[k], normal[k] = place[k], plane[k]
    away = between(anchor, place)
    out, up = dot(plane, away), dot(plane, speed)
    north = -law[0] * (away[0] - out * plane[0]) - law[1] * (speed[0] - up * plane[0])
    east = -law[0] * (away[1] - out * plane[1]) - law[1] * (speed[1] - up * plane[1])
    down = -law[0] * (away[2] - out * plane[2]) - law[1] * (speed[2] - up * plane[2])
    size, stretched = length((north, east, down)), dot(away, away) - out * out
    if size > law[2]:
        share = law[2] / size
        north, east, down = north * share, east * share, down * share
        anchor[0] = place[0] + north / law[0]
        anchor[1] = place[1] + east / law[0]
        anchor[2] = place[2] + down / law[0]
        stretched = law[2] * law[2] / (law[0] * law[0])
    s["contact_energy"] += 0.5 * law[0] * stretched
    return north, east, down


@njit_part
def contact_law(p: Any) -> tuple[float, float]:
    """Stiffness in N/m and damping in N/(m/s) of each point."""
    share = p["mass"] / p["foot_count"]
    stiffness = share * GRAVITY / p["contact_depth"]
    return stiffness, 2.0 * p["contact_damping"] * share * math.sqrt(GRAVITY / p["contact_depth"])


@njit_part
def turned_by(p: Any, arm: Any, push: Vector) -> Vector:
    """The body rates that a push of so many Ns (body) at `arm` gives."""
    a, b, c = cross(arm, push)
    j, product = p["inertia"], p["inertia_xz"]
    scale = 1.0 / (j[0] * j[2] - product * product)
    return (j[2] * a + product * c) * scale, b / j[1], (product * a + j[0] * c) * scale


@njit_part
def moved_mass(p: Any, arm: Any, way: Vector) -> float:
    """The mass in kg that a push at `arm` along `way` (body), of length 1, has to move."""
    turning = dot(cross(arm, way), turned_by(p, arm, way))
    return float(1.0 / (1.0 / p["mass"] + turning))


@njit_part
def is_lying(q: Any) -> bool:
    """Whether it is tilted so far that, on the ground, it counts as crashed."""
    return bool(1.0 - 2.0 * (q[1] * q[1] + q[2] * q[2]) < _LYING)


@njit_part
def add_contact(s: Any, arm: Any, body: Any, ned: Any) -> None:
    """Add the force on the point at `arm`, in body axes and NED, to the contact wrench."""
    moment = cross(arm, body)
    for k in range(3):
        s["contact_moment"][k] += moment[k]
        s["contact_force"][k] += ned[k]
