"""Streams recorded beside a log: found there, and put into its recording."""

from collections.abc import Iterable
from glob import escape
from pathlib import Path

import numpy as np

from telemetry.protocol.streams.npz_file import SUFFIX
from telemetry.protocol.streams.samples import StreamError
from telemetry.recording.media_track import MediaTrack
from telemetry.recording.recording import Recording
from telemetry.recording.video_files.recorded_stream import RecordedParts, RecordedStream


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


def _attach(recording: Recording, parts: list[RecordedStream]) -> None:
    """One track of the files of a stream, in order of time."""
    store = RecordedParts()
    track = MediaTrack(parts[0].file.description, store)
    for part in parts:
        store.add(track.count, part, 0)
        times = np.maximum(part.file.times_s, track.last_s)
        track.extend(times, part.file.stamps_us, part.file.numbers)
    recording.add_media(track)


def _first_s(part: RecordedStream) -> float:
    return part.first_s or 0.0
