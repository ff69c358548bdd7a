"""Joined clips: where a video that was cut together may change from one line to another.

Where the picture changes for good, and where a file ends, a change is likely; where the picture
goes on it is not, but possible: two pictures of a hover look alike. What a second of the video
tells for a line is weighed against what a change has to be worth.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from telemetry.review.flights.synchronisation.fit import Alignment
from telemetry.review.flights.synchronisation.turns import LEAST_TURN_DEG, PictureTurns

_Column = npt.NDArray[np.float64]

_CELL_S = 1.0
_MOST_PER_CELL = 30.0
_AT_CUT, _ANYWHERE = 8.0, 40.0
"""So much log likelihood has a change to another line to be worth."""
_AROUND_S = 0.7
"""A cut is clean if the picture was followed for so long before and after it: fast turning and
damage lose it several times in a row."""
_SEAM_NEAR_S, _MOST_LOST_S = 1.5, 0.5
_WINDOW_S, LEAST_CLIP_S = 30.0, 10.0
_AGAINST = -12.0
"""A clip that tells less than this log likelihood for a line is not on it."""
_LEAST_COMPARED = 0.5


@dataclass(frozen=True, slots=True)
class LineRun:
    """A stretch of the medium and the number of its line; None where no line fits."""

    start_s: float
    end_s: float
    line: int | None


class Cells:
    """The medium in cells of a second, none of which lies across a cut."""

    def __init__(self, picture: PictureTurns) -> None:
        self._picture = picture
        first_s, last_s = float(picture.times_s[0]), float(picture.times_s[-1])
        self.cuts_s = clean_cuts(picture)
        even_s = np.arange(first_s, last_s, _CELL_S)
        self.edges_s = np.unique([*even_s, *self.cuts_s, last_s])
        self._is_cut = np.isin(self.edges_s[:-1], self.cuts_s)
        self.clips = list(itertools.pairwise([first_s, *self.cuts_s, last_s]))

    def windows(self) -> list[tuple[float, float]]:
        """Stretches that overlap by half, none across a clean cut, each long enough to be looked
        for by itself."""
        found = []
        for start, end in self.clips:
            if end - start < LEAST_CLIP_S:
                continue
            count = max(int(np.ceil((end - start) / _WINDOW_S * 2)) - 1, 1)
            starts = np.linspace(start, max(end - _WINDOW_S, start), count)
            found += [(float(at), min(float(at) + _WINDOW_S, end)) for at in starts]
        return found

    def gains(self, line: Alignment) -> _Column:
        """The gain over no connection, cell by cell; nan where there is nothing to compare."""
        number = np.searchsorted(self.edges_s, line.times_s, "right") - 1
        number = np.clip(number, 0, len(self.edges_s) - 2)
        gains = np.full(len(self.edges_s) - 1, np.nan)
        gains[number] = 0.0
        np.add.at(gains, number, line.null_costs - line.costs)
        return gains

    def agrees(self, gains: _Column, start_s: float, end_s: float) -> bool:
        """Whether a stretch was compared with a line of these gains and does not contradict it."""
        middle_s = (self.edges_s[:-1] + self.edges_s[1:]) / 2
        inside = gains[(middle_s >= start_s) & (middle_s < end_s)]
        compared = inside[np.isfinite(inside)]
        is_compared = len(compared) >= _LEAST_COMPARED * len(inside)
        return bool(is_compared and compared.sum() > _AGAINST)

    def goes_on(self, run: LineRun) -> bool:
        """Whether the picture goes on where a run begins and ends: neither a clean cut nor darkness
        is near, at most frames that fast turning has lost."""
        times_s, is_lost = self._picture.times_s[1:], ~self._picture.is_seen[1:]
        lost_s = np.diff(self._picture.times_s) * is_lost
        for end_s in (run.start_s, run.end_s):
            is_near = np.abs(times_s - end_s) < _SEAM_NEAR_S
            is_cut = any(abs(cut_s - end_s) < _SEAM_NEAR_S for cut_s in self.cuts_s)
            if is_cut or lost_s[is_near].sum() > _MOST_LOST_S:
                return False
        return True

    def runs(self, gains: Sequence[_Column]) -> list[LineRun]:
        """The likeliest course of the medium on lines of these gains, or on none. What is on none
        because it is short, or because the camera stands still while a log settles, goes with the
        run before or after it, if no cut lies between."""
        runs = [part for run in self._runs(gains) for part in self.apart(run)]
        for number, run in enumerate(runs):
            before = runs[number - 1] if number else None
            after = runs[number + 1] if number + 1 < len(runs) else None
            if run.line is not None or not self._is_passing(run):
                continue
            if before is not None and run.start_s not in self.cuts_s:
                runs[number] = replace(run, line=before.line)
            elif after is not None and run.end_s not in self.cuts_s:
                runs[number] = replace(run, line=after.line)
        groups = (list(group) for _, group in itertools.groupby(runs, key=lambda run: run.line))
        return [replace(same[0], end_s=same[-1].end_s) for same in groups]

    def apart(self, run: LineRun) -> list[LineRun]:
        """The parts, between clean cuts, of a run on no line; a run on one."""
        if run.line is not None:
            return [run]
        return [LineRun(*clip, None) for clip in self.clips_of(run)]

    def clips_of(self, run: LineRun) -> list[tuple[float, float]]:
        """The clips in a run, or parts of them."""
        return [
            (max(start, run.start_s), min(end, run.end_s))
            for start, end in self.clips
            if start < run.end_s and end > run.start_s
        ]

    def _is_passing(self, run: LineRun) -> bool:
        turn_deg = self._picture.told(run.start_s, run.end_s)[1]
        return run.end_s - run.start_s < LEAST_CLIP_S or turn_deg < LEAST_TURN_DEG

    def _runs(self, gains: Sequence[_Column]) -> list[LineRun]:
        told = np.nan_to_num(np.stack([*gains, np.zeros(len(self._is_cut))]))
        path = _path(told, self._is_cut)
        changes = np.flatnonzero(np.diff(path)) + 1
        edges = [0, *(int(at) for at in changes), len(path)]
        seams_s = [self._seam_s(edge) for edge in edges]
        return [
            LineRun(seams_s[i], seams_s[i + 1], int(path[at]) if path[at] < len(gains) else None)
            for i, at in enumerate(edges[:-1])
            if seams_s[i + 1] > seams_s[i]
        ]

    def _seam_s(self, edge: int) -> float:
        """When the picture changes around the edge of a cell: at the edge, or where it jumps."""
        at_s = float(self.edges_s[edge])
        if edge in (0, len(self.edges_s) - 1) or self._is_cut[edge]:
            return at_s
        times_s = self._picture.times_s
        first, last = np.searchsorted(times_s, [at_s - _SEAM_NEAR_S, at_s + _SEAM_NEAR_S])
        row = max(int(first), 1) + int(np.argmax(self._picture.jump[max(int(first), 1) : last]))
        return float(times_s[row - 1] + times_s[row]) / 2


def clean_cuts(picture: PictureTurns) -> list[float]:
    """When files end, and when the picture, followed before and after, changes from one frame to
    the next."""
    times_s = picture.times_s
    lost = np.flatnonzero(~picture.is_seen[1:]) + 1
    lost_s = times_s[lost]
    others = np.searchsorted(lost_s, lost_s + _AROUND_S, "right")
    others = others - np.searchsorted(lost_s, lost_s - _AROUND_S, "left")
    inside = (lost_s - _AROUND_S > times_s[0]) & (lost_s + _AROUND_S < times_s[-1])
    clean = lost[(others == 1) & inside]
    cuts_s = (times_s[clean - 1] + times_s[clean]) / 2
    between = [at for at in cuts_s if np.all(np.abs(picture.borders_s - at) > _AROUND_S)]
    return sorted([*map(float, between), *map(float, picture.borders_s)])


def _path(gains: _Column, is_cut: npt.NDArray[np.bool_]) -> npt.NDArray[np.intp]:
    """The best line in each cell (Viterbi), with `gains` (lines, cells)."""
    told = np.clip(gains, -_MOST_PER_CELL, _MOST_PER_CELL)
    every, best = np.arange(len(told)), told[:, 0]
    came_from = []
    for number in range(1, told.shape[1]):
        price = _AT_CUT if is_cut[number] else _ANYWHERE
        other = int(np.argmax(best))
        stays = best >= best[other] - price
        came_from.append(np.where(stays, every, other))
        best = np.where(stays, best, best[other] - price) + told[:, number]
    path = [int(np.argmax(best))]
    for before in reversed(came_from):
        path.append(int(before[path[-1]]))
    return np.array(path[::-1], np.intp)
