"""A wing, a tail and a propeller: forces and moments of a small aeroplane without rudder.

Beard & McLain, Small Unmanned Aircraft, chapter 4, with q = rho V^2 / 2 and the angle of attack a,
the sideslip b, trailing edges down positive:

    C_L = (1 - s) (C_L0 + C_La a) + s 2 sgn(a) sin^2 a cos a      lift, (4.9)
    s   = (1 + e^-M(a - a0) + e^M(a + a0)) / ((1 + e^-M(a - a0)) (1 + e^M(a + a0)))      (4.10)
    C_D = (1 - s) (C_D0 + (C_L0 + C_La a)^2 / (pi e AR)) + s (C_D0 + 2 |sin^3 a|)        drag

The drag's stalled part is the flat plate that the stalled lift belongs to. Damping terms carry
c / 2V or b / 2V; they are multiplied out so that nothing divides by the speed. Propeller: thrust
rho n^2 D^4 C_T(J), torque rho n^2 D^5 C_Q(J), J = V / (n D), both quadratics, multiplied out so
that a standing propeller is no exception. Its shaft lies along body x through the centre of mass.
"""

import math
from typing import Any

from simulation.compiled import njit_part
from simulation.environment.atmosphere import SEA_LEVEL_DENSITY
from simulation.physics.propulsion import motor_torque
from simulation.records import ELEVATOR, LEFT_AILERON, RATES, RIGHT_AILERON, ROTOR, SURFACES
from simulation.rotation import clamp


@njit_part
def stalled_share(p: Any, alpha: float) -> float:
    """The sigmoid s of the lift law: 0 in attached flow, 1 stalled."""
    limit, sharpness = p["stall"]
    # Far beyond the transition the exponentials would overflow; the share is 1 there anyway.
    rising = math.exp(clamp(-sharpness * (alpha - limit), -60.0, 60.0))
    falling = math.exp(clamp(sharpness * (alpha + limit), -60.0, 60.0))
    return (1.0 + rising + falling) / ((1.0 + rising) * (1.0 + falling))


@njit_part
def lift_and_drag(p: Any, alpha: float) -> tuple[float, float]:
    """C_L and C_D of the wing at this angle of attack in rad, elevator and rates aside."""
    stalled = stalled_share(p, alpha)
    attached = p["lift"][0] + p["lift"][1] * alpha
    sine = math.sin(alpha)
    plate = 2.0 * sine * abs(sine) * math.cos(alpha)
    lift = (1.0 - stalled) * attached + stalled * plate
    induced = p["drag"][1] * attached * attached
    drag = p["drag"][0] + (1.0 - stalled) * induced + stalled * 2.0 * abs(sine * sine * sine)
    return lift, drag


@njit_part
def add_airframe(p: Any, s: Any, x: Any, air: Any, wrench: Any) -> None:
    """Add the force and moment of wing and tail in air that moves past with `air` (body, m/s)."""
    u, v, w = air
    speed = math.sqrt(u * u + v * v + w * w)
    if speed < 1e-6:
        return
    alpha = math.atan2(w, u)
    beta = math.asin(clamp(v / speed, -1.0, 1.0))
    surface, lift, pitching = s["surface"], p["lift"], p["pitching"]
    elevator = surface[ELEVATOR]
    aileron = 0.5 * (surface[LEFT_AILERON] - surface[RIGHT_AILERON])
    # Pressure times area times (coefficient + rate's coefficient * length / 2V * rate).
    push = 0.5 * SEA_LEVEL_DENSITY * s["air_density_ratio"] * speed * p["wing_area"]
    c_lift, c_drag = lift_and_drag(p, alpha)
    turning = 0.5 * p["wing_chord"] * x[RATES + 1]
    up = push * (speed * (c_lift + lift[3] * elevator) + lift[2] * turning)
    back = push * speed * c_drag
    wrench[0] += up * math.sin(alpha) - back * math.cos(alpha)
    wrench[2] -= up * math.cos(alpha) + back * math.sin(alpha)
    moment = speed * (pitching[0] + pitching[1] * alpha + pitching[3] * elevator)
    wrench[4] += push * p["wing_chord"] * (moment + pitching[2] * turning)
    half_span = 0.5 * p["wing_span"]
    for i in range(3):  # side force, rolling, yawing moment
        c = p["lateral"][i]
        steady = speed * (c[0] * beta + c[3] * aileron)
        sum_ = push * (steady + half_span * (c[1] * x[RATES] + c[2] * x[RATES + 2]))
        if i == 0:
            wrench[1] += sum_
        else:
            wrench[1 + 2 * i] += p["wing_span"] * sum_


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


@njit_part
def add_propeller(p: Any, s: Any, x: Any, inflow: float, sums: Any) -> None:
    """Add thrust, reaction torque and gyroscopic moment; `sums` are the wrench and the derivative
    of motion, where the rotor's acceleration goes."""
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


@njit_part
def move_surfaces(p: Any, s: Any, o: Any, dt: float) -> None:
    """The servos turn the surfaces towards what their pulses ask for: a lag with a rate limit."""
    for i in range(SURFACES):
        low, high = p["surface_pulse_us"][i]
        pulse = o["actuator_command"][p["surface_channel"][i]]
        if pulse <= 0.0:
            continue  # without a pulse a servo stays where it is
        share = clamp((pulse - low) / (high - low), 0.0, 1.0)
        first, last = p["surface_deflection"][i]
        rate = (first + share * (last - first) - s["surface"][i]) / p["surface_tau"]
        s["surface"][i] += clamp(rate, -p["surface_rate"], p["surface_rate"]) * dt
