"""Desired and actual series: two uneven ones brought onto one even time."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

_GAP_S = 0.25
_GAP_INTERVALS = 5.0
_SLOWEST_S = 0.1
_LEAST = 20


@dataclass(frozen=True, slots=True)
class Inconclusive:
    """Why the data gives no answer, as a sentence, and what to do about it. `lacks_rate`: it was
    sent or recorded too seldom."""

    reason: str
    remedy: str
    lacks_rate: bool = False

    @property
    def text(self) -> str:
        """Both sentences."""
        return f"{self.reason} {self.remedy}"


@dataclass(frozen=True, slots=True, eq=False)
class Series:
    """Values (n,) at times (n,) in seconds, ascending, not evenly spaced."""

    times: Array
    values: Array


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """Desired and actual (n,) every `dt` seconds; `is_known` (n,) is False where readings of the
    actual are missing."""

    dt: float
    desired: Array
    actual: Array
    is_known: npt.NDArray[np.bool_]


def usable(series: Series) -> Series:
    """Without what is not a number, and without times that do not ascend."""
    kept = np.isfinite(series.times) & np.isfinite(series.values)
    times, values = series.times[kept], series.values[kept]
    if not len(times):
        return Series(times, values)
    ascends = np.concatenate([[True], times[1:] > np.maximum.accumulate(times)[:-1]])
    return Series(times[ascends], values[ascends])


def pair_up(
    desired: Series, actual: Series, finest_s: float, wraps_at: float | None = None
) -> Pair | Inconclusive:
    """Both on the time of the actual, whose usual interval it takes, or `finest_s` if longer.

    The desired value holds until the next one arrives, and its mean over each interval is taken, so
    that a change between two instants counts from when it came; which was, on average, half of its
    own interval before it was reported. `wraps_at` is 360 for headings.
    """
    asked, found = usable(desired), usable(actual)
    if len(found.times) < _LEAST or len(asked.times) < 2:
        return Inconclusive(
            "There are too few readings.",
            "Raise the telemetry rate of both objects and fly on.",
            lacks_rate=True,
        )
    intervals = [float(np.median(np.diff(series.times))) for series in (asked, found)]
    if max(intervals) > _SLOWEST_S:
        return Inconclusive(
            f"One reading every {1000.0 * max(intervals):.0f} ms is too slow.",
            f"Raise the telemetry rates of both objects to {1.0 / _SLOWEST_S:.0f} Hz or more.",
            lacks_rate=True,
        )
    asked = Series(asked.times - intervals[0] / 2.0, asked.values)
    begin = max(asked.times[0], found.times[0])
    end = min(asked.times[-1], found.times[-1])
    dt = max(intervals[1], finest_s)
    count = int((end - begin) / dt)
    if count < _LEAST:
        return Inconclusive(
            "Desired and actual were hardly recorded at the same time.",
            "Record both objects together.",
        )
    grid = begin + dt * np.arange(1, count)
    turns = _unwrapped(asked, wraps_at), _unwrapped(found, wraps_at)
    if wraps_at is not None:
        offset = np.median(
            np.interp(grid, found.times, turns[1]) - _held(asked.times, turns[0], grid)
        )
        turns = turns[0] + wraps_at * np.round(offset / wraps_at), turns[1]
    integral = np.concatenate([[0.0], np.cumsum(turns[0][:-1] * np.diff(asked.times))])
    ends = np.interp(np.concatenate([[begin], grid]), asked.times, integral)
    gaps = np.diff(found.times) > max(_GAP_S, _GAP_INTERVALS * dt)
    after = np.clip(np.searchsorted(found.times, grid) - 1, 0, len(gaps) - 1)
    return Pair(dt, np.diff(ends) / dt, np.interp(grid, found.times, turns[1]), ~gaps[after])


def _unwrapped(series: Series, wraps_at: float | None) -> Array:
    if wraps_at is None:
        return series.values
    return np.asarray(np.unwrap(series.values, period=wraps_at))


def _held(times: Array, values: Array, at: Array) -> Array:
    """The last value before each instant."""
    return np.asarray(values[np.clip(np.searchsorted(times, at, side="right") - 1, 0, None)])
