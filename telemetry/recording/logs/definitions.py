"""Log definitions: those that travel with a log, in `<log>.definitions.json` beside it.

The log stays what every reader of `.opl` knows. Ids in it are hashes of definitions, so that only
those need to be kept which are not shipped; the others are listed by id and name.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from telemetry.base import safe_files
from telemetry.base.text_formats import FormatError, parse_json, read_limited
from telemetry.protocol.objects.catalogue import Catalogue, DefinitionSet, DefinitionSource
from telemetry.protocol.objects.definition import ObjectDefinition
from telemetry.protocol.objects.definition_folder import DefinitionFolder
from telemetry.protocol.objects.definition_json import definition_from_json, definition_to_json
from telemetry.recording.recording import Recording

FORMAT: Final = "lapwing-definitions"
SUFFIX: Final = ".definitions.json"
VERSION: Final = 1
_MOST: Final = 1000


class LogDefinitionsError(ValueError):
    """What is wrong with the definitions beside a log, as a sentence."""


def definitions_path(log: Path) -> Path:
    """Where the definitions of a log stand."""
    return log.parent / f"{log.name}{SUFFIX}"


def keep_definitions(
    log: Path,
    object_ids: Iterable[int],
    catalogue: Catalogue,
    recording: Recording | None = None,
) -> None:
    """Keep beside a log what it needs of definitions, by the ids in its frames: values, and objects
    that were only asked for. Whoever writes a log calls this, with the `recording` that shows it if
    there is one. Raises OSError."""
    write_definitions(log, used_definitions(object_ids, catalogue, recording), catalogue)


def used_definitions(
    object_ids: Iterable[int], catalogue: Catalogue, recording: Recording | None = None
) -> list[ObjectDefinition]:
    """The definitions of objects by their ids or those of their metaobjects, as a recording has
    them, else the catalogue; those that nobody knows are left out."""
    tracks = recording.tracks() if recording is not None else ()
    shown = {track.definition.object_id: track.definition for track in tracks}
    ids = sorted({each & ~1 for each in object_ids})  # a metaobject's is that of its object, and 1
    return [found for each in ids if (found := shown.get(each) or catalogue.get(each))]


def write_definitions(log: Path, used: Iterable[ObjectDefinition], catalogue: Catalogue) -> None:
    """Keep beside a log those of the `used` definitions that are not shipped, if there are any.

    Raises OSError.
    """
    own = [definition for definition in used if not catalogue.is_shipped(definition)]
    if not own:
        return
    ids = {f"0x{one.object_id:08X}": one.name for one in used if one not in own}
    value = {
        "format": FORMAT,
        "version": VERSION,
        "definitions": [definition_to_json(one) for one in own],
        "shipped": dict(sorted(ids.items(), key=lambda entry: entry[1])),
    }
    safe_files.replace_file(definitions_path(log), f"{json.dumps(value, indent=1)}\n".encode())


def read_definitions(log: Path) -> DefinitionSet | None:
    """The definitions beside a log, None where there are none. Raises LogDefinitionsError."""
    path = definitions_path(log)
    try:
        is_there = path.is_file()
    except OSError as error:
        raise LogDefinitionsError(f"{path.name} was left out: {error.strerror}.") from error
    return _read_file(path) if is_there else None


def offered_definitions(paths: Iterable[Path]) -> tuple[DefinitionSource, ...]:
    """The definitions that somebody gives for a log: XML files, which may take fields from others
    in their folder, folders of them, and `.definitions.json` of another log.

    Raises LogDefinitionsError.
    """
    given = sorted(set(paths))
    for path in given:
        if not path.exists():
            raise LogDefinitionsError(f"{path} does not exist.")
    files = [path for path in given if path.suffix.lower() == ".json"]
    others = (path for path in given if path not in files)
    folders = sorted({path if path.is_dir() else path.parent for path in others})
    return (
        *(_read_file(path) for path in files),
        *(DefinitionFolder(path, path.name) for path in folders),
    )


def faults(sources: Iterable[DefinitionSource], paths: Sequence[Path]) -> Iterator[str]:
    """Sentences about what is wrong with the files that were given as `paths`, and in folders; what
    else lies beside a file is nobody's concern."""
    for error in (error for source in sources for error in source.errors):
        place = Path(error.file)
        if place in paths or place.parent in paths or not place.is_file():
            yield f"A definition file was left out: {error}."


def unknown_sentence(frames: int) -> str:
    """That some frames of a log cannot be shown, and what shows them."""
    were = "1 frame was" if frames == 1 else f"{frames} frames were"
    return (
        f"{were} of objects that no known release defines; "
        "'lapwing log define' takes their firmware's definition files."
    )


def unfit_sentence(flight: str, unknown: int, paths: Sequence[Path]) -> str:
    """That definitions which were given show nothing more of a flight with `unknown` ids."""
    if not unknown:
        return f"{flight} has no object that only these definitions know."
    more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    one, many = (
        f"The unknown id of {flight} is not",
        f"None of the {unknown} unknown ids of {flight} is",
    )
    return (
        f"{one if unknown == 1 else many} in {paths[0].name}{more}: another firmware, or another "
        "version of it, has those definitions."
    )


def _read_file(path: Path) -> DefinitionSet:
    try:
        found = _from_json(parse_json(read_limited(path)))
    except FormatError as error:
        raise LogDefinitionsError(f"{path.name} was left out: {error}.") from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise LogDefinitionsError(f"{path.name} was left out: {reason}.") from error
    return DefinitionSet(path.name, found)


def _from_json(value: Any) -> tuple[ObjectDefinition, ...]:
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise FormatError('it does not say "format": "lapwing-definitions"')
    if value.get("version") != VERSION:
        raise FormatError("another version of Lapwing wrote it")
    entries = value.get("definitions")
    if not isinstance(entries, list) or len(entries) > _MOST:
        raise FormatError(f"it has no list of up to {_MOST} definitions")
    return tuple(definition_from_json(entry) for entry in entries)
