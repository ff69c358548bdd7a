"""IMU errors besides those of all sensors: tilted axes, g-sensitivity of the gyro, a 1/f floor.

Axes: y = (1 + [theta]x + C) v, theta the misalignment of the package, C the cross-axis sensitivity
of its six pairs of axes. A gyro adds G f, f being the specific force. All are drawn once per run.

The 1/f floor is a sum of Gauss-Markov processes whose time constants are decades apart. One of
deviation s and time constant T has the one-sided density 4 s^2 T / (1 + (2 pi f T)^2); spaced by
the ratio r, these add up to s^2 / (f ln r) between the longest and the shortest. IEEE 952 gives
B^2 / (pi f) for the bias instability B, so s = B sqrt(ln r / pi), and the Allan deviation is flat
at B sqrt(2 ln 2 / pi) = 0.664 B.
"""

import math
from typing import Any

from simulation.compiler.decorators import njit_part
from simulation.mathematics.random_numbers import Whole, gaussian_pair
from simulation.mathematics.vectors import Vector, dot
from simulation.records.flight import FLICKERS
from simulation.records.interface import STEP_S
from simulation.records.sensor_table import ACCEL

_AXES_STREAM, _FLICKER_STREAM = 0x500, 0x600
_START, _SHORTEST_S, _RATIO = 0x80, 1.0, 10
_STEP_SHARE = 0.05  # of a time constant between two steps of its process, as far as samples allow
_FLICKER_SIGMA = math.sqrt(math.log(_RATIO) / math.pi)


@njit_part
def begin_imu(p: Any, s: Any) -> None:
    """Draw what stays the same in this run, and where the 1/f floor begins."""
    for m in range(ACCEL + 1):
        _draw_axes(p, s, m)
        _begin_flicker(p, s, m)
    for i in range(3):
        for j in range(3):
            n, _ = gaussian_pair(s["seed"], _AXES_STREAM + 32 + i, j)
            s["imu_g"][i, j] = p["g_sensitivity"] * n


@njit_part
def _draw_axes(p: Any, s: Any, m: int) -> None:
    turn, cross, mix = math.radians(p["misalignment_deg"][m]), p["cross_axis"][m], s["imu_mix"][m]
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        after, before = gaussian_pair(s["seed"], _AXES_STREAM + 16 * m + i, 0)
        mix[i, j] += cross * after
        mix[i, k] += cross * before
        about, _ = gaussian_pair(s["seed"], _AXES_STREAM + 16 * m + 8 + i, 0)
        mix[k, j] += turn * about
        mix[j, k] -= turn * about


@njit_part
def _begin_flicker(p: Any, s: Any, m: int) -> None:
    dt = max(int(p["sensor_period"][m]), 1) * STEP_S
    every = max(int(_STEP_SHARE * _SHORTEST_S / dt), 1)
    decay = math.exp(-every * dt / _SHORTEST_S)
    sigma = _FLICKER_SIGMA * p["flicker"][m]
    s["flicker_every"][m] = every
    s["flicker_decay"][m] = decay
    s["flicker_kick"][m] = sigma * math.sqrt(1.0 - decay * decay)
    for number in range(FLICKERS):
        _step_flicker(s, (m, number, _START), 0, 0.0, sigma)
    _sum_flicker(s, m)


@njit_part
def _step_flicker(s: Any, which: Any, k: Whole, decay: float, kick: float) -> None:
    """Move one process on: `which` are sensor, process, and the first of its streams."""
    m, number, first = which
    stream, process = _FLICKER_STREAM + first + 16 * m + 2 * number, s["flicker"][m, number]
    n0, n1 = gaussian_pair(s["seed"], stream, k)
    n2, _ = gaussian_pair(s["seed"], stream + 1, k)
    process[0] = decay * process[0] + kick * n0
    process[1] = decay * process[1] + kick * n1
    process[2] = decay * process[2] + kick * n2


@njit_part
def _sum_flicker(s: Any, m: int) -> None:
    for i in range(3):
        total = 0.0
        for number in range(FLICKERS):
            total += s["flicker"][m, number, i]
        s["imu_wander"][m, i] = total


@njit_part
def move_flicker(p: Any, s: Any, m: int, k: Whole) -> None:
    """Bring STATE.imu_wander of GYRO or ACCEL up to its sample number `k`."""
    every = s["flicker_every"][m]
    if p["flicker"][m] == 0.0 or k % every != 0:
        return
    for number in range(FLICKERS):
        if k % every == 0:
            _step_flicker(s, (m, number, 0), k, s["flicker_decay"][m], s["flicker_kick"][m])
        every *= _RATIO
    _sum_flicker(s, m)


@njit_part
def with_mixed_axes(s: Any, m: int, v: Vector) -> Vector:
    """Each axis of GYRO or ACCEL with what it feels of the others."""
    mix = s["imu_mix"][m]
    return v[0] + dot(mix[0], v), v[1] + dot(mix[1], v), v[2] + dot(mix[2], v)


@njit_part
def with_g_sensitivity(s: Any, v: Vector) -> Vector:
    """The gyro's rates with what it feels of the specific force, m/s2."""
    g, f = s["imu_g"], s["specific_force"]
    return v[0] + dot(g[0], f), v[1] + dot(g[1], f), v[2] + dot(g[2], f)
