"""Servos: a lag with a rate limit from a pulse to an angle; what they move.

The servos of a fixed wing move its control surfaces. An elevon is half of the elevator and an
aileron, a panel of a V-tail half of the elevator and half of the rudder (Beard & McLain, Small
Unmanned Aircraft, 4.3, there without the halves: their coefficients are those of both panels).

The servo of a tricopter turns its tail rotor about body x by t, positive to the right:

    n' = (n_x, n_y cos t - n_z sin t, n_y sin t + n_z cos t)

which right turning of the axis by t is. The rotor's angular momentum turns with it: the hub feels
the gyroscopic moment of the rate t' beside that of the body's own rates.
"""

import math
from typing import Any

from simulation.compiler.decorators import njit_part
from simulation.mathematics.rotation import clamp
from simulation.records.flight import SURFACES


@njit_part
def move_servos(p: Any, s: Any, o: Any, dt: float) -> None:
    """Turn the servos towards what their pulses ask for, and the surfaces with them."""
    rudder = 0.0
    for i in range(SURFACES):
        s["surface"][i] = 0.0
    for i in range(p["servo_count"]):
        _move(p, s, i, o["actuator_command"][p["servo_channel"][i]], dt)
        share, angle = p["servo_share"][i], s["servo"][i]
        for j in range(SURFACES):
            s["surface"][j] += share[j] * angle
        rudder += share[SURFACES] * angle
    s["rudder"] = rudder


@njit_part
def _move(p: Any, s: Any, servo: int, pulse: float, dt: float) -> None:
    s["servo_speed"][servo] = 0.0
    if pulse <= 0.0:
        return  # without a pulse a servo stays where it is
    low, high = p["servo_pulse_us"][servo]
    share = clamp((pulse - low) / (high - low), 0.0, 1.0)
    first, last = p["servo_deflection"][servo]
    rate = (first + share * (last - first) - s["servo"][servo]) / p["servo_tau"]
    speed = clamp(rate, -p["servo_rate"], p["servo_rate"])
    s["servo_speed"][servo] = speed
    s["servo"][servo] += speed * dt


@njit_part
def rotor_axis(p: Any, s: Any, rotor: int) -> tuple[float, float, float]:
    """Unit vector of a rotor's thrust, body axes."""
    x, y, z = p["rotor_axis"][rotor]
    if rotor + 1 != p["turned_rotor"]:
        return x, y, z
    sine, cosine = math.sin(s["servo"][0]), math.cos(s["servo"][0])
    return x, y * cosine - z * sine, y * sine + z * cosine


@njit_part
def axis_rate(p: Any, s: Any, rotor: int) -> float:
    """How fast a servo turns the rotor's axis about body x, rad/s."""
    return float(s["servo_speed"][0]) if rotor + 1 == p["turned_rotor"] else 0.0
