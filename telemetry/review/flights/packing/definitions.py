"""Definitions of all objects in packed logs: beside each log those that no release has, and all of
them in one file of the same format, for whoever reads the package with another program."""

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue
from telemetry.protocol.objects.definition import ObjectDefinition
from telemetry.protocol.objects.definition_json import definition_to_json
from telemetry.recording.logs.definitions import (
    LogDefinitionsError,
    definitions_path,
    read_definitions,
    write_definitions,
)
from telemetry.recording.logs.reader import LogError, read_log

OBJECTS: Final = "definitions.json"
_FORMAT, _VERSION = "lapwing-definitions", 1
"""As `telemetry.recording.logs.definitions` reads it."""


@dataclass(frozen=True, slots=True)
class LogObjects:
    """What is known of the objects in a log: the definitions that it is read with here, of which
    the file `beside` has those that are not shipped (None if there are none); the release that it
    was read as; and what is odd about it, for the user."""

    used: tuple[ObjectDefinition, ...] = ()
    release: str | None = None
    beside: Path | None = None
    notices: tuple[str, ...] = field(default=())


def objects_of(log: Path, catalogue: Catalogue, folder: Path) -> LogObjects:
    """Read a log, and write into an empty folder what it needs beside it. A log of another format
    says by itself what is in it. Raises OSError."""
    try:
        reading = read_log(log, catalogue)
    except LogError as error:
        return LogObjects(notices=(f"{error} It is packed as it is.",))
    known = reading.catalogue or catalogue
    shown = {one.definition.object_id: one.definition for one in reading.recording.tracks()}
    info = reading.info
    entries = (*info.per_object.values(), *info.without_value.values())
    ids = {entry.id & ~1 for entry in entries}  # a metaobject's is that of its object, and 1
    found = {one for each in ids if (one := shown.get(each) or known.get(each)) is not None}
    with suppress(LogDefinitionsError):  # of which the reading has told
        beside = read_definitions(log)
        found |= {*beside.all()} if beside is not None else set()
    used = tuple(sorted(found, key=lambda one: (one.name, one.object_id)))
    copy = folder / log.name
    write_definitions(copy, used, known)
    written = definitions_path(copy)
    unknown = info.unknown_frames
    told = f"{log.name}: {unknown} frames are of objects whose definitions are not here."
    return LogObjects(
        used,
        info.release,
        written if written.is_file() else None,
        (told,) if unknown else (),
    )


def objects_document(logs: Sequence[tuple[str, LogObjects]]) -> bytes:
    """All definitions of all logs, which are told by their paths in the package."""
    shipped = load_catalogue()
    found = {one for _, log in logs for one in log.used}
    value: dict[str, Any] = {
        "format": _FORMAT,
        "version": _VERSION,
        "definitions": [
            {**definition_to_json(one), "releases": list(shipped.releases_with(one.object_id))}
            for one in sorted(found, key=lambda one: (one.name, one.object_id))
        ],
        "logs": [
            {
                "log": path,
                "release": log.release,
                "objects": [f"0x{one.object_id:08X}" for one in log.used],
            }
            for path, log in logs
        ],
    }
    return f"{json.dumps(value, indent=1)}\n".encode()
