"""Power spectrum of a stretch (Welch), and the peaks that stand out of it."""

from dataclasses import dataclass

import numpy as np

from telemetry.review.analysis.series import Array
from telemetry.review.analysis.spectra.resampling import EvenRuns
from telemetry.review.analysis.spectra.short_spectra import SpectrumBasis, decibels, short_spectra

_PARTS = 16
_MOST_PEAKS = 5
_CHANCE = 0.01
"""How likely noise alone makes a peak somewhere in a spectrum."""
_LEAST_DB = 4.0
_FAINTEST_DB = 60.0
"""What lies so far below the strongest line is rounding, or a window's side lobe."""
_LOBE = 2
"""Lines on either side of a peak that a steady swing fills under a Hann window."""
_FLOOR_LINES = 12


@dataclass(frozen=True, slots=True)
class SpectralPeak:
    """A frequency that stands out: `level_db` of its density, `amplitude` of a sine that would make
    it, in the unit of the signal."""

    frequency_hz: float
    level_db: float
    amplitude: float


@dataclass(frozen=True, slots=True, eq=False)
class PowerSpectrum:
    """Density (m,) in units²/Hz at `frequencies` (m,); its sum times their distance is the
    variance. `peaks` are the strongest first."""

    frequencies: Array
    density: Array
    peaks: tuple[SpectralPeak, ...]
    basis: SpectrumBasis


def power_spectrum(runs: EvenRuns, window_s: float | None = None) -> PowerSpectrum:
    """The mean over windows of `window_s`, or of a length that leaves a few dozen of them."""
    short = short_spectra(runs, _PARTS, window_s)
    density = short.density.mean(axis=0)
    peaks = _peaks(short.frequencies, density, short.basis)
    return PowerSpectrum(short.frequencies, density, peaks, short.basis)


def _peaks(frequencies: Array, density: Array, basis: SpectrumBasis) -> tuple[SpectralPeak, ...]:
    """Where the density is above its surroundings by more than chance explains."""
    from scipy.ndimage import median_filter
    from scipy.signal import find_peaks
    from scipy.special import gammaincinv

    count = len(frequencies)
    level = decibels(density)
    floor = decibels(median_filter(density, size=2 * _FLOOR_LINES + 1, mode="nearest"))
    worth = basis.independent_averages
    # A mean over `worth` windows of noise is distributed as chi squared with twice as many degrees.
    by_chance = gammaincinv(worth, 1.0 - _CHANCE / count) / gammaincinv(worth, 0.5)
    least_db = max(_LEAST_DB, 10.0 * float(np.log10(by_chance)))
    tops, _ = find_peaks(level, distance=2 * _LOBE, prominence=_LEAST_DB)
    usable = frequencies[tops] <= basis.usable_hz
    usable &= level[tops] > level[_LOBE:].max() - _FAINTEST_DB
    # What the mean was taken from leaves nothing to say of the lowest lines.
    tops = tops[usable & (tops >= _LOBE) & (level[tops] - floor[tops] > least_db)]
    strongest = tops[np.argsort(level[tops])[::-1][:_MOST_PEAKS]]
    return tuple(_peak(frequencies, density, level, int(top)) for top in strongest)


def _peak(frequencies: Array, density: Array, level: Array, top: int) -> SpectralPeak:
    """Between lines by the parabola through the decibels about it."""
    step = float(frequencies[1] - frequencies[0])
    before, at, after = level[top - 1 : top + 2]
    bend = before - 2.0 * at + after
    aside = 0.5 * (before - after) / bend if bend < 0.0 else 0.0
    variance = step * float(density[top - _LOBE : top + _LOBE + 1].sum())
    return SpectralPeak(
        float(frequencies[top] + aside * step),
        float(at - 0.25 * (before - after) * aside),
        float(np.sqrt(2.0 * variance)),
    )
