"""Hand launch: somebody holds the aircraft until its motor runs, then throws it.

The throw is an acceleration along body x for a short while, 25 m/s2 for 0.4 s in ArduPilot's
SITL. Whoever throws carries the weight and keeps the attitude until letting go. He listens to
the motor and knows nothing of the autopilot.
"""

from typing import Any

from simulation.compiler.decorators import njit_part
from simulation.environment.earth import gravity_at
from simulation.mathematics.rotation import to_body, to_ned
from simulation.physics.fixed_wing import add_propeller
from simulation.records.flight import ATTITUDE, IN_HAND, RATES, ROTOR, THROWN


@njit_part
def take_in_hand(p: Any, s: Any) -> None:
    """Begin a flight in the thrower's hand if this aircraft is launched so."""
    if p["launch_height"] > 0.0:
        s["launch_phase"] = IN_HAND


@njit_part
def is_held(p: Any, s: Any) -> bool:
    """Whether it is still held; counts how long the motor has run and starts the throw."""
    if s["launch_phase"] != IN_HAND:
        return False
    s["launch_count"] = s["launch_count"] + 1 if s["duty"][0] >= p["launch_duty"] else 0
    if s["launch_count"] < p["launch_delay"]:
        return True
    s["launch_phase"] = THROWN
    s["launch_count"] = 0
    return False


@njit_part
def hold(p: Any, s: Any, scratch: Any, dt: float) -> None:
    """One step in the hand: only the propeller moves."""
    x, slope = s["motion"], scratch["slope"][0]
    q, wind = x[ATTITUDE : ATTITUDE + 4], s["wind"]
    inflow = -to_body(q, wind[0], wind[1], wind[2])[0]
    add_propeller(p, s, x, inflow, (scratch["wrench"], slope))
    x[ROTOR] += dt * slope[ROTOR]
    felt = to_body(q, 0.0, 0.0, -gravity_at(s))
    for i in range(3):
        s["specific_force"][i] = felt[i]


@njit_part
def throw(p: Any, s: Any) -> None:
    """While it is thrown: add the hand's force to that of the ground, and keep it from turning."""
    if s["launch_phase"] != THROWN:
        return
    s["launch_count"] += 1
    if s["launch_count"] > p["launch_steps"]:
        s["launch_phase"] = 0
        return
    x = s["motion"]
    push = p["mass"] * p["launch_acceleration"]
    force = to_ned(x[ATTITUDE : ATTITUDE + 4], push, 0.0, 0.0)
    for i in range(3):
        s["contact_force"][i] += force[i]
        x[RATES + i] = 0.0
    s["contact_force"][2] -= p["mass"] * gravity_at(s)
