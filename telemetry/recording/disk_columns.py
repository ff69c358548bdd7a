"""Disk columns of long live flights: in files without a name, which end with the program.

A column grows with its file, by a step at a time: nothing is copied, and what the program has
looked at is mapped anew with each step, so that of a flight of any length only the newest part
counts as its memory.
"""

import mmap
import os
import tempfile
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from telemetry.recording.timed_columns import grown_in_memory

LEAST_BYTES: Final = 1 << 20
"""Smaller columns stay in memory: they are many, and a file each would cost more."""
STEP_BYTES: Final = 1 << 20
_ZEROS: Final = bytes(STEP_BYTES)


class DiskColumns:
    """Lets arrays grow in `folder`; in memory where the disk does not take them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def grown(self, column: npt.NDArray[Any], capacity: int) -> npt.NDArray[Any]:
        """An array of at least `capacity` items, which begins with those of `column`.

        On disk it is the same file: what is written to the one stands in the other.
        """
        size = (capacity * column.itemsize // STEP_BYTES + 1) * STEP_BYTES
        if capacity * column.itemsize < LEAST_BYTES:
            return grown_in_memory(column, capacity)
        try:
            before = _mapping_of(column)
            mapping = (before.file if before else _begun(self._folder)).mapped(size)
        except OSError:  # a full or read-only disk
            return grown_in_memory(column, capacity)
        larger = np.frombuffer(mapping, column.dtype, size // column.itemsize)
        if before is None:
            larger[: len(column)] = column
        return larger


class _File:
    """A file without a name, which ends with the last mapping of it."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._size = 0

    def mapped(self, size: int) -> "_Mapping":
        """The file as memory, made larger."""
        _reserve(self._descriptor, self._size, size)
        self._size = size
        mapping = _Mapping(self._descriptor, size)
        mapping.file = self
        return mapping

    def __del__(self) -> None:
        os.close(self._descriptor)


def _begun(folder: Path) -> _File:
    with tempfile.TemporaryFile(dir=folder) as file:
        return _File(os.dup(file.fileno()))


class _Mapping(mmap.mmap):
    """A file's content as memory."""

    file: _File


def _mapping_of(column: npt.NDArray[Any]) -> _Mapping | None:
    owner = column.base.obj if isinstance(column.base, memoryview) else None
    return owner if isinstance(owner, _Mapping) else None


def _reserve(file: int, start: int, end: int) -> None:
    """Have the disk set the room aside: to run out of it later, in a mapping, ends the program."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file, start, end - start)
        return
    os.lseek(file, start, os.SEEK_SET)
    for position in range(start, end, len(_ZEROS)):
        os.write(file, _ZEROS[: end - position])
