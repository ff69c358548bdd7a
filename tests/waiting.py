"""Waiting for what another thread, process or the event loop does. What is there ends the wait at
once, so the limit costs nothing: it is long enough for a machine many times slower than usual."""

import threading
from collections.abc import Callable
from typing import TypeVar

from telemetry.base.clock import monotonic_s

PATIENCE_S = 120.0
PATIENCE_MS = round(PATIENCE_S * 1000)

_LOOK_EVERY_S = 0.005
_T = TypeVar("_T")


def wait_for(look: Callable[[], _T | None]) -> _T:
    """What `look` finds, looking again and again until it is not None."""
    pause = threading.Event()
    deadline = monotonic_s() + PATIENCE_S
    while (found := look()) is None:
        assert monotonic_s() < deadline, "it did not happen in time"
        pause.wait(_LOOK_EVERY_S)
    return found


def wait_until(condition: Callable[[], object]) -> None:
    """Look again and again until the condition holds."""
    wait_for(lambda: condition() or None)
