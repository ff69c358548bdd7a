"""Stream outbox: samples that wait to be sent, the newest ones, as many as a reader may be late."""

import math
from collections import deque
from typing import Final

from telemetry.protocol.streams.framing import LARGEST_BODY
from telemetry.protocol.streams.samples import StreamDescription, StreamSample

LATE_S: Final = 0.25
"""How much of a stream waits for a slow reader at most."""
MOST_BYTES: Final = LARGEST_BODY
_LEAST_WAITING: Final = 2


class StreamOutbox:
    """Holds samples in their order. Where a reader is slower, the oldest are left out and counted.

    For one thread at a time.
    """

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self.dropped: dict[str, int] = {}
        """How many were left out, by stream; of one that has ended, too."""
        self._most_bytes = most_bytes
        self._bytes = 0
        self._waiting: deque[tuple[str, StreamSample]] = deque()
        self._counts: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._waiting)

    def put(self, description: StreamDescription, sample: StreamSample) -> None:
        """Take a sample; one that is larger than all that may wait is left out."""
        name, size = description.name, sample.nbytes
        if size > self._most_bytes:
            self._count_dropped(name)
            return
        if self._counts.get(name, 0) >= max(
            _LEAST_WAITING, math.ceil(LATE_S * description.rate_hz)
        ):
            self._drop(next(at for at, one in enumerate(self._waiting) if one[0] == name))
        self._waiting.append((name, sample))
        self._counts[name] = self._counts.get(name, 0) + 1
        self._bytes += size
        while self._bytes > self._most_bytes:
            self._drop(0)

    def take(self) -> tuple[str, StreamSample] | None:
        """The oldest sample and its stream's name; None while nothing waits."""
        if not self._waiting:
            return None
        return self._removed(0)

    def clear(self) -> None:
        """Leave out everything that waits."""
        while self._waiting:
            self._drop(0)

    def _drop(self, at: int) -> None:
        name, _ = self._removed(at)
        self._count_dropped(name)

    def _count_dropped(self, name: str) -> None:
        self.dropped[name] = self.dropped.get(name, 0) + 1

    def _removed(self, at: int) -> tuple[str, StreamSample]:
        name, sample = self._waiting[at]
        del self._waiting[at]
        self._counts[name] -= 1
        self._bytes -= sample.nbytes
        return name, sample
