"""Clock shift between videos and logs: by a vote of all files that tell both clocks.

A camera's clock may be an hour off for summer time, or years because nobody has set it; in either
case it is off by the same for all videos of a card. So every log and video that could belong
together proposes a shift, and the one that gives most videos a log is taken.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

_HOUR_S: Final = 3600.0
_ZONES_S: Final = 14 * _HOUR_S
_SET_BY_HAND_S: Final = 300.0
"""A clock that somebody has set is right to this, apart from its zone."""
_LEAST_OVERLAP: Final = 0.5
_LEAST_STRANGE: Final = 2
"""A shift that no zone explains needs so many videos that agree."""
_MOST_CANDIDATES: Final = 20_000


@dataclass(frozen=True, slots=True)
class ClockSpan:
    """A file on its own clock, in seconds."""

    start_s: float
    end_s: float

    @property
    def duration_s(self) -> float:
        """Its length."""
        return self.end_s - self.start_s


@dataclass(frozen=True, slots=True)
class ClockShift:
    """What is to be added to the videos' clock. `pairs` are (video, log) by number; `is_usual`
    says that a zone explains it, and no other number of videos agrees with another shift."""

    shift_s: float
    pairs: tuple[tuple[int, int], ...]
    is_usual: bool


def find_clock_shift(logs: Sequence[ClockSpan], videos: Sequence[ClockSpan]) -> ClockShift | None:
    """The shift that gives most videos a log which covers half of the shorter of the two.

    None where no zone explains any, and no two videos of two logs agree.
    """
    if not logs or not videos:
        return None
    table = _Table(logs, videos)
    best: tuple[tuple[float, ...], ClockShift] | None = None
    for shift_s in _candidates(logs, videos):
        pairs = table.pairs(shift_s)
        found = ClockShift(shift_s, pairs, is_usual(shift_s))
        strange = 0 if found.is_usual else _LEAST_STRANGE
        # Films that lie in one log may do so by any shift: only another log can confirm it.
        if not pairs or len({log for _, log in pairs}) < strange:
            continue
        # In doubt the clock that was set, to the second rather than by the starts, which nobody
        # presses at once; then the one whose starts agree best, then the least.
        likelihood = len(pairs) - strange + 0.5 * found.is_usual + 0.2 * (shift_s % _HOUR_S == 0)
        score = (likelihood, -table.spread_s(found), -abs(shift_s))
        if best is None or score > best[0]:
            best = score, found
    return best[1] if best else None


def is_usual(shift_s: float) -> bool:
    """Whether a zone, and a clock set by hand, explain a shift."""
    remainder = abs(shift_s - _HOUR_S * round(shift_s / _HOUR_S))
    return abs(shift_s) <= _ZONES_S + _SET_BY_HAND_S and remainder <= _SET_BY_HAND_S


def _candidates(logs: Sequence[ClockSpan], videos: Sequence[ClockSpan]) -> list[float]:
    """Every start of a video on every start of a log; whole hours, in case none did so."""
    hours = [_HOUR_S * number for number in range(-14, 15)]
    pairs = [log.start_s - video.start_s for log in logs for video in videos]
    return sorted({*hours, *(round(shift_s) for shift_s in pairs[:_MOST_CANDIDATES])})


class _Table:
    """How logs and videos overlap, at any shift."""

    def __init__(self, logs: Sequence[ClockSpan], videos: Sequence[ClockSpan]) -> None:
        self._logs = np.array([(log.start_s, log.end_s) for log in logs])
        self._videos = np.array([(video.start_s, video.end_s) for video in videos])[:, None]
        lengths = np.diff(self._logs)[:, 0], np.diff(self._videos, axis=2)[:, :, 0]
        self._shorter_s = np.maximum(np.minimum(*lengths), 1.0)

    def pairs(self, shift_s: float) -> tuple[tuple[int, int], ...]:
        """(video, log) by number, for every video that half fits into a log."""
        videos = self._videos + shift_s
        end_s = np.minimum(self._logs[:, 1], videos[:, :, 1])
        shares = (end_s - np.maximum(self._logs[:, 0], videos[:, :, 0])) / self._shorter_s
        best = shares.argmax(axis=1)
        (fitting,) = np.nonzero(shares.max(axis=1) >= _LEAST_OVERLAP)
        return tuple((int(video), int(best[video])) for video in fitting)

    def spread_s(self, found: ClockShift) -> float:
        """How far apart videos and logs begin, at the median."""
        videos, logs = np.array(found.pairs).T
        apart_s = self._videos[videos, 0, 0] + found.shift_s - self._logs[logs, 0]
        return float(np.median(np.abs(apart_s)))
