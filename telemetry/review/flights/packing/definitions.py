"""Definitions of all objects in packed logs: beside each log those that no release has, and all of
them in one file of the same format, for whoever reads the package with another program."""

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue
from telemetry.protocol.objects.definition import ObjectDefinition
from telemetry.protocol.objects.definition_json import definition_to_json
from telemetry.recording.logs.definitions import (
    FORMAT,
    VERSION,
    LogDefinitionsError,
    read_definitions,
    used_definitions,
    write_definitions,
)
from telemetry.recording.logs.reader import LogError, read_log

OBJECTS: Final = "definitions.json"


@dataclass(frozen=True, slots=True)
class LogObjects:
    """What is known of the objects in a log: the definitions that it is read with here, the release
    that it was read as, and what is odd about it, for the user, "" if nothing is."""

    used: tuple[ObjectDefinition, ...] = ()
    release: str | None = None
    notice: str = ""


def objects_of(log: Path, catalogue: Catalogue, copy: Path) -> LogObjects:
    """Read a log, and write beside `copy`, which need not be there, what it needs beside it. A log
    of another format says by itself what is in it. Raises OSError."""
    try:
        reading = read_log(log, catalogue)
    except LogError as error:
        return LogObjects(notice=f"{error} It is packed as it is.")
    known = reading.catalogue or catalogue
    found = {*used_definitions(reading.object_ids, known, reading.recording)}
    with suppress(LogDefinitionsError):  # of which the reading has told
        beside = read_definitions(log)
        found |= {*beside.all()} if beside is not None else set()
    used = tuple(sorted(found, key=lambda one: (one.name, one.object_id)))
    write_definitions(copy, used, known)
    unknown = reading.info.unknown_frames
    told = f"{log.name}: {unknown} frames are of objects whose definitions are not here."
    return LogObjects(used, reading.info.release, told if unknown else "")


def objects_document(logs: Sequence[tuple[str, LogObjects]]) -> bytes:
    """All definitions of all logs, which are told by their paths in the package."""
    shipped = load_catalogue()
    found = {one for _, log in logs for one in log.used}
    value = {
        "format": FORMAT,
        "version": VERSION,
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
