"""Interrupt signals (Ctrl+C, terminate) at times when an exception would get lost."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def interrupts_postponed() -> Iterator[None]:
    """Raise KeyboardInterrupt after the block for a request within it; for the main thread only.

    Inside a callback from the compiler's native code Python would print and then ignore the
    exception, and libraries may swallow it while they are being imported.
    """
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    numbers: list[int] = []

    def keep(number: int, frame: FrameType | None) -> None:
        numbers.append(number)

    signal.signal(signal.SIGINT, keep)
    signal.signal(signal.SIGTERM, keep)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before[0])
        signal.signal(signal.SIGTERM, before[1])
    if numbers:
        raise KeyboardInterrupt


@contextmanager
def deaf_to_ctrl_c() -> Iterator[None]:
    """Go on after Ctrl+C, which a terminal sends to a program and to the processes that it has
    started: that program decides when they end."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def ending_on_request() -> Iterator[None]:
    """Let a request to terminate raise KeyboardInterrupt, as Ctrl+C does."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
