"""Dryden turbulence at low altitude (MIL-F-8785C, 3.7.3), exactly discretised.

With h in feet and W20 the mean wind at 20 feet:

    L_w = h, L_u = L_v = h / (0.177 + 0.000823 h)^1.2
    sigma_w = 0.1 W20, sigma_u = sigma_v = sigma_w / (0.177 + 0.000823 h)^0.4

The filters' states are kept at unit variance, so that changing height, speed or W20 never disturbs
the statistics. With a = V / L, t = a dt and E = exp(-t) one step is, for u (first order),

    y' = E y + sqrt(1 - E^2) n

and for v and w, H(s) = sqrt(3 a) (s + a / sqrt 3) / (s + a)^2,

    z1' = E z1 + l11 n1,  z2' = E (z2 + sqrt 2 t z1) + l21 n1 + l22 n2
    y   = sqrt(3/2) z1 + (1 - sqrt 3) / 2 z2

where l is the Cholesky factor of the noise that leaves var z1 = var z2 = 1, cov = 1 / sqrt 2 as
they are: q11 = 1 - E^2, q12 = (1 - E^2 (1 + 2 t)) / sqrt 2, q22 = 1 - E^2 (1 + 2 t + 2 t^2).

Rotation (MIL-F-8785C, 3.7.5; MIL-HDBK-1797 has the same with its own L_w), for an aircraft of span
b, as rates of the air about body axes:

    Phi_p = sigma_w^2 / L_w 0.8 (pi L_w / 4b)^(1/3) / (1 + (4b W / pi)^2)      W in rad/m
    q = -dw/dx / (1 + 4b/pi d/dx),  r = dv/dx / (1 + 3b/pi d/dx)

p is first order with noise of its own, and the integral of Phi_p is its variance; q and r follow
from w and v, since (1 - 1 / (1 + l s)) / l is s / (1 + l s): what is left of them when a low-pass
over the length l is taken off, divided by l. Their signs are those of air that turns as a rigid
body would.
"""

import math
from typing import Any

from simulation.compiler.decorators import njit_part
from simulation.mathematics.random_numbers import gaussian_pair

_FOOT_M = 0.3048
_LEAST_FEET, _MOST_FEET = 10.0, 1000.0  # where the low-altitude model holds
_ROOT2 = math.sqrt(2.0)
_FIRST = math.sqrt(1.5)
_SECOND = 0.5 * (1.0 - math.sqrt(3.0))
_STREAM = 0x100  # u, v, w, p and the start take one stream each
_ROLLING = 3
_START = -1


@njit_part
def scale_lengths_m(height_m: float) -> tuple[float, float]:
    """L_u = L_v and L_w at this height."""
    feet = min(max(height_m / _FOOT_M, _LEAST_FEET), _MOST_FEET)
    return feet / math.pow(0.177 + 0.000823 * feet, 1.2) * _FOOT_M, feet * _FOOT_M


@njit_part
def deviations(height_m: float, w20: float) -> tuple[float, float]:
    """sigma_u = sigma_v and sigma_w at this height, in the unit of `w20`."""
    feet = min(max(height_m / _FOOT_M, _LEAST_FEET), _MOST_FEET)
    vertical = 0.1 * w20
    return vertical / math.pow(0.177 + 0.000823 * feet, 0.4), vertical


@njit_part
def rolling_deviation(high_m: float, span_m: float) -> float:
    """sigma_p in rad/s for a sigma_w of 1 m/s, with L_w = `high_m`."""
    lengths = math.pow(math.pi * high_m / (4.0 * span_m), 1.0 / 3.0)
    return math.pi * math.sqrt(0.1 * lengths / (span_m * high_m))


@njit_part
def step_along(y: float, t: float, n: float) -> float:
    """One step of the first-order filter; `t` is V dt / L, `n` a standard normal number."""
    decay = math.exp(-t)
    return decay * y + math.sqrt(1.0 - decay * decay) * n


@njit_part
def step_across(z: Any, t: float, n1: float, n2: float) -> None:
    """One step of the second-order filter's two states, in place."""
    decay = math.exp(-t)
    power = decay * decay
    q11 = 1.0 - power
    q12 = (1.0 - power * (1.0 + 2.0 * t)) / _ROOT2
    q22 = 1.0 - power * (1.0 + 2.0 * t + 2.0 * t * t)
    l11 = math.sqrt(q11)
    l21 = q12 / l11
    z[1] = decay * (z[1] + _ROOT2 * t * z[0]) + l21 * n1
    z[1] += math.sqrt(max(q22 - l21 * l21, 0.0)) * n2
    z[0] = decay * z[0] + l11 * n1


@njit_part
def across(z: Any) -> float:
    """The second-order filter's output, of unit variance."""
    return float(_FIRST * z[0] + _SECOND * z[1])


@njit_part
def begin_turbulence(s: Any) -> None:
    """Draw states that the turbulence may have had for long."""
    for i in range(3):
        n1, n2 = gaussian_pair(s["seed"], _STREAM + i, _START)
        s["turbulence"][i, 0] = n1
        s["turbulence"][i, 1] = (n1 + n2) / _ROOT2 if i > 0 else 0.0
    s["turbulence_turning"][0], _ = gaussian_pair(s["seed"], _STREAM + _ROLLING, _START)
    s["turbulence_turning"][1] = across(s["turbulence"][2])
    s["turbulence_turning"][2] = across(s["turbulence"][1])


@njit_part
def add_turbulence(w: Any, s: Any, aircraft: tuple[float, float], moved: tuple[float, int]) -> None:
    """Add the turbulence to STATE.wind and set STATE.air_rates. `aircraft` is its height and span
    in metres; `moved` how far it has come through the air since the last step in metres, and the
    number of the step. u points along the mean wind (north where there is none), w down."""
    if w["turbulence_w20"] <= 0.0:
        for i in range(3):
            s["air_rates"][i] = 0.0
        return
    height_m, span = aircraft
    distance, k = moved
    seed, states, wind = s["seed"], s["turbulence"], s["wind"]
    long, high = scale_lengths_m(height_m)
    level, vertical = deviations(height_m, w["turbulence_w20"])
    n1, _ = gaussian_pair(seed, _STREAM, k)
    states[0, 0] = step_along(states[0, 0], distance / long, n1)
    for i in range(1, 3):
        n1, n2 = gaussian_pair(seed, _STREAM + i, k)
        step_across(states[i], distance / (long if i == 1 else high), n1, n2)
    along = level * states[0, 0]
    aside = level * across(states[1])
    mean = math.sqrt(wind[0] * wind[0] + wind[1] * wind[1])
    north, east = (wind[0] / mean, wind[1] / mean) if mean > 0.0 else (1.0, 0.0)
    wind[0] += north * along - east * aside
    wind[1] += east * along + north * aside
    wind[2] += vertical * across(states[2])
    _turn_air(s, (level, vertical), (high, span), moved)


@njit_part
def _turn_air(
    s: Any, deviation: tuple[float, float], size: tuple[float, float], moved: tuple[float, int]
) -> None:
    """Set STATE.air_rates. `deviation` is sigma_v and sigma_w, `size` L_w and the span."""
    level, vertical = deviation
    high, span = size
    distance, k = moved
    states, turning, rates = s["turbulence"], s["turbulence_turning"], s["air_rates"]
    long, short = 4.0 * span / math.pi, 3.0 * span / math.pi
    n, _ = gaussian_pair(s["seed"], _STREAM + _ROLLING, k)
    turning[0] = step_along(turning[0], distance / long, n)
    down, right = across(states[2]), across(states[1])
    turning[1] += (1.0 - math.exp(-distance / long)) * (down - turning[1])
    turning[2] += (1.0 - math.exp(-distance / short)) * (right - turning[2])
    rates[0] = vertical * rolling_deviation(high, span) * turning[0]
    rates[1] = -vertical * (down - turning[1]) / long
    rates[2] = level * (right - turning[2]) / short
