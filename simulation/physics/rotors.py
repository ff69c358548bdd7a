"""Rotor forces and moments: thrust, drag of discs, flapping, reaction, gyroscopic moment.

Laws of thrust and torque are in simulation.physics.propulsion.

A rotor's axis n is the direction of its thrust, up unless it is tilted. With u, the velocity of its
hub through the air, v1 = u n flows through the disc and v = u - v1 n across it, and on the hub act

    F = T n - (k_d rho W + T f / (W R)) v         the drag of the disc, and flapping
    M = S M_e n + w x (S J W n) + k_f f / (W R) v x n         S: the spin, +1 clockwise from above

Flapping: blades that advance lift more, so a disc tilts back by f times V / (W R) (Leishman,
Principles of Helicopter Aerodynamics, 2nd ed., chapter 4; Hoffmann et al., AIAA 2007-6461; Mahony,
Kumar and Corke 2012). T is tilted with it, and stiff blades turn the hub with k_f. Both are numbers
of the aircraft's file: f of blades hinged at the axis is 8/3 times their pitch less twice
v_i / (W R).
"""

from typing import Any

from simulation.compiler.decorators import njit_part, njit_shared, side_by_side
from simulation.mathematics.vectors import vector
from simulation.physics.propulsion import (
    circuit_current,
    circuit_torque,
    load_torque,
    motor_torque,
    static_torque,
    thrust,
)
from simulation.physics.servos import axis_rate, rotor_axis
from simulation.records.flight import LAW_MOMENTUM, MOTION, MOTOR_DC, RATES, ROTOR


@njit_part
def hub_velocity(air: Any, arm: Any) -> tuple[float, float, float]:
    """How the place `arm` moves through the air, body axes, m/s; `air` is the motion through it of
    the whole aircraft, as from simulation.environment.air."""
    a, b, c = air[3], air[4], air[5]
    return (
        air[0] + b * arm[2] - c * arm[1],
        air[1] + c * arm[0] - a * arm[2],
        air[2] + a * arm[1] - b * arm[0],
    )


@njit_part
def turn_rotor(p: Any, s: Any, x: Any, dx: Any, rotor: int, inflow: float) -> float:
    """Set a rotor's acceleration times its inertia, and its motor's torque; return its thrust."""
    speed, density = x[ROTOR + rotor], s["air_density_ratio"]
    force = thrust(p, speed, inflow + s["ring_inflow"][rotor], density)
    force += force * s["thrust_gain"][rotor]
    load = load_torque(p, s, rotor, force, speed)
    drive = motor_torque(p, s["voltage"][rotor], speed, load)
    s["motor_torque"][rotor] = drive
    dx[ROTOR + rotor] = drive - load
    return float(force)


@njit_part
def _braking(p: Any, s: Any, rotor: int, speed: float, force: float) -> tuple[float, float]:
    """The force on the hub, N, and the moment, Nm, per m/s across the disc."""
    flapping = s["flapping"][rotor]
    drag = p["k_d"] * s["air_density_ratio"] * speed + force * flapping
    return float(drag), float(p["flap_stiffness"] * flapping)


@njit_part
def add_disc(p: Any, s: Any, x: Any, air: Any, which: tuple[int, float], wrench: Any) -> None:
    """Add what the flow across a level disc does; `which` rotor, and its thrust."""
    rotor, force = which
    arm, drag = p["rotor_position"][rotor], _braking(p, s, rotor, x[ROTOR + rotor], force)
    forward, sideways, roll, pitch, yaw = _disc(air, arm, drag)
    wrench[0] += forward
    wrench[1] += sideways
    wrench[3] -= roll
    wrench[4] += pitch
    wrench[5] += yaw


@njit_part
def _disc(
    air: Any, arm: Any, braking: tuple[float, float]
) -> tuple[float, float, float, float, float]:
    """The force on it forward and to the right, and the moment to the left, up and to the right."""
    drag, turning = braking
    ahead, right, _ = hub_velocity(air, arm)
    forward, sideways = -drag * ahead, -drag * right
    return (
        forward,
        sideways,
        arm[2] * sideways + turning * right,
        arm[2] * forward + turning * ahead,
        arm[0] * sideways - arm[1] * forward,
    )


@njit_part
def _push_level_rotors(p: Any, s: Any, x: Any, air: Any, dx: Any) -> None:
    """Set the thrust of each, what it and the flow across add to force and moment, and in the place
    of its acceleration the torque it takes by LAW_MOMENTUM."""
    a, b, part = x[RATES], x[RATES + 1], s["rotor_parts"]
    speeds, turning = x[ROTOR:MOTION], dx[ROTOR:MOTION]
    for i in side_by_side(p["rotor_count"]):
        arm, speed, spin = vector(p["rotor_position"][i]), speeds[i], p["rotor_spin"][i]
        inflow = air[4] * arm[0] - air[3] * arm[1] - air[2]
        force = thrust(p, speed, inflow + s["ring_inflow"][i], s["air_density_ratio"])
        force += force * s["thrust_gain"][i]
        momentum = spin * p["rotor_inertia"] * speed
        disc = _disc(air, arm, _braking(p, s, i, speed, force))
        load = s["torque_arm"][i] * force + s["profile_torque"][i]
        s["thrust"][i], turning[i] = force, load
        part[0, i], part[1, i] = arm[1] * force + b * momentum, arm[0] * force + a * momentum
        part[2, i], part[3, i], part[4, i], part[5, i], part[6, i] = disc


@njit_part
def _turn_level_rotors(p: Any, s: Any, x: Any, dx: Any) -> None:
    """Set their accelerations and their motors' torques."""
    if p["law"] != LAW_MOMENTUM or p["motor_model"] != MOTOR_DC or p["alpha_m"] != 0.0:
        _turn_others(p, s, x, dx)
        return
    speeds, turning, drive = x[ROTOR:MOTION], dx[ROTOR:MOTION], s["motor_torque"]
    per_inertia = 1.0 / p["rotor_inertia"]
    for i in side_by_side(p["rotor_count"]):
        speed = speeds[i]
        torque = circuit_torque(p, circuit_current(p, s["voltage"][i], speed, False), speed)
        drive[i], turning[i] = torque, (torque - turning[i]) * per_inertia


@njit_shared
def _turn_others(p: Any, s: Any, x: Any, dx: Any) -> None:
    """The same by the other law, and of the other motors."""
    speeds, turning, drive = x[ROTOR:MOTION], dx[ROTOR:MOTION], s["motor_torque"]
    per_inertia = 1.0 / p["rotor_inertia"]
    for i in range(p["rotor_count"]):
        load = turning[i]
        if p["law"] != LAW_MOMENTUM:
            load = static_torque(p, s["thrust"][i], speeds[i])
        torque = motor_torque(p, s["voltage"][i], speeds[i], load)
        drive[i], turning[i] = torque, (torque - load) * per_inertia


@njit_part
def _add_level_rotors(p: Any, s: Any, x: Any, air: Any, wrench: Any, dx: Any) -> None:
    part, has_disc = s["rotor_parts"], p["k_d"] != 0.0 or p["flapping"] != 0.0
    _push_level_rotors(p, s, x, air, dx)
    _turn_level_rotors(p, s, x, dx)
    lift = roll = pitch = yaw = 0.0
    ahead, right, rolling, pitching, yawing = wrench[0], wrench[1], wrench[3], wrench[4], wrench[5]
    for i in range(p["rotor_count"]):
        lift += s["thrust"][i]
        roll -= part[0, i]
        pitch += part[1, i]
        yaw -= p["rotor_spin"][i] * s["motor_torque"][i]
        if has_disc:
            ahead += part[2, i]
            right += part[3, i]
            rolling -= part[4, i]
            pitching += part[5, i]
            yawing += part[6, i]
    wrench[0], wrench[1], wrench[2] = ahead, right, wrench[2] - lift
    wrench[3], wrench[4], wrench[5] = rolling + roll, pitching + pitch, yawing + yaw


@njit_shared
def _add_tilted_rotors(p: Any, s: Any, x: Any, air: Any, wrench: Any, dx: Any) -> None:
    a, b, c = x[RATES], x[RATES + 1], x[RATES + 2]
    for i in range(p["rotor_count"]):
        arm, n, spin = p["rotor_position"][i], rotor_axis(p, s, i), p["rotor_spin"][i]
        rolls = a + axis_rate(p, s, i)
        u = hub_velocity(air, arm)
        inflow = u[0] * n[0] + u[1] * n[1] + u[2] * n[2]
        force = turn_rotor(p, s, x, dx, i, inflow)
        drag, turning = _braking(p, s, i, x[ROTOR + i], force)
        along = force + drag * inflow
        forward = along * n[0] - drag * u[0]
        right = along * n[1] - drag * u[1]
        down = along * n[2] - drag * u[2]
        reaction, momentum = spin * s["motor_torque"][i], spin * p["rotor_inertia"] * x[ROTOR + i]
        wrench[0] += forward
        wrench[1] += right
        wrench[2] += down
        wrench[3] += arm[1] * down - arm[2] * right + reaction * n[0]
        wrench[4] += arm[2] * forward - arm[0] * down + reaction * n[1]
        wrench[5] += arm[0] * right - arm[1] * forward + reaction * n[2]
        wrench[3] += momentum * (b * n[2] - c * n[1]) + turning * (u[1] * n[2] - u[2] * n[1])
        wrench[4] += momentum * (c * n[0] - rolls * n[2]) + turning * (u[2] * n[0] - u[0] * n[2])
        wrench[5] += momentum * (rolls * n[1] - b * n[0]) + turning * (u[0] * n[1] - u[1] * n[0])


@njit_part
def add_rotors(p: Any, s: Any, x: Any, air: Any, wrench: Any, dx: Any) -> None:
    """Add the rotors' force and moment to `wrench`, and set their accelerations in `dx`, the
    derivative of motion; `air` is the motion through the air in body axes."""
    if p["tilted"] != 0:
        _add_tilted_rotors(p, s, x, air, wrench, dx)
        per_inertia = 1.0 / p["rotor_inertia"]
        for i in range(p["rotor_count"]):
            dx[ROTOR + i] *= per_inertia
    else:
        _add_level_rotors(p, s, x, air, wrench, dx)
