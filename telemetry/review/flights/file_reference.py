"""File references of a flight: found again where a folder was moved or a file renamed."""

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from telemetry.base.input_files import open_file

_HEAD_BYTES: Final = 1 << 16
_MOST_NEIGHBOURS: Final = 2000
"""Files of one folder that are looked at for a renamed one."""


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What a file is known by: its size when it was last looked at, and a hash of its first 64 KiB.

    A recording that goes on grows; its beginning stays.
    """

    size: int
    head: str

    def fits(self, path: Path) -> bool:
        """Whether this is the file, or has become it."""
        try:
            is_whole = path.is_file() and path.stat().st_size >= self.size
            return is_whole and _head(path, self.size) == self.head
        except OSError:
            return False


@dataclass(frozen=True, slots=True)
class FileReference:
    """A file by two paths: relative to the flight's file, and absolute as a fall-back.

    Both are "" where they are unknown; `fingerprint` is None where the file never was there.
    """

    relative: str
    absolute: str = ""
    fingerprint: Fingerprint | None = None

    def find(self, folder: Path) -> Path | None:
        """The file, for a flight's file in `folder`; None if it is nowhere.

        At its paths, then under its name in `folder`, then there under any name. A file that is
        not the one it was is not taken.
        """
        for path in self._places(folder):
            if self._is_it(path):
                return whole_path(path)
        return None

    def _is_it(self, path: Path) -> bool:
        if self.fingerprint is not None:
            return self.fingerprint.fits(path)
        try:
            return path.is_file()
        except OSError:  # a name that no file can have
            return False

    def expected(self, folder: Path) -> Path:
        """Where it would stand."""
        return folder / self.relative if self.relative else Path(self.absolute)

    def _places(self, folder: Path) -> Iterator[Path]:
        if self.relative:
            yield folder / self.relative
        if self.absolute:
            yield Path(self.absolute)
        yield folder / self.expected(folder).name
        if self.fingerprint is not None:
            yield from _of_size(folder, self.fingerprint.size)


def whole_path(path: Path) -> Path:
    """The same from the root, without looking at the disk."""
    return Path(os.path.normpath(path.absolute()))


def fingerprint_of(path: Path) -> Fingerprint | None:
    """What this file is known by; None where it cannot be read."""
    try:
        size = path.stat().st_size
        return Fingerprint(size, _head(path, size)) if path.is_file() else None
    except OSError:
        return None


def reference_to(path: Path, folder: Path, fingerprint: Fingerprint | None) -> FileReference:
    """How a flight's file in `folder` refers to a file."""
    whole = whole_path(path)
    try:
        relative = PurePosixPath(Path(os.path.relpath(whole, whole_path(folder))).as_posix())
    except ValueError:  # on another drive of Windows
        return FileReference("", str(whole), fingerprint)
    return FileReference(str(relative), str(whole), fingerprint)


def _head(path: Path, size: int) -> str:
    with open_file(path) as file:
        return hashlib.blake2b(file.read(min(size, _HEAD_BYTES)), digest_size=8).hexdigest()


def _of_size(folder: Path, size: int) -> Iterator[Path]:
    try:
        with os.scandir(folder) as entries:
            for _, entry in zip(range(_MOST_NEIGHBOURS), entries, strict=False):
                if entry.is_file() and entry.stat().st_size == size:
                    yield Path(entry.path)
    except OSError:
        return
