"""Tile worker threads of a map, which read and fetch tiles.

A server that does not answer holds up none but these; they are no reason for the program to stay,
and what has not begun when they are closed is not done.
"""

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any

_COUNT = 3

_Job = tuple["Future[Any]", Callable[[], Any]]


class TileWorkers(Executor):
    """A few threads, started with the first job."""

    def __init__(self, count: int = _COUNT) -> None:
        self._count = count
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._is_closed = False

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        """Have it done; cancelled at once after `shutdown`."""
        future: Future[Any] = Future()
        if self._is_closed:
            future.cancel()
            return future
        self._jobs.put((future, lambda: fn(*args, **kwargs)))
        if len(self._threads) < self._count:
            thread = threading.Thread(target=self._work, name="lapwing-tiles", daemon=True)
            self._threads.append(thread)
            thread.start()
        return future

    def shutdown(self, wait: bool = False, *, cancel_futures: bool = True) -> None:
        """Do nothing more but what has begun."""
        self._is_closed = True
        for _ in self._threads:
            self._jobs.put(None)
        if wait:
            for thread in self._threads:
                thread.join()

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            future, run = job
            if self._is_closed:
                future.cancel()
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(run())
            except Exception as error:  # noqa: BLE001 - handed to whoever asks for the result
                future.set_exception(error)
