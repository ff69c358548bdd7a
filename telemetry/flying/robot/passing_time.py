"""Passing time: how a script waits, by the clock or by having a simulation go on."""

import asyncio
import concurrent.futures
import threading
from typing import Protocol

from telemetry.base.clock import monotonic_s

Outcome = concurrent.futures.Future[None]


class PassingTime(Protocol):
    """What a script's robots and readers wait by."""

    @property
    def now_s(self) -> float:
        """Seconds since some beginning."""

    def pass_s(self, seconds: float) -> None:
        """Wait so long."""

    async def let_pass(self, seconds: float) -> None:
        """The same in a coroutine."""

    def wait_for(self, outcome: Outcome, timeout_s: float | None) -> None:
        """Wait until it is done, no longer than `timeout_s`."""

    async def wait_in_turn(self, outcome: Outcome) -> None:
        """Wait in a coroutine until it is done; raises what it has."""


class RealTime:
    """Time by the clock: others fly meanwhile."""

    @property
    def now_s(self) -> float:
        """See PassingTime, as all below."""
        return monotonic_s()

    def pass_s(self, seconds: float) -> None:
        threading.Event().wait(seconds)

    async def let_pass(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    def wait_for(self, outcome: Outcome, timeout_s: float | None) -> None:
        concurrent.futures.wait((outcome,), timeout_s)

    async def wait_in_turn(self, outcome: Outcome) -> None:
        await asyncio.shield(asyncio.wrap_future(outcome))
