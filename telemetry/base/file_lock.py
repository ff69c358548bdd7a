"""File lock: several windows change one file, one after the other.

The lock stands beside the file and stays there: who removed it would let two have it at once.
"""

import errno
import os
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Final

from telemetry.base.clock import monotonic_s

_LONGEST_S: Final = 5.0
"""Each has it for milliseconds; a window that is stopped must not stop the others for good."""
_PAUSE_S: Final = 0.002
_HELD: Final = (errno.EAGAIN, errno.EACCES, errno.EDEADLK)
_NOT_THERE: Final = (errno.ENOLCK, errno.ENOTSUP, errno.ENOSYS, errno.EINVAL)
"""What file systems say that know no locks; there the last one counts, as without."""


@contextmanager
def locked(path: Path, longest_s: float = _LONGEST_S) -> Iterator[None]:
    """Nobody else who asks has this file meanwhile, in this process or another. Raises OSError
    where that takes longer."""
    how = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
    handle = os.open(path.with_name(f".{path.name}.lock"), how, 0o600)
    try:
        _wait(handle, path, longest_s)
        yield
    finally:
        os.close(handle)  # which gives it back


def _wait(handle: int, path: Path, longest_s: float) -> None:
    end_s, pause = monotonic_s() + longest_s, Event()
    while True:
        try:
            _take(handle)
        except OSError as error:
            if error.errno in _NOT_THERE:
                return
            if error.errno not in _HELD:
                raise
            if monotonic_s() > end_s:
                what = "another window has been writing it for seconds; close that one"
                raise OSError(errno.EBUSY, what, str(path)) from None
            pause.wait(_PAUSE_S * (0.5 + random.random()))  # not all at once again
        else:
            return


def _take(handle: int) -> None:
    """Raises OSError while somebody else has it."""
    if os.name == "nt":
        import msvcrt

        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
    else:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
