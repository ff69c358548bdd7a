"""References in packed files: nothing from somebody else makes a station look elsewhere than into
the folder it was unpacked in, or, for a video that was left out, beside that by its content.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, Final

from telemetry.base.text_formats import FormatError, parse_json, read_limited
from telemetry.recording.logs.world import WORLD_SUFFIX, LogWorldError, read_world_note
from telemetry.recording.simulated_world import is_at_path
from telemetry.review.flights.file_kind import FileKind, kind_of
from telemetry.review.flights.file_reference import FileReference, Fingerprint
from telemetry.review.flights.lapwing_file import reference_from_json

_LEAST_KNOWN_BYTES: Final = 1024
"""Of less, somebody who has never seen a file can guess the beginning."""


def can_be_found_beside(known: Fingerprint | None) -> bool:
    """Whether a file that is not packed is told from others by what is known of it."""
    return known is not None and known.size >= _LEAST_KNOWN_BYTES


def without_places(value: Any) -> Any:
    """A layout with "" for the paths of this computer in it."""
    if isinstance(value, Mapping):
        return {key: without_places(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [without_places(entry) for entry in value]
    return "" if isinstance(value, str) and _is_place(value) else value


def harm_of(path: Path) -> str:
    """What a file that was unpacked would have a station open besides the package, as a phrase; ""
    if nothing. Raises OSError."""
    if path.name.endswith(WORLD_SUFFIX):
        return _world_harm(path)
    match kind_of(path):
        case FileKind.PACKAGE:
            return "is another packed flight"
        case FileKind.FLIGHT:
            return _flight_harm(path)
        case _:
            return ""


def _world_harm(path: Path) -> str:
    try:
        world = read_world_note(path.with_name(path.name.removesuffix(WORLD_SUFFIX)))
    except LogWorldError:  # of which whoever opens it is told
        return ""
    return "names a world elsewhere" if world is not None and is_at_path(world.name) else ""


def _flight_harm(path: Path) -> str:
    """Without a look at where the files are."""
    try:
        value = parse_json(read_limited(path))
    except FormatError:  # nor will anybody else read it
        return ""
    if not isinstance(value, dict):
        return ""
    try:
        files = [value.get(key) for key in ("logs", "videos", "streams")]
        if not all(map(_stays, _references(files))):
            return "names a file outside of its folder"
    except FormatError as error:
        return f"names a file in no way that can be followed: {error}"
    layout = value.get("layout")
    return "" if without_places(layout) == layout else "has a layout that names a file elsewhere"


def _references(value: Any) -> Iterator[FileReference]:
    if isinstance(value, list):
        for entry in value:
            yield from _references(entry)
    elif isinstance(value, dict):
        if "path" in value or "absolute" in value:
            yield reference_from_json(value, "a file")
        yield from _references(list(value.values()))


def _stays(reference: FileReference) -> bool:
    """Windows takes all for a separator that any system does."""
    path = PureWindowsPath(reference.relative)
    is_beside = path.parts[:1] == ("..",) and can_be_found_beside(reference.fingerprint)
    within = path.parts[1:] if is_beside else path.parts
    return not (reference.absolute or path.anchor or ".." in within)


def _is_place(text: str) -> bool:
    return (
        text.startswith("\\")
        or PurePosixPath(text).is_absolute()
        or PureWindowsPath(text).is_absolute()
    )
