"""Versioned JSON files that survive crashes, full disks and older versions of themselves.

A file is replaced in one step, and the one before it stays beside it as `<name>.previous`.
A file that cannot be read is moved aside, never overwritten.
"""

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Json = dict[str, Any]
Migration = Callable[[Json], Json]


@dataclass(frozen=True, slots=True)
class Stored:
    """What a file held. `value` is None when there is nothing usable; `problem` is a sentence."""

    value: Json | None
    problem: str = ""


class NewerVersionError(ValueError):
    """The file was written by a newer Lapwing."""


def save(path: Path, value: Json, version: int) -> None:
    """Write `value` as the given version. Raises OSError; the old file is then untouched."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"version": version, **value}, indent=2, ensure_ascii=False) + "\n"
    if path.is_file() and path.read_text(encoding="utf-8", errors="replace") == text:
        return
    fresh = path.with_name(path.name + ".new")
    with fresh.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    if path.is_file():
        path.replace(previous_of(path))
    fresh.replace(path)


def previous_of(path: Path) -> Path:
    """The file that holds the version before the present one."""
    return path.with_name(path.name + ".previous")


def load(path: Path, migrations: Sequence[Migration] = ()) -> Stored:
    """Read a file, migrating it to version 1 + len(migrations).

    A file that is missing gives no value and no problem. An unreadable one is moved aside and
    the previous version is used where there is one.
    """
    if not path.is_file():
        return _load_previous(path, migrations) if previous_of(path).is_file() else Stored(None)
    try:
        return Stored(_read(path, migrations))
    except (OSError, ValueError) as error:
        reason = str(error)
    kept = _set_aside(path)
    where = f" It is kept as {kept}." if kept else ""
    previous = _load_previous(path, migrations)
    used = "The version before it is used." if previous.value is not None else "Defaults are used."
    return Stored(previous.value, f"{path.name} could not be read ({reason}). {used}{where}")


def _load_previous(path: Path, migrations: Sequence[Migration]) -> Stored:
    try:
        return Stored(_read(previous_of(path), migrations))
    except (OSError, ValueError):
        return Stored(None)


def _read(path: Path, migrations: Sequence[Migration]) -> Json:
    value = json.loads(path.read_text(encoding="utf-8"))
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
    return {**value, "version": newest}


def _set_aside(path: Path) -> str:
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
