"""`.lapwing` files: which logs and videos are one flight, how they run together, what was noted.

Readable JSON, `{"format": "lapwing-flight", "version": 1, "logs": […], "videos": […], …}`. The
first log is the one whose time is the flight's. Paths are relative to the file first, so that a
folder can be moved or copied as a whole. What a later version of Lapwing has added is kept.
"""

import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

from telemetry.base import safe_files
from telemetry.base.text_formats import FormatError, parse_json, read_limited
from telemetry.review.flights import json_format
from telemetry.review.flights.file_kind import FileKind, kind_of
from telemetry.review.flights.file_reference import (
    FileReference,
    Fingerprint,
    fingerprint_of,
    reference_to,
    whole_path,
)
from telemetry.review.flights.flight import FlightContent, FlightLog, FlightStream, FlightVideo
from telemetry.review.flights.json_format import Json
from telemetry.review.flights.sync import Sync

SUFFIX: Final = ".lapwing"
_FORMAT, _VERSION = "lapwing-flight", 1
_MISSING: Final = "{} is not where it was, nor beside the flight's file."


class FlightFileError(Exception):
    """A file that cannot be opened as a flight. One sentence for the user, with a remedy."""


@dataclass(frozen=True, slots=True)
class StoredFlight:
    """What a flight's file says. `log` is the first log; it is missing where `problem` says so."""

    log: Path
    content: FlightContent
    problem: str = ""


def read_flight(path: Path) -> StoredFlight:
    """Read a flight's file and look where its files are; those may be missing.

    Raises FlightFileError.
    """
    try:
        if kind_of(path) is FileKind.PACKAGE:
            raise FlightFileError(
                f"{path.name} is a packed flight. Unpack it first ('lapwing flight unpack')."
            )
        value = parse_json(read_limited(path))
        _check_format(value)
        return _from_json(value, path.parent)
    except FormatError as error:
        raise FlightFileError(f"{path.name} cannot be opened as a flight: {error}.") from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise FlightFileError(f"Cannot read {path}: {reason}.") from error


def write_flight(path: Path, log: Path, content: FlightContent) -> FlightContent:
    """Write a flight's file in one step; the one before stays beside it as `.previous`.

    `log` is the first log. Returns the content with what its files are known by now. Raises
    OSError, and the file is then as it was.
    """
    files = [log, *other_files(content)]
    seen = {whole_path(file): found for file in files if (found := fingerprint_of(file))}
    known = replace(content, fingerprints={**content.fingerprints, **seen})
    value = flight_document(path.parent, log, known)
    safe_files.replace_file(path, flight_to_bytes(value), keeps_previous=True)
    return replace(known, as_read=value)


def check_not_own(target: Path, flight: Path, log: Path, content: FlightContent) -> None:
    """Raise FlightFileError if what is to be written would replace a file of the flight."""
    own = [flight, log, *other_files(content)]
    if target.exists() and any(file.exists() and target.samefile(file) for file in own):
        raise FlightFileError(
            f"{target} is a file of this flight, which stays as it is. Choose another name."
        )


def flight_to_bytes(value: Json) -> bytes:
    """A flight's document as its file has it."""
    return f"{json.dumps(value, indent=1, ensure_ascii=True, allow_nan=False)}\n".encode()


def flight_document(
    folder: Path, log: Path, content: FlightContent, *, is_portable: bool = False
) -> Json:
    """The JSON of a flight whose file stands in `folder`; one that `is_portable` tells no place of
    this computer."""

    def file(path: Path) -> Json:
        known = content.fingerprints.get(whole_path(path))
        reference = reference_to(path, folder, known)
        return _file_to_json(replace(reference, absolute="") if is_portable else reference)

    value: Json = {
        "format": _FORMAT,
        "version": _VERSION,
        "logs": [
            {"name": log.name, "file": file(log)},
            *(
                {
                    "name": one.name,
                    "file": file(one.path),
                    "sync": json_format.sync_to_json(one.sync),
                    "is_other_flight": one.is_other_flight,
                }
                for one in content.logs
            ),
        ],
        "videos": [
            {
                "name": video.name,
                "files": [file(path) for path in video.files],
                "sync": json_format.sync_to_json(video.sync),
                "camera": json_format.camera_to_json(video.camera),
                "duration_s": video.duration_s,
                "turn": json_format.turn_to_json(video.turn),
            }
            for video in content.videos
        ],
        "streams": [{"name": one.name, "file": file(one.path)} for one in content.streams],
        "markers": [asdict(marker) for marker in content.markers],
        "notes": content.notes,
        "layout": {},
    }
    return {**json_format.merged(value, content.as_read), "layout": dict(content.layout)}


def _check_format(value: Any) -> None:
    if not isinstance(value, dict) or value.get("format") != _FORMAT:
        raise FormatError('it does not say "format": "lapwing-flight"')
    version = value.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise FormatError("it has no version number")
    if version > _VERSION:
        raise FormatError(f"a newer Lapwing wrote it (format {version}); update this one")


def _from_json(value: Json, folder: Path) -> StoredFlight:
    files = _Files(folder)
    entries = [
        json_format.as_object(one, "a log")
        for one in json_format.as_list(value, "logs", "the flight")
    ]
    if not entries:
        raise FormatError("it names no log")
    log = files.find(entries[0].get("file"), "the first log")
    content = FlightContent(
        logs=tuple(_log(files, entry, number) for number, entry in enumerate(entries[1:], 2)),
        videos=tuple(_video(files, *numbered) for numbered in _numbered(value, "video")),
        streams=tuple(_stream(files, *numbered) for numbered in _numbered(value, "stream")),
        markers=tuple(
            sorted(
                json_format.marker_from_json(one, "a marker")
                for one in json_format.as_list(value, "markers", "the flight")
            )
        ),
        notes=json_format.text(value, "notes", "the flight"),
        layout=json_format.as_object(value.get("layout", {}), "the layout"),
        fingerprints=files.fingerprints,
        as_read=value,
    )
    _check_names(content)
    return StoredFlight(log, content, files.problem((log,)))


def _numbered(value: Json, word: str) -> Iterator[tuple[Json, str]]:
    """The objects of a list of the flight, with what to call each of them."""
    for number, one in enumerate(json_format.as_list(value, f"{word}s", "the flight"), 1):
        yield json_format.as_object(one, f"{word} {number}"), f"{word} {number}"


class _Files:
    """The files of one flight: where they are, and which are missing."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._missing: set[Path] = set()
        self.fingerprints: dict[Path, Fingerprint] = {}

    def find(self, value: Any, place: str) -> Path:
        """Where a file is; where it would be if it is missing. Raises FormatError."""
        reference = reference_from_json(value, place)
        found = reference.find(self._folder)
        path = found or whole_path(reference.expected(self._folder))
        if found is None:
            self._missing.add(path)
        if reference.fingerprint is not None:
            self.fingerprints[path] = reference.fingerprint
        return path

    def problem(self, paths: tuple[Path, ...]) -> str:
        """A sentence about those of these files that are missing; "" if none is."""
        missing = [path.name for path in paths if path in self._missing]
        return _MISSING.format(" and ".join(missing)) if missing else ""


def _log(files: _Files, entry: Json, number: int) -> FlightLog:
    place = f"log {number}"
    path = files.find(entry.get("file"), place)
    return FlightLog(
        name=json_format.text(entry, "name", place) or path.name,
        path=path,
        sync=json_format.sync_from_json(entry.get("sync"), place) or Sync(),
        is_other_flight=entry.get("is_other_flight") is True,
        problem=files.problem((path,)),
    )


def _stream(files: _Files, entry: Json, place: str) -> FlightStream:
    path = files.find(entry.get("file"), place)
    return FlightStream(
        name=json_format.text(entry, "name", place) or path.stem,
        path=path,
        problem=files.problem((path,)),
    )


def _video(files: _Files, entry: Json, place: str) -> FlightVideo:
    paths = tuple(files.find(one, place) for one in json_format.as_list(entry, "files", place))
    if not paths:
        raise FormatError(f"{place} has no file")
    return FlightVideo(
        name=json_format.text(entry, "name", place) or paths[0].name,
        files=paths,
        sync=json_format.sync_from_json(entry.get("sync"), place),
        camera=json_format.camera_from_json(entry.get("camera"), place),
        problem=files.problem(paths),
        duration_s=json_format.length_from_json(entry, place),
        turn=json_format.turn_from_json(entry.get("turn"), place),
    )


def _check_names(content: FlightContent) -> None:
    for entries in (content.logs, content.videos):
        names = [entry.name for entry in entries]
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise FormatError(f"two are called {twice[:100]!r}")


def other_files(content: FlightContent) -> list[Path]:
    """All files of a flight but its own and its first log."""
    videos = [path for video in content.videos for path in video.files]
    logs, streams = ([one.path for one in files] for files in (content.logs, content.streams))
    return [*logs, *streams, *videos]


def _file_to_json(reference: FileReference) -> Json:
    known = reference.fingerprint
    return {
        "path": reference.relative,
        "absolute": reference.absolute,
        "bytes": known.size if known else None,
        "hash": known.head if known else None,
    }


def reference_from_json(value: Any, place: str) -> FileReference:
    """How a flight's file names a file. Raises FormatError."""
    entry = json_format.as_object(value, f"the file of {place}")
    relative, absolute = (json_format.text(entry, key, place) for key in ("path", "absolute"))
    if not relative and not absolute:
        raise FormatError(f"{place} has no path")
    if not _can_be_path(relative + absolute):
        raise FormatError(f"the path of {place} is no path")
    return FileReference(relative, absolute, _fingerprint(entry))


def _can_be_path(text: str) -> bool:
    try:
        return b"\0" not in os.fsencode(text)
    except UnicodeEncodeError:  # half a surrogate pair
        return False


def _fingerprint(entry: Json) -> Fingerprint | None:
    size, head = entry.get("bytes"), entry.get("hash")
    if isinstance(size, bool) or not isinstance(size, int) or not isinstance(head, str):
        return None
    return Fingerprint(max(0, size), head)
