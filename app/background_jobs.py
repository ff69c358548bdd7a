"""Background jobs off the GUI thread: never blocking, progress told, failing with a sentence."""

import contextlib
import traceback
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from typing import Any

from app.messages import Message, Messages
from telemetry.base.clock import monotonic_s
from telemetry.base.finding import Level

_SLOW_S = 0.3


class JobCancelled(Exception):  # noqa: N818 - reads as what happened
    """The user has called it off. Nothing is told of it."""


class JobControl:
    """What a job and the window tell each other: how far it is, and that it is called off.

    What is read only `is_for_window` is called off when that closes; a file is written to its end.
    """

    def __init__(self, *, is_for_window: bool = False) -> None:
        self.is_for_window = is_for_window
        self.fraction = 0.0
        self.is_cancelled = False

    def report(self, done: float, total: float) -> None:
        """Tell from the job how much of how much is done. Raises JobCancelled."""
        self.fraction = min(1.0, done / total) if total > 0 else 0.0
        if self.is_cancelled:
            raise JobCancelled


class JobRefused(Exception):  # noqa: N818 - a refusal is not a fault
    """The work cannot be done; the text is a sentence for the user."""


@dataclass(frozen=True, slots=True)
class _Job:
    future: "Future[Any]"
    doing: str
    on_done: Callable[[Any], None]
    on_fail: Callable[[Message], None]
    started_s: float
    control: JobControl | None

    def words(self, now: float) -> str:
        """What it does, how far it is and how long it will still take."""
        elapsed_s = now - self.started_s
        if self.control is None or not self.control.fraction:
            return f"{self.doing} … {elapsed_s:.0f} s"
        fraction = self.control.fraction
        left_s = elapsed_s * (1.0 - fraction) / fraction
        return f"{self.doing} … {100 * fraction:.0f} %, {left_s:.0f} s left"


@dataclass(frozen=True, slots=True, eq=False)
class _Followed:
    words: Callable[[], str]
    cancel: Callable[[], None]


class BackgroundJobs:
    """Hands work to the job pool and takes over what has become of it. For the GUI thread."""

    def __init__(self, pool: Executor, messages: Messages) -> None:
        self._pool = pool
        self._messages = messages
        self._running: list[_Job] = []
        self._followed: list[_Followed] = []

    @property
    def is_busy(self) -> bool:
        """Whether anything is still being read or written."""
        return bool(self._running)

    @property
    def progress(self) -> str:
        """What takes a while now, as a sentence; "" when nothing does."""
        job = self._told
        return job.words(monotonic_s()) if job is not None else ""

    @property
    def elsewhere(self) -> str:
        """What the first of those does that work elsewhere, as a sentence; "" where none does."""
        return next(filter(None, (one.words() for one in self._followed)), "")

    @property
    def can_cancel(self) -> bool:
        """Whether what `progress` tells of can be called off, or what `elsewhere` does, if there is
        no progress."""
        job = self._called_off
        return job.control is not None if job is not None else bool(self._followed)

    def cancel(self) -> None:
        """Call that off; it ends as soon as it notices."""
        job = self._called_off
        if job is None:
            for one in [one for one in self._followed if one.words()][:1]:
                one.cancel()
        elif job.control is not None:
            job.control.is_cancelled = True

    def follow(self, words: Callable[[], str], cancel: Callable[[], None]) -> Callable[[], None]:
        """Tell of something that works elsewhere, for hours perhaps, where there is nothing more
        urgent: `words` say how far it is, "" when it has ended. Returns what ends the telling."""
        one = _Followed(words, cancel)
        self._followed.append(one)

        def undo() -> None:
            with contextlib.suppress(ValueError):
                self._followed.remove(one)

        return undo

    def close(self) -> None:
        """Call off what nobody will look at any more, since the window closes."""
        for job in self._running:
            if job.control is not None and job.control.is_for_window:
                job.control.is_cancelled = True

    def submit(
        self,
        run: Callable[[], Any],
        doing: str,
        on_done: Callable[[Any], None],
        on_fail: Callable[[Message], None] | None = None,
        control: JobControl | None = None,
    ) -> None:
        """Have `run` done in the pool and `on_done` called with its result on a later `poll`.

        What it raises becomes a message, which `on_fail` gets in the place of the user. With a
        `control`, which `run` looks at, it can be called off.
        """
        fail = on_fail or self._messages.put
        future = self._pool.submit(run)
        self._running.append(_Job(future, doing, on_done, fail, monotonic_s(), control))

    @property
    def _told(self) -> _Job | None:
        """The first job that takes a while."""
        now = monotonic_s()
        return next((job for job in self._running if now - job.started_s > _SLOW_S), None)

    @property
    def _called_off(self) -> _Job | None:
        """The job that `cancel` is for: before any takes a while the first one."""
        first = self._running[0] if self._running and not self.elsewhere else None
        return self._told or first

    def poll(self) -> None:
        """Take over what has finished; call it on the tick."""
        for job in [job for job in self._running if job.future.done()]:
            self._running.remove(job)
            error = job.future.exception()
            if isinstance(error, JobCancelled):
                self._messages.tell(f"{job.doing}: cancelled.")
            elif error is None:
                job.on_done(job.future.result())
            else:
                is_expected = isinstance(error, OSError | ValueError | JobRefused)
                details = "" if is_expected else "".join(traceback.format_exception(error))
                text = _words(error) if is_expected else f"{job.doing} failed ({error!r})."
                job.on_fail(Message(text, Level.WARNING, details))


def _words(error: BaseException) -> str:
    """A refusal as a sentence; the system's own names the file and says a phrase."""
    if isinstance(error, OSError) and error.strerror and error.filename:
        return f"{error.filename}: {error.strerror}."
    return str(error)
