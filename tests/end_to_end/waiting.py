"""Waiting for other processes."""

import threading
from collections.abc import Callable
from typing import TypeVar

from telemetry.clock import monotonic_s

FIRST_START_S = 90.0
"""Long enough for a simulator that has to be compiled first."""

_T = TypeVar("_T")


def wait_for(look: Callable[[], _T | None], timeout_s: float = FIRST_START_S) -> _T:
    """What `look` finds, looking again and again; fail after `timeout_s`."""
    pause = threading.Event()
    deadline = monotonic_s() + timeout_s
    while (found := look()) is None:
        assert monotonic_s() < deadline, "it did not happen in time"
        pause.wait(0.05)
    return found
