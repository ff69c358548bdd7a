"""Fixed wing: forces and moments of wing, tail and propeller of a small aeroplane.

Beard & McLain, Small Unmanned Aircraft, chapter 4, with q = rho V^2 / 2, the angle of attack a and
the sideslip b, trailing edges down positive. The wing's part at any angle is `simulation.physics.
wing`. So that all angles have a meaning, moments and side force take the sines of a and b where the
book, for small ones, takes the angles. Wind across the span lifts nothing: the wing's lift and drag
come from the speed across it, V cos b. The rest of the drag, C_D0 + C_Dside sin^2 b, points against
the whole motion through the air.

Damping terms carry c / 2V or b / 2V; they are multiplied out so that nothing divides by the speed.
Propeller: thrust T = rho n^2 D^4 C_T(J), torque rho n^2 D^5 C_Q(J), J = V / (n D), both quadratics,
multiplied out so that a standing propeller is no exception. Its shaft lies along body x through the
centre of mass.

Propwash: a share of the tail stands in the slipstream, which by momentum theory is faster by

    d = sqrt(u^2 + 2 T / (rho A)) - u

and as much straighter: the tail meets w / (u + d) in the place of w / u. What the whole tail does
at u (elevator, pitch damping, its part of C_ma) that share does at u + d; its lift acts at the arm
that the elevator's coefficients tell. The slipstream's swirl and spreading are left out.
"""

import math
from typing import Any

from simulation.compiler.decorators import njit_part, njit_shared
from simulation.environment.atmosphere import SEA_LEVEL_DENSITY
from simulation.physics.propulsion import motor_torque
from simulation.physics.wing import halves
from simulation.records.flight import ELEVATOR, LEFT_AILERON, RATES, RIGHT_AILERON, ROTOR


@njit_shared
def add_airframe(p: Any, s: Any, air: Any, thrust: float, wrench: Any) -> None:
    """Add the force and moment of wing and tail, which move and turn through the air with `air`
    (body, m/s and rad/s); `thrust` in N is what the propeller gives."""
    u, v, w, roll, pitch, yaw = air
    speed = math.sqrt(u * u + v * v + w * w)
    if speed < 1e-6:
        return
    slip = v / speed
    # Pressure times area times (coefficient + rate's coefficient * length / 2V * rate).
    push = 0.5 * SEA_LEVEL_DENSITY * s["air_density_ratio"] * p["wing_area"]
    surface = s["surface"]
    aileron = 0.5 * (surface[LEFT_AILERON] - surface[RIGHT_AILERON])
    rudder = s["rudder"]
    sideways = _lateral(p, 0, (speed, slip, roll, yaw), (aileron, rudder))
    rolling = _lateral(p, 1, (speed, slip, roll, yaw), (aileron, rudder))
    yawing = _lateral(p, 2, (speed, slip, roll, yaw), (aileron, rudder))
    across = math.sqrt(u * u + w * w)
    lift, drag, roll_moment, yaw_moment = halves(p, u, w, rolling / speed)
    body = (p["drag"][0] + p["drag"][2] * slip * slip) * speed
    wrench[0] += push * (across * (lift * w - drag * u) - body * u)
    wrench[1] += push * (speed * sideways - body * v)
    wrench[2] -= push * (across * (lift * u + drag * w) + body * w)
    moment = push * p["wing_span"] * speed
    wrench[3] += moment * speed * roll_moment
    wrench[5] += moment * (yawing + speed * yaw_moment)
    _add_tail(p, s, (u, w, speed, pitch), push, wrench)
    if p["tail_in_wash"] > 0.0 and thrust > 0.0:
        _add_wash(p, s, (u, w, pitch), (push, thrust), wrench)


@njit_part
def _lateral(p: Any, row: int, motion: Any, surfaces: Any) -> float:
    """Side force, rolling or yawing coefficient of attached flow, times the speed."""
    speed, slip, roll, yaw = motion
    aileron, rudder = surfaces
    c = p["lateral"][row]
    turning = 0.5 * p["wing_span"] * (c[1] * roll + c[2] * yaw)
    return float(speed * (c[0] * slip + c[3] * aileron + c[4] * rudder) + turning)


@njit_part
def _add_tail(p: Any, s: Any, motion: Any, push: float, wrench: Any) -> None:
    """Add what elevator, angle of attack and pitching do besides the wing's lift."""
    u, w, speed, pitch = motion
    elevator, moments = s["surface"][ELEVATOR], p["pitching"]
    turning = 0.5 * p["wing_chord"] * pitch
    up = push * (speed * p["lift"][3] * elevator + p["lift"][2] * turning)
    wrench[0] += up * w
    wrench[2] -= up * u
    moment = speed * (moments[0] + moments[3] * elevator) + moments[1] * w + moments[2] * turning
    wrench[4] += push * p["wing_chord"] * speed * moment


@njit_part
def _add_wash(p: Any, s: Any, motion: Any, strength: Any, wrench: Any) -> None:
    """Add what the tail does more where the propeller's slipstream passes it."""
    u, w, pitch = motion
    push, thrust = strength
    disc = 0.25 * math.pi * p["propeller_diameter"] * p["propeller_diameter"]
    ahead = max(u, 0.0)
    density = max(SEA_LEVEL_DENSITY * s["air_density_ratio"], 1e-3)
    faster = math.sqrt(ahead * ahead + 2.0 * thrust / (density * disc)) - ahead
    moments = p["pitching"]
    square = (2.0 * ahead + faster) * faster
    bent = moments[2] * 0.5 * p["wing_chord"] * pitch + p["tail_alpha"] * w
    moment = (
        push * p["tail_in_wash"] * (moments[3] * s["surface"][ELEVATOR] * square + bent * faster)
    )
    wrench[4] += p["wing_chord"] * moment
    wrench[2] -= moment * p["lift"][3] / moments[3]


@njit_part
def propeller(p: Any, speed: float, inflow: float, density: float) -> tuple[float, float]:
    """Thrust in N and torque in Nm at `speed` rad/s in air that comes with `inflow` m/s."""
    d = p["propeller_diameter"]
    tip = speed / (2.0 * math.pi) * d
    square = inflow * abs(inflow)
    t, q = p["propeller_c_t"], p["propeller_c_q"]
    scale = density * d * d
    force = scale * (t[0] * tip * tip + t[1] * inflow * tip + t[2] * square)
    torque = scale * d * (q[0] * tip * tip + q[1] * inflow * tip + q[2] * square)
    return force, torque


@njit_shared
def add_propeller(p: Any, s: Any, x: Any, inflow: float, sums: Any) -> float:
    """Add thrust, reaction torque and gyroscopic moment, and return the thrust in N; `sums` are
    the wrench and the derivative of motion, where the rotor's acceleration goes."""
    wrench, dx = sums
    speed = x[ROTOR]
    density = SEA_LEVEL_DENSITY * s["air_density_ratio"]
    force, load = propeller(p, speed, inflow, density)
    drive = motor_torque(p, s["voltage"][0], speed, load)
    spin = p["rotor_spin"][0]
    momentum = spin * p["rotor_inertia"] * speed
    wrench[0] += force
    wrench[3] -= spin * drive
    wrench[4] -= momentum * x[RATES + 2]
    wrench[5] += momentum * x[RATES + 1]
    dx[ROTOR] = (drive - load) / p["rotor_inertia"]
    return float(force)
