"""Rigid body motion: six degrees of freedom plus rotor speeds, RK4 with a fixed step.

Body and rotors alone are of the fourth order. What is held meanwhile is looked at ahead, so that
with it the step is of the second: motors' voltages as in the middle of the step, wakes as in that
of the five steps they are held for. So it was measured with level rotors and motors by their
circuit. It is of the first order with servos, fixed wings, coaxial pairs (whose wake follows in
halves), motors known by their lag, and the seeds' law of torque.

Density and wind are those of up to 20 steps ago, a motor known by its lag loads the battery as it
did a step ago, and the wandering in a vortex ring is drawn by the step: another step would draw
another one.

NED and FRD. q' = q (0, w) / 2; v' = g e3 + R F / m; J w' = M - w x (J w + H). The reaction of the
motors' torque carries the rotors' angular acceleration already, so H' does not appear again.
"""

from typing import Any

from simulation.compiler.decorators import njit_part, njit_shared, side_by_side
from simulation.compiler.program import Handle
from simulation.environment.air import motion_through_air, velocity_through_air
from simulation.environment.earth import gravity_at
from simulation.mathematics.rotation import normalise, to_body, to_ned
from simulation.mathematics.vectors import cross, length
from simulation.physics.coaxial import add_coaxial
from simulation.physics.command_level import obey_commands
from simulation.physics.external_force import add_force, ask_force, begin_force, end_force
from simulation.physics.fixed_wing import add_airframe, add_propeller
from simulation.physics.propulsion import is_in_vortex_ring
from simulation.physics.rotors import add_rotors, hub_velocity
from simulation.records.flight import (
    ATTITUDE,
    COAXIAL,
    COMMANDED,
    FIXED_WING,
    MOTION,
    POSITION,
    RATES,
    ROTOR,
    VELOCITY,
)
from simulation.records.interface import STEP_S

_PER_STEP = 1.0 / STEP_S
_REACH = (0.0, 0.5 * STEP_S, 0.5 * STEP_S, STEP_S)
"""How far each stage of RK4 goes along the slope of the one before it; the first stays."""


@njit_part
def _drag(p: Any, s: Any, air: Any, wrench: Any) -> None:
    """Set `wrench` (body force and moment) to the drag of the body, which acts at its centre of
    pressure with the speed that this place has through the air."""
    at, size = p["centre_of_pressure"], p["drag_force"]
    speed = hub_velocity(air, at)
    scale = -s["air_density_ratio"] * length(speed)
    turning = -s["air_density_ratio"] * length((air[3], air[4], air[5]))
    for i in range(3):
        wrench[i] = size[i] * scale * speed[i]
    moment = cross(at, wrench)
    for i in range(3):
        wrench[3 + i] = p["drag_moment"][i] * turning * air[3 + i] + moment[i]


@njit_part
def derivative(p: Any, s: Any, x: Any, dx: Any, wrench: Any) -> None:
    """Fill `dx`, the time derivative of motion `x`, and `wrench` without contact and gravity."""
    air = motion_through_air(s, x)
    _drag(p, s, air, wrench)
    if p["kind"] == FIXED_WING:
        pulls = add_propeller(p, s, x, air[0], (wrench, dx))
        add_airframe(p, s, air, pulls, wrench)
    elif p["kind"] == COAXIAL:
        add_coaxial(p, s, x, air, wrench, dx)
    elif p["kind"] == COMMANDED:
        obey_commands(p, s, x, wrench)
    else:
        add_rotors(p, s, x, air, wrench, dx)
    add_force(s, wrench)
    q = x[ATTITUDE : ATTITUDE + 4]
    force = to_ned(q, wrench[0], wrench[1], wrench[2])
    per_mass = 1.0 / p["mass"]
    for i in range(3):
        dx[POSITION + i] = x[VELOCITY + i]
        dx[VELOCITY + i] = (force[i] + s["contact_force"][i]) * per_mass
    dx[VELOCITY + 2] += gravity_at(s)
    _turn(p, x, dx, wrench, s["contact_moment"])


@njit_part
def _turn(p: Any, x: Any, dx: Any, wrench: Any, contact: Any) -> None:
    """Fill the derivatives of attitude and rates: J w' = M - w x J w with the product J_xz."""
    q = x[ATTITUDE : ATTITUDE + 4]
    a, b, c = x[RATES], x[RATES + 1], x[RATES + 2]
    dx[ATTITUDE] = -0.5 * (q[1] * a + q[2] * b + q[3] * c)
    dx[ATTITUDE + 1] = 0.5 * (q[0] * a + q[2] * c - q[3] * b)
    dx[ATTITUDE + 2] = 0.5 * (q[0] * b - q[1] * c + q[3] * a)
    dx[ATTITUDE + 3] = 0.5 * (q[0] * c + q[1] * b - q[2] * a)
    j, product = p["inertia"], p["inertia_xz"]
    h0, h1, h2 = j[0] * a - product * c, j[1] * b, j[2] * c - product * a
    roll = wrench[3] + contact[0] - (b * h2 - c * h1)
    yaw = wrench[5] + contact[2] - (a * h1 - b * h0)
    scale = 1.0 / (j[0] * j[2] - product * product)
    dx[RATES] = (j[2] * roll + product * yaw) * scale
    dx[RATES + 1] = (wrench[4] + contact[1] - (c * h0 - a * h2)) / j[1]
    dx[RATES + 2] = (product * roll + j[0] * yaw) * scale


@njit_shared
def tell_wake(p: Any, s: Any, o: Any) -> None:
    """Set the flag `vortex_ring`."""
    x = s["motion"]
    sinks = is_in_vortex_ring(p, s, x[ROTOR:MOTION], velocity_through_air(s, x))
    o["vortex_ring"] = 1 if sinks else 0


@njit_part
def _keep_specific_force(s: Any, x: Any, dx: Any) -> None:
    """What an ideal accelerometer feels: acceleration without gravity, body axes, with that of the
    hard stops since the last step."""
    jolt = s["stop_change"]
    felt = to_body(
        x[ATTITUDE : ATTITUDE + 4],
        dx[VELOCITY] + jolt[0] * _PER_STEP,
        dx[VELOCITY + 1] + jolt[1] * _PER_STEP,
        dx[VELOCITY + 2] + jolt[2] * _PER_STEP - gravity_at(s),
    )
    for i in range(3):
        jolt[i] = 0.0
        s["specific_force"][i] = felt[i]
        s["angular_acceleration"][i] = dx[RATES + i]


@njit_part
def _go_along(p: Any, x: Any, slope: Any, way: Any) -> None:
    """Set the motion that is so far along the slope: how far, and where to.

    What was written number by number is read so, too: of a processor that takes four at once such
    numbers are long in coming."""
    reach, between = way
    for i in range(ROTOR):
        between[i] = x[i] + reach * slope[i]
    now, turning, then = x[ROTOR:MOTION], slope[ROTOR:MOTION], between[ROTOR:MOTION]
    for i in side_by_side(p["rotor_count"]):
        then[i] = now[i] + reach * turning[i]


@njit_part
def _arrive(p: Any, x: Any, slope: Any) -> None:
    """Move on along the mean of the slopes."""
    for i in range(ROTOR):
        x[i] += STEP_S / 6.0 * (slope[0, i] + 2.0 * slope[1, i] + 2.0 * slope[2, i] + slope[3, i])
    speeds, first, second = x[ROTOR:MOTION], slope[0, ROTOR:MOTION], slope[1, ROTOR:MOTION]
    third, last = slope[2, ROTOR:MOTION], slope[3, ROTOR:MOTION]
    for i in side_by_side(p["rotor_count"]):
        speeds[i] += STEP_S / 6.0 * (first[i] + 2.0 * second[i] + 2.0 * third[i] + last[i])


@njit_shared
def integrate(p: Any, s: Any, scratch: Any, external: Handle = 0, time_s: float = 0.0) -> None:
    """One RK4 step. Also keeps the specific force at its start. The program `external`, if there
    is one, says what acts from outside; the step begins at `time_s`."""
    x, between, wrench, slope = s["motion"], scratch["between"], scratch["wrench"], scratch["slope"]
    if external != 0:
        begin_force(s, time_s)
    _go_along(p, x, slope[3], (_REACH[0], between))
    for stage in range(4):
        if external != 0:
            ask_force(p, s, between, external, (stage, _REACH[stage]))
        derivative(p, s, between, slope[stage], wrench)
        if stage == 0:
            _keep_specific_force(s, between, slope[0])
        if stage < 3:
            _go_along(p, x, slope[stage], (_REACH[stage + 1], between))
    _arrive(p, x, slope)
    normalise(x[ATTITUDE : ATTITUDE + 4])
    if external != 0:
        end_force(s)
