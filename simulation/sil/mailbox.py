"""Shared memory of simulator and controller, and how each waits for the other's turn.

A turn ends with a semaphore, which also makes what was written before it visible on any
processor. Who waits asks for it over and over for a while, because waking a sleeping process takes
longer than most controllers; then it sleeps. It yields its core each time: the other may have no
core but this one, and a busy neighbour is not held up.
"""

import ctypes
import os
from collections.abc import Callable
from multiprocessing.context import BaseContext
from multiprocessing.synchronize import Semaphore
from typing import Any, Final

import numpy as np

from simulation.sil.records import ACTUATORS, SIL_SETTINGS, STEP
from telemetry.base.clock import monotonic_s

LOAD, START, STEP_ON, END = range(4)
"""What is asked of a controller; being loaded is the first, and asked by starting its process."""

_MAILBOX: Final = np.dtype(
    [
        ("asked", np.int64),
        ("settings", SIL_SETTINGS),
        ("step", STEP),
        ("is_refused", np.int64),
        ("actuators", ACTUATORS),
        ("reason", "S2000"),
    ],
    align=True,
)
_yield_core: Callable[[], None] | None = getattr(os, "sched_yield", None)
_SPIN_S = 0.0 if _yield_core is None else 100e-6
"""Longer than most controllers take for a step, and the modules on board from one loop to the
next."""
_LOOK_S = 0.05
"""So often who sleeps looks whether the other is still there."""


class Mailbox:
    """One request and its answer at a time; made by the simulator, and handed to the controller's
    process when it starts. `record` is the shared memory.
    """

    def __init__(self, context: BaseContext) -> None:
        self._memory: Any = context.RawArray(ctypes.c_byte, _MAILBOX.itemsize)
        self._requests = context.Semaphore(0)
        self._answers = context.Semaphore(0)

    @property
    def record(self) -> Any:
        """A view of the memory: asked, settings, step; is_refused, actuators, reason."""
        return np.frombuffer(self._memory, _MAILBOX)[0]

    def part(self, name: str) -> "memoryview[int]":
        """The bytes of one member."""
        assert _MAILBOX.fields is not None
        member, offset, *_ = _MAILBOX.fields[name]
        return memoryview(self._memory).cast("B")[offset : offset + member.itemsize]

    def address(self, name: str) -> int:
        """Where that member stands in this process."""
        assert _MAILBOX.fields is not None
        return ctypes.addressof(self._memory) + int(_MAILBOX.fields[name][1])

    def ask(self) -> None:
        """The request is complete."""
        self._requests.release()

    def answer(self) -> None:
        """The answer is complete."""
        self._answers.release()

    def await_request(self, is_there: Callable[[], bool]) -> bool:
        """Wait for a request; False if whoever asks has ended."""
        return _await(self._requests, None, is_there)

    def await_answer(self, patience_s: float, is_there: Callable[[], bool]) -> bool:
        """Wait for the answer; False if it takes too long, or whoever answers has ended."""
        return _await(self._answers, patience_s, is_there)


def _await(turn: Semaphore, patience_s: float | None, is_there: Callable[[], bool]) -> bool:
    if turn.acquire(block=False):
        return True
    start_s = monotonic_s()
    while _yield_core is not None and monotonic_s() - start_s < _SPIN_S:
        _yield_core()
        if turn.acquire(block=False):
            return True
    while not turn.acquire(timeout=_LOOK_S):
        if not is_there():
            return turn.acquire(block=False)  # its last word
        if patience_s is not None and monotonic_s() - start_s > patience_s:
            return False
    return True
