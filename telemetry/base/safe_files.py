"""Safe files: they survive crashes, full disks and older versions of themselves.

A file is replaced in one step and is on the disk when `replace_file` returns. Of JSON files the
one before stays beside as `<name>.previous`, and one that cannot be read is moved aside, never
overwritten.
"""

import json
import math
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from telemetry.base.text_formats import LARGEST_BYTES, parse_json, read_limited

Json = dict[str, Any]
Migration = Callable[[Json], Json]

_DAMAGE: Final = (
    OSError,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
)
"""What reading a file can raise whose content is not what was written."""


@dataclass(frozen=True, slots=True)
class Stored:
    """What a file held. `value` is None when there is nothing usable; `problem` is a sentence."""

    value: Json | None
    problem: str = ""


class NewerVersionError(ValueError):
    """The file was written by a newer Lapwing."""


def replace_file(path: Path, data: bytes, *, keeps_previous: bool = False) -> None:
    """Write a file so that it is either the old one or the whole new one. Raises OSError."""
    fresh = path.with_name(path.name + ".new")
    try:
        with fresh.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if keeps_previous and path.is_file():
            path.replace(previous_of(path))  # after a crash right here, `load` reads this one
        fresh.replace(path)
    except OSError:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A path to write to in the place of `path`, which gets the file once it is whole; what was
    begun is removed if anything goes wrong meanwhile, a cancellation included. Raises OSError.
    """
    fresh = path.with_name(f".{path.name}.part")
    try:
        yield fresh
        fresh.replace(path)
    finally:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)


def save(path: Path, value: Json, version: int) -> None:
    """Write `value` as the given version. Raises OSError; the old file is then untouched."""
    path.parent.mkdir(parents=True, exist_ok=True)
    data = _packed({"version": version, **value})
    if not path.is_file() or path.read_bytes() != data:
        replace_file(path, data, keeps_previous=True)


def _packed(value: Json) -> bytes:
    """As a file that `load` reads. JSON knows no NaN: null stands for what is no number."""
    try:
        text = json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)
    except ValueError:
        text = json.dumps(_finite(value), indent=2, ensure_ascii=False)
    try:
        return f"{text}\n".encode()
    except UnicodeEncodeError:  # a path may have bytes that are no text
        return f"{json.dumps(json.loads(text), indent=2)}\n".encode()


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(entry) for entry in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def delete(path: Path) -> None:
    """Remove a file and the one before it. Raises OSError. Removing what is not there is fine."""
    previous_of(path).unlink(missing_ok=True)  # first: alone, it would be read again
    path.unlink(missing_ok=True)
    _sync_folder(path.parent)


def previous_of(path: Path) -> Path:
    """The file that holds the version before the present one."""
    return path.with_name(path.name + ".previous")


def load(
    path: Path,
    migrations: Sequence[Migration] = (),
    check: Callable[[Json], object] = lambda value: None,
    otherwise: str = "Defaults are used.",
) -> Stored:
    """Read a file, migrating it to version 1 + len(migrations).

    A file that is missing gives no value and no problem. One that is unreadable, or that `check`
    refuses by raising, is moved aside and the previous version is used where there is one;
    `otherwise` says what happens if there is none.
    """
    if not path.is_file():
        return _load_previous(path, migrations, check)
    try:
        return Stored(_read(path, migrations, check))
    except _DAMAGE as error:
        reason = str(error) or type(error).__name__
    kept = set_aside(path)
    where = f" It is kept as {kept}." if kept else ""
    previous = _load_previous(path, migrations, check)
    used = "The version before it is used." if previous.value is not None else otherwise
    return Stored(previous.value, f"{path.name} could not be read ({reason}). {used}{where}")


def _load_previous(
    path: Path, migrations: Sequence[Migration], check: Callable[[Json], object]
) -> Stored:
    try:
        return Stored(_read(previous_of(path), migrations, check))
    except _DAMAGE:  # most often, there is none
        return Stored(None)


def _read(path: Path, migrations: Sequence[Migration], check: Callable[[Json], object]) -> Json:
    value = parse_json(read_limited(path, LARGEST_BYTES))
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")
    version = value.get("version")
    if not isinstance(version, int) or version < 1:
        raise ValueError("no version number")
    newest = 1 + len(migrations)
    if version > newest:
        raise NewerVersionError(f"written by a newer version of Lapwing, format {version}")
    for migrate in migrations[version - 1 :]:
        value = migrate(value)
    check(value)
    return {**value, "version": newest}


def set_aside(path: Path) -> str:
    """Move an unreadable file to the first free name; return that name, or "" if it stayed."""
    for number in range(1, 1000):
        kept = path.with_name(f"{path.name}.unreadable-{number}")
        if not kept.exists():
            try:
                path.replace(kept)
            except OSError:
                return ""
            return kept.name
    return ""


def _sync_folder(folder: Path) -> None:
    """Have a renaming survive a power cut too. Windows cannot open folders, and some network
    file systems refuse; the file itself is on the disk already."""
    if os.name == "nt":
        return
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
