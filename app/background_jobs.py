"""Work off the GUI thread: never blocking, its progress told, failing with a sentence."""

import traceback
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from typing import Any

from app.messages import Message, Messages
from telemetry.clock import monotonic_s
from telemetry.finding import Level

_SLOW_S = 0.3


class JobRefused(Exception):  # noqa: N818 - a refusal is not a fault
    """The work cannot be done; the text is a sentence for the user."""


@dataclass(frozen=True, slots=True)
class _Job:
    future: "Future[Any]"
    doing: str
    on_done: Callable[[Any], None]
    on_fail: Callable[[Message], None]
    started_s: float


class BackgroundJobs:
    """Hands work to the job pool and takes over what has become of it. For the GUI thread."""

    def __init__(self, pool: Executor, messages: Messages) -> None:
        self._pool = pool
        self._messages = messages
        self._running: list[_Job] = []

    @property
    def is_busy(self) -> bool:
        """Whether anything is still being read or written."""
        return bool(self._running)

    @property
    def progress(self) -> str:
        """What takes a while now, as a sentence; "" when nothing does."""
        now = monotonic_s()
        slow = [job for job in self._running if now - job.started_s > _SLOW_S]
        if not slow:
            return ""
        return f"{slow[0].doing} … {now - slow[0].started_s:.0f} s"

    def submit(
        self,
        run: Callable[[], Any],
        doing: str,
        on_done: Callable[[Any], None],
        on_fail: Callable[[Message], None] | None = None,
    ) -> None:
        """Have `run` done in the pool and `on_done` called with its result on a later `poll`.

        What it raises becomes a message, which `on_fail` gets in the place of the user.
        """
        fail = on_fail or self._messages.put
        self._running.append(_Job(self._pool.submit(run), doing, on_done, fail, monotonic_s()))

    def poll(self) -> None:
        """Take over what has finished; call it on the tick."""
        for job in [job for job in self._running if job.future.done()]:
            self._running.remove(job)
            error = job.future.exception()
            if error is None:
                job.on_done(job.future.result())
            else:
                is_expected = isinstance(error, OSError | ValueError | JobRefused)
                details = "" if is_expected else "".join(traceback.format_exception(error))
                text = str(error) if is_expected else f"{job.doing} failed ({error!r})."
                job.on_fail(Message(text, Level.WARNING, details))
