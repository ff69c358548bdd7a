"""Brushless motor and propeller, the law of hector_quadrotor (parameter set 9ba44416).

    t = (U beta_m - Psi W) / (2 R),  I = t + sqrt(t^2 + U alpha_m / R)       current in A
    T = C_T0 W^2 + C_T1 v1 W - C_T2 v1 |v1|                                  thrust in N
    M_e = Psi I,  M_m = k_t T + k_m W,  J W' = M_e - M_m                     torques in Nm

U is the voltage at the motor, W the rotor speed in rad/s, v1 the air's speed through the disc in
m/s, positive when climbing. The sign branch of C_T2 opposes the motion in both directions.
"""

import math
from typing import Any

from simulation.rotation import clamp
from telemetry.compiled import njit_part

_LEAST_LOAD = 0.15


@njit_part
def motor_current(p: Any, voltage: float, speed: float) -> float:
    """Current in ampere."""
    t = (voltage * p["beta_m"] - p["psi"] * speed) / (2.0 * p["resistance"])
    return float(t + math.sqrt(t * t + voltage * p["alpha_m"] / p["resistance"]))


@njit_part
def thrust(p: Any, speed: float, inflow: float, density_ratio: float) -> float:
    """Thrust in newton, never negative; `density_ratio` is to sea level."""
    c = p["c_t"]
    force = c[0] * speed * speed + c[1] * inflow * speed - c[2] * inflow * abs(inflow)
    return float(max(force * density_ratio, 0.0))


@njit_part
def load_torque(p: Any, force: float, speed: float) -> float:
    """The torque in Nm that turns the propeller at this thrust and speed.

    The law was fitted in flight; its negative k_m would let slow propellers turn for nothing.
    """
    drag = p["k_t"] * force
    return float(max(drag + p["k_m"] * speed, _LEAST_LOAD * drag))


@njit_part
def drive_motors(p: Any, s: Any, o: Any) -> None:
    """Each speed controller turns its pulse into duty 0..1."""
    low, high = p["speed_controller_us"]
    for i in range(p["rotor_count"]):
        pulse = o["actuator_command"][p["rotor_channel"][i]]
        s["duty"][i] = clamp((pulse - low) / (high - low), 0.0, 1.0)
