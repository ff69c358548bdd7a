"""The one place that reads the machine's clocks; everything else is passed `now` or a clock."""

import time
from datetime import UTC, datetime


def monotonic_s() -> float:
    """Seconds since an arbitrary origin, never stepping backwards."""
    return time.monotonic()


def wall_now() -> datetime:
    """The present instant in UTC."""
    return datetime.now(UTC)


def local_now() -> datetime:
    """The present instant in the user's time zone, for file names people read."""
    return datetime.now().astimezone()
