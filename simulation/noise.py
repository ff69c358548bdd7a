"""Random numbers by counter: the k-th number of a stream is a function of (seed, stream, k).

No generator state exists, so a sensor's noise does not depend on who else drew numbers, on block
sizes or on the order of vehicles. Generator: Philox 2x32-10 (Salmon et al., SC 2011).
"""

import math
from typing import Any

import numpy as np

from telemetry.compiled import njit_part

Whole = int | np.integer[Any]

_WORD = 0xFFFFFFFF
_MULTIPLIER = 0xD256D193
_WEYL = 0x9E3779B9
_ROUNDS = 10
_TO_UNIT = 1.0 / 4294967296.0


@njit_part
def philox(key: Whole, counter: Whole, stream: Whole) -> tuple[int, int]:
    """Two uniform 32-bit words. Only low words of products are kept, so that 64-bit wrap-around
    in compiled code and Python's long integers agree."""
    low = int(counter) & _WORD
    high = int(stream) & _WORD
    key = int(key) & _WORD
    for _ in range(_ROUNDS):
        product = low * _MULTIPLIER
        low = (((product >> 32) & _WORD) ^ key ^ high) & _WORD
        high = product & _WORD
        key = (key + _WEYL) & _WORD
    return low, high


@njit_part
def gaussian_pair(seed: Whole, stream: Whole, k: Whole) -> tuple[float, float]:
    """Two independent standard normal numbers (Box-Muller)."""
    a, b = philox(seed, k, stream)
    radius = math.sqrt(-2.0 * math.log((a + 0.5) * _TO_UNIT))
    angle = 2.0 * math.pi * (b * _TO_UNIT)
    return radius * math.cos(angle), radius * math.sin(angle)


@njit_part
def gauss_markov(value: float, sigma: float, tau: float, dt: float, n: float) -> float:
    """Exact step of a first-order Gauss-Markov process: stationary deviation `sigma` whatever the
    step `dt`; correlation time `tau`, both in seconds; `n` is a standard normal number."""
    decay = math.exp(-dt / tau)
    return decay * value + sigma * math.sqrt(1.0 - decay * decay) * n
