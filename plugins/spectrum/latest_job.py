"""Latest-wish job: one at a time, and the newest wish next."""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Generic, TypeVar

from telemetry.base.clock import monotonic_s

Result = TypeVar("Result")
_EVERY_S, _REST = 3.0, 4.0
"""A flight that goes on is worked out anew after so long, and so many times what it took last."""


class LatestJob(Generic[Result]):
    """Call `want` and `finished` at every refresh."""

    def __init__(self, jobs: Executor) -> None:
        self._jobs = jobs
        self._running: Future[Result] | None = None
        self._asked: tuple[object, int] | None = None
        self._asked_s = 0.0
        self._took_s = 0.0

    def want(self, wish: object, version: int, work: Callable[[], Result]) -> None:
        """Have `work` done off the GUI thread if `wish` is another one; with the same wish and
        another `version` of what was recorded only some seconds later."""
        if self._running is not None or (wish, version) == self._asked:
            return
        is_same = self._asked is not None and self._asked[0] == wish
        if is_same and monotonic_s() - self._asked_s < max(_EVERY_S, _REST * self._took_s):
            return
        self._asked, self._asked_s = (wish, version), monotonic_s()
        self._running = self._jobs.submit(work)

    def finished(self) -> Result | None:
        """What was worked out since the last call, None for nothing."""
        if self._running is None or not self._running.done():
            return None
        done, self._running = self._running, None
        self._took_s = monotonic_s() - self._asked_s
        return done.result()
