"""Contact with level ground: a plane as others are (`simulation.physics.surface_law`)."""

from typing import Any

from simulation.compiler.decorators import njit_part
from simulation.mathematics.vectors import vector
from simulation.physics.hard_stop import is_fast, keep_plane, stop
from simulation.physics.surface_law import begin_contact, contact_law, place_of, press_point
from simulation.records.flight import POSITION, VELOCITY
from simulation.records.interface import STEP_S


@njit_part
def apply_ground(p: Any, s: Any, o: Any) -> None:
    """Set the contact wrench of this step and the flags `touches_ground` and `crashed`."""
    begin_contact(s)
    touched = o["touches_ground"] != 0
    o["touches_ground"] = 0
    x = s["motion"]
    if x[POSITION + 2] + STEP_S * abs(x[VELOCITY + 2]) < -p["contact_reach"]:
        if touched:  # only then a point may stick
            for i in range(p["point_count"]):
                s["point_sticks"][i] = 0
        return
    if is_fast(p, s):
        for i in range(p["point_count"]):
            arm = vector(p["point"][i])
            keep_plane(s, i, arm, (0.0, 0.0, -1.0, -place_of(x, arm)[2]))
        stop(p, s, o, p["point_count"])
    law = contact_law(p)
    for i in range(p["point_count"]):
        place = place_of(x, vector(p["point"][i]))
        press_point((p, s, o), law, i, place, (0.0, 0.0, -1.0, -place[2]))
