"""Noise of a sensor at rest: its white noise as a density, where a log shows it honestly.

The Allan deviation of white noise of density N is N / sqrt(tau) (IEEE Std 952, annex C). It is
believed where a stretch of 20 s or more is disarmed, quiet throughout, and has that slope: motion,
drift, filters and rounding have others.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Self

import numpy as np
import numpy.typing as npt

_Floats = npt.NDArray[np.float64]

_BLOCK_S: Final = 1.0
_LEAST_S: Final = 20.0
_LEAST_PER_BLOCK: Final = 4
_QUIET: Final = 3.0
"""A block may spread so many times as much as the quietest quarter does."""
_LONGEST_TAU_S: Final = 4.0
_LEAST_CLUSTERS: Final = 10
_SLOPE: Final = -0.5
_SLOPE_OFF: Final = 0.12
"""Of white noise over 20 s the slope has a standard error of 0.04."""


@dataclass(frozen=True, slots=True)
class RestNoise:
    """`density` is in the value's unit per root hertz, the root mean square of the axes, and holds
    to the `share` of it (a standard error). It was at rest from `start_s` to `end_s`."""

    density: float
    share: float
    start_s: float
    end_s: float

    @classmethod
    def of(
        cls, times: _Floats, values: _Floats, spans: Iterable[tuple[float, float]]
    ) -> Self | None:
        """Of values (n, axes), by the longest rest within these spans; None if there is none."""
        rests = [rest for span in spans if (rest := _rest(times, values, span)) is not None]
        start_s, end_s = max(rests, key=lambda rest: rest[1] - rest[0], default=(0.0, 0.0))
        if end_s - start_s < _LEAST_S:
            return None
        chosen = (times >= start_s) & (times < end_s)
        density = _white_density(values[chosen], float(np.median(np.diff(times[chosen]))))
        if density is None:
            return None
        count = int(chosen.sum()) * values.shape[1]
        return cls(density, float(np.sqrt(0.75 / count)), start_s, end_s)


def _rest(times: _Floats, values: _Floats, span: tuple[float, float]) -> tuple[float, float] | None:
    """The longest row of quiet blocks without its first and last one, which may have a movement at
    their edge."""
    first, last = np.searchsorted(times, span)
    if last - first < _LEAST_S / _BLOCK_S * _LEAST_PER_BLOCK:
        return None
    origin_s = float(times[first])
    blocks = ((times[first:last] - origin_s) // _BLOCK_S).astype(np.int64)
    count = int(blocks[-1]) + 1
    numbers = np.bincount(blocks, minlength=count)
    per_block = np.maximum(numbers, 1)[:, None]
    inside = values[first:last]
    sums = np.zeros((count, values.shape[1]))
    squares = np.zeros_like(sums)
    np.add.at(sums, blocks, inside)
    np.add.at(squares, blocks, inside**2)
    means = sums / per_block
    spreads = np.sqrt(np.maximum(squares / per_block - means**2, 0.0))
    is_whole = numbers >= max(_LEAST_PER_BLOCK, 0.8 * np.median(numbers))
    if not is_whole.any():
        return None
    quiet = np.quantile(spreads[is_whole], 0.25, axis=0)
    is_quiet = is_whole & (spreads <= _QUIET * quiet).all(axis=1) & (spreads > 0.0).all(axis=1)
    begin, end = _longest_run(is_quiet)
    return origin_s + (begin + 1) * _BLOCK_S, origin_s + (end - 1) * _BLOCK_S


def _longest_run(flags: npt.NDArray[np.bool_]) -> tuple[int, int]:
    """First and behind the last of the longest row of true ones."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], flags, [False])).astype(np.int8)))
    begins, ends = edges[::2], edges[1::2]
    if not len(begins):
        return 0, 0
    longest = int(np.argmax(ends - begins))
    return int(begins[longest]), int(ends[longest])


def _white_density(values: _Floats, step_s: float) -> float | None:
    """N, or None where the slope is not that of white noise."""
    sizes = [1]
    while (
        2 * sizes[-1] * step_s <= _LONGEST_TAU_S and len(values) >= _LEAST_CLUSTERS * 2 * sizes[-1]
    ):
        sizes.append(2 * sizes[-1])
    sums = np.concatenate((np.zeros((1, values.shape[1])), np.cumsum(values, axis=0)))
    variances = np.array([_allan_variance(sums, size) for size in sizes])
    if len(sizes) < 3 or not (variances > 0.0).all():
        return None
    logs = np.log(np.array(sizes) * step_s)
    slope = float(np.polyfit(logs, 0.5 * np.log(variances), 1)[0])
    if abs(slope - _SLOPE) > _SLOPE_OFF:
        return None
    return float(np.sqrt(variances[0] * step_s))


def _allan_variance(sums: _Floats, size: int) -> float:
    """Overlapping, mean of the axes."""
    means = (sums[size:] - sums[:-size]) / size
    return float(0.5 * np.mean(np.square(means[size:] - means[:-size])))
