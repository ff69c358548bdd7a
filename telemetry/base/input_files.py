"""Input files: the one place that opens what is to be read as a file.

A pipe would wait for somebody who writes, a device never ends and opening it may do something, a
folder of a camera's card may hold a hundred thousand names. Each is refused by an OSError whose
`strerror` is a phrase with the remedy, as the system's own are phrases. Cameras and serial ports
are opened by their own.
"""

import errno
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_HOW: Final = (
    os.O_RDONLY
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NONBLOCK", 0)  # in case it has become a pipe since it was looked at
    | getattr(os, "O_NOCTTY", 0)
)
_MORE_BYTES: Final = 1 << 20
LARGEST_CODE_BYTES: Final = 64 << 20
"""Of what users write: Python, C, libraries."""
_KINDS: Final = (
    (stat.S_ISDIR, "it is a folder; name a file in it"),
    (stat.S_ISFIFO, "it is a pipe, not a file; write it to a file first"),
    (stat.S_ISSOCK, "it is a socket, not a file; name a file"),
    (stat.S_ISCHR, "it is a device, not a file; name a file"),
    (stat.S_ISBLK, "it is a device, not a file; name a file"),
)


def check_file(path: Path, largest_bytes: int | None = None) -> None:
    """Refuse what is no file, or larger, for those who open it by its name: databases, FFmpeg.

    Raises OSError.
    """
    _check(path, path.stat(), largest_bytes)


def open_file(path: Path, largest_bytes: int | None = None) -> BinaryIO:
    """A file to be read. Raises OSError for what is none, or larger than that."""
    check_file(path, largest_bytes)
    handle = os.open(path, _HOW)
    try:
        _check(path, os.fstat(handle), largest_bytes)
        return os.fdopen(handle, "rb")
    except OSError:
        os.close(handle)
        raise


def read_bytes(path: Path, largest_bytes: int) -> bytes:
    """The content of a file. Raises OSError for what is none, or larger."""
    with open_file(path, largest_bytes) as file:
        size = os.fstat(file.fileno()).st_size  # to ask for the limit would take its memory
        data = file.read(min(size, largest_bytes) + 1)
        data += _more(file, len(data), largest_bytes)
    if len(data) > largest_bytes:
        raise _too_large(path, largest_bytes)
    return data


def read_array(path: Path, largest_bytes: int) -> "npt.NDArray[np.uint8]":
    """The same, of a large file, as an array: the system hands out memory for those in large pages,
    which takes half the time. Raises OSError."""
    import numpy as np

    with open_file(path, largest_bytes) as file:
        data = np.empty(os.fstat(file.fileno()).st_size, np.uint8)
        data = data[: file.readinto(data)]  # type: ignore[attr-defined]
        more = _more(file, len(data), largest_bytes)
    if len(data) + len(more) > largest_bytes:
        raise _too_large(path, largest_bytes)
    return np.concatenate((data, np.frombuffer(more, np.uint8))) if more else data


def _more(file: BinaryIO, size: int, largest_bytes: int) -> bytes:
    """What stands behind the size that it told: it grows, or does not tell its size."""
    data = b""
    while size + len(data) <= largest_bytes and (more := file.read(_MORE_BYTES)):
        data += more
    return data


def read_text(path: Path, largest_bytes: int) -> str:
    """The same as text in UTF-8, with or without its mark. Raises OSError, UnicodeDecodeError."""
    return read_bytes(path, largest_bytes).decode("utf-8-sig")


def files_in(folder: Path, most: int, deepest: int = 0) -> list[Path]:
    """What lies in a folder and, so deep, in those in it, by name, without what is hidden. Most of
    it is files; who opens the rest is told what it is.

    Raises OSError, also for more than `most`: a part of them would be chosen by chance.
    """
    found: list[Path] = []
    folders, seen = [(folder, 0)], 0
    while folders:
        present, depth = folders.pop()
        with os.scandir(present) as entries:
            for entry in entries:
                seen += 1
                if seen > most:
                    what = f"there are more than {most:,} files in it; choose a folder with fewer"
                    raise OSError(errno.E2BIG, what, str(folder))
                if entry.name.startswith("."):
                    continue
                if entry.is_dir(follow_symlinks=False) and depth < deepest:
                    folders.append((Path(entry.path), depth + 1))
                else:
                    found.append(Path(entry.path))
    return sorted(found)


def size_text(size_bytes: int) -> str:
    """A limit in words."""
    for shift, unit in ((30, "GB"), (20, "MB")):
        if size_bytes >> shift:
            return f"{size_bytes >> shift} {unit}"
    return f"{size_bytes} bytes"


def _check(path: Path, found: os.stat_result, largest_bytes: int | None) -> None:
    for is_kind, what in _KINDS:
        if is_kind(found.st_mode):
            raise OSError(errno.EINVAL, what, str(path))
    if largest_bytes is not None and found.st_size > largest_bytes:
        raise _too_large(path, largest_bytes)


def _too_large(path: Path, largest_bytes: int) -> OSError:
    return OSError(errno.EFBIG, f"it is larger than {size_text(largest_bytes)}", str(path))
