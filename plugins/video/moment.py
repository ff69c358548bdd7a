"""Which instant of a video belongs to the cursor, or in words why none does."""

from dataclasses import dataclass

from telemetry.flights.sync import Sync
from telemetry.timeline import format_time


@dataclass(frozen=True, slots=True)
class VideoMoment:
    """`medium_s` is the video's time at the cursor, None where `words` stand in its place."""

    medium_s: float | None
    words: str = ""


def video_moment(sync: Sync, t: float, duration_s: float) -> VideoMoment:
    """Where a video of this length stands at `t` of the flight."""
    medium_s = sync.medium_s(t)
    if medium_s is None:
        return VideoMoment(None, "Between two files: the camera recorded nothing here.")
    if medium_s < 0.0:
        return VideoMoment(None, f"The video begins at {_flight_time(sync, 0.0)}.")
    if medium_s >= duration_s:
        return VideoMoment(None, f"The video ended at {_flight_time(sync, duration_s)}.")
    return VideoMoment(medium_s)


def _flight_time(sync: Sync, medium_s: float) -> str:
    piece = sync.pieces[0] if medium_s <= 0.0 else sync.pieces[-1]
    return format_time(piece.flight_s(medium_s))
