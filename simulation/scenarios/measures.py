"""Measures over columns: small pure functions for scripted flights and experiments.

Columns are arrays over samples, vectors have shape (samples, 2) or (samples, 3). All return
float('nan') where nothing can be measured, which no band accepts.
"""

import math
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

Column = npt.NDArray[np.float64]


def rms(values: Column) -> float:
    """Root of the mean square, over all elements."""
    return math.sqrt(float(np.mean(np.square(values)))) if values.size else math.nan


def distances(points: Column, place: Any) -> Column:
    """How far each point (rows of 2 or 3) is from a place."""
    away: Column = np.sqrt(np.sum(np.square(points - np.asarray(place)), axis=1))
    return away


def distances_to_line(points: Column, corners: Any) -> Column:
    """How far each point (rows of 2) is from the nearest side of an open line of corners."""
    nearest: Column = np.full(len(points), np.inf)
    for start, end in pairwise(np.asarray(corners, np.float64)):
        way = end - start
        share = np.clip((points - start) @ way / (way @ way), 0.0, 1.0)
        nearest = np.minimum(nearest, distances(points - share[:, None] * way, start))
    return nearest


def overshoot(values: Column, start: float, end: float) -> float:
    """How far a response from `start` to `end` goes beyond `end`, as a share of the way."""
    way = end - start
    if not values.size or way == 0.0:
        return math.nan
    return max(0.0, float(np.max((values - end) / way)))


def rise_time(time_s: Column, values: Column, start: float, end: float) -> float:
    """Seconds from 10 to 90 % of the way from `start` to `end`, between samples in straight lines;
    NaN for a response that does not come so far."""
    if not values.size or end == start:
        return math.nan
    share = (values - start) / (end - start)
    crossed = []
    for level in (0.1, 0.9):
        above = np.flatnonzero(share >= level)
        if not above.size:
            return math.nan
        i = int(above[0])
        if i == 0:
            crossed.append(float(time_s[0]))
            continue
        part = (level - share[i - 1]) / (share[i] - share[i - 1])
        crossed.append(float(time_s[i - 1] + part * (time_s[i] - time_s[i - 1])))
    return crossed[1] - crossed[0]


def settling_time(time_s: Column, values: Column, end: float, within: float) -> float:
    """Seconds from the first sample until the values stay within `within` of `end` for good."""
    if not values.size:
        return math.nan
    outside = np.flatnonzero(np.abs(values - end) > within)
    if not outside.size:
        return 0.0
    if outside[-1] + 1 >= len(values):
        return math.nan
    return float(time_s[outside[-1] + 1] - time_s[0])


def power_density(values: Column, rate_hz: float, segment: int) -> tuple[Column, Column]:
    """Frequencies in Hz and one-sided power spectral density in unit^2/Hz.

    Welch's method: mean of the periodograms of half-overlapping segments of `segment` samples,
    each without its mean and in a Hann window. `values` has shape (samples,).
    """
    from scipy.signal import welch

    frequencies, density = welch(values, rate_hz, nperseg=min(segment, len(values)))
    return frequencies, density


def peak_frequency(frequencies_hz: Column, density: Column, least_hz: float = 0.0) -> float:
    """The frequency of the highest density at or above `least_hz`, refined by a parabola through
    the logarithms of the three highest neighbours."""
    first = int(np.searchsorted(frequencies_hz, least_hz))
    if first >= len(density):
        return math.nan
    i = first + int(np.argmax(density[first:]))
    if not 0 < i < len(density) - 1 or min(density[i - 1 : i + 2]) <= 0.0:
        return float(frequencies_hz[i])
    below, top, above = np.log(density[i - 1 : i + 2]).tolist()
    shift = 0.5 * (below - above) / (below - 2.0 * top + above)
    return float(frequencies_hz[i] + shift * (frequencies_hz[1] - frequencies_hz[0]))


def touchdown_speed(
    height_m: Column, sink_mps: Column, touches: Column, airborne_m: float
) -> float:
    """Sink rate just before the last first contact after having been higher than `airborne_m`."""
    flying, speed = False, math.nan
    for i in range(1, len(height_m)):
        if flying and touches[i]:
            flying, speed = False, max(0.0, float(sink_mps[i - 1]))
        elif height_m[i] > airborne_m:
            flying = True
    return speed
