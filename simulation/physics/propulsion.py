"""Motor and propeller: one thrust law, two laws of torque, two kinds of motor.

    T = alpha W^2 + beta W + C_T1 v1 W - C_T2 v1 |v1|      thrust in N, never negative
    Q = (T (v1 + v_i) + P_profile) / W                     torque in Nm the propeller takes, or
    Q = k_t T + gamma W                                    the same by the seeds' law
    J W' = M_e - Q                                         M_e: torque of the motor in Nm

W is the rotor's speed in rad/s; v1 the speed of the air through the disc in m/s, positive when
climbing. What acts in the plane of the disc is in simulation.physics.rotors.

- Seed 000, eq. 13 and 14, is alpha, beta and gamma alone. Eq. 14 (M = gamma n) fits a measured
  torque at one speed only, because torque grows with thrust; k_t is what it lacks (it says 0).
- Seed 001, eq. 7 and 8, is alpha = C_T0, beta = 0, C_T1, C_T2: T = C_T(J) W^2 with J = v1 / W. The
  prefix + of eq. 7 for v1 < 0 is the |v1|: falling into the air lifts. gamma is the k_m of its
  program, which its text leaves out.

Torque. k_t T + gamma W is what a propeller takes standing still on a bench, where both laws are the
same. In flight it is no law of nature: climbing lowers T, and with it k_t T, although the air that
is pushed takes T v1 more, so the air would be given more than the shaft gives. LAW_MOMENTUM splits
the torque of the bench: T v_i / W moves the air, with v_i = sqrt(T / (2 rho A)) at rest, and what
is left turns the blades through it, P_profile. In flight v_i and the growth of P_profile are those
of simulation.physics.rotor_wake (Leishman, Principles of Helicopter Aerodynamics, 2nd ed., 2.13,
2.14 and 5.4). Where air comes through the disc from below, it could turn the rotor: `windmilling`
is the share of T (v1 + v_i) < 0 that it does. It is 0 unless the file says otherwise, because
propellers of fixed pitch stall there instead. LAW_SEED keeps Q as it is everywhere, as the seeds'
programs do.

Motors. MOTOR_DC is the law of seed 001's program (parameter set hector-yaml-9ba44416), where U is
the voltage at the motor; alpha_m = 0 and beta_m = 1 make it the textbook motor without braking:

    t = (U beta_m - psi W) / (2 R),  I = t + sqrt(t^2 + U alpha_m / R),  M_e = psi (I - I0)

MOTOR_LAG is for propulsion of which only the behaviour is known: W' = (W_desired - W) / tau with
tau for speeding up and for slowing down (as RotorS does), W_desired = full_speed U / full_voltage,
or its square root. With MOTOR_LAG_SPEED the controller
holds the speed that duty asks for, whatever the battery gives, until U = bus is not enough for it:
seed 003's rotors are such. M_e is what that takes, and the battery pays M_e W / efficiency.

The reaction on the body is -M_e: the torque on the air and J W' are both in it.
"""

import math
from typing import Any

from simulation.compiler.decorators import njit_part, side_by_side
from simulation.environment.atmosphere import SEA_LEVEL_DENSITY
from simulation.mathematics.rotation import clamp
from simulation.records.flight import (
    DEAD_STEPS,
    LAW_MOMENTUM,
    MOTOR_DC,
    MOTOR_LAG_ROOT,
    MOTOR_LAG_SPEED,
)

_LEAST_LOAD = 0.15
_PER_SLOW = 1.0 / 20.0  # s/rad; friction fades below 20 rad/s, so that it never drives
_LEAST_HEIGHT = 0.5  # of a rotor, in its radii: nearer to the ground nothing was measured
# Vortex ring, in units of the induced velocity of hover.
_RING_SLOWEST, _RING_FASTEST, _RING_SIDEWAYS = 0.7, 1.7, 1.0


@njit_part
def motor_current(p: Any, voltage: float, speed: float) -> float:
    """Current in ampere of MOTOR_DC at the motor's voltage."""
    return circuit_current(p, voltage, speed, p["alpha_m"] != 0.0)


@njit_part
def circuit_current(p: Any, voltage: float, speed: float, has_root: bool) -> float:
    """The same for those that know whether there is an alpha_m."""
    half = 0.5 / p["resistance"]
    t = half * (voltage * p["beta_m"] - p["psi"] * speed)
    if not has_root:  # the root of a square, in a fifth of the time
        return float(t + abs(t))
    return float(t + math.sqrt(t * t + 2.0 * half * voltage * p["alpha_m"]))


@njit_part
def motor_torque(p: Any, voltage: float, speed: float, load: float) -> float:
    """M_e in Nm at the motor's voltage while the propeller takes `load`."""
    if p["motor_model"] == MOTOR_DC:
        return circuit_torque(p, motor_current(p, voltage, speed), speed)
    share = max(voltage, 0.0) / p["full_voltage"]
    if p["motor_model"] == MOTOR_LAG_ROOT:
        share = math.sqrt(share)
    missing = share * p["full_speed"] - speed
    tau = p["motor_tau"][0] if missing > 0.0 else p["motor_tau"][1]
    return float(load + p["rotor_inertia"] * missing / tau)


@njit_part
def circuit_torque(p: Any, current: float, speed: float) -> float:
    """M_e of MOTOR_DC."""
    rubbing = p["no_load_current"] * clamp(speed * _PER_SLOW, -1.0, 1.0)
    return float(p["psi"] * (current - rubbing))


@njit_part
def passed_voltage(p: Any, duty: float, bus: float, speed: float) -> float:
    """The voltage in V that a speed controller at `duty` passes on to its motor: less than its
    share of `bus` where MOTOR_DC would take more than `current_limit` (its law, solved for U)."""
    if p["motor_model"] == MOTOR_DC:
        return limited_voltage(p, duty, bus, speed)
    if p["motor_model"] == MOTOR_LAG_SPEED:
        return float(min(duty * p["full_voltage"], bus))
    return duty * bus


@njit_part
def limited_voltage(p: Any, duty: float, bus: float, speed: float) -> float:
    """That to MOTOR_DC."""
    desired, limit = duty * bus, p["current_limit"]
    most = limit * (p["resistance"] * limit + p["psi"] * speed)
    share = p["beta_m"] * limit + p["alpha_m"]
    return float(desired if desired * share <= most else most / share)


@njit_part
def supply_current(p: Any, s: Any, which: tuple[int, float], per_bus: float) -> float:
    """What a speed controller takes from the battery, in ampere. It conserves power, and does not
    feed back what a slowing rotor gives; `which` rotor, and its speed, `per_bus` is 1 / V."""
    rotor, speed = which
    if p["motor_model"] == MOTOR_DC:
        voltage = s["voltage"][rotor]
        return float(voltage * per_bus * motor_current(p, voltage, speed))
    power = s["motor_torque"][rotor] * speed / p["efficiency"]
    return float(max(power, 0.0) * per_bus)


@njit_part
def thrust(p: Any, speed: float, inflow: float, density_ratio: float) -> float:
    """Thrust T in newton; `inflow` is v1, `density_ratio` to sea level."""
    climbing = p["c_t1"] * speed - p["c_t2"] * abs(inflow)
    force = (p["alpha"] * speed + p["beta"]) * speed + climbing * inflow
    return float(max(force * density_ratio, 0.0))


@njit_part
def static_torque(p: Any, force: float, speed: float) -> float:
    """The torque Q in Nm that turns the propeller at this thrust and speed in air at rest.

    Seed 001's program fitted a negative gamma about hover, which would let slow propellers turn
    for nothing: some of the thrust's torque always remains.
    """
    drag = p["k_t"] * force
    return float(max(drag + p["gamma"] * speed, _LEAST_LOAD * drag))


@njit_part
def profile_torque(p: Any, speed: float, density_ratio: float) -> float:
    """The part of the torque at rest, Nm, that turns the blades through the air: without that for
    the air they move, T v_h / W."""
    by_speed = p["alpha"] * speed + p["beta"]
    force = max(by_speed * speed, 0.0)
    induced = density_ratio * p["hover_inflow"] * by_speed * math.sqrt(force)
    return float(max(static_torque(p, density_ratio * force, speed) - induced, 0.0))


@njit_part
def load_torque(p: Any, s: Any, rotor: int, force: float, speed: float) -> float:
    """The torque Q in Nm that turns a rotor's propeller at this thrust and speed in flight."""
    if p["law"] != LAW_MOMENTUM:
        return static_torque(p, force, speed)
    return float(s["torque_arm"][rotor] * force + s["profile_torque"][rotor])


@njit_part
def ground_effect(p: Any, height: float) -> float:
    """Share of its induced velocity that the ground takes from a rotor `height` metres above it,
    k (R / 4z)^2, k = 1: T / T_0 = 1 / (1 - share) at the same power (Cheeseman and Bennett, ARC
    R&M 3021, 1955)."""
    radius = p["rotor_radius"]
    ratio = radius / (4.0 * max(height, _LEAST_HEIGHT * radius))
    return float(p["ground_effect"] * ratio * ratio)


@njit_part
def is_in_vortex_ring(p: Any, s: Any, speeds: Any, air: Any) -> bool:
    """Whether the rotors sink into their own wake; `air` is the body's velocity through the air.

    v_h = sqrt(T / (2 rho A)) is the induced velocity of a hover at these rotor speeds. The ring
    stands while sinking with 0.7 to 1.7 v_h and moving sideways with less than v_h, about where
    textbooks on helicopters draw it. What it does is in simulation.physics.rotor_wake.
    """
    count = p["rotor_count"]
    area = math.pi * p["rotor_radius"] * p["rotor_radius"] * count
    if area <= 0.0:
        return False
    force = 0.0
    for i in range(count):
        force += thrust(p, speeds[i], 0.0, s["air_density_ratio"])
    density = max(SEA_LEVEL_DENSITY * s["air_density_ratio"], 1e-3)
    hover = math.sqrt(force / (2.0 * density * area))
    sideways = math.sqrt(air[0] * air[0] + air[1] * air[1])
    sinks = _RING_SLOWEST * hover < air[2] < _RING_FASTEST * hover
    return bool(sinks and sideways < _RING_SIDEWAYS * hover)


@njit_part
def drive_motors(p: Any, s: Any, o: Any) -> None:
    """Each speed controller turns its pulse into the duty 0..1 that is asked for."""
    low, high = p["speed_controller_us"]
    for i in side_by_side(p["rotor_count"]):
        pulse = o["actuator_command"][p["rotor_channel"][i]]
        s["asked_duty"][i] = clamp((pulse - low) / (high - low), 0.0, 1.0)


@njit_part
def pass_on_duty(p: Any, s: Any, step: int) -> None:
    """Let the motors have the duty that was asked for a dead time ago."""
    late = p["dead_steps"]
    if late == 0:
        for i in side_by_side(p["rotor_count"]):
            s["duty"][i] = s["asked_duty"][i]
        return
    queue = s["late_duty"]
    for i in side_by_side(p["rotor_count"]):
        queue[step % DEAD_STEPS, i] = s["asked_duty"][i]
        s["duty"][i] = queue[(step + DEAD_STEPS - late) % DEAD_STEPS, i]
