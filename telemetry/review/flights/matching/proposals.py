"""Match proposals: which video belongs to which log, with every reason as a sentence."""

import itertools
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from telemetry.review.flights.matching.clock_shift import ClockShift, ClockSpan, find_clock_shift
from telemetry.review.flights.matching.facts import (
    CAMERA,
    GPS,
    MODIFIED,
    NAME,
    LogFacts,
    VideoFacts,
    clock_text,
    file_name,
)
from telemetry.review.flights.matching.motor_sound import SoundLikeness, compare_sound
from telemetry.review.flights.sync import Piece, Sync
from telemetry.review.flights.synchronisation.motion_signals import SoundPitch

_LOG_CLOCKS: Final = {
    GPS: "the GPS time in the log",
    NAME: "the log's name",
    MODIFIED: "the time the log was written",
}
_VIDEO_CLOCKS: Final = {CAMERA: "the camera's clock", MODIFIED: "the time the video was written"}
_TRUST: Final = {GPS: 1.0, NAME: 0.9, CAMERA: 1.0, MODIFIED: 0.7}
_TURNING_WEIGHT: Final = 4.0
_SOUND_SIGMA_S: Final = 0.5
_SOUND_WEIGHT, _ORDER_WEIGHT, _ALONE_WEIGHT, _LENGTH_WEIGHT = 3.0, 0.6, 0.4, 0.15
_TIME_WEIGHT: Final = 2.0
_SURE, _LIKELY = 1.8, 0.8
_SAME_LENGTH: Final = 0.05
_DOUBLED: Final = 0.5
_STRANGE_TRUST: Final = {2: 0.6, 3: 0.85}
"""By the number of videos that agree on a shift that no zone explains."""


@dataclass(frozen=True, slots=True)
class MatchProposal:
    """A video and the log it belongs to, None if nothing says which. `confidence` is "sure",
    "likely", "guess" or "none"; `sync` is there where sound or pictures give one."""

    video: VideoFacts
    log: Path | None = None
    confidence: str = "none"
    reasons: tuple[str, ...] = ()
    sync: Sync | None = None

    def as_json(self) -> dict[str, Any]:
        """As `lapwing flight match --json` prints it."""
        return {
            "videos": [str(path) for path in self.video.files],
            "log": str(self.log) if self.log else None,
            "confidence": self.confidence,
            "reasons": list(self.reasons),
            "duration_s": round(self.video.duration_s, 3),
            "offset_s": self.sync and round(self.sync.offset_s, 3),
            "rate": self.sync and round(self.sync.rate, 6),
            "method": self.sync and self.sync.method,
        }


@dataclass(slots=True)
class _Case:
    """What speaks for a video and a log."""

    weight: float = 0.0
    reasons: list[str] = field(default_factory=list)
    sync: Sync | None = None

    def add(self, weight: float, reason: str) -> None:
        self.weight += weight
        self.reasons.append(reason)


_Cases = defaultdict[tuple[int, int], _Case]
"""By the numbers of video and log."""
_Logs = Sequence[LogFacts]
_Videos = Sequence[VideoFacts]


def propose(
    logs: _Logs,
    videos: _Videos,
    sounds: Mapping[Path, SoundPitch],
    turnings: Mapping[Path, Mapping[Path, Sync]] | None = None,
) -> list[MatchProposal]:
    """A proposal for every video. By a video's first file there may be its sound, and the
    synchronisations, by log, of those logs that its camera's turning fits."""
    cases: _Cases = defaultdict(_Case)
    _compare_sounds(cases, logs, videos, sounds)
    _compare_turning(cases, logs, videos, turnings or {})
    _compare_clocks(cases, logs, videos)
    _compare_order(cases, logs, videos)
    if len(logs) == 1:
        for number in range(len(videos)):
            cases[number, 0].add(_ALONE_WEIGHT, "There is no other log.")
    _compare_lengths(cases, logs, videos)
    return [_best(number, video, logs, cases) for number, video in enumerate(videos)]


def _best(number: int, video: VideoFacts, logs: _Logs, cases: _Cases) -> MatchProposal:
    mine = [(case.weight, log, case) for (one, log), case in cases.items() if one == number]
    if not mine:
        return MatchProposal(video, reasons=("Nothing in it or its name says which log.",))
    weight, log, case = max(mine, key=lambda entry: (entry[0], -entry[1]))
    others = [other for other, number_of_log, _ in mine if number_of_log != log]
    lead = weight - max(others, default=0.0)
    word = "sure" if lead >= _SURE else "likely" if lead >= _LIKELY else "guess"
    return MatchProposal(video, logs[log].path, word, tuple(case.reasons), case.sync)


def _compare_sounds(
    cases: _Cases, logs: _Logs, videos: _Videos, sounds: Mapping[Path, SoundPitch]
) -> None:
    """Every clear likeness counts: flights of the same course sound alike."""
    for number, video in enumerate(videos):
        sound = sounds.get(video.files[0])
        if sound is None:
            continue
        likenesses = [(compare_sound(sound, log), place) for place, log in enumerate(logs)]
        clear = [(like, place) for like, place in likenesses if like and like.is_clear]
        for like, place in clear:
            case = cases[number, place]
            case.sync = Sync((Piece(like.offset_s, sigma_s=_SOUND_SIGMA_S),), method="sound")
            others = [(other, logs[at].path.name) for other, at in clear if at != place]
            case.add(_SOUND_WEIGHT * like.correlation, _sound_sentence(like, others))


def _compare_turning(
    cases: _Cases, logs: _Logs, videos: _Videos, turnings: Mapping[Path, Mapping[Path, Sync]]
) -> None:
    """Every log that fits counts by how surely it does."""
    for number, video in enumerate(videos):
        found = turnings.get(video.files[0], {})
        for place, log in enumerate(logs):
            if (sync := found.get(log.path)) is not None:
                case = cases[number, place]
                case.sync = sync
                told = (
                    f"Its camera turns as the log says of the aircraft (confidence "
                    f"{sync.confidence or 0.0:.2f}); {_begins(sync.offset_s)}."
                )
                case.add(_TURNING_WEIGHT * (sync.confidence or 0.0), told)


def _sound_sentence(like: SoundLikeness, others: Sequence[tuple[SoundLikeness, str]]) -> str:
    also = ", ".join(f"{name} ({other.correlation:.2f})" for other, name in others)
    return (
        f"Its motor sounds as the log commands it (correlation {like.correlation:.2f}); "
        f"{_begins(like.offset_s)}.{f' So it does by {also}.' if also else ''}"
    )


def _begins(offset_s: float) -> str:
    when = "after" if offset_s < 0 else "before"
    return f"the video then begins {abs(offset_s):.0f} s {when} the log"


def _compare_clocks(cases: _Cases, logs: _Logs, videos: _Videos) -> None:
    """Each kind of clock of the logs against each of the videos; the most trusted first, and what
    a better one has placed is not judged by a worse one."""
    placed: set[int] = set()
    kinds = [(a, b) for a in _LOG_CLOCKS for b in _VIDEO_CLOCKS]
    for log_clock, video_clock in sorted(kinds, key=lambda two: -_TRUST[two[0]] * _TRUST[two[1]]):
        own = [place for place, log in enumerate(logs) if log_clock in log.starts_s]
        seen = [
            place
            for place, video in enumerate(videos)
            if video_clock in video.starts_s and place not in placed
        ]
        log_spans = [_span_of_log(logs[place], log_clock) for place in own]
        video_spans = [
            _span(videos[place].starts_s[video_clock], videos[place].duration_s) for place in seen
        ]
        told = ((log_clock, log_spans), (video_clock, video_spans))
        if any(clock == MODIFIED and _are_of_copies(spans) for clock, spans in told):
            continue
        shift = find_clock_shift(log_spans, video_spans)
        if shift is None:
            continue
        trust = _TRUST[log_clock] * _TRUST[video_clock] * _agreement(shift)
        for video_number, log_number in shift.pairs:
            video, log = seen[video_number], own[log_number]
            placed.add(video)
            reason = _clock_sentence(shift, (log_clock, video_clock), logs[log], videos[video])
            cases[video, log].add(_TIME_WEIGHT * trust, reason)


def _are_of_copies(spans: Sequence[ClockSpan]) -> bool:
    """Whether files were written while others of their kind were: they were copied then."""
    ordered = sorted(spans, key=lambda span: span.start_s)
    pairs = list(itertools.pairwise(ordered))
    doubled = [a for a, b in pairs if a.end_s - b.start_s > _DOUBLED * b.duration_s]
    return 2 * len(doubled) > len(pairs)


def _agreement(shift: ClockShift) -> float:
    """How far to believe a shift: what no zone explains may be chance while few agree."""
    return 1.0 if shift.is_usual else _STRANGE_TRUST.get(len(shift.pairs), 1.0)


def _span(start_s: float, duration_s: float) -> ClockSpan:
    return ClockSpan(start_s, start_s + duration_s)


def _span_of_log(log: LogFacts, clock: str) -> ClockSpan:
    return ClockSpan(log.starts_s[clock] + log.first_s, log.starts_s[clock] + log.last_s)


def _clock_sentence(
    shift: ClockShift, clocks: tuple[str, str], log: LogFacts, video: VideoFacts
) -> str:
    log_clock, video_clock = clocks
    span = _span_of_log(log, log_clock)
    start_s = video.starts_s[video_clock]
    by = f", {_duration_text(shift.shift_s)}" if abs(shift.shift_s) >= 1.0 else ""
    others = len(shift.pairs) - 1
    agree = (
        f", as for {others} other {'video' if others == 1 else 'videos'}" if by and others else ""
    )
    return (
        f"By {_LOG_CLOCKS[log_clock]} it goes from {clock_text(span.start_s)} to "
        f"{clock_text(span.end_s)[11:]}; by {_VIDEO_CLOCKS[video_clock]}{by}{agree}, the video "
        f"begins at {clock_text(start_s + shift.shift_s)}."
    )


def _duration_text(shift_s: float) -> str:
    """A correction in words."""
    size = abs(shift_s)
    days, rest = divmod(size, 86_400)
    hours, rest = divmod(rest, 3600)
    minutes, seconds = divmod(rest, 60)
    parts = ((days, "d"), (hours, "h"), (minutes, "min"), (seconds, "s"))
    words = " ".join(f"{value:.0f} {unit}" for value, unit in parts if value >= 1)
    return f"which is {words} {'behind' if shift_s > 0 else 'ahead'}"


def _compare_order(cases: _Cases, logs: _Logs, videos: _Videos) -> None:
    """A numbered video between two that are placed belongs to a log between theirs, if there is
    one only: cards are filled in order."""
    order = sorted(range(len(logs)), key=lambda place: _in_order(logs[place].path))
    rank = {place: number for number, place in enumerate(order)}
    sequence = sorted(range(len(videos)), key=lambda place: _in_order(videos[place].files[0]))
    at = {video: log for (video, log), case in cases.items() if case.weight >= _LIKELY}
    for position, video in enumerate(sequence):
        if video in at or file_name(videos[video].files[0]).number is None:
            continue
        before = next((at[one] for one in reversed(sequence[:position]) if one in at), None)
        after = next((at[one] for one in sequence[position + 1 :] if one in at), None)
        if before is None or after is None or rank[after] - rank[before] != 2:
            continue
        log = order[rank[before] + 1]
        told = (
            f"Its number lies between those of videos that belong to {logs[before].path.name} and "
            f"{logs[after].path.name}, and {logs[log].path.name} lies between these."
        )
        cases[video, log].add(_ORDER_WEIGHT, told)


def _in_order(path: Path) -> tuple[str, str, int]:
    name = file_name(path)
    return str(path.parent), name.prefix, name.number or 0


def _compare_lengths(cases: _Cases, logs: _Logs, videos: _Videos) -> None:
    """Equal lengths speak for what something else speaks for already, no more."""
    for (video, log), case in cases.items():
        seconds = videos[video].duration_s
        armed_s = sum(end - start for start, end in logs[log].armed)
        if abs(seconds - logs[log].duration_s) <= _SAME_LENGTH * seconds:
            case.add(_LENGTH_WEIGHT, f"Both are about {seconds:.0f} s long.")
        elif 0 < armed_s <= seconds:
            case.add(0.0, f"The {armed_s:.0f} s for which it is armed fit into the video.")
