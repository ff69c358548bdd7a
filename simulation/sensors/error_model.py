"""Sensor error model that all share: turn-on offset, drift, white noise, saturation, quantisation.

    y = y_true + b_0 + b + w,   b_{k+1} = phi b_k + sigma sqrt(1 - phi^2) n,   phi = exp(-dt / tau)

(seed 001, equation 11, exactly discretised.) The drift b is Gauss-Markov, so neither its deviation
nor its correlation time depends on the sample rate; b_0 is drawn once per run. White noise w is per
sample, but for gyro and accelerometer it is a density, w = density / sqrt(dt). An error model is
[WHITE, DRIFT, DRIFT_TAU, TURN_ON, RANGE, RESOLUTION].

Numbers come by counter: model m has the streams 16 m to 16 m + 3 for the white noise of its axes,
two by two, 16 m + 8 to 16 m + 11 for the drift, and the same above TURN_ON_STREAM for the start.
"""

import math
from typing import Any

from simulation.compiler.decorators import njit_part
from simulation.mathematics.random_numbers import Whole, gaussian_pair, normal_of, philox
from simulation.mathematics.rotation import clamp
from simulation.records.flight import DRIFT, DRIFT_TAU, RANGE, RESOLUTION, ROTOR, TURN_ON, WHITE
from simulation.records.interface import STEP_S
from simulation.records.sensor_table import ACCEL, BATTERY, CURRENT, GPS, GPS_VELOCITY, SENSOR_COUNT

TURN_ON_STREAM = 0x400
_DRIFT_STREAM = 8
_FIRST = 0
_DRIFT_STEP, _LONGEST_STEP_S = 0.01, 1.0
"""Drift moves on in steps of this share of its time constant: exact at any step, and drawing for
every sample of a drift of minutes would cost as much as the sample. A drift of days moves once a
second all the same, or the weather would jump by metres."""


@njit_part
def quantise(value: float, limit: float, resolution: float) -> float:
    """`value` saturated at +-limit and rounded to a multiple of `resolution`."""
    return math.floor(clamp(value, -limit, limit) / resolution + 0.5) * resolution


@njit_part
def _begin_model(p: Any, s: Any, m: Whole, dt: float) -> None:
    model = p["sensor_error"][m]
    density = 1.0 / math.sqrt(dt) if m <= ACCEL else 1.0
    every = max(int(min(_DRIFT_STEP * model[DRIFT_TAU], _LONGEST_STEP_S) / dt), 1)
    decay = math.exp(-every * dt / model[DRIFT_TAU])
    s["drift_every"][m] = every
    s["drift_decay"][m] = decay
    s["drift_kick"][m] = model[DRIFT] * math.sqrt(1.0 - decay * decay)
    s["white"][m] = model[WHITE] * density
    for i in range(p["error_axes"][m]):
        n0, n1 = gaussian_pair(s["seed"], TURN_ON_STREAM + 16 * m + i, _FIRST)
        s["offset"][m, i] = model[TURN_ON] * n0
        s["drift"][m, i] = model[DRIFT] * n1


@njit_part
def sampled_with(m: int) -> int:
    """The sensor whose rate model `m` has: itself, but for a second value of a sensor."""
    if m == GPS_VELOCITY:
        return int(GPS)
    if m == CURRENT:
        return int(BATTERY)
    return m


@njit_part
def begin_errors(p: Any, s: Any) -> None:
    """Draw the offsets this run starts with and compute what its error models need."""
    for m in range(SENSOR_COUNT):
        period = p["sensor_period"][sampled_with(m)]
        if period > 0:
            _begin_model(p, s, m, period * STEP_S)


@njit_part
def _move_drift(p: Any, s: Any, m: Whole, k: Whole, scale: float) -> None:
    drift, decay, kick = s["drift"][m], s["drift_decay"][m], scale * s["drift_kick"][m]
    axes = p["error_axes"][m]
    for i in range(0, axes, 2):
        n0, n1 = gaussian_pair(s["seed"], _DRIFT_STREAM + 16 * m + i // 2, k)
        drift[i] = decay * drift[i] + kick * n0
        if i + 1 < axes:
            drift[i + 1] = decay * drift[i + 1] + kick * n1


@njit_part
def _vibration(p: Any, s: Any, m: Whole) -> float:
    """Deviation of what the rotors shake into gyro or accelerometer: by their mean speed."""
    if m > ACCEL or p["vibration"][m] == 0.0:
        return 0.0
    total = 0.0
    for i in range(p["rotor_count"]):
        total += s["motion"][ROTOR + i]
    return float(p["vibration"][m] * total / p["rotor_count"])


@njit_part
def draw_errors(p: Any, s: Any, m: Whole, k: Whole, scale: float) -> None:
    """Set STATE.error of model `m` for its sample number `k`. `scale` widens noise and drift."""
    if s["drift_kick"][m] > 0.0 and k % s["drift_every"][m] == 0:
        _move_drift(p, s, m, k, scale)
    white, shaken = scale * s["white"][m], _vibration(p, s, m)
    if shaken > 0.0:
        white = math.sqrt(white * white + shaken * shaken)
    error, offset, drift = s["error"][m], s["offset"][m], s["drift"][m]
    axes = p["error_axes"][m]
    for i in range(0, axes, 2):
        first, second = philox(s["seed"], k, 16 * m + i // 2)
        error[i] = offset[i] + drift[i] + white * normal_of(first)
        if i + 1 < axes:
            error[i + 1] = offset[i + 1] + drift[i + 1] + white * normal_of(second)


@njit_part
def measured(p: Any, s: Any, m: Whole, i: int, true: float) -> float:
    """What axis `i` of model `m` shows for the true value, with the newest error drawn."""
    model = p["sensor_error"][m]
    return quantise(true + s["error"][m, i], model[RANGE], model[RESOLUTION])
