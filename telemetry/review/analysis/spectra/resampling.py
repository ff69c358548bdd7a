"""Resampling: uneven samples brought to one even rate, without inventing what is missing.

Runs of samples end at gaps, which nothing bridges. A run that is even already is taken as it is;
any other is read off the lines between its samples, at the median rate.
"""

from dataclasses import dataclass

import numpy as np

from telemetry.review.analysis.findings.stretches import Span
from telemetry.review.analysis.series import Array, Inconclusive, Series, usable

LEAST_SAMPLES = 32
_GAP_INTERVALS = 3.0
"""Two samples further apart than so many usual intervals have a gap between them."""
_EVEN_TIME, _EVEN_RATE = 0.1, 0.01
"""How far, in intervals and as a share, samples and rate of an even run are off at most."""
_SLOW_SHARE = 0.9


@dataclass(frozen=True, slots=True)
class EvenRuns:
    """Values every `dt` seconds in runs that begin at `starts`.

    `usable_hz` is the highest frequency that the samples can show: half their rate, or half of
    what nine tenths of the intervals keep where they are uneven. `lost_s` went by in `gaps`.
    """

    dt: float
    starts: tuple[float, ...]
    values: tuple[Array, ...]
    usable_hz: float
    is_interpolated: bool
    gaps: int
    lost_s: float

    @property
    def rate_hz(self) -> float:
        """Samples a second."""
        return 1.0 / self.dt


def even_runs(
    series: Series, spans: tuple[Span, ...], wraps_at: float | None = None
) -> EvenRuns | Inconclusive:
    """The samples of `series` within `spans` (start, end) at their median rate, or why that is not
    possible. `wraps_at` is 360 for angles in degrees, whose jumps from one end of the circle to
    the other are none."""
    clean = usable(series)
    inside = [_within(clean, span) for span in spans]
    parts = [part for part in inside if len(part.times) > 1]
    count = sum(len(part.times) for part in parts)
    if count < LEAST_SAMPLES:
        return Inconclusive(
            f"There are {count} readings in this stretch; {LEAST_SAMPLES} are needed.",
            "Choose a longer stretch, or have the object sent more often.",
            lacks_rate=True,
        )
    dt = float(np.median(np.concatenate([np.diff(part.times) for part in parts])))
    runs = [run for part in parts for run in _unbroken(part, dt)]
    kept = [run for run in runs if len(run.times) >= LEAST_SAMPLES // 2]
    if not kept:
        return Inconclusive(
            "Gaps tear the readings into pieces that are too short.",
            "Choose a stretch with fewer gaps, or improve the link.",
        )
    if all(float(np.ptp(run.values)) == 0.0 for run in kept):
        return Inconclusive("It does not change in this stretch.", "Choose another field.")
    is_even = all(_is_even(run, dt) for run in kept)
    intervals = np.concatenate([np.diff(run.times) for run in kept])
    slow = dt if is_even else max(dt, float(np.quantile(intervals, _SLOW_SHARE)))
    total_s = sum(float(part.times[-1] - part.times[0]) for part in parts)
    kept_s = sum(float(run.times[-1] - run.times[0]) for run in kept)
    return EvenRuns(
        dt,
        tuple(float(run.times[0]) for run in kept),
        tuple(_evened(run, dt, wraps_at) for run in kept),
        0.5 / slow,
        not is_even,
        len(runs) - len(parts),
        total_s - kept_s,
    )


def _within(series: Series, span: Span) -> Series:
    first, last = np.searchsorted(series.times, (span[0], np.nextafter(span[1], np.inf)))
    return Series(series.times[first:last], series.values[first:last])


def _unbroken(part: Series, dt: float) -> list[Series]:
    ends = np.flatnonzero(np.diff(part.times) > _GAP_INTERVALS * dt) + 1
    pieces = zip(np.split(part.times, ends), np.split(part.values, ends), strict=True)
    return [Series(times, values) for times, values in pieces]


def _is_even(run: Series, dt: float) -> bool:
    ideal = np.linspace(run.times[0], run.times[-1], len(run.times))
    own = float(run.times[-1] - run.times[0]) / (len(run.times) - 1)
    is_timely = float(np.abs(run.times - ideal).max()) <= _EVEN_TIME * dt
    return is_timely and abs(own / dt - 1.0) <= _EVEN_RATE


def _evened(run: Series, dt: float, wraps_at: float | None) -> Array:
    values = run.values if wraps_at is None else np.unwrap(run.values, period=wraps_at)
    if _is_even(run, dt):
        return values
    count = int((run.times[-1] - run.times[0]) / dt + 1e-9) + 1
    evened: Array = np.interp(run.times[0] + dt * np.arange(count), run.times, values)
    return evened
