"""Video alignment with a log: where and how fast the video runs against it.

One line for each file is looked for first. Where it does not hold throughout, the video may be
joined of several clips, and each is looked for by itself."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from telemetry.review.flights.synchronisation.evidence import (
    Evidence,
    Rivalry,
    SyncDoubt,
    doubt_of,
    windows_of,
)
from telemetry.review.flights.synchronisation.fit import Alignment, AlignmentFit, FileSpan
from telemetry.review.flights.synchronisation.motor_sound_score import SoundBesideLog
from telemetry.review.flights.synchronisation.stretch_search import liveliest, search_stretch
from telemetry.review.flights.synchronisation.turns import LogTurns, PictureTurns

_BORDER_SHIFTS_S = np.arange(-3.0, 3.0, 0.05)
"""How much a loop recording may lose (or film twice) at a border between files."""
_BORDER_DEPTH = 25.0
"""A file's place must be better than most others by this log likelihood."""


@dataclass(frozen=True, slots=True)
class UnplacedStretch:
    """A stretch of the medium that was not placed, and why, in a part of a sentence."""

    start_s: float
    end_s: float
    reason: str


@dataclass(frozen=True, slots=True, eq=False)
class BestAlignment:
    """The best alignment, the fit it comes from, what speaks for each of its spans, and for its
    weakest; what of the medium was not placed; and the borders between lines."""

    alignment: Alignment
    fit: AlignmentFit
    spans: tuple[Evidence, ...]
    evidence: Evidence
    left_out: tuple[UnplacedStretch, ...] = ()
    borders_s: tuple[float, ...] = ()

    def sigma_s(self, number: int) -> float:
        """The largest standard error of the medium's time in what was compared of a span."""
        found = self.alignment
        span, times_s = found.spans[number], found.times_s
        inside = times_s[(times_s >= span.start_s) & (times_s <= span.end_s)]
        ends = np.array([found.log_s(float(at), number) for at in (inside[0], inside[-1])])
        return float(found.sigma_s(ends, number).max())

    @property
    def doubt(self) -> SyncDoubt | None:
        """Why it is not to be believed; None if it is."""
        return doubt_of(self.evidence, max(self.sigma_s(i) for i in range(len(self.spans))))


def align_files(
    picture: PictureTurns, log: LogTurns, sound: SoundBesideLog | None = None
) -> BestAlignment | None:
    """The best alignment of a medium of one or several files with a log, one line for each; None
    where they do not overlap enough anywhere. `sound` helps to choose between places."""
    files = _files(picture)
    stretch = max((liveliest(picture, *file) for file in files), key=lambda one: one[1])[0]
    searched = search_stretch(picture, log, stretch, sound)
    if searched is None:
        return None
    best, rivalry = searched
    return fitted(picture, log, _all_files(picture, log, best, files), best, rivalry)


def fitted(
    picture: PictureTurns,
    log: LogTurns,
    spans: Sequence[FileSpan],
    near: Alignment,
    rivalry: Rivalry,
) -> BestAlignment | None:
    """The alignment of these spans by all turns, from one that comes near; None where a span has
    too few of them."""
    fit = AlignmentFit(picture, log, spans, near.rate, near.mount)
    if not fit.can_be_fitted:
        return None
    alignment = fit.run()
    evidence = Evidence(rivalry, *windows_of(fit, alignment))
    borders_s = tuple(map(float, picture.borders_s))
    return BestAlignment(alignment, fit, (evidence,) * len(spans), evidence, (), borders_s)


def _files(picture: PictureTurns) -> list[tuple[float, float]]:
    edges = [float(picture.times_s[0]), *picture.borders_s, float(picture.times_s[-1])]
    return [(start, end) for start, end in itertools.pairwise(edges) if end - start > 1.0]


def _all_files(
    picture: PictureTurns, log: LogTurns, best: Alignment, files: Sequence[tuple[float, float]]
) -> list[FileSpan]:
    """Each file with the offset that suits it, outwards from the one that was found first; a file
    that does not show its place is left out."""
    start_s = best.spans[0].start_s
    first = next(i for i, file in enumerate(files) if file[0] <= start_s <= file[1])
    found = [FileSpan(*files[first], best.spans[0].offset_s)]
    for order in (range(first + 1, len(files)), range(first - 1, -1, -1)):
        offset_s = best.spans[0].offset_s
        for number in order:
            span = _placed(picture, log, best, FileSpan(*files[number], offset_s))
            if span is not None:
                found.append(span)
                offset_s = span.offset_s
    return sorted(found, key=lambda span: span.start_s)


def _placed(
    picture: PictureTurns, log: LogTurns, best: Alignment, span: FileSpan
) -> FileSpan | None:
    """The span at its best offset near the one it has."""
    fit = AlignmentFit(picture, log, [span], best.rate, best.mount)
    if not fit.can_be_fitted:
        return None
    costs = fit.guess_costs(best.spreads, best.scale, _BORDER_SHIFTS_S)
    if np.median(costs) - costs.min() < _BORDER_DEPTH:
        return None
    shift_s = float(_BORDER_SHIFTS_S[int(np.argmin(costs))])
    return FileSpan(span.start_s, span.end_s, span.offset_s + shift_s)
