"""Sync pieces: a video of one or more clips, each with its own line in the log.

A piece has to be as sure as a whole video has to be, found by itself in all of the log, or it is
told for clearly by the line of a piece that is. What is not is left out, and said why.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from telemetry.review.flights.synchronisation.alignment import (
    BestAlignment,
    UnplacedStretch,
    align_files,
    fitted,
)
from telemetry.review.flights.synchronisation.evidence import (
    SHIFTS_S,
    Evidence,
    Rivalry,
    doubt_of,
    in_film,
    picture_doubt,
    place_told,
    windows_of,
)
from telemetry.review.flights.synchronisation.fit import Alignment, AlignmentFit, FileSpan
from telemetry.review.flights.synchronisation.joined_clips import (
    LEAST_CLIP_S,
    Cells,
    LineRun,
)
from telemetry.review.flights.synchronisation.motor_sound_score import SoundBesideLog
from telemetry.review.flights.synchronisation.stretch_search import search_stretch
from telemetry.review.flights.synchronisation.turns import (
    LEAST_TURN_S,
    LogTurns,
    PictureTurns,
)

_Column = npt.NDArray[np.float64]

_MOST_LINES = 8
"""So many places are looked at of what only says where a line may be."""
_NEARLY_ALL = 0.8
"""Where less of a video agrees with one line, two may be found that agree better."""
_TOLD = 25.0
"""What tells for a known line by this log likelihood runs on it."""
_SAME_S, _SAME_SIGMAS, _MOST_SAME_S = 0.03, 2.0, 0.08
"""Neighbours whose lines differ by less are one piece."""
_TOUCHING_S = 2.0
_SAME_MOUNT_DEG = 20.0
_LEAST_NAMED_S = 1.0
_LEAST_AGREEING = 2


def align(
    picture: PictureTurns, log: LogTurns, sound: SoundBesideLog | None = None
) -> BestAlignment | None:
    """The best alignment of a medium of one or several files or clips with a log; None where they
    do not overlap enough anywhere. `sound` helps to choose between places."""
    whole = align_files(picture, log, sound)
    if whole is None:
        return None
    joined = _JoinedVideo(picture, log, sound)
    if whole.doubt is not None:
        pieces, left_out = joined.aligned(None)
        return pieces or (replace(whole, left_out=left_out) if len(left_out) > 1 else whole)
    holds = joined.holds_throughout(whole)
    if holds and whole.evidence.agreeing >= _NEARLY_ALL * whole.evidence.windows:
        return whole
    pieces, _ = joined.aligned(whole)
    if pieces is None or (holds and not _is_surer(pieces, whole)):
        return whole
    return pieces


def _is_surer(pieces: BestAlignment, whole: BestAlignment) -> bool:
    is_more = len(pieces.spans) > len(whole.spans)
    return is_more and pieces.evidence.confidence > whole.evidence.confidence


@dataclass(frozen=True, slots=True, eq=False)
class _Piece:
    """A span, the alignment it comes from, and that one's lead."""

    span: FileSpan
    near: Alignment
    rivalry: Rivalry


class _JoinedVideo:
    """A video that may be joined, beside a log."""

    def __init__(self, picture: PictureTurns, log: LogTurns, sound: SoundBesideLog | None) -> None:
        self._picture, self._log, self._sound = picture, log, sound
        step = max(round(LEAST_TURN_S / float(np.median(np.diff(log.end_s)))), 1)
        self._sparse = log.where(np.arange(len(log)) % step == 0)
        self._cells = Cells(picture)

    def holds_throughout(self, whole: BestAlignment) -> bool:
        """Whether nothing contradicts the lines of an alignment. Shaking on the ground speaks
        against them, but what turns in such a clip may tell its place all the same, and where the
        picture goes on, only another place speaks for another line."""
        gains = self._gains(whole.alignment, whole.alignment.spreads)
        fits = all(
            self._cells.agrees(gains, *clip) or _tells_place(whole, *clip, _LEAST_AGREEING)
            for clip in self._cells.clips
        )
        return fits and all(
            run.line is not None
            or (self._cells.goes_on(run) and _tells_place(whole, run.start_s, run.end_s))
            for run in self._cells.runs([gains])
        )

    def aligned(
        self, whole: BestAlignment | None
    ) -> tuple[BestAlignment | None, tuple[UnplacedStretch, ...]]:
        """The alignment in pieces, some of them on the lines of `whole` if those are sure, or None
        where no piece is; and what was left out."""
        pieces, left_out = self._placed(whole)
        while pieces and (joint := self._joint(pieces)) is not None:
            found, pieces = joint
            doubts = [doubt_of(one, found.sigma_s(i)) for i, one in enumerate(found.spans)]
            if not any(doubts):
                left = _not_covered(left_out, pieces)
                return replace(found, left_out=left), left
            told = list(zip(pieces, doubts, strict=True))
            left_out += [_unplaced(one.span, doubt.of_piece) for one, doubt in told if doubt]
            pieces = [one for one, doubt in told if doubt is None]
        return None, _not_covered(left_out, ())

    def _placed(self, whole: BestAlignment | None) -> tuple[list[_Piece], list[UnplacedStretch]]:
        """The pieces that are sure, and the stretches that are not."""
        pieces: list[_Piece] = []
        unsure: list[tuple[LineRun, str]] = []
        for run in self._runs(whole):
            if whole is not None and run.line == 0:
                pieces += _within(run, whole)
                continue
            found = self._sure(run)
            if isinstance(found, _Piece):
                pieces.append(found)
            else:
                unsure.append((run, found))
        left_out = []
        for run, reason in unsure:
            beside = self._beside(run, pieces)
            if beside is None:
                left_out.append(_unplaced(run, reason))
            else:
                pieces.append(beside)
        first = max(pieces, key=lambda one: one.rivalry.lead, default=None)
        alike = [one for one in pieces if first and _is_mounted_alike(one, first)]
        otherwise = (one.span for one in pieces if one not in alike)
        left_out += [_unplaced(one, "the camera is mounted otherwise in it") for one in otherwise]
        return alike, left_out

    def _runs(self, whole: BestAlignment | None) -> list[LineRun]:
        """The likeliest runs, without clips at their ends that contradict them; line 0 is that
        of `whole`."""
        known = [whole.alignment] if whole is not None else []
        lines = self._lines(self._cells.windows())
        if not lines:
            return []
        runs, _ = self._likeliest(known, lines)
        lines += self._lines([(run.start_s, run.end_s) for run in runs if run.line is None])
        runs, gains = self._likeliest(known, lines)
        return [part for run in runs for part in self._told_parts(run, gains)]

    def _lines(self, stretches: Sequence[tuple[float, float]]) -> list[Alignment]:
        found = (
            search_stretch(self._picture, self._log, stretch, self._sound_in(*stretch), _MOST_LINES)
            for stretch in stretches
            if stretch[1] - stretch[0] >= LEAST_CLIP_S
        )
        return [one[0] for one in found if one is not None]

    def _likeliest(
        self, known: Sequence[Alignment], lines: Sequence[Alignment]
    ) -> tuple[list[LineRun], list[_Column]]:
        """The likeliest runs on known alignments and on lines that go on throughout, and what each
        of these gains, all judged at the spreads of the line that gains most."""
        spreads = max(lines, key=lambda one: one.gain).spreads
        first_s, last_s = float(self._cells.edges_s[0]), float(self._cells.edges_s[-1])
        wide = (
            replace(one, spans=(FileSpan(first_s, last_s, one.spans[0].offset_s),)) for one in lines
        )
        gains = [self._gains(one, spreads) for one in (*known, *wide)]
        return self._cells.runs(gains), gains

    def _gains(self, line: Alignment, spreads: tuple[float, float]) -> _Column:
        fit = AlignmentFit(self._picture, self._sparse, line.spans, line.rate, line.mount)
        if not fit.can_be_fitted:
            return np.full(len(self._cells.edges_s) - 1, np.nan)
        return self._cells.gains(fit.judged(line, spreads))

    def _told_parts(self, run: LineRun, gains: Sequence[_Column]) -> list[LineRun]:
        """A run, and apart from it the clips at its ends that contradict its line."""
        clips = self._cells.clips_of(run)
        if run.line is None:
            return self._cells.apart(run)
        told = [self._cells.agrees(gains[run.line], *clip) for clip in clips]
        if not any(told):
            return [LineRun(*clip, None) for clip in clips]
        first, last = told.index(True), len(told) - told[::-1].index(True)
        inner = LineRun(clips[first][0], clips[last - 1][1], run.line)
        apart = [LineRun(*clip, None) for clip in (*clips[:first], *clips[last:])]
        return sorted([inner, *apart], key=lambda one: one.start_s)

    def _sure(self, run: LineRun) -> _Piece | str:
        """A run where it is found by itself in all of the log; or why it is not."""
        stretch = (run.start_s, run.end_s)
        if run.end_s - run.start_s < LEAST_CLIP_S:
            return f"it is shorter than {LEAST_CLIP_S:g} s"
        unfit = picture_doubt(self._picture, *stretch)
        if unfit is not None:
            return unfit.of_piece
        searched = search_stretch(self._picture, self._log, stretch, self._sound_in(*stretch))
        if searched is not None:
            best, rivalry = searched
            found = fitted(self._picture, self._log, best.spans, best, rivalry)
            if found is not None and found.doubt is not None:
                return in_film(found.doubt, self._picture, *stretch).of_piece
            if found is not None:
                return _Piece(found.alignment.spans[0], found.alignment, rivalry)
        return "it nowhere has enough in common with the log"

    def _beside(self, run: LineRun, pieces: Sequence[_Piece]) -> _Piece | None:
        """A run on the line of a sure piece for which it tells clearly."""
        for piece in pieces:
            span = FileSpan(run.start_s, run.end_s, piece.span.offset_s)
            fit = AlignmentFit(
                self._picture, self._sparse, [span], piece.near.rate, piece.near.mount
            )
            if not fit.can_be_fitted:
                continue
            line = replace(piece.near, spans=(span,))
            costs = fit.shifted_costs(line, SHIFTS_S).sum(axis=0)
            null_cost = fit.judged(line, line.spreads).null_costs.sum()
            depth, is_here = place_told(costs, null_cost)
            if is_here and depth >= _TOLD:
                return replace(piece, span=span)
        return None

    def _joint(self, pieces: Sequence[_Piece]) -> tuple[BestAlignment, list[_Piece]] | None:
        """All pieces fitted at once, with one rate and mount; neighbours of one line are one."""
        pieces = sorted(pieces, key=lambda one: one.span.start_s)
        while True:
            first = max(pieces, key=lambda one: one.rivalry.lead)
            spans = [_at_rate(one, first.near.rate) for one in pieces]
            found = fitted(self._picture, self._log, spans, first.near, first.rivalry)
            if found is None:
                return None
            same = self._first_of_one_line(found.alignment)
            if same is None:
                return self._with_evidence(found, pieces), list(pieces)
            before, after = pieces[same : same + 2]
            surer = max(before, after, key=lambda one: one.rivalry.lead)
            wider = replace(surer.span, start_s=before.span.start_s, end_s=after.span.end_s)
            pieces = [*pieces[:same], replace(surer, span=wider), *pieces[same + 2 :]]

    def _first_of_one_line(self, found: Alignment) -> int | None:
        """The first span that goes on in the next one."""
        for i in range(len(found.spans) - 1):
            before, after = found.spans[i : i + 2]
            spread = found.covariance
            sigma_s = np.sqrt(spread[i, i] + spread[i + 1, i + 1] - 2 * spread[i, i + 1])
            near_s = min(max(_SAME_S, _SAME_SIGMAS * float(sigma_s)), _MOST_SAME_S)
            borders_s = self._picture.borders_s
            is_file = np.any((borders_s > before.start_s) & (borders_s < after.end_s))
            touches = after.start_s - before.end_s < _TOUCHING_S
            if touches and not is_file and abs(after.offset_s - before.offset_s) <= near_s:
                return i
        return None

    def _with_evidence(self, found: BestAlignment, pieces: Sequence[_Piece]) -> BestAlignment:
        spans = found.alignment.spans
        told = tuple(
            Evidence(
                piece.rivalry,
                *windows_of(found.fit, found.alignment, span.start_s, span.end_s),
            )
            for piece, span in zip(pieces, spans, strict=True)
        )
        first_s, last_s = self._cells.edges_s[0], self._cells.edges_s[-1]
        edges = {edge for span in spans for edge in (span.start_s, span.end_s)}
        borders_s = {edge for edge in edges if first_s < edge < last_s} | set(found.borders_s)
        weakest = min(told, key=lambda one: one.confidence)
        return replace(found, spans=told, evidence=weakest, borders_s=tuple(sorted(borders_s)))

    def _sound_in(self, start_s: float, end_s: float) -> SoundBesideLog | None:
        return self._sound and self._sound.within(start_s, end_s)


def _within(run: LineRun, whole: BestAlignment) -> list[_Piece]:
    """What lies in a run of the spans of an alignment that is sure."""
    return [
        _Piece(
            replace(span, start_s=max(span.start_s, run.start_s), end_s=min(span.end_s, run.end_s)),
            whole.alignment,
            whole.evidence.rivalry,
        )
        for span in whole.alignment.spans
        if span.start_s < run.end_s and span.end_s > run.start_s
    ]


def _tells_place(whole: BestAlignment, start_s: float, end_s: float, least: int = 0) -> bool:
    """Whether at least so many windows of a stretch find their own place, and all of them that of
    an alignment."""
    told, agreeing = windows_of(whole.fit, whole.alignment, start_s, end_s)
    return least <= told == agreeing


def _at_rate(piece: _Piece, rate: float) -> FileSpan:
    """The span with the offset that it has at another rate, the same in its middle."""
    span, own = piece.span, piece.near.rate
    middle_s = (span.start_s + span.end_s) / 2
    log_s = (middle_s - span.offset_s) / own
    return replace(span, offset_s=middle_s - rate * log_s)


def _is_mounted_alike(piece: _Piece, other: _Piece) -> bool:
    turned = (np.trace(piece.near.mount @ other.near.mount.T) - 1) / 2
    return bool(turned >= np.cos(np.radians(_SAME_MOUNT_DEG)))


def _unplaced(one: LineRun | FileSpan, reason: str) -> UnplacedStretch:
    return UnplacedStretch(one.start_s, one.end_s, reason)


def _not_covered(
    left_out: Sequence[UnplacedStretch], pieces: Sequence[_Piece]
) -> tuple[UnplacedStretch, ...]:
    """What lies in no piece, in order, and is long enough to be named."""
    named = [
        one
        for one in left_out
        if one.end_s - one.start_s >= _LEAST_NAMED_S
        and not any(
            piece.span.start_s <= one.start_s and one.end_s <= piece.span.end_s for piece in pieces
        )
    ]
    return tuple(sorted(named, key=lambda one: one.start_s))
