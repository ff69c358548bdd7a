"""What an aircraft's rotors can do, from its parameters alone: hover and full throttle, in calm
air at sea level, with a full battery that does not sag."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from simulation.environment.earth import GRAVITY
from simulation.physics.propulsion import load_torque, motor_current, motor_torque, thrust
from simulation.records import MOTOR_DC

_FASTEST_RADPS = 1e5


@dataclass(frozen=True, slots=True)
class Hover:
    """Every rotor's speed, thrust and torque in hover, the voltage and share of full voltage
    (duty) at its motor, the power all of them take from the battery, and the reserve."""

    speed_radps: float
    thrust_n: float
    torque_nm: float
    voltage_v: float
    duty: float
    power_w: float
    thrust_to_weight: float


def full_voltage(p: np.void) -> float:
    """Of the full battery, without load."""
    return float(p["cells"] * p["cell_ocv"][-1])


def steady_speed(p: np.void, voltage: float) -> float:
    """The speed in rad/s at which motor and propeller balance."""

    def missing(speed: float) -> float:
        load = load_torque(p, thrust(p, speed, 0.0, 1.0), speed)
        return motor_torque(p, voltage, speed, load) - load

    return _root(missing, _FASTEST_RADPS)


def static_thrust(p: np.void) -> float:
    """Thrust of all rotors together at full throttle, newton."""
    speed = steady_speed(p, full_voltage(p))
    return float(p["rotor_count"] * thrust(p, speed, 0.0, 1.0))


def hover(p: np.void) -> Hover:
    """Hovering; the aircraft must be able to."""
    count = int(p["rotor_count"])
    weight = float(p["mass"]) * GRAVITY
    force = weight / count
    speed = _root(lambda w: force - thrust(p, w, 0.0, 1.0), _FASTEST_RADPS)
    full = full_voltage(p)
    voltage = _root(lambda u: speed - steady_speed(p, u), full)
    torque = load_torque(p, force, speed)
    if p["motor_model"] == MOTOR_DC:
        power = voltage * motor_current(p, voltage, speed)
    else:
        power = torque * speed / float(p["efficiency"])
    return Hover(
        speed, force, torque, voltage, voltage / full, count * power, static_thrust(p) / weight
    )


def _root(falling: Callable[[float], float], most: float) -> float:
    """Where a falling function crosses 0 between 0 and `most`, by bisection."""
    low, high = 0.0, most
    for _ in range(60):
        middle = 0.5 * (low + high)
        if falling(middle) > 0.0:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)
