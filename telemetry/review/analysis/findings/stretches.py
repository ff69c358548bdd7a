"""Time stretches over which something was so, from samples that hold until the next one."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Span = tuple[float, float]
_SAME_S = 1e-6


@dataclass(frozen=True, slots=True)
class TimeStretch:
    """Samples `first` to `last`, both included, and from when to when they hold. `spells` is how
    often it began anew within."""

    first: int
    last: int
    start: float
    end: float
    spells: int

    @property
    def length_s(self) -> float:
        """How long it is."""
        return self.end - self.start

    @property
    def span(self) -> Span:
        """Start and end."""
        return self.start, self.end


def stretches(starts: Floats, ends: Floats, is_so: Flags, join_s: float = 0.0) -> list[TimeStretch]:
    """Where `is_so`. Sample i holds from `starts[i]` to `ends[i]`; stretches no further apart than
    `join_s` are one."""
    indices = np.flatnonzero(is_so)
    if not len(indices):
        return []
    apart_s = starts[indices[1:]] - ends[indices[:-1]]
    is_anew = (np.diff(indices) > 1) | (apart_s > _SAME_S)
    groups = np.concatenate(([0], np.flatnonzero(is_anew & (apart_s > join_s + _SAME_S)) + 1))
    lasts = np.append(groups[1:], len(indices)) - 1
    spells = np.concatenate(([0], np.cumsum(is_anew)))
    return [
        TimeStretch(
            int(indices[first]),
            int(indices[last]),
            float(starts[indices[first]]),
            float(ends[indices[last]]),
            int(spells[last] - spells[first]) + 1,
        )
        for first, last in zip(groups.tolist(), lasts.tolist(), strict=True)
    ]


def inside(times: Floats, spans: tuple[Span, ...] | list[Span]) -> Flags:
    """Which times lie within one of these spans, ends included; the spans ascend."""
    if not spans:
        return np.zeros(len(times), np.bool_)
    starts = np.array([start for start, _ in spans])
    ends = np.array([end for _, end in spans])
    before = np.searchsorted(starts, times, "right") - 1
    flags: Flags = (before >= 0) & (times <= ends[np.maximum(before, 0)])
    return flags
