"""Video report: what is known of a video without looking at its pictures."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path


@dataclass(frozen=True, slots=True)
class VideoReport:
    """A medium of one or several files, and how whole it is.

    `duration_s` reaches to the end of the last frame, `rate_hz` is frames found per second.
    `frames_announced` is what the headers say, `frames_found` what can be shown at a known time,
    `frames_missing` those of which there is no picture or no time, `frames_damaged` those found
    doubtful so far: it rises while pictures are decoded. `started` is the wall time of the
    beginning by container or file name, without a zone where none is told, and None if unknown.
    `warnings` are sentences for the user.
    """

    files: tuple[Path, ...]
    size: tuple[int, int]
    codec: str
    duration_s: float
    rate_hz: float
    frames_announced: int
    frames_found: int
    frames_missing: int
    frames_damaged: int
    has_sound: bool
    started: datetime | None = None
    warnings: tuple[str, ...] = ()
