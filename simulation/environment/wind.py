"""The mean wind, a constant plus a table over time, weaker near the ground; and a single gust.

Wind is the velocity of the air (where it blows *to*), NED in m/s; a display turns it into where
it comes from. The logarithmic profile refers to 20 feet, as MIL-F-8785C does:

    w(h) = w20 ln(h / z0) / ln(6.1 m / z0)   for h > z0

The gust has the shape 1 - cos (MIL-F-8785C, 3.7.1.3), V = V_m / 2 (1 - cos(2 pi x / d)). It swells
to its amplitude and fades within the length d, which the aircraft crosses at the speed it has
through the air.
"""

import math
from typing import Any

from simulation.compiler.decorators import njit_part

REFERENCE_M = 6.1
"""The height the given wind blows at: 20 feet."""


@njit_part
def profile(height_m: float, roughness_m: float) -> float:
    """The mean wind at this height relative to that at REFERENCE_M; 1 for no roughness."""
    if roughness_m <= 0.0:
        return 1.0
    height = max(height_m, roughness_m)
    return math.log(height / roughness_m) / math.log(REFERENCE_M / roughness_m)


@njit_part
def _advance_row(w: Any, s: Any, time_s: float) -> float:
    """Move on to the table's row in force, and return the share of the next one."""
    last = w["wind_rows"] - 1
    table = w["wind_table"]
    while s["wind_row"] < last and table[s["wind_row"] + 1, 0] <= time_s:
        s["wind_row"] += 1
    row = s["wind_row"]
    if row >= last or time_s <= table[row, 0]:
        return 0.0
    return float((time_s - table[row, 0]) / (table[row + 1, 0] - table[row, 0]))


@njit_part
def set_mean_wind(w: Any, s: Any, height_m: float, time_s: float) -> None:
    """Set STATE.wind to the mean wind at that height: the constant plus the table's, which is
    interpolated between rows and holds its first and last row beyond its ends."""
    factor = profile(height_m, w["roughness"])
    share = 0.0
    if w["wind_rows"] > 0:
        share = _advance_row(w, s, time_s)
    row = s["wind_row"]
    for i in range(3):
        wind = w["wind"][i]
        if w["wind_rows"] > 0:
            now = w["wind_table"][row, 1 + i]
            wind += now
            if share > 0.0:
                wind += share * (w["wind_table"][row + 1, 1 + i] - now)
        s["wind"][i] = factor * wind


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
