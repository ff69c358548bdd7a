"""A single gust of the shape 1 - cos (MIL-F-8785C, 3.7.1.3): V = V_m / 2 (1 - cos(2 pi x / d)).

It swells to its amplitude and fades within the length d, which the aircraft crosses at the speed
it has through the air.
"""

import math
from typing import Any

from simulation.compiled import njit_part


@njit_part
def gust_share(travelled_m: float, length_m: float) -> float:
    """The share of the amplitude that is felt so far into the gust."""
    if travelled_m <= 0.0 or travelled_m >= length_m:
        return 0.0
    return 0.5 * (1.0 - math.cos(2.0 * math.pi * travelled_m / length_m))


@njit_part
def add_gust(w: Any, s: Any, time_s: float, distance_m: float) -> None:
    """Add the gust to STATE.wind; `distance_m` is how far the aircraft has come through the air
    since the last call."""
    if time_s < w["gust_start"]:
        s["gust_travelled"] = 0.0
        return
    if s["gust_travelled"] >= w["gust_length"]:
        return
    s["gust_travelled"] += distance_m
    share = gust_share(s["gust_travelled"], w["gust_length"])
    for i in range(3):
        s["wind"][i] += share * w["gust"][i]
