"""Spectrogram and throttle spectrum: spectra beside each other, over time or over throttle."""

from dataclasses import dataclass

import numpy as np

from telemetry.review.analysis.series import Array, Inconclusive
from telemetry.review.analysis.spectra.resampling import EvenRuns
from telemetry.review.analysis.spectra.short_spectra import (
    ShortSpectra,
    SpectrumBasis,
    short_spectra,
)

_PARTS = 100
_THROTTLE_WINDOW_S, _LEAST_LENGTH = 1.0, 64
"""So short a window has one throttle; slow samples need longer ones for any resolution."""
_MOST_COLUMNS = 1500
_THROTTLE_STEPS = 25


@dataclass(frozen=True, slots=True, eq=False)
class SpectrumMap:
    """Power density (n, m) in units²/Hz of n columns between `edges` (n + 1,), at `frequencies`
    (m,). A column of NaN has no data; `counts` (n,) says how many windows each is the mean of."""

    edges: Array
    frequencies: Array
    density: Array
    counts: Array
    basis: SpectrumBasis


def spectrogram(runs: EvenRuns, window_s: float | None = None) -> SpectrumMap:
    """Over time in seconds; where samples are missing there is nothing."""
    short = short_spectra(runs, _PARTS, window_s, _MOST_COLUMNS)
    start = float(short.times[0]) - short.hop_s / 2.0
    count = round(float(short.times[-1] - short.times[0]) / short.hop_s) + 1
    edges = np.asarray(start + short.hop_s * np.arange(count + 1), dtype=np.float64)
    return _gathered(short, edges, short.times)


def throttle_spectrum(
    runs: EvenRuns, throttle: tuple[Array, Array], window_s: float | None = None
) -> SpectrumMap | Inconclusive:
    """Over throttle in percent: the mean of the windows flown with so much.

    `throttle` is times (k,) in seconds and shares (k,) of 0 to 1; each window counts with the mean
    of what was recorded within it, and not at all where nothing was.
    """
    times, shares = throttle
    if not len(times):
        return Inconclusive(
            "No throttle was recorded.", "Have ActuatorDesired or StabilizationDesired sent."
        )
    usual_s = max(_THROTTLE_WINDOW_S, _LEAST_LENGTH * runs.dt)
    short = short_spectra(runs, _PARTS, window_s or usual_s)
    half = short.basis.window_s / 2.0
    percent = 100.0 * _mean_within(times, shares, short.times - half, short.times + half)
    if not np.isfinite(percent).any():
        return Inconclusive(
            "No throttle was recorded in this stretch.", "Choose a stretch in which it flew."
        )
    edges = np.linspace(0.0, 100.0, _THROTTLE_STEPS + 1)
    return _gathered(short, edges, np.clip(percent, 0.0, 100.0 - 1e-9))


def _gathered(short: ShortSpectra, edges: Array, where: Array) -> SpectrumMap:
    """The mean of the windows in each column; `where` (k,) is NaN for those that belong nowhere."""
    is_known = np.isfinite(where)
    columns = np.searchsorted(edges, where[is_known], "right") - 1
    columns = np.clip(columns, 0, len(edges) - 2)
    counts = np.bincount(columns, minlength=len(edges) - 1).astype(np.float64)
    total = np.zeros((len(edges) - 1, len(short.frequencies)))
    np.add.at(total, columns, short.density[is_known])
    with np.errstate(invalid="ignore"):
        density = total / counts[:, np.newaxis]
    return SpectrumMap(edges, short.frequencies, density, counts, short.basis)


def _mean_within(times: Array, values: Array, starts: Array, ends: Array) -> Array:
    """Means (n,) of the samples within each [start, end]; NaN where there are none."""
    total = np.concatenate([[0.0], np.cumsum(values)])
    first, last = np.searchsorted(times, starts), np.searchsorted(times, ends, "right")
    counts = last - first
    means = (total[last] - total[first]) / np.maximum(counts, 1)
    return np.where(counts > 0, means, np.nan)
