"""Columns of long live flights on disk: in files without a name, which end with the program.

The system keeps their pages in memory only while they are looked at and nothing needs the room.
"""

import mmap
import os
import tempfile
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

LEAST_BYTES: Final = 1 << 20
"""Smaller columns stay in memory: they are many, and a file each would cost more."""
_ZEROS: Final = bytes(1 << 20)


class DiskColumns:
    """Allocates arrays in `folder`; in memory where the disk does not take them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def allocate(self, capacity: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        """An array of `capacity` items that can be written."""
        wanted = np.dtype(dtype)
        size = capacity * wanted.itemsize
        if size < LEAST_BYTES:
            return np.empty(capacity, wanted)
        try:
            return np.frombuffer(_mapped(self._folder, size), wanted, capacity)
        except OSError:  # a full or read-only disk
            return np.empty(capacity, wanted)


def _mapped(folder: Path, size: int) -> mmap.mmap:
    with tempfile.TemporaryFile(dir=folder) as file:
        _reserve(file.fileno(), size)
        return mmap.mmap(file.fileno(), size)


def _reserve(file: int, size: int) -> None:
    """Have the disk set the room aside: to run out of it later, in a mapping, ends the program."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file, 0, size)
        return
    for start in range(0, size, len(_ZEROS)):
        os.write(file, _ZEROS[: size - start])
