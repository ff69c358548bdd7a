"""Video time: its instant at the cursor, or why there is none; what to say of its frame."""

from dataclasses import dataclass

from telemetry.recording.timeline import format_time
from telemetry.recording.video_files.frame_source import VideoFrame
from telemetry.review.flights.sync import Sync
from telemetry.review.flights.video_extents import flight_spans

_BETWEEN = "Between two files or clips: the video shows nothing of this."


@dataclass(frozen=True, slots=True)
class VideoMoment:
    """`medium_s` is the video's time at the cursor, None where `words` stand in its place."""

    medium_s: float | None
    words: str = ""


def video_moment(sync: Sync, t: float, duration_s: float) -> VideoMoment:
    """Where a video of this length stands at `t` of the flight."""
    medium_s = sync.medium_s(t)
    if medium_s is not None and 0.0 <= medium_s < duration_s:
        return VideoMoment(medium_s)
    spans = flight_spans(sync, duration_s)
    begins_s = min((start for start, _ in spans), default=t)
    ends_s = max((end for _, end in spans), default=t)
    if t < begins_s:
        return VideoMoment(None, f"The video begins at {format_time(begins_s)}.")
    if t >= ends_s:
        return VideoMoment(None, f"The video ended at {format_time(ends_s)}.")
    return VideoMoment(None, _BETWEEN)


def frame_badge(
    sync: Sync | None,
    frame: VideoFrame,
    *,
    is_alone: bool,
    is_late: bool,
    is_found: bool = False,
    is_reading: bool = False,
) -> str:
    """What of a frame is not as one would think; "" if nothing is.

    `is_alone` says that the video was scrubbed alone, `is_late` that another frame is waited for,
    `is_found` that a synchronisation waits to be accepted, `is_reading` that the log is still being
    read, by which it would go.
    """
    marks = {
        "The log is being read": is_reading,
        "Not synchronised": sync is None and not is_found and not is_reading,
        "Synchronisation found, not accepted": sync is None and is_found,
        "Not with the cursor": sync is not None and is_alone and not is_reading,
        "Reading, this is another frame": is_late,
        "Time of this frame unknown": frame.time_s is None,
        "Damaged frame": frame.is_damaged,
    }
    return " · ".join(mark for mark, is_so in marks.items() if is_so)


def taken_at(sync: Sync | None, frame: VideoFrame, t: float, *, is_alone: bool) -> float | None:
    """When in the flight a frame was taken; the cursor's time `t` while the video does not run
    with it, for then the two are to be compared. None in a gap."""
    if sync is None or is_alone or frame.time_s is None:
        return t
    return sync.flight_s(frame.time_s)
