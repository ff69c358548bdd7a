"""Clock: the one reader of the machine's clocks; everything else is passed `now` or a clock."""

import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial


def _sleepless() -> Callable[[], float]:
    """A monotonic clock that counts the time asleep: Linux and macOS have one besides the usual
    one, and that of Windows does."""
    name = {"linux": "CLOCK_BOOTTIME", "darwin": "CLOCK_MONOTONIC"}.get(sys.platform, "")
    clock_id = getattr(time, name, None)
    return time.monotonic if clock_id is None else partial(time.clock_gettime, clock_id)


_READ = _sleepless()


def monotonic_s() -> float:
    """Seconds since an arbitrary origin, never stepping backwards. They go on while the computer
    sleeps: what was fresh before is not fresh after."""
    return _READ()


def wall_now() -> datetime:
    """The present instant in UTC."""
    return datetime.now(UTC)


def local_now() -> datetime:
    """The present instant in the user's time zone, for file names people read."""
    return datetime.now().astimezone()
