"""What may stand in the place of a file and is none."""

import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Final

_SPARSE_BYTES: Final = 10 << 30


def make_fifo(folder: Path, suffix: str = "") -> Path:
    """A pipe that nobody writes to."""
    path = folder / f"pipe{suffix}"
    os.mkfifo(path)
    return path


def make_socket(folder: Path, suffix: str = "") -> Path:
    """A socket that nobody listens at. Its name is bound in its folder: it may be 100 bytes."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind(f"socket{suffix}")
    finally:
        os.chdir(before)
    return folder / f"socket{suffix}"


def make_device(folder: Path, suffix: str = "") -> Path:
    """One that never ends."""
    path = folder / f"device{suffix}"
    path.symlink_to("/dev/zero")
    return path


def make_folder(folder: Path, suffix: str = "") -> Path:
    """An empty one."""
    path = folder / f"folder{suffix}"
    path.mkdir()
    return path


def make_sparse(folder: Path, suffix: str = "") -> Path:
    """10 GB of nothing."""
    path = folder / f"large{suffix}"
    with path.open("wb") as file:
        file.truncate(_SPARSE_BYTES)
    return path


NO_FILES: Final[dict[str, tuple[Callable[[Path, str], Path], str]]] = {
    "pipe": (make_fifo, "it is a pipe"),
    "socket": (make_socket, "it is a socket"),
    "device": (make_device, "it is a device"),
    "folder": (make_folder, "it is a folder"),
    "sparse": (make_sparse, "larger than"),
}
"""How each is made, and what is said of it."""
