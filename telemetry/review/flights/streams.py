"""Recorded streams of a flight: found beside its log, put into its recording, and as videos."""

from collections.abc import Iterable
from dataclasses import replace
from glob import escape
from pathlib import Path

import numpy as np

from telemetry.base.unused_names import unused_name
from telemetry.protocol.streams.npz_file import SUFFIX
from telemetry.protocol.streams.samples import StreamError
from telemetry.recording.media_track import MediaTrack
from telemetry.recording.recording import Recording
from telemetry.recording.video_files.recorded_stream import RecordedParts, RecordedStream
from telemetry.review.cameras.camera_recorder import RecordedPart
from telemetry.review.cameras.camera_settings import camera_of_stream
from telemetry.review.flights.camera_video import LIVE, camera_sync
from telemetry.review.flights.flight import Flight, FlightStream, FlightVideo


def streams_beside(log: Path) -> tuple[Path, ...]:
    """The files beside a log that streams of its flight may be in, by their names: those of
    flight_2.opl are not those of flight.opl."""
    try:
        beside = sorted(log.parent.glob(f"{escape(log.stem)}_*"))
    except OSError:
        return ()
    others = tuple(f"{path.stem}_" for path in beside if path.suffix == log.suffix)
    found = (path for path in beside if path.suffix == SUFFIX)
    return tuple(path for path in found if not path.name.startswith(others))


def attach_streams(recording: Recording, paths: Iterable[Path]) -> tuple[str, ...]:
    """Put recorded streams into a recording that is replayed, the files of one name as one stream,
    if it has none of that name. Reads their indices and those of their videos: for a job. Returns
    what was wrong, in sentences; files that hold something else are none."""
    problems: list[str] = []
    streams: dict[str, list[RecordedStream]] = {}
    for path in paths:
        try:
            found = RecordedStream(path)
            problems += found.losses()
        except StreamError as error:
            problems.append(f"{path.name} is left out: {error}.")
            continue
        except OSError as error:
            problems.append(f"{path.name} is left out: {error.strerror or error}.")
            continue
        if found.file.count:
            streams.setdefault(found.file.description.name, []).append(found)
    for name, parts in streams.items():
        if recording.media(name) is None:
            _attach(recording, sorted(parts, key=_first_s))
    return tuple(problems)


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


def _attach(recording: Recording, parts: list[RecordedStream]) -> None:
    """One track of the files of a stream, in order of time."""
    store = RecordedParts()
    track = MediaTrack(parts[0].file.description, store)
    for part in parts:
        store.add(track.count, part, 0)
        times = np.maximum(part.file.times_s, track.last_s)
        track.extend(times, part.file.stamps_us, part.file.numbers)
    recording.add_media(track)


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


def _first_s(part: RecordedStream) -> float:
    return part.first_s or 0.0
