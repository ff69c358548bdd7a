"""Rotor performance by an aircraft's parameters alone: hover and full throttle.

In calm air at sea level, with a full battery that does not sag.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from simulation.environment.earth import GRAVITY
from simulation.physics.propulsion import (
    motor_current,
    motor_torque,
    static_torque,
    thrust,
)
from simulation.physics.rotor_wake import IN_WAKE, hover_velocity, induced_flow, torque_in_flow
from simulation.records.flight import FIXED_WING, LAW_MOMENTUM, LAW_SEED, MOTOR_DC, MOTOR_LAG_SPEED
from simulation.records.interface import MIX_CURVE1, MIX_ROLL
from telemetry.base.finding import Finding, Level
from telemetry.base.number_text import significant

Vector = npt.NDArray[np.float64]

_FASTEST_RADPS = 1e5
_WAKE_CHANGES, _SETTLED_MPS = 50, 1e-9
"""After how many a ring has settled, and when."""
_FULL_MIX = 128.0
"""What a mixer element of the wire is divided by."""
_BEST_MERIT = 0.85
"""What the best helicopters' rotors hardly reach (Leishman 2.8)."""


@dataclass(frozen=True, slots=True)
class HoverPoint:
    """Every rotor's speed, thrust and torque in hover, the voltage and share of full voltage
    (duty) at its motor, the power all of them take from the battery, and the reserve."""

    speed_radps: float
    thrust_n: float
    torque_nm: float
    voltage_v: float
    duty: float
    power_w: float
    thrust_to_weight: float


@dataclass(frozen=True, slots=True)
class RotorPoint:
    """One rotor in a steady flow: its speed, thrust and torque, and how fast air goes through the
    disc, v1 + v_i, positive from above."""

    speed_radps: float
    thrust_n: float
    torque_nm: float
    through_mps: float

    @property
    def shaft_w(self) -> float:
        """What the shaft gives."""
        return self.torque_nm * self.speed_radps

    @property
    def air_w(self) -> float:
        """What the air is given in the wake and as work on the aircraft, T (v1 + v_i)."""
        return self.thrust_n * self.through_mps


@dataclass(frozen=True, slots=True)
class Authority:
    """What roll, pitch and yaw actuators can do about hover: the angular acceleration in deg/s2 an
    actuator of 1 would give in the long run, and the lag of the motors until it does. While they
    speed up, rotors push back: `reaction_s` J_r dn / dQ times as much per second.

    Gains of the shipped airframes scale with it. The rate loop's Kp x acceleration is its bandwidth
    in rad/s without lag: 2.5 / lag for roll and pitch with Kd = Kp lag / 2, which takes half the
    lag out; 0.35 / lag for yaw without Kd. Ki is Kp x 1.67 / s (yaw 0.8).
    """

    acceleration_dps2: tuple[float, float, float]
    motor_lag_s: float
    reaction_s: float


def full_voltage(p: np.void) -> float:
    """At the motors at full duty: of the full battery, without load, or what a controller of their
    speed makes of it."""
    battery = float(p["cells"] * p["cell_ocv"][-1])
    is_governed = p["motor_model"] == MOTOR_LAG_SPEED
    return min(battery, float(p["full_voltage"])) if is_governed else battery


def rotor_in_flow(p: np.void, speed: float, inflow: float, across: float = 0.0) -> RotorPoint:
    """A rotor at `speed` rad/s in air of sea level that comes along its axis with `inflow` and
    across it with `across` m/s; what wanders is left out."""
    ring = 0.0
    for _ in range(_WAKE_CHANGES):
        hovering = hover_velocity(p, thrust(p, speed, inflow + ring, 1.0), 1.0)
        induced, wanted, _ = induced_flow(inflow, across, hovering)
        if abs(wanted - ring) < _SETTLED_MPS:
            break
        ring += 0.5 * (wanted - ring)
    if p["law"] != LAW_MOMENTUM:
        force = thrust(p, speed, inflow, 1.0)
        return RotorPoint(speed, force, static_torque(p, force, speed), inflow + induced)
    force = thrust(p, speed, inflow + ring, 1.0)
    arm, profile = torque_in_flow(p, speed, (inflow + induced, across), 1.0)
    return RotorPoint(speed, force, arm * force + profile, inflow + induced)


def rotor_in_calm(p: np.void, speed: float) -> tuple[float, float]:
    """Thrust in N and torque in Nm at `speed` rad/s in air at rest: the mean of all rotors, of
    which the lower ones of coaxial pairs work in the wake of the upper ones."""
    force = thrust(p, speed, 0.0, 1.0)
    torque = static_torque(p, force, speed)
    below = float(np.count_nonzero(p["rotor_above"])) / max(float(p["rotor_count"]), 1.0)
    if below == 0.0:
        return force, torque
    lower = rotor_in_flow(p, speed, IN_WAKE * hover_velocity(p, force, 1.0))
    mean = force + below * (lower.thrust_n - force)
    return mean, torque + below * (lower.torque_nm - torque)


def steady_speed(p: np.void, voltage: float, inflow: float = 0.0) -> float:
    """The speed in rad/s at which motor and propeller balance, `inflow` m/s along the axis."""

    def missing(speed: float) -> float:
        if inflow == 0.0:
            load = static_torque(p, thrust(p, speed, 0.0, 1.0), speed)
        else:
            load = rotor_in_flow(p, speed, inflow).torque_nm
        return motor_torque(p, voltage, speed, load) - load

    return _root(missing, _FASTEST_RADPS)


def lifting_rotors(p: np.void) -> float:
    """How many rotors standing upright lift as much as all rotors, tilted as they are."""
    return float(-p["rotor_axis"][: int(p["rotor_count"]), 2].sum())


def static_thrust(p: np.void) -> float:
    """What all rotors together lift at full throttle, newton."""
    speed = steady_speed(p, full_voltage(p))
    return lifting_rotors(p) * rotor_in_calm(p, speed)[0]


def hover_speed(p: np.void, force: float) -> float:
    """The speed in rad/s at which one rotor gives `force` newton in air at rest."""
    return _root(lambda w: force - thrust(p, w, 0.0, 1.0), _FASTEST_RADPS)


def _hovering(p: np.void) -> tuple[float, float, float]:
    """Thrust in N, speed in rad/s and torque in Nm of a rotor in hover."""
    force = float(p["mass"]) * GRAVITY / lifting_rotors(p)
    speed = _root(lambda w: force - rotor_in_calm(p, w)[0], _FASTEST_RADPS)
    return force, speed, rotor_in_calm(p, speed)[1]


def hover(p: np.void) -> HoverPoint:
    """Hovering; the aircraft must be able to."""
    count = int(p["rotor_count"])
    weight = float(p["mass"]) * GRAVITY
    force, speed, torque = _hovering(p)
    full = full_voltage(p)
    voltage = _root(lambda u: torque - motor_torque(p, u, speed, torque), full)
    if p["motor_model"] == MOTOR_DC:
        power = voltage * motor_current(p, voltage, speed)
    else:
        power = torque * speed / float(p["efficiency"])
    return HoverPoint(
        speed, force, torque, voltage, voltage / full, count * power, static_thrust(p) / weight
    )


def figure_of_merit(p: np.void) -> float:
    """Of a hover: the ideal power of moving the air to the shaft's."""
    force, speed, torque = _hovering(p)
    return force * hover_velocity(p, force, 1.0) / (torque * speed)


def disc_loading(p: np.void) -> float:
    """Weight over the area of all discs, N/m2."""
    area_m2 = math.pi * float(p["rotor_radius"]) ** 2 * float(p["rotor_count"])
    return float(p["mass"]) * GRAVITY / area_m2


def rotor_finding(name: str, p: np.void) -> Finding | None:
    """What the rotors of an aircraft are worth, with a warning where they are better than rotors
    are; None if it has none."""
    if p["rotor_count"] == 0 or p["kind"] == FIXED_WING:
        return None
    merit = figure_of_merit(p)
    told = (
        f"{name}: figure of merit {significant(merit, 2)} in hover, disc loading "
        f"{significant(disc_loading(p), 3)} N/m2."
    )
    if p["law"] == LAW_SEED:
        told += ' torque_law = "seed": torque does not follow momentum theory.'
    elif merit > _BEST_MERIT:
        remedy = "Check 'rotor_radius_m', 'k_t_m' and 'gamma_nms'."
        return Finding(Level.WARNING, "figure of merit", f"{told} No propeller is so good.", remedy)
    return Finding(Level.INFO, "figure of merit", told)


def rotor_moment(p: np.void, rotor: int, force: float, torque: float) -> Vector:
    """What a rotor's thrust in N and torque in Nm do about roll, pitch and yaw, Nm."""
    axis: Vector = p["rotor_axis"][rotor]
    arm: Vector = p["rotor_position"][rotor]
    moment: Vector = np.cross(arm, force * axis) + float(p["rotor_spin"][rotor]) * torque * axis
    return moment


def authority(p: np.void, settings: np.void) -> Authority:
    """Authority with the mixer and the outputs of `settings` (dtype SETTINGS)."""
    point = hover(p)
    step = 0.01
    speeds = [steady_speed(p, full_voltage(p) * (point.duty + d)) for d in (-step, step)]
    forces = [thrust(p, w, 0.0, 1.0) for w in speeds]
    torques = [static_torque(p, force, w) for force, w in zip(forces, speeds, strict=True)]
    force, torque = (forces[1] - forces[0]) / (2 * step), (torques[1] - torques[0]) / (2 * step)
    low, high = p["speed_controller_us"]
    moments = [0.0, 0.0, 0.0]
    for i in range(int(p["rotor_count"])):
        channel = int(p["rotor_channel"][i])
        reach = settings["channel_max"][channel] - settings["channel_neutral"][channel]
        turning = rotor_moment(p, i, force, torque)
        for axis, moment in enumerate(turning):
            share = settings["mixer_vector"][channel][MIX_ROLL + axis] / _FULL_MIX
            moments[axis] += moment * share * reach / (high - low)
    roll, pitch, yaw = (math.degrees(m / j) for m, j in zip(moments, p["inertia"], strict=True))
    lag_s = motor_lag_s(p, point.speed_radps, point.voltage_v)
    reaction_s = float(p["rotor_inertia"]) * (speeds[1] - speeds[0]) / (torques[1] - torques[0])
    return Authority((roll, pitch, yaw), lag_s, reaction_s)


def hover_pulse_us(p: np.void) -> float:
    """The pulse in us at which an aircraft hovers on a full battery."""
    at_none, at_full = p["speed_controller_us"]
    return float(at_none + hover(p).duty * (at_full - at_none))


def hover_thrust(p: np.void, settings: np.void) -> float:
    """COMMAND.thrust, 0 to 1, at which an aircraft hovers on a full battery."""
    propulsion = settings["propulsion"]
    if propulsion["known"]:
        return float(propulsion["hover_share"])
    channel = int(p["rotor_channel"][0])
    neutral, most = settings["channel_neutral"][channel], settings["channel_max"][channel]
    value = (hover_pulse_us(p) - neutral) / (most - neutral)
    curve = value * _FULL_MIX / settings["mixer_vector"][channel, MIX_CURVE1]
    return float(np.interp(curve, settings["throttle_curve1"], np.linspace(0.0, 1.0, 5)))


def motor_lag_s(p: np.void, about_radps: float, voltage_v: float) -> float:
    """Time constant of a rotor's speed about a speed, with this voltage at its motor."""

    def acceleration(speed: float) -> float:
        load = static_torque(p, thrust(p, speed, 0.0, 1.0), speed)
        return (motor_torque(p, voltage_v, speed, load) - load) / float(p["rotor_inertia"])

    step = 1e-3 * about_radps
    lower, upper = about_radps - step, about_radps + step
    return 2.0 * step / (acceleration(lower) - acceleration(upper))


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
