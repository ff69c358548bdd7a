"""Machine code kept on disk, so that only the first start compiles.

Every file belongs to one program of one copy of the sources and is replaced when these change. It
begins with a digest of what it was made from and of what it holds: half a file, or another's, is
as none.
"""

import hashlib
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from telemetry.folders import Folders

FOLDER_VARIABLE: Final = "NUMBA_CACHE_DIR"
"""What numba calls it: compiled code of both is kept there."""
SOURCES = Path(__file__).resolve().parents[1]
"""The copy of the sources that this is one of."""
_DIGEST = hashlib.sha256


def find(name: str, key: str) -> bytes | None:
    """What was kept under this name, made from what `key` says; None if there is nothing."""
    for path in _paths(name):
        with suppress(OSError):
            content = path.read_bytes()
            code = content[_DIGEST().digest_size :]
            if content == _signed(key, code):
                return code
    return None


def keep(name: str, key: str, code: bytes) -> Path | None:
    """Write it where it will be found; the file, or None if no folder can be written."""
    for path in _paths(name):
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            _replace(path, _signed(key, code))
            return path
    return None


def _signed(key: str, code: bytes) -> bytes:
    return _DIGEST(key.encode() + code).digest() + code


def _paths(name: str) -> Iterator[Path]:
    """Where it may be: the folder that the user names, else beside the sources, else the user's
    own folder for such."""
    copy = _DIGEST(str(SOURCES).encode()).hexdigest()[:12]
    if folder := os.environ.get(FOLDER_VARIABLE):
        yield Path(folder) / f"{name}-{copy}.machine-code"
        return
    yield SOURCES / "__pycache__" / f"{name}.machine-code"
    yield Folders.of_user(os.environ).cache / "programs" / f"{name}-{copy}.machine-code"


def _replace(path: Path, content: bytes) -> None:
    """In one step, so that another process never sees half of it."""
    written = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        written.write_bytes(content)
        written.replace(path)
    except OSError:
        written.unlink(missing_ok=True)
        raise
