"""Trim of steady level flight: attitude, elevator and power of a speed, and how it oscillates.

Not compiled; it solves the very equations the simulation integrates. The motor's side follows in
closed form once the thrust is known.
"""

import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from simulation.aircraft.aircraft import AircraftParameters
from simulation.environment.atmosphere import SEA_LEVEL_DENSITY
from simulation.environment.earth import GRAVITY
from simulation.mathematics.rotation import set_euler, to_body, to_ned
from simulation.physics.fixed_wing import add_airframe, propeller
from simulation.physics.rigid_body import derivative
from simulation.records.flight import (
    ATTITUDE,
    ELEVATOR,
    MOTION,
    RATES,
    ROTOR,
    STATE,
    VELOCITY,
)

Array = npt.NDArray[np.float64]

_NOMINAL_CELL_V = 3.7
_TOLERANCE = 1e-10
_ROUNDS = 40
_MAX_ROTOR_SPEED = 1e5


class NoTrimError(ValueError):
    """The aircraft cannot fly level at this speed; the text says what is lacking."""


@dataclass(frozen=True, slots=True)
class Trim:
    """Level flight at `speed` m/s: angles in rad, SI units; `endurance` in s at constant voltage.

    `duty` is the share of the battery's voltage at the motor, `power` what the motor takes,
    `shaft_power` what it gives, `current` what battery delivers, avionics included.
    """

    speed: float
    alpha: float
    elevator: float
    thrust: float
    rotor_speed: float
    duty: float
    motor_current: float
    current: float
    power: float
    shaft_power: float
    endurance: float


@dataclass(frozen=True, slots=True)
class Modes:
    """Eigenvalues in 1/s of the motion about a trim: longitudinal (u, w, q, theta) and lateral
    (v, p, r, phi), each sorted by real part, the fastest first."""

    longitudinal: tuple[complex, ...]
    lateral: tuple[complex, ...]


def nominal_voltage(aircraft: AircraftParameters) -> float:
    """What is printed on the battery, V: 3.7 V per cell."""
    return _NOMINAL_CELL_V * aircraft.cells


def trim(
    aircraft: AircraftParameters, speed: float, voltage: float, density: float = SEA_LEVEL_DENSITY
) -> Trim:
    """Level flight at `speed` m/s with `voltage` V at the battery's terminals.

    Raises NoTrimError below the stall, and where elevator, battery or motor do not suffice.
    """
    p = aircraft.parameters
    alpha, elevator, thrust = _balance(p, speed, density / SEA_LEVEL_DENSITY)
    rotor_speed = _rotor_speed(p, thrust, speed * math.cos(alpha), density)
    torque = propeller(p, rotor_speed, speed * math.cos(alpha), density)[1]
    psi = float(p["psi"])
    through = torque / psi + float(p["no_load_current"])
    at_motor = psi * rotor_speed + float(p["resistance"]) * through
    if at_motor > voltage:
        raise NoTrimError(f"{speed:g} m/s takes {at_motor:.1f} V at the motor; there are less.")
    if through > float(p["current_limit"]):
        raise NoTrimError(f"{speed:g} m/s takes {through:.1f} A; the speed controller gives less.")
    duty = at_motor / voltage
    current = duty * through + float(p["avionics_power"]) / voltage
    return Trim(
        speed=speed,
        alpha=alpha,
        elevator=elevator,
        thrust=thrust,
        rotor_speed=rotor_speed,
        duty=duty,
        motor_current=through,
        current=current,
        power=at_motor * through,
        shaft_power=torque * rotor_speed,
        endurance=float(p["capacity_as"]) / current,
    )


def _balance(p: np.void, speed: float, density_ratio: float) -> tuple[float, float, float]:
    """Angle of attack, elevator and thrust without resulting force or moment, by Newton."""
    state: Any = np.zeros(1, STATE)[0]
    state["air_density_ratio"] = density_ratio
    weight = float(p["mass"]) * GRAVITY

    def left_over(unknown: Array) -> Array:
        alpha, elevator, thrust = unknown
        state["surface"][ELEVATOR] = elevator
        wrench = np.zeros(6)
        air = (speed * math.cos(alpha), 0.0, speed * math.sin(alpha), 0.0, 0.0, 0.0)
        add_airframe(p, state, air, float(thrust), wrench)
        ahead = wrench[0] + thrust - weight * math.sin(alpha)
        down = wrench[2] + weight * math.cos(alpha)
        return np.array((ahead, down, wrench[4])) / weight

    unknown = np.array((0.05, 0.0, 0.1 * weight))
    for _ in range(_ROUNDS):
        rest = left_over(unknown)
        if float(np.abs(rest).max()) < _TOLERANCE:
            break
        unknown = unknown - np.linalg.solve(_slopes(left_over, unknown), rest)
        unknown[:2] = np.clip(unknown[:2], -1.0, 1.0)
    alpha, elevator, thrust = unknown.tolist()
    settled = float(np.abs(left_over(unknown)).max()) < 1e3 * _TOLERANCE
    if not settled or thrust < 0.0 or abs(alpha) >= float(p["stall"][0]):
        raise NoTrimError(f"The wing cannot carry the aircraft at {speed:g} m/s: it stalls.")
    reach = p["servo_share"][:, ELEVATOR] @ np.sort(p["servo_deflection"], axis=1)
    low, high = reach.tolist()
    if not low <= elevator <= high:
        raise NoTrimError(f"{speed:g} m/s takes more elevator than there is.")
    return alpha, elevator, thrust


def _rotor_speed(p: np.void, thrust: float, inflow: float, density: float) -> float:
    """The speed in rad/s at which the propeller gives this thrust: it rises with the speed from
    where the propeller neither pushes nor brakes."""
    low, high = 0.0, _MAX_ROTOR_SPEED
    while high - low > 1e-9 * high:
        middle = 0.5 * (low + high)
        if propeller(p, middle, inflow, density)[0] < thrust:
            low = middle
        else:
            high = middle
    return high


# Small motions about a trim ----------------------------------------------------------------


def modes(
    aircraft: AircraftParameters, state: Trim, voltage: float, density: float = SEA_LEVEL_DENSITY
) -> Modes:
    """How the aircraft swings about `state` with fixed controls, by numerical differentiation."""
    parameters = aircraft.parameters
    record: Any = np.zeros(1, STATE)[0]
    record["air_density_ratio"] = density / SEA_LEVEL_DENSITY
    record["surface"][ELEVATOR] = state.elevator
    record["voltage"][0] = state.duty * voltage

    def slope(small: Array) -> Array:
        """Derivatives of (u, w, q, theta, v, p, r, phi)."""
        u, w, q, theta, v, roll_rate, r, phi = small
        motion = np.zeros(MOTION)
        attitude = motion[ATTITUDE : ATTITUDE + 4]
        set_euler(attitude, phi, theta, 0.0)
        motion[VELOCITY : VELOCITY + 3] = to_ned(attitude, u, v, w)
        motion[RATES : RATES + 3] = (roll_rate, q, r)
        motion[ROTOR] = state.rotor_speed
        change, wrench = np.zeros(MOTION), np.zeros(6)
        derivative(parameters, record, motion, change, wrench)
        x, y, z = to_body(attitude, *change[VELOCITY : VELOCITY + 3])
        turned = change[RATES : RATES + 3]
        return np.array(
            (
                x + r * v - q * w,
                z + q * u - roll_rate * v,
                turned[1],
                q * math.cos(phi) - r * math.sin(phi),
                y + roll_rate * w - r * u,
                turned[0],
                turned[2],
                roll_rate + math.tan(theta) * (q * math.sin(phi) + r * math.cos(phi)),
            )
        )

    ahead, down = state.speed * math.cos(state.alpha), state.speed * math.sin(state.alpha)
    about = np.array((ahead, down, 0.0, state.alpha, 0.0, 0.0, 0.0, 0.0))
    jacobian = _slopes(slope, about)
    return Modes(_eigenvalues(jacobian[:4, :4]), _eigenvalues(jacobian[4:, 4:]))


def _slopes(function: Any, about: Array, step: float = 1e-6) -> Array:
    """The Jacobian of `function` by central differences."""
    columns = []
    for i in range(len(about)):
        offset = np.zeros(len(about))
        offset[i] = step
        columns.append((function(about + offset) - function(about - offset)) / (2.0 * step))
    return np.array(columns).T


def _eigenvalues(matrix: Array) -> tuple[complex, ...]:
    values: Final = np.linalg.eigvals(matrix)
    return tuple(sorted((complex(v) for v in values), key=lambda v: (v.real, v.imag)))
