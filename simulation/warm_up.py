"""Compiling ahead, so that no flight has to wait for it."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from simulation.autopilot.autopilot import Autopilot, AutopilotConfig
from telemetry.objects.catalogue import Catalogue


def warm_up(config: AutopilotConfig, catalogue: Catalogue) -> None:
    """Fly one loop that nobody sees: everything a flight needs is compiled or loaded then.

    Call it in the main thread. An interrupt meanwhile raises KeyboardInterrupt when it is done.
    """
    with _interrupts_postponed():
        Autopilot(config, catalogue).run_loop()


@contextmanager
def _interrupts_postponed() -> Iterator[None]:
    """Interrupt after the block: inside a callback from the compiler's native code Python would
    print and then ignore the exception."""
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
