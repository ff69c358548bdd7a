"""Contents of a packed flight: its files with all that stands beside them, and where each goes.

What must stand side by side stays so: a log, what was noted beside it and the streams of its
flight, a stream and its video.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Final

from telemetry.base.escaping import file_name_text
from telemetry.protocol.streams.npz_file import SUFFIX as STREAM_SUFFIX
from telemetry.protocol.streams.npz_file import StreamFile
from telemetry.protocol.streams.samples import StreamError
from telemetry.recording.logs.station_events import events_path
from telemetry.recording.logs.world import world_note_path
from telemetry.recording.recorded_streams import streams_beside
from telemetry.review.flights.flight import FlightContent
from telemetry.review.flights.packing.manifest import What
from telemetry.review.flights.packing.names import name_problem, same_key

Group = Mapping[Path, What]
"""Files that stand side by side."""

_FOLDERS: Final[Mapping[What, str]] = {"log": "logs", "stream": "streams", "video": "videos"}


class PackageError(Exception):
    """What cannot be packed or unpacked. A sentence for the user, with a remedy."""


@dataclass(frozen=True, slots=True)
class PlacedFile:
    """A file that is packed: `path` is where it stands in the package, with slashes."""

    source: Path
    path: str
    what: What


@dataclass(frozen=True, slots=True)
class FlightToPack:
    """A flight: its file, there or not, its first log, and all else of it."""

    file: Path
    log: Path
    content: FlightContent


def groups_of(log: Path, content: FlightContent) -> list[Group]:
    """The files of a flight that are there, and what stands beside them; its first log is in the
    first of the groups."""
    found = [_with_log(one) for one in (log, *(one.path for one in content.logs))]
    found += [_with_stream(one.path) for one in content.streams]
    found += [_with_video(path) for video in content.videos for path in video.files]
    joined: list[Group] = []
    for group in (group for group in found if group):
        near = [one for one in joined if one.keys() & group.keys()]
        rest = [one for one in joined if one not in near]
        whole = {path: what for one in (*near, group) for path, what in one.items()}
        at = min((joined.index(one) for one in near), default=len(rest))
        joined = [*rest[:at], whole, *rest[at:]]
    return joined


def placed(groups: Iterable[Group]) -> Iterator[PlacedFile]:
    """Where each file goes: under its own name, or, where some system cannot have that, escaped.
    Raises PackageError."""
    taken: dict[str, set[str]] = {}
    alone: set[str] = set()
    for group in groups:
        has_streams = "stream" in group.values()
        packed = {path: _packed_name(path.name, has_streams) for path in group}
        keys = {same_key(name) for name in packed.values()}
        kind = next(word for what, word in _FOLDERS.items() if what in group.values())
        for number in count(1):
            folder = kind if number == 1 else f"{kind}-{number}"
            is_free = folder not in alone and not keys & taken.get(folder, set())
            if is_free and not (has_streams and folder in taken):
                break
        taken.setdefault(folder, set()).update(keys)
        if has_streams:  # a stream is known to be a log's by the beginning of its name
            alone.add(folder)
        for path, name in packed.items():
            yield PlacedFile(path, f"{folder}/{name}", group[path])


def moved(content: FlightContent, places: Mapping[Path, Path]) -> FlightContent:
    """A flight whose files are elsewhere."""
    return replace(
        content,
        logs=tuple(replace(one, path=places[one.path]) for one in content.logs),
        streams=tuple(replace(one, path=places[one.path]) for one in content.streams),
        videos=tuple(
            replace(one, files=tuple(places[path] for path in one.files)) for one in content.videos
        ),
        fingerprints={
            places[path]: known for path, known in content.fingerprints.items() if path in places
        },
    )


def _with_log(log: Path) -> Group:
    if not log.is_file():
        return {}
    found: dict[Path, What] = {log: "log"}
    notes: tuple[tuple[Path, What], ...] = (
        (events_path(log), "events"),
        (world_note_path(log), "world"),
    )
    found.update((path, what) for path, what in notes if path.is_file())
    for stream in streams_beside(log):
        found.update(_with_stream(stream))
    return found


def _with_stream(stream: Path) -> Group:
    """A stream and its video; one that cannot be read goes as it is."""
    if not stream.is_file():
        return {}
    found: dict[Path, What] = {stream: "stream"}
    try:
        name = StreamFile(stream).video
    except (StreamError, OSError):
        return found
    if name and (video := stream.parent / name).is_file():
        found[video] = "video"
    return found


def _with_video(video: Path) -> Group:
    """A video, and the stream that says when its pictures were taken."""
    if not video.is_file():
        return {}
    beside = _with_stream(video.with_suffix(STREAM_SUFFIX))
    return beside if video in beside else {video: "video"}


def _packed_name(name: str, has_streams: bool) -> str:
    problem = name_problem(name)
    if problem and has_streams:  # which name each other in their files
        raise PackageError(
            f"The name of {name!r} {problem}. Rename it and its streams, or copy it."
        )
    return file_name_text(name) if problem else name
