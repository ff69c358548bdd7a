"""Hard stop of what hits a surface too fast for the springs of the contact: by impulses in a step.

Springs may give way by a stroke, at most half as far as the centre of mass is inside of the hull.
What would be deeper after the next step is stopped before it, by impulses that leave no more speed
than that allows, and half of what gravity adds in a step less: along the surface's direction, and
by friction across it. But for that half, which is 5 mm/s, none turns a motion back, friction does
not either: each takes energy, and so it does not matter how many contacts there are, nor how often
they are gone through (Gauss and Seidel's iteration).
"""

from typing import Any, Final

from simulation.compiler.decorators import njit_part, njit_shared
from simulation.environment.earth import GRAVITY
from simulation.mathematics.rotation import to_body, to_ned
from simulation.mathematics.vectors import Vector, dot, length, moved, vector
from simulation.physics.surface_law import Plane, moved_mass, speed_of, turned_by
from simulation.records.flight import ATTITUDE, RATES, VELOCITY
from simulation.records.interface import STEP_S

_SLOW: Final = 0.02
"""Springs alone stop what moves by less than this share of the stroke in a step."""
_ROUNDS: Final = 12
_NOTHING: Final = 1e-9


@njit_part
def is_fast(p: Any, s: Any) -> bool:
    """Whether a point may be faster than springs can stop."""
    x = s["motion"]
    speed = length(x[VELOCITY : VELOCITY + 3]) + p["contact_reach"] * length(x[RATES : RATES + 3])
    return bool(speed * STEP_S > _SLOW * p["contact_stroke"])


@njit_part
def keep_plane(s: Any, i: int, arm: Vector, plane: Plane) -> None:
    """Remember what contact `i` meets, at `arm`; a plane of zeros is none."""
    for k in range(3):
        s["stop_arm"][i, k] = arm[k]
    for k in range(4):
        s["stop_plane"][i, k] = plane[k]


@njit_shared
def stop(p: Any, s: Any, o: Any, count: int) -> None:
    """Stop what would be deeper than the stroke in the first `count` planes after this step."""
    for _ in range(_ROUNDS):
        is_stopped = False
        for i in range(count):
            if _stop_one(p, s, o, i):
                is_stopped = True
        if not is_stopped:
            break


@njit_shared
def _stop_one(p: Any, s: Any, o: Any, i: int) -> bool:
    """Whether contact `i` had to be stopped."""
    x, arm, plane = s["motion"], s["stop_arm"][i], s["stop_plane"][i]
    closing = -dot(plane, speed_of(x, arm))
    allowed = max(p["contact_stroke"] + plane[3], 0.0) / STEP_S - 0.5 * GRAVITY * STEP_S
    if closing <= allowed + _NOTHING:
        return False
    if closing > p["crash_speed"]:
        o["crashed"] = 1
    q = x[ATTITUDE : ATTITUDE + 4]
    out = to_body(q, plane[0], plane[1], plane[2])
    push = (closing - allowed) * moved_mass(p, arm, out)
    _push(p, s, arm, out, push)
    speed = speed_of(x, arm)
    slips = moved(speed, -dot(plane, speed), plane)
    fast = length(slips)
    if fast > _NOTHING:
        back = to_body(q, -slips[0] / fast, -slips[1] / fast, -slips[2] / fast)
        _push(p, s, arm, back, min(p["friction"] * push, fast * moved_mass(p, arm, back)))
    return True


@njit_part
def stop_core(p: Any, s: Any, o: Any, plane: Plane) -> None:
    """Stop the centre of mass, where it moves towards a plane, by a push that turns nothing."""
    x = s["motion"]
    speed = vector(x[VELOCITY : VELOCITY + 3])
    closing = -dot(plane, speed)
    if closing <= 0.0:
        return
    if closing > p["crash_speed"]:
        o["crashed"] = 1
    slips = moved(speed, closing, plane)
    left = max(1.0 - p["friction"] * closing / max(length(slips), _NOTHING), 0.0)
    for k in range(3):
        s["stop_change"][k] += left * slips[k] - speed[k]
        x[VELOCITY + k] = left * slips[k]


@njit_part
def _push(p: Any, s: Any, arm: Any, way: Vector, impulse: float) -> None:
    """Push at a place by so many Ns along `way` (body)."""
    x, turn = s["motion"], turned_by(p, arm, way)
    along = to_ned(x[ATTITUDE : ATTITUDE + 4], way[0], way[1], way[2])
    for k in range(3):
        change = impulse / p["mass"] * along[k]
        s["stop_change"][k] += change
        x[VELOCITY + k] += change
        x[RATES + k] += impulse * turn[k]
