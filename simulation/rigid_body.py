"""Motion of the aircraft: six degrees of freedom plus rotor speeds, RK4 with a fixed step.

NED and FRD. q' = q (0, w) / 2; v' = g e3 + R F / m; J w' = M - w x (J w + H). The reaction of the
motors' torque carries the rotors' angular acceleration already, so H' does not appear again.
"""

import math
from typing import Any

from simulation.earth import GRAVITY
from simulation.propulsion import load_torque, motor_current, thrust
from simulation.records import ATTITUDE, POSITION, RATES, ROTOR, VELOCITY
from simulation.rotation import normalise, to_body, to_ned
from telemetry.compiled import njit_part

DT = 0.001


@njit_part
def _rotor_wrench(p: Any, s: Any, x: Any, dx: Any, wrench: Any) -> None:
    """Add the rotors' force (only body z) and moments to `wrench`; fill their accelerations."""
    q = x[ATTITUDE : ATTITUDE + 4]
    wind = s["wind"]
    _, _, w_air = to_body(
        q, x[VELOCITY] - wind[0], x[VELOCITY + 1] - wind[1], x[VELOCITY + 2] - wind[2]
    )
    roll_rate, pitch_rate = x[RATES], x[RATES + 1]
    for i in range(p["rotor_count"]):
        arm = p["rotor_position"][i]
        speed = x[ROTOR + i]
        spin = p["rotor_spin"][i]
        inflow = -(w_air + roll_rate * arm[1] - pitch_rate * arm[0])
        force = thrust(p, speed, inflow, s["air_density_ratio"])
        drive = p["psi"] * motor_current(p, s["voltage"][i], speed)
        momentum = spin * p["rotor_inertia"] * speed
        wrench[2] -= force
        wrench[3] -= arm[1] * force + pitch_rate * momentum
        wrench[4] += arm[0] * force + roll_rate * momentum
        wrench[5] -= spin * drive
        dx[ROTOR + i] = (drive - load_torque(p, force, speed)) / p["rotor_inertia"]


@njit_part
def _drag(p: Any, s: Any, x: Any, wrench: Any) -> None:
    """Set `wrench` (body force and moment) to the drag of the body in the moving air."""
    wind = s["wind"]
    u, v, w = to_body(
        x[ATTITUDE : ATTITUDE + 4],
        x[VELOCITY] - wind[0],
        x[VELOCITY + 1] - wind[1],
        x[VELOCITY + 2] - wind[2],
    )
    rates = x[RATES : RATES + 3]
    speed = s["air_density_ratio"] * math.sqrt(u * u + v * v + w * w)
    turning = math.sqrt(rates[0] * rates[0] + rates[1] * rates[1] + rates[2] * rates[2])
    wrench[0] = -p["drag_force"][0] * speed * u
    wrench[1] = -p["drag_force"][1] * speed * v
    wrench[2] = -p["drag_force"][2] * speed * w
    for i in range(3):
        wrench[3 + i] = -p["drag_moment"][i] * turning * rates[i]


@njit_part
def derivative(p: Any, s: Any, x: Any, dx: Any, wrench: Any) -> None:
    """Fill `dx`, the time derivative of motion `x`, and `wrench` without contact and gravity."""
    _drag(p, s, x, wrench)
    _rotor_wrench(p, s, x, dx, wrench)
    q = x[ATTITUDE : ATTITUDE + 4]
    force = to_ned(q, wrench[0], wrench[1], wrench[2])
    for i in range(3):
        dx[POSITION + i] = x[VELOCITY + i]
        dx[VELOCITY + i] = (force[i] + s["contact_force"][i]) / p["mass"]
    dx[VELOCITY + 2] += GRAVITY
    a, b, c = x[RATES], x[RATES + 1], x[RATES + 2]
    dx[ATTITUDE] = -0.5 * (q[1] * a + q[2] * b + q[3] * c)
    dx[ATTITUDE + 1] = 0.5 * (q[0] * a + q[2] * c - q[3] * b)
    dx[ATTITUDE + 2] = 0.5 * (q[0] * b - q[1] * c + q[3] * a)
    dx[ATTITUDE + 3] = 0.5 * (q[0] * c + q[1] * b - q[2] * a)
    j = p["inertia"]
    m = s["contact_moment"]
    dx[RATES] = (wrench[3] + m[0] - (j[2] - j[1]) * b * c) / j[0]
    dx[RATES + 1] = (wrench[4] + m[1] - (j[0] - j[2]) * c * a) / j[1]
    dx[RATES + 2] = (wrench[5] + m[2] - (j[1] - j[0]) * a * b) / j[2]


@njit_part
def integrate(p: Any, s: Any, scratch: Any) -> None:
    """One RK4 step of DT. `scratch` is (6, MOTION). Also keeps the specific force at its start."""
    x = s["motion"]
    k1, k2, k3, k4, mid, wrench = (
        scratch[0],
        scratch[1],
        scratch[2],
        scratch[3],
        scratch[4],
        scratch[5],
    )
    n = ROTOR + p["rotor_count"]
    derivative(p, s, x, k1, wrench)
    felt = to_body(
        x[ATTITUDE : ATTITUDE + 4], k1[VELOCITY], k1[VELOCITY + 1], k1[VELOCITY + 2] - GRAVITY
    )
    for i in range(3):
        s["specific_force"][i] = felt[i]
    for i in range(n):
        mid[i] = x[i] + 0.5 * DT * k1[i]
    derivative(p, s, mid, k2, wrench)
    for i in range(n):
        mid[i] = x[i] + 0.5 * DT * k2[i]
    derivative(p, s, mid, k3, wrench)
    for i in range(n):
        mid[i] = x[i] + DT * k3[i]
    derivative(p, s, mid, k4, wrench)
    for i in range(n):
        x[i] += DT / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i])
    normalise(x[ATTITUDE : ATTITUDE + 4])
