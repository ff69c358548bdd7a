"""Peak-preserving decimation: millions of samples as what pixel columns can show.

Samples are taken together in buckets of a power of two, counted from the first sample of all, so
a scrolling window shows the same peaks from frame to frame. Minimum and maximum of fixed blocks
are kept as the recording grows: a view of a whole long flight reads those, not the samples.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

BLOCK = 256
_SHORT = 64
"""Buckets of fewer samples are reduced all at once, place by place; others one after the other."""

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Column = Callable[[int, int], NDArray[Any]]
"""Returns the values of samples start to stop."""
_NO_PEAKS: tuple[Floats, Floats] = (np.empty(0), np.empty(0))


def bucket_size(count: int, columns: int) -> int:
    """The power of two of samples that share a bucket so that at most `columns` remain."""
    return 1 << max(0, (max(1, count) - 1) // max(1, columns)).bit_length()


def bucket_extremes(values: NDArray[Any], size: int) -> tuple[Floats, Floats]:
    """Minimum and maximum of every `size` values; the last bucket may be short. NaN is skipped."""
    whole = len(values) // size * size
    body = np.ascontiguousarray(values[:whole]).reshape(-1, size)  # columns of records are not
    body, axis = (np.ascontiguousarray(body.T), 0) if size < _SHORT else (body, 1)
    low, high = np.empty((2, -(-len(values) // size)))
    buckets = whole // size
    low[:buckets], high[:buckets] = np.fmin.reduce(body, axis=axis), np.fmax.reduce(body, axis=axis)
    if whole < len(values):
        low[-1], high[-1] = np.fmin.reduce(values[whole:]), np.fmax.reduce(values[whole:])
    return low, high


class _Buckets(NamedTuple):
    """The extremes of whole buckets of `size` samples, from sample `start` on."""

    size: int
    start: int
    low: Floats
    high: Floats


class Peaks:
    """The peaks of one column of a growing recording."""

    def __init__(self, column: Column) -> None:
        self._column = column
        self._blocks = 0
        self._low: Floats = np.empty(64)
        self._high: Floats = np.empty(64)
        self._kept = _Buckets(0, 0, *_NO_PEAKS)

    def read(self, times: Floats, start: int, stop: int, columns: int) -> tuple[Floats, Floats]:
        """Return times and values that draw samples start to stop in `columns` pixels.

        Few samples come as they are; many as two values per bucket, lowest and highest, or the
        other way round in every other one, at the time of the bucket's first sample. `times` holds
        all samples' times.
        """
        return self.read_run(times, start, stop, bucket_size(stop - start, columns))

    def read_run(
        self, times: Floats, start: int, stop: int, size: int, first: int = 0
    ) -> tuple[Floats, Floats]:
        """Like `read`, with the size of buckets given and no sample before `first` touched."""
        if size < 4:
            values = self._column(start, stop).astype(np.float64)
            return times[start:stop].astype(np.float64), values
        start = start // size * size
        if start >= first:
            low, high = self._extremes(start, stop, size)
            return _paired(times[start:stop:size], low, high, start // size)
        # The bucket in which `first` lies belongs to the run before as well: share it.
        whole = min(start + size, stop)
        head = self._column(first, whole)
        low, high = np.fmin.reduce(head)[None], np.fmax.reduce(head)[None]
        t = times[first : first + 1]
        if whole < stop:
            more_low, more_high = self._extremes(whole, stop, size)
            low, high = np.append(low, more_low), np.append(high, more_high)
            t = np.append(t, times[whole:stop:size])
        return _paired(t, low, high, start // size)

    def _extremes(self, start: int, stop: int, size: int) -> tuple[Floats, Floats]:
        if size < 2 * BLOCK:
            return self._of_samples(start, stop, size)
        self._keep_blocks(stop)
        # Whole buckets come from the blocks, what is left at the end from the samples.
        whole = start + (stop - start) // size * size
        first, last, merge = start // BLOCK, whole // BLOCK, size // BLOCK
        low = np.fmin.reduce(self._low[first:last].reshape(-1, merge), axis=1)
        high = np.fmax.reduce(self._high[first:last].reshape(-1, merge), axis=1)
        if whole < stop:
            tail = bucket_extremes(self._column(whole, stop), size)
            low, high = np.append(low, tail[0]), np.append(high, tail[1])
        return low, high

    def _of_samples(self, start: int, stop: int, size: int) -> tuple[Floats, Floats]:
        """A window that scrolls on takes the whole buckets over that it showed before."""
        kept = self._kept
        shared = slice((start - kept.start) // size, (stop - kept.start) // size)
        low, high = kept.low[shared], kept.high[shared]
        if kept.size != size or start < kept.start or not len(low):
            low, high = _NO_PEAKS
        after = start + len(low) * size
        if after < stop:
            more_low, more_high = bucket_extremes(self._column(after, stop), size)
            low, high = np.concatenate((low, more_low)), np.concatenate((high, more_high))
        whole = (stop - start) // size
        self._kept = _Buckets(size, start, low[:whole], high[:whole])
        return low, high

    def _keep_blocks(self, stop: int) -> None:
        """Take all whole blocks before sample `stop` into the kept extremes."""
        wanted = stop // BLOCK
        if wanted <= self._blocks:
            return
        if wanted > len(self._low):
            self._low = np.resize(self._low, max(wanted, 2 * len(self._low)))
            self._high = np.resize(self._high, len(self._low))
        new = slice(self._blocks, wanted)
        values = self._column(self._blocks * BLOCK, wanted * BLOCK)
        self._low[new], self._high[new] = bucket_extremes(values, BLOCK)
        self._blocks = wanted


def _paired(times: Floats, low: Floats, high: Floats, bucket: int) -> tuple[Floats, Floats]:
    """Both extremes of each bucket, the first of which is the `bucket`th of all: up in one, down
    in the next, so that the line between them is short and quickly painted."""
    values = np.empty(2 * len(low))
    values[0::2], values[1::2] = low, high
    down = 1 - bucket % 2
    values[2 * down :: 4], values[2 * down + 1 :: 4] = high[down::2], low[down::2]
    return np.repeat(times, 2), values
