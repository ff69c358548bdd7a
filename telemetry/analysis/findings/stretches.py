"""Stretches of time over which something was so, from samples that hold until the next one."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Span = tuple[float, float]


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
    edges = np.flatnonzero(np.diff(np.concatenate(([0], is_so.astype(np.int8), [0]))))
    firsts, lasts = edges[::2], edges[1::2] - 1
    if not len(firsts):
        return []
    apart = starts[firsts[1:]] - ends[lasts[:-1]] > join_s
    begins = np.concatenate(([True], apart))
    groups = np.flatnonzero(begins)
    counts = np.diff(np.append(groups, len(firsts)))
    return [
        TimeStretch(
            int(firsts[group]),
            int(lasts[group + count - 1]),
            float(starts[firsts[group]]),
            float(ends[lasts[group + count - 1]]),
            int(count),
        )
        for group, count in zip(groups, counts, strict=True)
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
