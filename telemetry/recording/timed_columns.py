"""Timed columns, append-only: what the tracks of objects and of streams have in common."""

import mmap
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

Times = npt.NDArray[np.float64]
Grow = Callable[[npt.NDArray[Any], int], npt.NDArray[Any]]
"""Makes an array of at least so many items that begins with those of another one."""

LEAST_MAPPED_BYTES: Final = 1 << 16
"""A smaller column is not worth pages of its own."""


def grown_in_memory(column: npt.NDArray[Any], capacity: int) -> npt.NDArray[Any]:
    """Twice as long, if that is enough.

    Of a long one the pages not written to yet take no memory, and those of the shorter one before
    go back to the system: left in the program's heap, the holes of many columns came to as much as
    the columns.
    """
    length = max(capacity, 2 * len(column))
    size = length * column.itemsize
    if size < LEAST_MAPPED_BYTES:
        larger = np.empty(length, column.dtype)
    else:
        larger = np.frombuffer(mmap.mmap(-1, size), column.dtype, length)
    larger[: len(column)] = column
    return larger


class TimedColumns:
    """Columns of which the first says when, in seconds, ascending. One thread appends; any thread
    reads, without locks.

    The writer fills a row first and counts it afterwards, and a reader takes the count before
    the arrays, so that a reader never sees a row that is not complete. `count` never falls and
    serves as the version that tells a panel whether to repaint.
    """

    count: int
    _columns: tuple[npt.NDArray[Any], ...]

    @property
    def times(self) -> Times:
        """Seconds of all samples, ascending. A view: do not write."""
        count = self.count
        return self._columns[0][:count]

    @property
    def first_s(self) -> float:
        """The time of the first sample; infinity if there is none."""
        return float(self._columns[0][0]) if self.count else float("inf")

    @property
    def last_s(self) -> float:
        """The time of the newest sample; minus infinity if there is none."""
        count = self.count
        return float(self._columns[0][count - 1]) if count else float("-inf")

    def index_at(self, t: float) -> int:
        """The last sample at or before `t`; -1 if there is none."""
        count = self.count
        times = self._columns[0]
        if count and times.item(count - 1) <= t:  # as always in a live flight
            return count - 1
        return int(times[:count].searchsorted(t, "right")) - 1

    def range(self, t0: float | None, t1: float | None) -> tuple[int, int]:
        """Positions [start, stop) of the samples with t0 <= t <= t1; None leaves an end open."""
        times = self.times
        start = 0 if t0 is None else int(times.searchsorted(t0, "left"))
        stop = len(times) if t1 is None else int(times.searchsorted(t1, "right"))
        return start, max(start, stop)
