"""Loop recordings: files of one as one medium; cameras begin a new file every few minutes."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from telemetry.review.flights.matching.facts import CAMERA, MODIFIED, VideoFacts, file_name

_LONGEST_GAP_S: Final = 3.0
_CLOCK_ERROR_S: Final = 2.0
"""Memory cards keep times in steps of two seconds."""
_SHORTER: Final = 0.98
"""The last file may be shorter than those before, no other."""
_LEAST_FILE_S: Final = 20.0


def group_loops(videos: Sequence[VideoFacts]) -> list[VideoFacts]:
    """The same videos, those that go on from each other as one medium, in order of names."""
    media: list[VideoFacts] = []
    before: VideoFacts | None = None
    for video in sorted(videos, key=lambda one: one.files[0]):
        if before is not None and goes_on(before, video):
            first = media[-1]
            media[-1] = replace(
                first,
                files=(*first.files, *video.files),
                duration_s=first.duration_s + video.duration_s,
                has_sound=first.has_sound and video.has_sound,
                warnings=(*first.warnings, *video.warnings),
            )
        else:
            media.append(video)
        before = video
    return media


def goes_on(before: VideoFacts, after: VideoFacts) -> bool:
    """Whether a file begins where another one ends: by the camera's clock, else by when they were
    written, else by whole minutes of equal length. Their names count up, or tell the time."""
    if before.duration_s < max(_LEAST_FILE_S, _SHORTER * after.duration_s):
        return False
    if not _names_follow(before, after):
        return False
    for clock in (CAMERA, MODIFIED):
        starts = before.starts_s.get(clock), after.starts_s.get(clock)
        if starts[0] is not None and starts[1] is not None:
            gap_s = starts[1] - starts[0] - before.duration_s
            return -_CLOCK_ERROR_S <= gap_s <= _LONGEST_GAP_S + _CLOCK_ERROR_S
    minutes = before.duration_s / 60
    return abs(minutes - round(minutes)) * 60 < _CLOCK_ERROR_S


def _names_follow(before: VideoFacts, after: VideoFacts) -> bool:
    if before.files[-1].parent != after.files[0].parent:
        return False
    first, second = file_name(before.files[-1]), file_name(after.files[0])
    if first.number is None or second.number is None:
        return CAMERA in before.starts_s and CAMERA in after.starts_s
    return first.prefix == second.prefix and second.number == first.number + 1
