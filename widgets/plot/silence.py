"""Silences of a curve: the recording has a gap, or the object fell silent.

A silence lies between two samples of an object further apart than `limit_s`, or on both sides of
a gap in the whole recording. What is sent only when it changes holds through its own silence;
settings hold through everything.
"""

from dataclasses import dataclass

import numpy as np

from telemetry.recording.recording import Recording
from telemetry.recording.track import Track
from telemetry.review.analysis.sampling import silence_limit_s, usual_period_s
from widgets.plot.peaks import Floats, Indices
from widgets.plot.window import Span

_LEAST_S = 2.0
_GAP_PERIODS = 2.0


@dataclass(frozen=True, slots=True)
class Break:
    """Between samples `index` - 1 and `index`: the last value counts until `start`, the next one
    comes at `stop`."""

    index: int
    start: float
    stop: float


class Silences:
    """The silences of one track, found as it grows. `is_held`: values last as long as they may,
    and are not joined to the next."""

    def __init__(self, track: Track, *, is_held: bool) -> None:
        self._track = track
        self._is_held = is_held
        self._period_s = 0.0
        self.limit_s = np.inf
        self._probed = 0
        self._scanned = 0
        self._own: Indices = np.empty(0, np.int64)
        self._gaps_seen: tuple[tuple[float, float], ...] = ()
        self._gaps: tuple[tuple[float, float], ...] = ()
        self._gap_starts: Floats = np.empty(0)
        self._indices: Indices = np.empty(0, np.int64)
        self._starts: Floats = np.empty(0)
        self._stops: Floats = np.empty(0)
        self._end_s = -np.inf

    def update(self, recording: Recording) -> None:
        """Take in what was recorded since the last call."""
        if self._track.definition.settings:
            return
        self._end_s = recording.last_s
        count, gaps = self._track.count, recording.gaps()
        if count == self._scanned and gaps is self._gaps_seen:
            return
        times = self._track.times[:count]
        if count >= 2 * self._probed:
            self._probe(times)
        scanned = max(self._scanned, 1)
        if np.isfinite(self.limit_s):
            own = np.flatnonzero(np.diff(times[scanned - 1 :]) > self.limit_s) + scanned
            self._own = np.append(self._own, own)
        self._scanned = count
        self._gaps_seen = gaps
        least_s = _GAP_PERIODS * self._period_s
        self._gaps = tuple(gap for gap in gaps if gap[1] - gap[0] > least_s)
        self._gap_starts = np.array([start for start, _ in self._gaps])
        self._arrange(times)

    def _probe(self, times: Floats) -> None:
        """Measure the usual period, and look for silences from the beginning."""
        self._probed = max(1, len(times))
        self._scanned = 0
        self._own = np.empty(0, np.int64)
        self._period_s = usual_period_s(self._track)
        self.limit_s = silence_limit_s(self._track)

    def _arrange(self, times: Floats) -> None:
        middles = np.array([(start + stop) / 2 for start, stop in self._gaps])
        after = times.searchsorted(middles)
        within = after[(after > 0) & (after < len(times))]
        self._indices = np.union1d(self._own, within).astype(np.int64)
        self._stops = times[self._indices]
        before = times[self._indices - 1]
        self._starts = self._expiry(before) if self._is_held else before

    def _expiry(self, sampled: Floats) -> Floats:
        """Until when the values of samples at these times count."""
        until = sampled + self.limit_s
        if not len(self._gap_starts):
            return until
        following = self._gap_starts.searchsorted(sampled - 1e-6)
        starts = np.append(self._gap_starts, np.inf)[following]
        expiry: Floats = np.maximum(sampled, np.minimum(until, starts))
        return expiry

    def breaks(self, start: int, stop: int, shortest_s: float) -> list[Break]:
        """Where samples `start` to `stop` are not joined; shorter ones cannot be seen."""
        first, last = self._indices.searchsorted((start + 1, stop))
        return [
            Break(int(self._indices[i]), float(self._starts[i]), float(self._stops[i]))
            for i in range(first, last)
            if self._stops[i] - self._starts[i] >= shortest_s
        ]

    def run_start(self, index: int) -> int:
        """The first sample after the silence before sample `index`; 0 if there was none."""
        before = int(self._indices.searchsorted(index, "right")) - 1
        return int(self._indices[before]) if before >= 0 else 0

    def held_until(self, t: float) -> float:
        """Until when, at most `t`, the newest value of all counts."""
        if not self._track.count:
            return t
        return min(t, float(self._expiry(np.array([self._track.last_s]))[0]))

    def spans(self, span: Span, until: float) -> list[Span]:
        """The silences that meet `span`; one that goes on ends at `until`."""
        first = int(self._stops.searchsorted(span.start, "right"))
        last = int(self._starts.searchsorted(span.stop, "left"))
        starts, stops = self._starts[first:last].tolist(), self._stops[first:last].tolist()
        found = [Span(start, stop) for start, stop in zip(starts, stops, strict=True)]
        expires = self.held_until(np.inf)
        if until - self._end_s > _LEAST_S:
            expires = min(expires, self._end_s)
        if self._track.count and expires < until:
            start = expires if self._is_held else self._track.last_s
            found.append(Span(start, until))
        return found

    def is_old(self, sampled_s: float, t: float) -> bool:
        """Whether the value of a sample at `sampled_s` no longer tells what is at `t`."""
        if self._track.definition.settings:
            return False
        if t - self._end_s > _LEAST_S:  # nothing at all is coming in
            return True
        return t > float(self._expiry(np.array([sampled_s]))[0])


def common_silences(silences: list[list[Span]]) -> tuple[Span, ...]:
    """Where all of several curves are silent."""
    if not silences:
        return ()
    common = silences[0]
    for others in silences[1:]:
        common = _overlaps(common, others)
    return tuple(common)


def _overlaps(ones: list[Span], others: list[Span]) -> list[Span]:
    """Where two lists of stretches in order meet."""
    found, i, j = [], 0, 0
    while i < len(ones) and j < len(others):
        start, stop = max(ones[i].start, others[j].start), min(ones[i].stop, others[j].stop)
        if stop > start:
            found.append(Span(start, stop))
        if ones[i].stop < others[j].stop:
            i += 1
        else:
            j += 1
    return found
