"""Short-time spectra: of many windows, from which spectra, spectrograms and heat maps are made."""

from dataclasses import dataclass

import numpy as np

from telemetry.base.number_text import significant
from telemetry.review.analysis.series import Array
from telemetry.review.analysis.spectra.resampling import EvenRuns

_LEAST_LENGTH, _MOST_LENGTH = 64, 8192
_KEPT_SHARE = 0.8
"""Windows are so short that runs of at least their length hold this share of the samples."""
_HANN_NOISE_BINS = 1.5
_HANN_HALF_OVERLAP = 1.0 / 36.0
"""Squared correlation of two Hann windows that overlap by half (Welch 1967)."""
_DB = 10.0 / np.log(10.0)


@dataclass(frozen=True, slots=True)
class SpectrumBasis:
    """What a spectrum was made of. `averages` is how many windows of `window_s` went into it,
    `missing_s` what gaps and pieces shorter than a window leave out."""

    rate_hz: float
    usable_hz: float
    is_interpolated: bool
    window_s: float
    averages: int
    gaps: int
    missing_s: float

    @property
    def resolution_hz(self) -> float:
        """The noise bandwidth of a line: what lies closer together is not told apart."""
        return _HANN_NOISE_BINS / self.window_s

    @property
    def independent_averages(self) -> float:
        """How many separate windows the overlapping ones are worth."""
        count = float(self.averages)
        return count / (1.0 + 2.0 * _HANN_HALF_OVERLAP * (count - 1.0) / count)

    @property
    def error_db(self) -> float:
        """Standard error of the mean over all windows, as far as the signal is noise."""
        return float(_DB / np.sqrt(self.independent_averages))

    @property
    def text(self) -> str:
        """All of it in words."""
        uneven = ", uneven" if self.is_interpolated else ""
        told = [
            f"{significant(self.rate_hz, 3)} Hz{uneven}: "
            f"usable to {significant(self.usable_hz, 3)} Hz",
            f"Hann windows of {significant(self.window_s, 3)} s: "
            f"resolution {significant(self.resolution_hz, 2)} Hz",
            f"{self.averages} averages" if self.averages > 1 else "1 window, no average",
        ]
        if self.missing_s > 0.05:
            gaps = f"{self.gaps} gap{'s' if self.gaps != 1 else ''} and " if self.gaps else ""
            told.append(f"{significant(self.missing_s, 3)} s left out ({gaps}short pieces)")
        return " · ".join(told)


@dataclass(frozen=True, slots=True, eq=False)
class ShortSpectra:
    """One-sided power density (k, m) in units²/Hz of k windows about `times` (k,), at
    `frequencies` (m,) in Hz from 0; windows begin every `hop_s`."""

    times: Array
    frequencies: Array
    density: Array
    hop_s: float
    basis: SpectrumBasis


def short_spectra(
    runs: EvenRuns, parts: int, window_s: float | None = None, most_windows: int | None = None
) -> ShortSpectra:
    """Spectra of windows that overlap by half, or just enough to be `most_windows` at most.

    Windows are `window_s` long, or as long as the data fills about `parts` of them; never longer
    than the longest run. Each is taken about its mean, and tapered by a Hann window.
    """
    from scipy.signal import spectrogram

    lengths = [len(values) for values in runs.values]
    length = _length(lengths, parts, None if window_s is None else round(window_s / runs.dt))
    hop = (length + 1) // 2
    if most_windows is not None:
        hop = max(hop // 2, -(-sum(lengths) // most_windows))
    times, rows = [], []
    frequencies = np.empty(0)
    for start, values in zip(runs.starts, runs.values, strict=True):
        if len(values) < length:
            continue
        frequencies, middles, density = spectrogram(
            *(values, runs.rate_hz, "hann"),
            nperseg=length,
            noverlap=max(length - hop, 0),
            detrend="constant",
        )
        times.append(start + middles)
        rows.append(density.T)
    missing_s = runs.lost_s + runs.dt * sum(count for count in lengths if count < length)
    averages = sum(len(row) for row in rows)
    basis = SpectrumBasis(
        runs.rate_hz,
        runs.usable_hz,
        runs.is_interpolated,
        length * runs.dt,
        averages,
        runs.gaps,
        missing_s,
    )
    every = np.concatenate(times), np.concatenate(rows)
    return ShortSpectra(every[0], frequencies, every[1], hop * runs.dt, basis)


def decibels(density: Array) -> Array:
    """10 log10 of a density, -300 for none at all; NaN stays."""
    return np.asarray(10.0 * np.log10(np.maximum(density, 1e-30)))


def _length(lengths: list[int], parts: int, wanted: int | None) -> int:
    longest = max(lengths)
    if wanted is not None:
        return min(max(wanted, 16), longest)
    ordered = np.sort(lengths)[::-1]
    held = np.cumsum(ordered) >= _KEPT_SHARE * sum(lengths)
    common = int(ordered[int(np.argmax(held))])
    rough = 2 ** round(np.log2(max(sum(lengths) / parts, 1.0)))
    length = int(np.clip(rough, _LEAST_LENGTH, _MOST_LENGTH))
    return min(length, max(common, _LEAST_LENGTH), longest)
