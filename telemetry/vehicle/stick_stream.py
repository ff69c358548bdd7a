"""Stick stream: when a reading of the sticks goes out, and when one that is stuck is dropped.

A new one goes out at once, up to 50 times a second, the same one again 20 times a second. What the
system has not delivered in time holds newer ones back, and so do two that it has not even sent:
they would only queue up behind it. Where a link has taken nothing for a while and nobody flies any
more, what is stuck is discarded, since the aircraft, on its failsafe by then, would take it for the
pilot's present will.
"""

from collections import deque
from typing import Final

from telemetry.protocol.links.send_queue import SendQueue
from telemetry.vehicle.commands import Write

SOONEST_S: Final = 0.015
"""Less than the 0.02 s between two readings, which come a little early at times."""
LATEST_S: Final = 0.05
BESIDE_SOONEST_S: Final = 0.05
"""What changes beside the sticks goes out 20 times a second at most: PathDesired is three times as
long as they are."""
BESIDE_LATEST_S: Final = 0.25
"""Nobody acknowledges it, so that it is said again."""
MOST_UNSENT: Final = 2
"""One that is being sent, and the next."""
FLOWN_POLL_S: Final = 0.004
"""So long a worker may wait for bytes while somebody flies."""


class StickStream:
    """The stream over one link. Sans-io but for the link's queue."""

    def __init__(self, queue: SendQueue | None) -> None:
        self._queue = queue
        self._sent_s = self._given_s = -1.0
        self._written = 0
        self._under_way: deque[tuple[int, float]] = deque()
        self._is_one_in = False

    def take(self, given_s: float, now: float) -> bool:
        """Whether the reading handed over at `given_s` goes out now: it is among what is written
        next."""
        if now - self._sent_s < (SOONEST_S if given_s != self._given_s else LATEST_S):
            return False
        self._sent_s, self._given_s = now, given_s
        self._is_one_in = True
        return True

    def written(self, count: int, now: float) -> None:
        """So many bytes were written to the link."""
        self._written += count
        if self._is_one_in and self._queue is not None:
            self._under_way.append((self._written, now))
        self._is_one_in = False

    def is_held_back(self, now: float) -> bool:
        """Whether another reading would only wait behind those that the link has not taken."""
        if self.is_stuck(now):
            return True
        if self._queue is None or len(self._under_way) < MOST_UNSENT:
            return False
        sent = self._written - self._queue.unsent_bytes()
        return sum(end > sent for end, _ in self._under_way) >= MOST_UNSENT

    def is_stuck(self, now: float) -> bool:
        """Whether a reading has been on its way for longer than a link takes that works."""
        if self._queue is None or not self._under_way:
            return False
        delivered = self._written - self._queue.waiting_bytes()
        while self._under_way and self._under_way[0][0] <= delivered:
            self._under_way.popleft()
        return bool(self._under_way) and now - self._under_way[0][1] > self._queue.delivery_s

    def end(self, now: float) -> None:
        """Nobody flies any more: discard what is stuck. Raises LinkClosed where that ends the
        link."""
        if self.is_stuck(now) and self._queue is not None:
            self._under_way.clear()
            self._queue.discard()


class BesideSticks:
    """When what goes out beside the sticks does."""

    def __init__(self) -> None:
        self._sent: Write | None = None
        self._sent_s = -1.0

    def take(self, write: Write, now: float) -> bool:
        """Whether it goes out now."""
        if now - self._sent_s < (BESIDE_SOONEST_S if write != self._sent else BESIDE_LATEST_S):
            return False
        self._sent, self._sent_s = write, now
        return True
