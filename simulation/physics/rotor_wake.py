"""Rotor wake: the induced velocity of a rotor, and its vortex ring.

Momentum theory: a disc of area A with thrust T, moving through the air with v1 along its axis
(climbing is positive) and V across it, gives the air the velocity v_i,

    T   = 2 rho A v_i sqrt(V^2 + (v1 + v_i)^2)      Glauert (1926)
    v_h = sqrt(T / (2 rho A))                       hovering, by which all else is divided here

a quartic in v_i (Leishman, Principles of Helicopter Aerodynamics, 2nd ed., 2.14). Along the axis
alone it is a quadratic for climbing, x = v1 / v_h >= 0, and for windmilling, x < -2.04 (2.13).
Between them air goes round the disc in a ring and momentum theory does not hold. There the
measured curve of 2.13 is taken, with 1 in hover:

    v_i / v_h = 1 - 1.125 x - 1.372 x^2 - 1.718 x^3 - 0.655 x^4

Sinking aslant, the ring is blown away: its share fades as 1 - (V / v_h)^2 to Glauert's quartic.

What the ring does to thrust follows from the same curve. A propeller's law T(v1) is that of
undisturbed air: sinking lets less air through the disc, so that the blades lift more. In the ring
v_i grows by nearly as much as v1 falls; so the law is given v1 + v_i - v_h, what goes through the
disc more than in hover, and sinking lifts no more until the ring is left. v_h is that of the thrust
so found: each change of the wake begins with the ring of the one before and goes half way, so that
they agree after a few, also where the ring grows by more than the thrust has fallen. And the ring
breaks up and forms anew: from x = -0.4 to -1.6 thrust wanders, most at x = -1 by 8 % rms, within
the time the wake takes through one diameter. Tests of small propellers show such wandering (Shetty
and Selig, AIAA 2011-1254); its size is an estimate.

Near the ground the wake is slower, and the same power lifts more: see ground_effect.

Coaxial pairs. The lower of two rotors, so near below the upper one that both would be one disc from
afar, works in its wake: half of its area meets 2 v_i, on average v_i. Equal thrusts then take
1.309 times the induced power of two rotors apart; with the wake's contraction and its share of
profile, rotors with the same thrust take 1.281 (Leishman and Syal, J. American Helicopter Society
53, 2008, with fully contracted wake), which 0.922 v_i gives: u (u + 0.922) = 1 and
(1 + 0.922 + u) / 2 = 1.281. The upper rotor is taken to feel nothing of the lower one. What comes
across blows the wake away: left out, because pairs that stand close keep most of it. Nor does it
turn round when the pair sinks, which nobody measured: to x = -1.2 a rotor of it takes 0.28 of P_h
more than the curve, as in hover, and 0.6 at -1.8, where no air comes down any more.
"""

import math
from typing import Any

import numpy as np

from simulation.compiler.decorators import njit_part, njit_shared, side_by_side
from simulation.environment.air import motion_through_air
from simulation.environment.earth import gravity_at
from simulation.mathematics.random_numbers import normal_of, philox
from simulation.mathematics.vectors import dot, vector
from simulation.physics.propulsion import ground_effect, profile_torque, thrust
from simulation.physics.rotors import hub_velocity
from simulation.physics.servos import rotor_axis
from simulation.records.flight import (
    ATTITUDE,
    FIXED_WING,
    LAW_MOMENTUM,
    MOTION,
    POSITION,
    RATES,
    ROTOR,
    VELOCITY,
)
from simulation.records.interface import STEP_S

PERIOD = 5
"""Steps between changes of the wake: a wake follows within R / v_h, some ten milliseconds."""
IN_WAKE = 0.922
"""Share of the upper rotor's v_i that the lower one of a coaxial pair meets."""
_HALF_S = 0.5 * PERIOD * STEP_S
_RING_ENDS = -2.0423273  # where the measured curve meets the windmill's
_RING_FORMS = 5.0  # the ring's share of Glauert's equation is whole from x = -1 / 5 on
_NEWTON_STEPS = 3  # leave 3e-7 at most, at the edge of the ring
_WANDERING = 0.08
_CALM, _CALM_AGAIN = -0.4, -1.6  # of x, where the wandering begins and ends
_PER_WIDTH = (2.0 / (_CALM - _CALM_AGAIN)) ** 2
_STREAM = np.int64(0x800)
_SPEED, _RATE = range(2)
"""Rows of STATE.rotor_parts: a rotor's speed ahead, and v_h / R, how fast its wake wanders, 1/s."""
_LEAST_MPS = 1e-6
_FAR = 20.0  # radii; from there on the ground takes less than 1.6e-4
_SLOW = 20.0  # rad/s; the blades of slower rotors do not flap, and hardly windmill
_PER_SLOW = 1.0 / _SLOW
_LEAST_SPEED = 1.0  # rad/s; below it the torque fades with the thrust
# Profile power grows by K mu^2, mu = V / (W R), K = 4.65 with the flow along the blades (Leishman
# 5.4). 2 mu^2 of it is the work against the disc's own drag, which k_d pays through the thrust.
_GROWTH, _BY_DISC_DRAG = 4.65, 2.0
_MOST_SQUARE = 0.25  # of mu; beyond 0.5 the retreating blades are stalled


@njit_part
def _axial(x: float) -> float:
    """v_h / v_i along the axis alone."""
    if x >= 0.0:
        return 0.5 * x + math.sqrt(0.25 * x * x + 1.0)
    if x > _RING_ENDS:
        return 1.0 / (1.0 + x * (-1.125 + x * (-1.372 + x * (-1.718 - 0.655 * x))))
    return -0.5 * x + math.sqrt(0.25 * x * x - 1.0)


@njit_part
def induced_ratio(x: float, m: float) -> float:
    """v_i / v_h at x = v1 / v_h and m = V / v_h.

    Newton's method on u^2 (m^2 + (1 - b) (x + u)^2 + b g^2) = 1, which grows with u: Glauert's
    quartic where the ring's share b is 0, and u = 1 / g, the curves along the axis, where m is 0.
    """
    square = m * m
    axial = _axial(x)
    ring = max(1.0 - square, 0.0) * min(max(-_RING_FORMS * x, 0.0), 1.0)
    fixed = square + ring * axial * axial
    free = 1.0 - ring
    u = 1.0 / math.sqrt(square + axial * axial)
    for _ in range(_NEWTON_STEPS):
        through = x + u
        flow = fixed + free * through * through
        u -= 0.5 * (u * u * flow - 1.0) / (u * (flow + u * free * through))
    return u


@njit_part
def induced_flow(inflow: float, across: float, hover: float) -> tuple[float, float, float]:
    """v_i, what the ring adds to v1 in the law of thrust, both m/s, and by which share of itself
    the thrust wanders; from v1, V and v_h."""
    hover = max(hover, _LEAST_MPS)
    per_hover = 1.0 / hover
    x, m = inflow * per_hover, across * per_hover
    u = induced_ratio(x, m)
    ring = max(1.0 - m * m, 0.0)
    wandering = _WANDERING * ring * max((_CALM - x) * (x - _CALM_AGAIN) * _PER_WIDTH, 0.0)
    return u * hover, ring * max(u - 1.0, 0.0) * hover, wandering


@njit_part
def profile_growth(p: Any, across: float, per_speed: float) -> float:
    """Share by which flight across the disc raises the profile power; `per_speed` is 1 / W."""
    ratio = across * per_speed / p["rotor_radius"]
    growth = _GROWTH if p["k_d"] == 0.0 else _GROWTH - _BY_DISC_DRAG
    return float(growth * min(ratio * ratio, _MOST_SQUARE))


@njit_part
def hover_velocity(p: Any, force: float, density_ratio: float) -> float:
    """v_h in m/s of a rotor with this thrust in N."""
    return float(p["hover_inflow"] * math.sqrt(force / max(density_ratio, 1e-3)))


@njit_part
def torque_in_flow(
    p: Any, speed: float, flow: tuple[float, float], density_ratio: float
) -> tuple[float, float]:
    """(v1 + v_i) / W in m, which times the thrust is the torque that moves the air, and that which
    turns the blades, Nm; `flow` is v1 + v_i and V."""
    through, across = flow
    per_speed = 1.0 / max(speed, _LEAST_SPEED)
    growth, share = profile_growth(p, across, per_speed), p["windmilling"]
    if through < 0.0:  # a slow rotor is gone faster than its wake is seen to
        through *= share * min(speed * _PER_SLOW, 1.0)
    return through * per_speed, profile_torque(p, speed, density_ratio) * (1.0 + growth)


@njit_part
def _wash(p: Any, s: Any, rotor: int) -> float:
    """What the rotor above adds to v1, m/s."""
    above = p["rotor_above"][rotor]
    return float(IN_WAKE * s["induced"][above - 1]) if above > 0 else 0.0


@njit_part
def _air_ahead(s: Any, x: Any, down: Any) -> tuple[float, float, float, float, float, float]:
    """`motion_through_air` in the middle of the next PERIOD steps, as far as it goes on as in the
    last one; `down` is the vertical in body axes."""
    u, v, w, a, b, c = motion_through_air(s, x)
    felt, turning, gravity = s["specific_force"], s["angular_acceleration"], gravity_at(s)
    roll, pitch, yaw = x[RATES], x[RATES + 1], x[RATES + 2]
    return (
        u + _HALF_S * (felt[0] + gravity * down[0] + yaw * v - pitch * w),
        v + _HALF_S * (felt[1] + gravity * down[1] + roll * w - yaw * u),
        w + _HALF_S * (felt[2] + gravity * down[2] + pitch * u - roll * v),
        a + _HALF_S * turning[0],
        b + _HALF_S * turning[1],
        c + _HALF_S * turning[2],
    )


@njit_part
def _vertical(q: Any) -> tuple[float, float, float]:
    """What points down, in body axes."""
    return (
        2.0 * (q[1] * q[3] - q[0] * q[2]),
        2.0 * (q[2] * q[3] + q[0] * q[1]),
        1.0 - 2.0 * (q[1] * q[1] + q[2] * q[2]),
    )


@njit_shared
def move_wake(p: Any, s: Any, scratch: Any, step: int) -> None:
    """Set what wakes and ground do to the rotors' torque and thrust, and how far the discs tilt
    back, for the next PERIOD steps, as it will be in their middle."""
    if p["kind"] == FIXED_WING:
        return
    x, slope = s["motion"], scratch["slope"][3]
    down = _vertical(x[ATTITUDE : ATTITUDE + 4])
    air = _air_ahead(s, x, down)
    height = s["ground"] - x[POSITION + 2] - _HALF_S * x[VELOCITY + 2]
    is_near = down[2] > 0.0 and height < _FAR * p["rotor_radius"]  # not upside down
    speeds, turning, flapping = x[ROTOR:MOTION], slope[ROTOR:MOTION], s["flapping"]
    for i in side_by_side(p["rotor_count"]):
        speed = speeds[i] + _HALF_S * turning[i]
        s["rotor_parts"][_SPEED, i] = speed
        flapping[i] = p["flapping"] / (max(speed, _SLOW) * p["rotor_radius"])
    if p["law"] == LAW_MOMENTUM:
        _move_all(p, s, air, step)
    for i in side_by_side(p["rotor_count"]):
        s["thrust_gain"][i] = s["buffet"][i]
    if is_near:
        for i in side_by_side(p["rotor_count"]):
            _feel_ground(p, s, i, height - dot(down, p["rotor_position"][i]))


@njit_part
def _feel_ground(p: Any, s: Any, rotor: int, height: float) -> None:
    """Have the ground raise a rotor's thrust, and not its power."""
    left = 1.0 - ground_effect(p, height)
    s["torque_arm"][rotor] *= left
    s["thrust_gain"][rotor] = (1.0 + s["buffet"][rotor]) / left - 1.0


@njit_part
def _move_all(p: Any, s: Any, air: Any, step: int) -> None:
    """Set the wakes by momentum theory: one after another where a rotor turns about a servo, or in
    the wake of another."""
    in_turn = p["turned_rotor"]
    for i in range(p["rotor_count"]):
        in_turn += p["rotor_above"][i]
    if in_turn != 0:
        _move_in_turn(p, s, air)
    else:
        for i in side_by_side(p["rotor_count"]):
            _move_one(p, s, air, i, vector(p["rotor_axis"][i]), 0.0)
    for i in range(p["rotor_count"]):
        if s["buffet"][i] > 0.0:
            _wander(s, (i, step), s["rotor_parts"][_RATE, i])
            s["buffet"][i] *= s["wandering"][i]


@njit_shared
def _move_in_turn(p: Any, s: Any, air: Any) -> None:
    for i in range(p["rotor_count"]):
        _move_one(p, s, air, i, rotor_axis(p, s, i), _wash(p, s, i))


@njit_part
def _move_one(p: Any, s: Any, air: Any, i: int, n: Any, wash: float) -> None:
    """Set the wake of a rotor along `n`, which another one's wash meets, by momentum theory."""
    part, density, added = s["rotor_parts"], s["air_density_ratio"], s["ring_inflow"][i]
    speed, u = part[_SPEED, i], hub_velocity(air, vector(p["rotor_position"][i]))
    inflow = u[0] * n[0] + u[1] * n[1] + u[2] * n[2]
    square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2] - inflow * inflow
    across = math.sqrt(max(square, 0.0))
    lift = thrust(p, speed, inflow + added, density)
    hover = hover_velocity(p, lift, density)
    inflow += wash
    induced, ring, wandering = induced_flow(inflow, across, hover)
    arm, profile = torque_in_flow(p, speed, (inflow + induced, across), density)
    s["torque_arm"][i], s["profile_torque"][i] = arm, profile
    s["ring_inflow"][i] = added + 0.5 * (ring + wash - added)
    s["induced"][i], s["buffet"][i] = induced, wandering
    part[_RATE, i] = hover / p["rotor_radius"]


@njit_part
def _wander(s: Any, which: tuple[int, int], rate: float) -> None:
    """Move a rotor's Gauss-Markov number on, of deviation 1 and time constant 2 / rate; `which`
    rotor at which step."""
    rotor, step = which
    keep = math.exp(-0.5 * rate * PERIOD * STEP_S)
    kick = normal_of(philox(s["seed"], step, _STREAM + rotor)[0])
    s["wandering"][rotor] = keep * s["wandering"][rotor] + math.sqrt(1.0 - keep * keep) * kick
