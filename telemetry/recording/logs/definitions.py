"""Log definitions: those that travel with a log, in `<log>.definitions.json` beside it.

The log stays what every reader of `.opl` knows. Ids in it are hashes of definitions, so that only
those need to be kept which are not shipped; the others are listed by id and name.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from telemetry.base import safe_files
from telemetry.base.text_formats import FormatError, parse_json, read_limited
from telemetry.protocol.objects.catalogue import Catalogue, DefinitionSet
from telemetry.protocol.objects.definition import ObjectDefinition
from telemetry.protocol.objects.definition_json import definition_from_json, definition_to_json

_FORMAT, _VERSION = "lapwing-definitions", 1
_MOST: Final = 1000


class LogDefinitionsError(ValueError):
    """What is wrong with the definitions beside a log, as a sentence."""


def definitions_path(log: Path) -> Path:
    """Where the definitions of a log stand."""
    return log.parent / f"{log.name}.definitions.json"


def write_definitions(log: Path, used: Iterable[ObjectDefinition], catalogue: Catalogue) -> None:
    """Keep beside a log those of the `used` definitions that are not shipped, if there are any.

    Raises OSError.
    """
    own = [definition for definition in used if not catalogue.is_shipped(definition)]
    if not own:
        return
    ids = {f"0x{one.object_id:08X}": one.name for one in used if one not in own}
    value = {
        "format": _FORMAT,
        "version": _VERSION,
        "definitions": [definition_to_json(one) for one in own],
        "shipped": dict(sorted(ids.items(), key=lambda entry: entry[1])),
    }
    safe_files.replace_file(definitions_path(log), f"{json.dumps(value, indent=1)}\n".encode())


def read_definitions(log: Path) -> DefinitionSet | None:
    """The definitions beside a log, None where there are none. Raises LogDefinitionsError."""
    path = definitions_path(log)
    try:
        if not path.is_file():
            return None
        found = _from_json(parse_json(read_limited(path)))
    except FormatError as error:
        raise LogDefinitionsError(f"{path.name} was left out: {error}.") from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise LogDefinitionsError(f"{path.name} was left out: {reason}.") from error
    return DefinitionSet(path.name, found)


def _from_json(value: Any) -> tuple[ObjectDefinition, ...]:
    if not isinstance(value, dict) or value.get("format") != _FORMAT:
        raise FormatError('it does not say "format": "lapwing-definitions"')
    if value.get("version") != _VERSION:
        raise FormatError("another version of Lapwing wrote it")
    entries = value.get("definitions")
    if not isinstance(entries, list) or len(entries) > _MOST:
        raise FormatError(f"it has no list of up to {_MOST} definitions")
    return tuple(definition_from_json(entry) for entry in entries)
