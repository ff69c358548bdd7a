"""Ground contact: spring and damper under each point, bristle friction that sticks without creep.

N = max(0, k z + c z') with k = m g / (n depth), c = 2 zeta m sqrt(g / depth) / n for n feet.
Friction is a spring to the anchor where the point stuck; beyond friction * N it slides and the
anchor is dragged along. Forces are held over one step, which is stable below 4 ms.
"""

import math
from typing import Any

from simulation.compiler.decorators import njit_part
from simulation.environment.earth import GRAVITY
from simulation.mathematics.rotation import to_body, to_ned
from simulation.records.flight import ATTITUDE, POSITION, RATES, VELOCITY

_LYING = 0.5  # cosine of the tilt at which an aircraft on the ground counts as crashed


@njit_part
def apply_ground(p: Any, s: Any, o: Any) -> None:
    """Set the contact wrench of this step and the flags `touches_ground` and `crashed`."""
    force, moment = s["contact_force"], s["contact_moment"]
    for i in range(3):
        force[i] = 0.0
        moment[i] = 0.0
    touched = o["touches_ground"] != 0
    o["touches_ground"] = 0
    if s["motion"][POSITION + 2] < -p["contact_reach"]:
        if touched:  # only then a point may stick
            for i in range(p["point_count"]):
                s["point_sticks"][i] = 0
        return
    for i in range(p["point_count"]):
        _touch(p, s, o, i)


@njit_part
def _touch(p: Any, s: Any, o: Any, i: int) -> None:
    """Add the force on point `i`, if it is in the ground."""
    x = s["motion"]
    q = x[ATTITUDE : ATTITUDE + 4]
    arm = p["point"][i]
    offset = to_ned(q, arm[0], arm[1], arm[2])
    depth = x[POSITION + 2] + offset[2]
    if depth <= 0.0:
        s["point_sticks"][i] = 0
        return
    a, b, c = x[RATES], x[RATES + 1], x[RATES + 2]
    turning = to_ned(q, b * arm[2] - c * arm[1], c * arm[0] - a * arm[2], a * arm[1] - b * arm[0])
    sinking = x[VELOCITY + 2] + turning[2]
    stiffness, damping = contact_law(p)
    normal = max(stiffness * depth + damping * sinking, 0.0)
    north, east = _friction(
        s,
        i,
        (x[POSITION] + offset[0], x[POSITION + 1] + offset[1]),
        (x[VELOCITY] + turning[0], x[VELOCITY + 1] + turning[1]),
        (stiffness, damping, p["friction"] * normal),
    )
    add_contact(s, arm, to_body(q, north, east, -normal), (north, east, -normal))
    o["touches_ground"] = 1
    if i >= p["foot_count"] or sinking > p["crash_speed"] or is_lying(q):
        o["crashed"] = 1


@njit_part
def contact_law(p: Any) -> tuple[float, float]:
    """Stiffness in N/m and damping in N/(m/s) of each point."""
    share = p["mass"] / p["foot_count"]
    stiffness = share * GRAVITY / p["contact_depth"]
    return stiffness, 2.0 * p["contact_damping"] * share * math.sqrt(GRAVITY / p["contact_depth"])


@njit_part
def is_lying(q: Any) -> bool:
    """Whether it is tilted so far that, on the ground, it counts as crashed."""
    return bool(1.0 - 2.0 * (q[1] * q[1] + q[2] * q[2]) < _LYING)


@njit_part
def _friction(s: Any, i: int, place: Any, speed: Any, law: Any) -> tuple[float, float]:
    """Horizontal force on point `i`; `law` is stiffness, damping and the most it can hold."""
    anchor = s["point_anchor"][i]
    if s["point_sticks"][i] == 0:
        s["point_sticks"][i] = 1
        anchor[0], anchor[1] = place[0], place[1]
    north = -law[0] * (place[0] - anchor[0]) - law[1] * speed[0]
    east = -law[0] * (place[1] - anchor[1]) - law[1] * speed[1]
    size = math.sqrt(north * north + east * east)
    if size > law[2]:
        north *= law[2] / size
        east *= law[2] / size
        anchor[0] = place[0] + north / law[0]
        anchor[1] = place[1] + east / law[0]
    return north, east


@njit_part
def add_contact(s: Any, arm: Any, body: Any, ned: Any) -> None:
    """Add the force on the point at `arm`, in body axes and NED, to the contact wrench."""
    moment = s["contact_moment"]
    moment[0] += arm[1] * body[2] - arm[2] * body[1]
    moment[1] += arm[2] * body[0] - arm[0] * body[2]
    moment[2] += arm[0] * body[1] - arm[1] * body[0]
    for k in range(3):
        s["contact_force"][k] += ned[k]
