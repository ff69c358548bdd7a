"""Kept points: points seen in two pictures each, of stretches that are spread over a video."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

_Column = npt.NDArray[np.float64]
_Points = npt.NDArray[np.float32]
_Mask = npt.NDArray[np.bool_]

_STRETCH_S = 5.0
_MOST_STEPS = 6000
"""Four megabytes: a film of seven minutes and more is looked at in parts."""
_MOST_POINTS = 32
"""Of each step: three times as many told no more of any lens, for it is the log that is not as
exact."""


@dataclass(frozen=True, slots=True, eq=False)
class PointSteps:
    """Points in the pictures at `start_s` and `end_s` (n,), the medium's times.

    `before` and `after` (n, m, 2) are pixels of pictures of `size` (width, height), which were made
    smaller from `full_width`; `is_seen` (n, m) says which of them are.
    """

    size: tuple[int, int]
    full_width: int
    start_s: _Column
    end_s: _Column
    before: _Points
    after: _Points
    is_seen: _Mask

    def __len__(self) -> int:
        return len(self.start_s)

    @property
    def times_s(self) -> _Column:
        """When the first one starts, and each ends."""
        return np.concatenate([self.start_s[:1], self.end_s])


class KeptPoints:
    """Keeps the steps of every stretch, of every second one once those are too many, and so on."""

    def __init__(self) -> None:
        self._every = 1
        self._kept: list[tuple[float, float, _Points, _Points]] = []

    def add(self, start_s: float, end_s: float, before: _Column, after: _Column) -> None:
        """One step: the points (m, 2) in its two pictures."""
        if not self._is_kept(end_s):
            return
        every = math.ceil(len(before) / _MOST_POINTS) or 1
        first, second = (points[::every].astype(np.float32) for points in (before, after))
        self._kept.append((start_s, end_s, first, second))
        while len(self._kept) > _MOST_STEPS:
            self._every *= 2
            self._kept = [one for one in self._kept if self._is_kept(one[1])]

    def steps(self, size: tuple[int, int], full_width: int) -> PointSteps:
        """What is kept."""
        most = max((len(one[2]) for one in self._kept), default=0)
        shape = (len(self._kept), most)
        before, after = (np.zeros((*shape, 2), np.float32) for _ in range(2))
        is_seen = np.zeros(shape, np.bool_)
        for row, (_start_s, _end_s, first, second) in enumerate(self._kept):
            before[row, : len(first)], after[row, : len(first)] = first, second
            is_seen[row, : len(first)] = True
        times_s = np.array([one[:2] for one in self._kept], np.float64).reshape(-1, 2)
        return PointSteps(size, full_width, times_s[:, 0], times_s[:, 1], before, after, is_seen)

    def _is_kept(self, end_s: float) -> bool:
        return int(end_s / _STRETCH_S) % self._every == 0
