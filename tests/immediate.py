"""A job pool that does its jobs at once, in the thread that hands them in."""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any


class ImmediateJobs(Executor):
    """Deterministic stand-in for the station's pool. While `is_held`, jobs wait for `release`."""

    def __init__(self) -> None:
        self.is_held = False
        self._waiting: list[tuple[Future[Any], Callable[[], Any]]] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        future: Future[Any] = Future()
        job = (future, lambda: fn(*args, **kwargs))
        if self.is_held:
            self._waiting.append(job)
        else:
            _run(*job)
        return future

    def release(self) -> None:
        """Do the jobs that wait."""
        waiting, self._waiting = self._waiting, []
        for job in waiting:
            _run(*job)


def _run(future: "Future[Any]", job: Callable[[], Any]) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        future.set_result(job())
    except Exception as error:  # noqa: BLE001 - handed to whoever asks for the result
        future.set_exception(error)
