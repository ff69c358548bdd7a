"""Search job in the job pool: what it tells the window, and is told by it."""

import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from typing import Generic, TypeVar

Outcome = TypeVar("Outcome")


@dataclass
class SearchProgress:
    """`share` of the work that is done, 0 to 1; and whether it is called off."""

    share: float = 0.0
    is_cancelled: threading.Event = field(default_factory=threading.Event)

    def tell(self, share: float) -> None:
        """Say from the job how far it is."""
        self.share = share


class SearchJob(Generic[Outcome]):
    """One search at a time; another one calls it off. For the GUI thread."""

    def __init__(self, jobs: Executor) -> None:
        self._jobs = jobs
        self._progress = SearchProgress()
        self._running: Future[Outcome] | None = None

    @property
    def is_running(self) -> bool:
        """Whether it is still looking."""
        return self._running is not None

    @property
    def share(self) -> float:
        """How much of the work is done, 0 to 1."""
        return self._progress.share

    def start(self, search: Callable[[SearchProgress], Outcome]) -> None:
        """Have it looked for; what was looked for before is given up."""
        self.cancel()
        self._progress = progress = SearchProgress()
        self._running = self._jobs.submit(search, progress)

    def cancel(self) -> None:
        """Give up."""
        self._progress.is_cancelled.set()
        self._running = None

    def outcome(self) -> Outcome | None:
        """What was found, once; None while it is looked for, and afterwards."""
        if self._running is None or not self._running.done():
            return None
        outcome, self._running = self._running.result(), None
        return outcome
