"""Safe files: they survive crashes, full disks and older versions of themselves.

A file is replaced in one step and is on the disk when `replace_file` returns. What is begun has a
name nobody can foresee, in the same folder, which may be shared. Of JSON files, which are the
user's own alone, the one before stays beside as `<name>.previous`, and one that reads and makes no
sense is moved aside, never overwritten. What several windows write, each changes by `change`.
"""

import json
import math
import os
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from telemetry.base.file_lock import locked
from telemetry.base.text_formats import LARGEST_BYTES, parse_json, read_limited

Json = dict[str, Any]
Migration = Callable[[Json], Json]

_OWN_ALONE: Final = 0o600
_BY_UMASK: Final = 0o666
_MISSING: Final = (FileNotFoundError, NotADirectoryError)
_DAMAGE: Final = (
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
)
"""What a content can raise that is not what was written."""


@dataclass(frozen=True, slots=True)
class Stored:
    """What a file held. `value` is None when there is nothing usable; `problem` is a sentence."""

    value: Json | None
    problem: str = ""


class NewerVersionError(ValueError):
    """The file was written by a newer Lapwing."""


def replace_file(
    path: Path, data: bytes, *, keeps_previous: bool = False, is_private: bool = False
) -> None:
    """Write a file so that it is either the old one or the whole new one; one that `is_private`
    nobody else can read. Raises OSError."""
    with whole_file(path, is_private=is_private) as fresh:
        with fresh.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if keeps_previous:
            _keep_previous(path)
    _sync_folder(path.parent)


@contextmanager
def whole_file(path: Path, *, is_private: bool = False) -> Iterator[Path]:
    """A path to write to in the place of `path`, which gets the file once it is whole; what was
    begun is removed if anything goes wrong meanwhile, a cancellation included. Raises OSError.
    """
    fresh = begun_file(path, _OWN_ALONE if is_private else _BY_UMASK)
    try:
        yield fresh
        fresh.replace(path)
    finally:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)


def begun_file(path: Path, mode: int = _BY_UMASK) -> Path:
    """An empty file beside `path`, to be given its name once it is whole. It is new, whatever
    others have put into the folder. Raises OSError."""
    fresh = _unforeseen(path)
    how = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
    os.close(os.open(fresh, how, mode))
    return fresh


def _unforeseen(path: Path) -> Path:
    return path.with_name(f".{os.getpid()}-{secrets.token_hex(8)}.part")


def remove_begun(folder: Path, process_id: int) -> None:
    """Remove what a process had begun there that was ended meanwhile. Raises OSError."""
    for begun in folder.glob(f".{process_id}-*.part"):
        begun.unlink(missing_ok=True)


def _keep_previous(path: Path) -> None:
    """The file as `<name>.previous` too; it stays meanwhile, for others who read it."""
    spare = _unforeseen(path)
    try:
        os.link(path, spare)
        spare.replace(previous_of(path))
    except _MISSING:
        return
    except OSError:  # a file system without second names
        path.replace(previous_of(path))  # after a crash right here, `load` reads this one
    finally:  # where both were one already, replacing does nothing
        with suppress(OSError):
            spare.unlink(missing_ok=True)


def save(path: Path, value: Json, version: int) -> None:
    """Write `value` as the given version. Raises OSError; the old file is then untouched."""
    path.parent.mkdir(parents=True, exist_ok=True)
    data = _packed({"version": version} | value | {"version": version})
    with suppress(OSError, ValueError):  # of which the writing will tell
        if read_limited(path, len(data)) == data:
            return
    replace_file(path, data, keeps_previous=True, is_private=True)


def change(
    path: Path,
    new: Callable[[Json], Json],
    version: int,
    migrations: Sequence[Migration] = (),
    check: Callable[[Json], object] = lambda value: None,
) -> str:
    """Write what `new` makes of what stands in the file now: another window may have written it
    since. Where nothing usable does, `new` gets an empty object.

    Returns a sentence if what stood there was damaged, else "". Raises OSError; the old file is
    then untouched.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with locked(path):
        stored = _present(path, migrations, check)
        save(path, new(stored.value or {}), version)
    return stored.problem


def _packed(value: Json) -> bytes:
    """As a file that `load` reads. JSON knows no NaN: null stands for what is no number."""
    try:
        text = json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)
    except ValueError:
        text = json.dumps(_finite(value), indent=2, ensure_ascii=False)
    # A path may have bytes that are no text; \udc80 is what JSON writes for one.
    return f"{text}\n".encode("utf-8", "backslashreplace")


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

    A file that is missing gives no value and no problem. One that reads and is damaged, or that
    `check` refuses by raising, is moved aside and the previous version is used where there is one;
    `otherwise` says what happens if there is none. One that the system does not give just now stays
    where it is.
    """
    try:
        return _present(path, migrations, check, otherwise)
    except OSError as error:
        reason = error.strerror or str(error)
        return Stored(
            None, f"{path.name} could not be read now ({reason}); it stays as it is. {otherwise}"
        )


def _present(
    path: Path,
    migrations: Sequence[Migration] = (),
    check: Callable[[Json], object] = lambda value: None,
    otherwise: str = "It is begun anew.",
) -> Stored:
    """As `load`, but raises OSError for what the system does not give just now."""
    try:
        return Stored(_read(path, migrations, check))
    except _MISSING:
        return _load_previous(path, migrations, check)
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
    except (*_MISSING, *_DAMAGE):  # most often, there is none
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
