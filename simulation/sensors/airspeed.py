"""Airspeed sensor: a pitot tube along body x and a differential pressure sensor."""

from typing import Any

import numpy as np

from simulation.environment.atmosphere import SEA_LEVEL_DENSITY
from simulation.noise import gauss_markov, gaussian_pair
from simulation.records import (
    ATTITUDE,
    DRIFT,
    DRIFT_TAU,
    RANGE,
    RESOLUTION,
    TURN_ON,
    VELOCITY,
    WHITE,
)
from simulation.rotation import to_body
from simulation.sensors.sensors import quantise
from telemetry.compiled import njit_part

PERIOD = 20
"""Steps between samples."""
_STREAM = np.int64(0x40)
_TURN_ON_STREAM = np.int64(0x240)


@njit_part
def turn_on_airspeed(p: Any, s: Any) -> None:
    """Draw the offset this run starts with."""
    n, m = gaussian_pair(s["seed"], _TURN_ON_STREAM, _TURN_ON_STREAM)
    s["airspeed_bias"][0] = p["airspeed_error"][TURN_ON] * n
    s["airspeed_bias"][1] = p["airspeed_error"][DRIFT] * m


@njit_part
def sample_airspeed(p: Any, w: Any, s: Any, o: Any, k: int) -> None:
    """Sample number `k`: rho u^2 / 2 for air that meets the tube's opening, in pascal."""
    if p["airspeed_fitted"] == 0 or w["airspeed_lost"] != 0:
        return
    x, wind, model = s["motion"], s["wind"], p["airspeed_error"]
    ahead, _, _ = to_body(
        x[ATTITUDE : ATTITUDE + 4],
        x[VELOCITY] - wind[0],
        x[VELOCITY + 1] - wind[1],
        x[VELOCITY + 2] - wind[2],
    )
    ahead = max(ahead, 0.0)
    n, m = gaussian_pair(s["seed"], _STREAM, k)
    bias = s["airspeed_bias"]
    bias[1] = gauss_markov(bias[1], model[DRIFT], model[DRIFT_TAU], PERIOD * 0.001, m)
    pressure = 0.5 * SEA_LEVEL_DENSITY * s["air_density_ratio"] * ahead * ahead
    error = bias[0] + bias[1] + model[WHITE] * n
    o["airspeed_pressure_pa"] = quantise(pressure + error, model[RANGE], model[RESOLUTION])
    o["airspeed_count"] += 1
