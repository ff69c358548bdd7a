"""Expression filters: derivative, integral, low-pass, moving mean and more, piece by piece.

A step takes one piece after the other, so that a growing recording is never computed anew and a
long one is computed bit by bit. Those that look back keep what they need of the pieces before;
they look back only, and a value once computed never changes. Over a silence nothing is carried.
"""

import math
from bisect import bisect_left, insort
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class SampleRun:
    """The next samples (n,) of the time base, ascending; `begins_anew` (n,) where a silence lies
    before one, and at the very first."""

    times: Floats
    begins_anew: Flags


Step = Callable[[SampleRun, Floats], Floats]
_FADED = 1e-12


class _Past:
    """The last sample of the pieces before."""

    def __init__(self) -> None:
        self.t = np.nan
        self.value = np.nan

    def before(self, stretch: SampleRun, values: Floats) -> tuple[Floats, Floats]:
        """Time and value of the sample before each one, NaN where there is none."""
        times = np.append(self.t, stretch.times[:-1])
        previous = np.append(self.value, values[:-1])
        previous[stretch.begins_anew] = np.nan
        self.t, self.value = float(stretch.times[-1]), float(values[-1])
        return times, previous


def derivative() -> Step:
    """Change per second since the sample before."""
    past = _Past()

    def step(stretch: SampleRun, values: Floats) -> Floats:
        times, previous = past.before(stretch, values)
        elapsed = stretch.times - times
        rate: Floats = np.divide(
            values - previous, elapsed, out=np.full(len(values), np.nan), where=elapsed > 0.0
        )
        return rate

    return step


def integral() -> Step:
    """Sum over time from the first sample on, by trapezes; a silence adds nothing."""
    past = _Past()
    total = 0.0

    def step(stretch: SampleRun, values: Floats) -> Floats:
        nonlocal total
        times, previous = past.before(stretch, values)
        area = np.nan_to_num((values + previous) / 2.0 * (stretch.times - times))
        sums: Floats = total + np.cumsum(area)
        total = float(sums[-1])
        return sums

    return step


def low_pass(cutoff_hz: float) -> Step:
    """First order, exact for any interval between samples."""
    t, y, was_silent = np.nan, 0.0, False

    def step(stretch: SampleRun, values: Floats) -> Floats:
        nonlocal t, y, was_silent
        out = np.full(len(values), np.nan)
        known = np.isfinite(values)
        silences = np.cumsum(stretch.begins_anew) + was_silent
        was_silent = bool(silences[-1]) if not known.any() else silences[-1] > silences[known][-1]
        if not known.any():
            return out
        times = stretch.times[known]
        kept = np.exp(-2.0 * np.pi * cutoff_hz * np.diff(times, prepend=t))
        kept[(np.diff(silences[known], prepend=0) > 0) | np.isnan(kept)] = 0.0
        driven = (1.0 - kept) * values[known]
        driven[0] += kept[0] * y
        out[known] = _recurrence(kept, driven)
        t, y = float(times[-1]), float(out[known][-1])
        return out

    return step


def high_pass(cutoff_hz: float) -> Step:
    """What a low-pass leaves out."""
    low = low_pass(cutoff_hz)
    return lambda stretch, values: values - low(stretch, values)


def _recurrence(factors: Floats, inputs: Floats) -> Floats:
    """y[i] = factors[i] * y[i-1] + inputs[i] for all i at once: sums over twice as many samples
    at each turn, until what lies further back has faded."""
    y, weight, reach = inputs.copy(), factors.copy(), 1
    weight[0] = 0.0
    while reach < len(y) and float(weight.max()) > _FADED:
        y[reach:] += weight[reach:] * y[:-reach]
        weight[reach:] *= weight[:-reach].copy()
        weight[:reach] = 0.0
        reach *= 2
    return y


class _Window:
    """The samples of the last `seconds`, beginning after the last silence."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._times = np.empty(0)
        self._values = np.empty(0)

    def take(self, stretch: SampleRun, values: Floats) -> tuple[Floats, npt.NDArray[np.int64], int]:
        """Values kept and new; where each new one's window starts; how many were kept."""
        kept = len(self._times)
        times, joined = np.append(self._times, stretch.times), np.append(self._values, values)
        starts = times.searchsorted(stretch.times - self._seconds, "right")
        positions = np.arange(kept, len(times))
        resets = np.where(stretch.begins_anew, positions, 0)
        starts = np.maximum(starts, np.maximum.accumulate(resets)).astype(np.int64)
        self._times, self._values = times[starts[-1] :], joined[starts[-1] :]
        return joined, starts, kept


def moving_mean(seconds: float) -> Step:
    """Mean of the samples of the last `seconds`."""
    window = _Window(seconds)

    def step(stretch: SampleRun, values: Floats) -> Floats:
        joined, starts, kept = window.take(stretch, values)
        known = np.isfinite(joined)
        center = float(joined[known].mean()) if known.any() else 0.0
        sums = np.append(0.0, np.cumsum(np.where(known, joined - center, 0.0)))
        counts = np.append(0, np.cumsum(known))
        ends = np.arange(kept + 1, len(joined) + 1)
        count = counts[ends] - counts[starts]
        mean = (sums[ends] - sums[starts]) / np.maximum(count, 1) + center
        result: Floats = np.where(count > 0, mean, np.nan)
        return result

    return step


def moving_median(seconds: float) -> Step:
    """Median of the samples of the last `seconds`."""
    window = _Window(seconds)

    def step(stretch: SampleRun, values: Floats) -> Floats:
        joined, starts, kept = window.take(stretch, values)
        return _medians(joined.tolist(), starts.tolist(), kept)

    return step


def _medians(values: list[float], starts: list[int], kept: int) -> Floats:
    """The median of `values` from each of `starts` up to the `kept`th and those after it, NaN
    passed over."""
    first = starts[0]
    ordered = sorted(value for value in values[first:kept] if not math.isnan(value))
    medians = np.full(len(starts), np.nan)
    for number, start in enumerate(starts):
        for left in values[first:start]:
            if not math.isnan(left):
                del ordered[bisect_left(ordered, left)]
        first = start
        if not math.isnan(value := values[kept + number]):
            insort(ordered, value)
        if ordered:
            middle = len(ordered) - 1
            medians[number] = (ordered[middle // 2] + ordered[(middle + 1) // 2]) / 2.0
    return medians


def unwrapped(period: float) -> Step:
    """A direction without its jumps by `period`."""
    past = _Past()
    turns = 0.0

    def step(stretch: SampleRun, values: Floats) -> Floats:
        nonlocal turns
        _, previous = past.before(stretch, values)
        jumps = np.round(np.nan_to_num(values - previous) / period)
        total = turns - np.cumsum(jumps)
        turns = float(total[-1])
        out: Floats = values + period * total
        return out

    return step
