"""The air around the aircraft: its density, and a wind that weakens towards the ground, with
Gauss-Markov gusts."""

import math
from typing import Any

import numpy as np

from simulation.environment.atmosphere import SEA_LEVEL_DENSITY, density
from simulation.noise import gauss_markov, gaussian_pair
from simulation.records import POSITION
from telemetry.compiled import njit_part

PERIOD = 20
"""Steps between changes of the wind."""
_ROUGHNESS_M = 0.03  # short grass
_REFERENCE_M = 10.0
_STREAM = np.int64(0x100)


@njit_part
def profile(height_m: float) -> float:
    """The mean wind at this height relative to that at 10 m: logarithmic."""
    height = max(height_m, 2.0 * _ROUGHNESS_M)
    return math.log(height / _ROUGHNESS_M) / math.log(_REFERENCE_M / _ROUGHNESS_M)


@njit_part
def update_air(w: Any, s: Any, step: int) -> None:
    """Set density and velocity of the air around the aircraft for the next PERIOD steps."""
    k = step // PERIOD
    height = -s["motion"][POSITION + 2]
    factor = profile(height)
    s["air_density_ratio"] = density(w["altitude"] + height) / SEA_LEVEL_DENSITY
    n0, n1 = gaussian_pair(s["seed"], _STREAM, k)
    n2, _ = gaussian_pair(s["seed"], _STREAM + 1, k)
    dt = PERIOD * 0.001
    gust = s["gust"]
    gust[0] = gauss_markov(gust[0], w["gust"], w["gust_tau"], dt, n0)
    gust[1] = gauss_markov(gust[1], w["gust"], w["gust_tau"], dt, n1)
    gust[2] = gauss_markov(gust[2], 0.5 * w["gust"], w["gust_tau"], dt, n2)
    for i in range(3):
        s["wind"][i] = factor * (w["wind"][i] + gust[i])
