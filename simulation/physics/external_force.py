"""External forces and moments: a user's function, asked at every stage of RK4.

It is a program of one EXTERNAL_FORCE record. States of its own are integrated with the motion, by
the same scheme, so that what hangs on an aircraft keeps the energy that both have.
"""

from typing import Any

from simulation.compiler.decorators import njit_part, njit_shared
from simulation.compiler.program import Handle, call
from simulation.environment.air import velocity_through_air
from simulation.environment.atmosphere import SEA_LEVEL_DENSITY
from simulation.environment.earth import gravity_at
from simulation.mathematics.rotation import to_body
from simulation.records.flight import ATTITUDE, POSITION, RATES, ROTOR, SURFACES, VELOCITY
from simulation.records.interface import FORCE_STATES, ROTORS, STEP_S


@njit_shared
def ask_force(p: Any, s: Any, x: Any, external: Handle, stage: tuple[int, float]) -> None:
    """Have the program `external` say what acts in the motion `x` at a stage of RK4, of which
    `stage` is the number and how far it goes, in seconds."""
    e = s["force"]
    number, reach = stage
    before = e["state_slope"][(number + 3) % 4]
    for i in range(FORCE_STATES):
        e["state"][i] = e["state_start"][i] + reach * before[i]
    e["stage"] = number
    e["time_s"] = e["step_s"] + reach
    _show_motion(p, s, x, e)
    for i in range(3):
        e["force"][i] = e["force_ned"][i] = e["point"][i] = e["moment"][i] = 0.0
    call(external, e)
    _take_wrench(x, e)
    for i in range(FORCE_STATES):
        e["state_slope"][number, i] = e["state_rate"][i]


@njit_part
def begin_force(s: Any, time_s: float) -> None:
    """Begin a step at `time_s`."""
    s["force"]["acts"] = 1
    s["force"]["step_s"] = time_s


@njit_part
def end_force(s: Any) -> None:
    """End a step: move on the states."""
    e = s["force"]
    slope = e["state_slope"]
    for i in range(FORCE_STATES):
        rise = slope[0, i] + 2.0 * slope[1, i] + 2.0 * slope[2, i] + slope[3, i]
        e["state_start"][i] += STEP_S / 6.0 * rise
        e["state"][i] = e["state_start"][i]


@njit_part
def add_force(s: Any, wrench: Any) -> None:
    """Add what acts to the body's force and moment."""
    e = s["force"]
    if e["acts"] != 0:
        for i in range(6):
            wrench[i] += e["wrench"][i]


@njit_part
def _show_motion(p: Any, s: Any, x: Any, e: Any) -> None:
    air = velocity_through_air(s, x)
    for i in range(3):
        e["position"][i] = x[POSITION + i]
        e["velocity"][i] = x[VELOCITY + i]
        e["rates"][i] = x[RATES + i]
        e["wind"][i] = s["wind"][i]
        e["air_velocity"][i] = air[i]
    for i in range(4):
        e["quaternion"][i] = x[ATTITUDE + i]
    for i in range(ROTORS):
        e["rotor_speed"][i] = x[ROTOR + i]
    for i in range(SURFACES):
        e["surface"][i] = s["surface"][i]
    e["air_density"] = s["air_density_ratio"] * SEA_LEVEL_DENSITY
    e["mass"] = p["mass"]
    e["gravity"] = gravity_at(s)


@njit_part
def _take_wrench(x: Any, e: Any) -> None:
    """Force and moment about the centre of mass in body axes, from what the program has said."""
    ned, point, wrench = e["force_ned"], e["point"], e["wrench"]
    turned = to_body(x[ATTITUDE : ATTITUDE + 4], ned[0], ned[1], ned[2])
    for i in range(3):
        wrench[i] = e["force"][i] + turned[i]
    wrench[3] = e["moment"][0] + point[1] * wrench[2] - point[2] * wrench[1]
    wrench[4] = e["moment"][1] + point[2] * wrench[0] - point[0] * wrench[2]
    wrench[5] = e["moment"][2] + point[0] * wrench[1] - point[1] * wrench[0]
