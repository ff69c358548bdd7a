"""Bench: an aircraft held in both hands, still in a pose or turned about.

It stays where it is and goes to its pose at no more than a hand's pace. Motors may run: the hands
take what they push. Tumbling turns about an axis that wanders over all directions, so that a
magnetometer sees the field from every side.
"""

import math
from typing import Any

from simulation.compiler.decorators import njit_part, njit_shared
from simulation.environment.earth import gravity_at
from simulation.mathematics.rotation import rotation_between, set_euler, to_body, turn
from simulation.records.flight import ATTITUDE, POINTS, POSITION, RATES, VELOCITY
from simulation.records.interface import STEP_S

_FASTEST = math.radians(90.0)
"""rad/s, how fast hands turn it to another pose."""
_EASING = 4.0
"""1/s, how it comes to rest there."""
_AXIS_S, _PLANE_S = 7.3, 19.1
"""Times in which the axis of tumbling goes round in its plane, and the plane goes round."""


@njit_part
def lift_to_bench(s: Any, o: Any) -> None:
    """Let nothing touch it but hands, before a step that what turns in it takes as in flight."""
    for i in range(3):
        s["contact_force"][i] = s["contact_moment"][i] = 0.0
    for i in range(POINTS):
        s["point_sticks"][i] = 0
    o["touches_ground"] = 0


@njit_shared
def hold_on_bench(w: Any, s: Any, scratch: Any, step: int) -> None:
    """Give it the motion that hands have given it in the step just taken."""
    x = s["motion"]
    for i in range(3):
        x[POSITION + i] = scratch["before"][POSITION + i]
        x[VELOCITY + i] = 0.0
    q = x[ATTITUDE : ATTITUDE + 4]
    for i in range(4):
        q[i] = scratch["before"][ATTITUDE + i]
    roll, pitch, yaw = _tumbling(w, step) if w["bench_tumble"] != 0.0 else _posing(w, scratch, q)
    turn(q, roll * STEP_S, pitch * STEP_S, yaw * STEP_S)
    x[RATES], x[RATES + 1], x[RATES + 2] = roll, pitch, yaw
    felt = to_body(q, 0.0, 0.0, -gravity_at(s))
    for i in range(3):
        s["specific_force"][i] = felt[i]
        s["angular_acceleration"][i] = 0.0


@njit_part
def _posing(w: Any, scratch: Any, q: Any) -> tuple[float, float, float]:
    """The body rates in rad/s with which hands turn attitude `q` towards the pose."""
    angles, target = w["bench_attitude"], scratch["attitude"]
    set_euler(target, math.radians(angles[0]), math.radians(angles[1]), math.radians(angles[2]))
    roll, pitch, yaw = rotation_between(q, target)
    angle = math.sqrt(roll * roll + pitch * pitch + yaw * yaw)
    pace = min(_EASING, _FASTEST / max(angle, 1e-9))
    return pace * roll, pace * pitch, pace * yaw


@njit_part
def _tumbling(w: Any, step: int) -> tuple[float, float, float]:
    """Body rates in rad/s about the axis of this moment."""
    pace = math.radians(w["bench_tumble"])
    axis = 2.0 * math.pi * step * STEP_S / _AXIS_S
    plane = 2.0 * math.pi * step * STEP_S / _PLANE_S
    return (
        pace * math.cos(axis),
        pace * math.sin(axis) * math.cos(plane),
        pace * math.sin(axis) * math.sin(plane),
    )
