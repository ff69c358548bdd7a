"""Recorded streams of a flight: what stands in files of its own, and as videos."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from telemetry.base.unused_names import unused_name
from telemetry.recording.media_track import MediaTrack
from telemetry.recording.recording import Recording
from telemetry.recording.video_files.recorded_stream import RecordedParts, RecordedStream
from telemetry.review.cameras.camera_recorder import RecordedPart
from telemetry.review.cameras.camera_settings import camera_of_stream
from telemetry.review.flights.camera_video import LIVE, camera_sync
from telemetry.review.flights.flight import Flight, FlightStream, FlightVideo


def take_streams(flight: Flight, recording: Recording) -> None:
    """Have the flight know what of its recording stands in files of its own: live, while that is
    being recorded, and in replay. Quick where nothing is new."""
    recorded = [
        (track, track.store.parts)
        for track in recording.media_tracks()
        if isinstance(track.store, RecordedParts)
    ]
    streams = tuple(
        FlightStream(part.path.stem, part.path) for _, parts in recorded for part in parts
    )
    videos = tuple(
        video for track, parts in recorded if (video := _video(flight, track, parts)) is not None
    )
    if not {*streams} <= {*flight.streams} or any(flight.video(one.name) != one for one in videos):
        flight.take_recorded(streams, videos)


def video_of_stream(flight: Flight, track: MediaTrack) -> FlightVideo | None:
    """The video of a flight that has the pictures of a stream; None while there is none."""
    parts = track.store.parts if isinstance(track.store, RecordedParts) else ()
    return _with_any(flight, {part.video for part in parts if part.video is not None})


def _video(
    flight: Flight, track: MediaTrack, parts: Iterable[RecordedStream]
) -> FlightVideo | None:
    """The pictures of a stream as a video of the flight, with what a user has made of it."""
    shown = [
        RecordedPart(part.video, part.first_s, part.video_s)
        for part in parts
        if part.video is not None and part.first_s is not None
    ]
    files = tuple(part.file for part in shown)
    if not files:
        return None
    known = _with_any(flight, {*files})
    sync = camera_sync(shown)
    description = track.description
    if known is None:
        name = unused_name(description.title or description.name, [v.name for v in flight.videos])
        return FlightVideo(name, files, sync, camera_of_stream(description))
    is_ours = known.sync is None or known.sync.method == LIVE
    length_s = known.duration_s
    if length_s is not None and not track.is_live and length_s < _last_picture_s(track, shown):
        length_s = None  # it has grown since it was measured
    wanted = sync if is_ours else known.sync
    return replace(known, files=files, sync=wanted, problem="", duration_s=length_s)


def _last_picture_s(track: MediaTrack, parts: list[RecordedPart]) -> float:
    """When in the video the last picture is shown."""
    return sum(part.duration_s or 0.0 for part in parts[:-1]) + track.last_s - parts[-1].first_s


def _with_any(flight: Flight, files: set[Path]) -> FlightVideo | None:
    """The video of a flight that has one of these files."""
    return next((one for one in flight.videos if files & {*one.files}), None)
