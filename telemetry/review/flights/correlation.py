"""Pearson's correlation of two signals for every offset between them."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

_Column = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class GridSignal:
    """A signal at even steps from `start_s` on: `values` (n,), and `known` (n,), 1.0 where samples
    are near and 0.0 where the signal was silent."""

    start_s: float
    step_s: float
    values: _Column
    known: _Column


def on_grid(
    times_s: _Column, values: _Column, span_s: tuple[float, float], step_s: float, most_gap_s: float
) -> GridSignal:
    """A signal at even steps over a span, its mean taken away; it is unknown where no two samples
    within `most_gap_s` surround a step."""
    grid = np.arange(span_s[0], span_s[1], step_s)
    after = np.clip(np.searchsorted(times_s, grid), 1, len(times_s) - 1)
    inside = (grid >= times_s[0]) & (grid <= times_s[-1])
    known = (inside & (times_s[after] - times_s[after - 1] <= most_gap_s)).astype(np.float64)
    filled = np.interp(grid, times_s, values)
    mean = float(filled @ known) / max(float(known.sum()), 1.0)
    return GridSignal(span_s[0], step_s, (filled - mean) * known, known)


def correlations(a: GridSignal, b: GridSignal, least_s: float) -> tuple[_Column, _Column]:
    """Offsets (m,) such that `time in a = offset + time in b`, and the correlation (m,) of what
    then lies over each other; -1 where that is less than `least_s`."""
    count_a, count_b = len(a.values), len(b.values)
    length = 1 << (count_a + count_b).bit_length()
    spectra_a = [np.fft.rfft(x, length) for x in (a.known, a.values, a.values**2)]
    spectra_b = [np.fft.rfft(x[::-1], length) for x in (b.known, b.values, b.values**2)]

    def sums(power_a: int, power_b: int) -> _Column:
        product = np.fft.irfft(spectra_a[power_a] * spectra_b[power_b], length)
        return np.asarray(product[: count_a + count_b - 1])

    count = np.maximum(np.round(sums(0, 0)), 1.0)
    sum_a, sum_b = sums(1, 0), sums(0, 1)
    covariance = sums(1, 1) - sum_a * sum_b / count
    spread_a = sums(2, 0) - sum_a**2 / count
    spread_b = sums(0, 2) - sum_b**2 / count
    floors = [1e-3 * float(x.values @ x.values) / max(x.known.sum(), 1.0) for x in (a, b)]
    scale = np.maximum(spread_a, floors[0] * count) * np.maximum(spread_b, floors[1] * count)
    likeness = covariance / np.sqrt(np.maximum(scale, 1e-300))
    steps = np.arange(len(count), dtype=np.float64) - (count_b - 1)
    offsets_s = steps * a.step_s + a.start_s - b.start_s
    return offsets_s, np.where(count * a.step_s >= least_s, likeness, -1.0)
