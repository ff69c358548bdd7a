"""Outcome of a synchronisation: what was found against what is true."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.sync.film import Film
from benchmarks.sync.true_line import error_s, line_at, middle_s

_FRAME_S = 1 / 30
_LEAST_FILE_S = 10.0
"""The last file of a loop recording may be a stump; it need not be placed."""
_MOST_TIME = 0.3
"""Of the video's duration."""


@dataclass(frozen=True, slots=True)
class SyncOutcome:
    """One film. `error_s` is the largest over the film, with the standard error said of it; None
    where nothing was found. `time` is processor time over the film's duration."""

    name: str
    video_s: float
    error_s: float | None
    sigma_s: float | None
    confidence: float | None
    time: float
    should_be_found: bool
    reason: str

    @property
    def is_wrong(self) -> bool:
        """Found, and not so."""
        return self.error_s is not None and (self.error_s > _FRAME_S or not self.should_be_found)

    @property
    def is_right(self) -> bool:
        """As it should be, in time."""
        is_found = self.error_s is not None
        return is_found == self.should_be_found and not self.is_wrong and self.time <= _MOST_TIME

    @property
    def line(self) -> str:
        """A row of the table."""
        start = f"{self.name:10}{self.video_s:7.0f} s{self.time:7.2f} x"
        if self.error_s is None or not self.sigma_s or self.confidence is None:
            word = "not found" if self.should_be_found else "not found, rightly"
            return f"{start}   {word}: {self.reason}"
        verdict = "WRONG" if self.is_wrong else "" if self.is_right else "slow"
        return (
            f"{start}{1000 * self.error_s:10.1f} ms{1000 * self.sigma_s:8.1f} ms"
            f"{self.error_s / self.sigma_s:7.1f}{self.confidence:8.3f}  {verdict}"
        )


def as_table(outcomes: Sequence[SyncOutcome]) -> str:
    """All rows under a head; the bar of the error is 33.3 ms, of the time 0.3 x."""
    head = f"{'flight':10}{'video':>9}{'time':>9}{'error':>13}{'sigma':>11}{'e/s':>7}{'conf.':>8}"
    return "\n".join([head, *(outcome.line for outcome in outcomes)])


def judge(film: Film, found: dict[str, Any]) -> SyncOutcome:
    """Compare what `lapwing sync --json` has printed with the film's truth."""
    truth = film.truth
    worst_s = sigma_s = None
    if found["found"]:
        log_end_s = film.flight.log_s + 60.0
        errors = [
            _error_at(found, piece, at_s)
            for piece in truth["pieces"]
            if piece["medium_end_s"] - piece["medium_start_s"] > _LEAST_FILE_S
            for at_s in _filmed(piece, log_end_s)
        ]
        worst_s, sigma_s = max(errors, key=lambda one: one[0])
    video_s = truth["frames"] / truth["frames_per_s"]
    return SyncOutcome(
        name=film.flight.name,
        video_s=video_s,
        error_s=worst_s,
        sigma_s=sigma_s,
        confidence=found["confidence"],
        time=found["cpu_s"] / video_s,
        should_be_found=film.flight.is_found,
        reason=found.get("reason", ""),
    )


def _filmed(piece: dict[str, Any], log_end_s: float) -> tuple[float, float]:
    """The first and last second of the film's piece at which the log ran."""
    start = max(piece["medium_start_s"], piece["offset_s"])
    end = min(piece["medium_end_s"], piece["offset_s"] + piece["rate"] * log_end_s)
    return start, end


def _error_at(found: dict[str, Any], piece: dict[str, Any], at_s: float) -> tuple[float, float]:
    """How far the film's time is off there, and the standard error said of it."""
    line = line_at(found, middle_s(piece))
    if line is None:
        return np.inf, found["sigma_s"]
    return error_s(line, piece, at_s), float(np.hypot(found["sigma_s"], 1e-4))
