"""The inverted propulsion model: wanted thrust and moments become voltages (seed 001, 3.4).

In the place of the static mixer: thrusts of the rotors by the pseudo-inverse of their geometry,
speed from thrust, torque from both, voltage from torque (seed 000, eq. 13 and 14; seed 001,
eq. 4 to 8) as in air at rest, where both laws of torque are the same, and the pulse from voltage
and the voltage measured at the battery, so that the loop gains do not sag with it. What it knows
of the aircraft is SETTINGS.propulsion, the autopilot's own copy: if that is wrong, so is the
flight.
"""

import math
from typing import Any

from simulation.compiler.decorators import njit_part
from simulation.mathematics.rotation import clamp
from simulation.records.flight import MOTOR_DC, MOTOR_LAG_ROOT, MOTOR_LAG_SPEED

_LEAST_BATTERY_V = 1.0


@njit_part
def _thrust_share(c: Any, thrust: float) -> float:
    """Share of full thrust: what ThrustLimits call neutral carries the weight, 1 is all there is,
    so that the gains and limits of the vertical loops mean what they mean to the mixer."""
    weight = c["propulsion"]["hover_share"]
    neutral = clamp(c["vertical_thrust"][1], 0.05, 0.95)
    if thrust < neutral:
        return float(thrust * weight / neutral)
    return float(weight + (thrust - neutral) * (1.0 - weight) / (1.0 - neutral))


@njit_part
def share_thrust(c: Any, o: Any, mixed: Any) -> None:
    """Set, on each rotor's channel, its share of full thrust."""
    g, a = c["propulsion"], o["actuator_desired"]
    thrust = _thrust_share(c, a[3])
    for i in range(g["rotor_count"]):
        share = g["allocation"][i][3] * thrust
        for axis in range(3):
            share += g["allocation"][i][axis] * a[axis]
        mixed[g["rotor_channel"][i]] = share


@njit_part
def _speed(g: Any, thrust: float) -> float:
    """The speed at which a rotor gives this thrust: the root of alpha W^2 + beta W = T."""
    root = math.sqrt(g["beta"] * g["beta"] + 4.0 * g["alpha"] * thrust)
    return float((root - g["beta"]) / (2.0 * g["alpha"]))


@njit_part
def _voltage(g: Any, thrust: float) -> float:
    """The steady voltage at a motor for this thrust.

    MOTOR_DC: I = Q / psi in I^2 R + I psi W = U (alpha_m + I beta_m), which is the current's law
    solved for the voltage.
    """
    speed = _speed(g, thrust)
    if g["motor_model"] == MOTOR_DC:
        current = max(g["k_t"] * thrust + g["gamma"] * speed, 0.0) / g["psi"]
        power = current * (current * g["resistance"] + g["psi"] * speed)
        return float(power / max(g["alpha_m"] + current * g["beta_m"], 1e-9))
    share = speed / g["full_speed"]
    if g["motor_model"] == MOTOR_LAG_ROOT:
        share *= share
    return float(share * g["full_voltage"])


@njit_part
def thrust_pulse(g: Any, o: Any, share: float) -> float:
    """The pulse in us for a share of full thrust at the present battery voltage."""
    low, high = g["speed_controller_us"]
    voltage = _voltage(g, clamp(share, 0.0, 1.0) * g["full_thrust"])
    supply = max(o["battery_voltage"], _LEAST_BATTERY_V)
    duty = voltage / (g["full_voltage"] if g["motor_model"] == MOTOR_LAG_SPEED else supply)
    return float(low + clamp(duty, 0.0, 1.0) * (high - low))
