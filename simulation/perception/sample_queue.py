"""Samples kept for a reader that comes when it likes."""

from collections import Counter, deque
from threading import Lock

from simulation.perception.mounted import SuiteSample


class SampleQueue:
    """Keeps the newest `limit` samples until they are taken, by whichever thread; give `add` to
    `PerceptionSuite.subscribe`. When a reader is slow or reads no more, the oldest are dropped and
    counted, by name, in `dropped`."""

    def __init__(self, limit: int = 64) -> None:
        self._samples: deque[SuiteSample] = deque()
        self._limit = limit
        self._lock = Lock()
        self.dropped: Counter[str] = Counter()

    def add(self, sample: SuiteSample) -> None:
        """Take one more."""
        with self._lock:
            if len(self._samples) >= self._limit:
                self.dropped[self._samples.popleft().description.name] += 1
            self._samples.append(sample)

    def take(self) -> list[SuiteSample]:
        """All that are there, oldest first; they are not there any more."""
        with self._lock:
            taken = list(self._samples)
            self._samples.clear()
        return taken
