"""Cases that are hard: films that were cut, dark, covered, or of a flight that never was."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.sync.cut_film import Change, CutStretch, covered, cut_film, dark, written_over
from benchmarks.sync.film import Film
from benchmarks.sync.lapwing_run import found_in
from benchmarks.sync.true_line import error_s, line_at, middle_s, read_truth, truth_file

_FRAME_MS = 1000 / 30
_EDGE_S = 1.0
"""Where a piece begins and ends is known to that."""
_SAMPLED_S = 0.5
_NOT_TURNING = ("does not turn", "does not move", "hardly turn", "hardly move", "on the ground")


@dataclass(frozen=True, slots=True)
class SyncCase:
    """A film made of `stretches` of others, that belongs to the log of the flight `log`.

    It is to be found, piece by piece; or, if there are words, it may be refused with a reason that
    has one of them: it must be where `is_refused`.
    """

    name: str
    log: str
    stretches: tuple[CutStretch, ...]
    change: Change | None = None
    words: tuple[str, ...] = ()
    is_refused: bool = False


@dataclass(frozen=True, slots=True)
class CaseFilm:
    """A case's files in a folder, in which the films that it is made of stand, too: by name in
    `films`."""

    case: SyncCase
    folder: Path
    films: dict[str, Film]

    @property
    def truth(self) -> dict[str, Any]:
        """What is true of the film."""
        return read_truth(self._file(".avi"))

    def make(self) -> None:
        """Cut it, unless that was done."""
        if truth_file(self._file(".avi")).exists():
            return
        for name in (self.case.log, *(stretch.film for stretch in self.case.stretches)):
            self.films[name].make()
        stretches = [(self.films[one.film].video, one) for one in self.case.stretches]
        cut_film(self._file(".avi"), stretches, self.case.log, self.case.change)

    def found(self, again: bool = False) -> dict[str, Any]:
        """What `lapwing sync --json` says of it."""
        log = self.films[self.case.log].log
        return found_in([self._file(".avi")], log, self._file(".found.json"), again)

    def _file(self, suffix: str) -> Path:
        return self.folder / f"{self.case.name}{suffix}"


def _of(film: str, *spans: tuple[float, float]) -> tuple[CutStretch, ...]:
    return tuple(CutStretch(film, *span) for span in spans)


CASES = (
    SyncCase("joined-2-quad", "quad-07", _of("quad-07", (35, 85), (105, 155))),
    SyncCase("joined-2-plane", "plane-07", _of("plane-07", (20, 70), (78, 130))),
    SyncCase(
        "joined-2-backwards",
        "quad-01",
        _of("quad-01", (80, 130), (12, 68)),
        words=("order", "backwards", "earlier"),
    ),
    SyncCase("joined-3-quad", "quad-01", _of("quad-01", (10, 48), (60, 98), (105, 145))),
    SyncCase("joined-3-poor", "quad-09", _of("quad-09", (5, 50), (53, 95), (100, 145))),
    SyncCase("joined-3-plane", "plane-07", _of("plane-07", (15, 55), (63, 100), (102, 140))),
    SyncCase("joined-other", "quad-07", (*_of("quad-07", (40, 100)), *_of("plane-07", (40, 100)))),
    SyncCase("dark", "quad-01", _of("quad-01", (10, 90)), dark, ("dark",), is_refused=True),
    SyncCase("landed", "landed", _of("landed", (0, 60)), None, _NOT_TURNING, is_refused=True),
    SyncCase("covered-quad", "quad-01", _of("quad-01", (10, 110)), covered),
    SyncCase("covered-plane", "plane-07", _of("plane-07", (15, 115)), covered),
    SyncCase("text", "quad-07", _of("quad-07", (35, 135)), written_over),
)


def verdict(case: SyncCase, truth: dict[str, Any], found: dict[str, Any]) -> str:
    """What is to be said of what `lapwing sync --json` has found; begins with "right" or "WRONG".

    A piece that was not placed has to be named in the note ("not placed").
    """
    if not found["found"]:
        reason = str(found.get("reason", ""))
        is_true = any(word in reason.lower() for word in case.words)
        return f"{'right' if is_true else 'WRONG'}, refused: {reason}"
    if case.is_refused:
        return "WRONG, found"
    is_named = "not placed" in str(found.get("note", ""))
    errors_ms = [_worst_ms(found, piece) for piece in truth["pieces"]]
    placed = [error for error in errors_ms if error is not None]
    is_foreign = any(line_at(found, (start + end) / 2) for start, end in truth["foreign"])
    is_whole = len(placed) == len(errors_ms) and not truth["foreign"]
    is_right = bool(placed) and max(placed) < _FRAME_MS and (is_whole or is_named)
    is_right = is_right and not is_foreign
    said = " ".join("-" if error is None else f"{error:.1f}" for error in errors_ms)
    said = f"{said} ms; {100 * _covered(found, truth['pieces']):.0f} % of their time"
    return f"{'right' if is_right else 'WRONG'}, {len(placed)} of {len(errors_ms)} pieces ({said})"


def _worst_ms(found: dict[str, Any], piece: dict[str, Any]) -> float | None:
    """How far off it is at most within a piece; None if nothing is said of its middle."""
    line = line_at(found, middle_s(piece))
    if line is None:
        return None
    inside_s = piece["medium_start_s"] + _EDGE_S, middle_s(piece), piece["medium_end_s"] - _EDGE_S
    return 1000 * max(error_s(line_at(found, at_s) or line, piece, at_s) for at_s in inside_s)


def _covered(found: dict[str, Any], pieces: list[dict[str, Any]]) -> float:
    """The share of the pieces' time of which something is said."""
    inside = [
        line_at(found, float(medium_s)) is not None
        for piece in pieces
        for medium_s in np.arange(piece["medium_start_s"], piece["medium_end_s"], _SAMPLED_S)
    ]
    return float(np.mean(inside))
