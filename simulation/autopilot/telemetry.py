"""Telemetry: sends every object when its metadata says so, as firmware does.

Periodic objects are due by a heap of times, once in a loop however short their period is. What is
sent on change goes out with the loop in which it was announced. What is throttled does so too, and
then nobody listens to it until its period is over: what it says meanwhile is never sent, and what
is never updated neither (updateObject of flight/modules/Telemetry/telemetry.c; the periods go on by
themselves, processPeriodicUpdates of flight/uavobjects/eventdispatcher.c).
"""

import heapq
import itertools
from collections.abc import Iterable
from typing import Protocol

from simulation.autopilot.board import BoardObject, SimulatedBoard
from telemetry.protocol.objects.definition import ALL_INSTANCES, ObjectDefinition, UpdateMode

_PHASE_STEP_US = 37_000
_TIMED = (UpdateMode.PERIODIC, UpdateMode.THROTTLED)


class Publisher(Protocol):
    """What telemetry needs of a flight session."""

    def publish(self, object_id: int, instance: int, acked: bool) -> None:
        """Send one instance of an object, or all of them, the last first."""


class Telemetry:
    """Obeys the metadata of a board's objects."""

    def __init__(
        self,
        board: SimulatedBoard,
        publisher: Publisher,
        heard: Iterable[ObjectDefinition] | None = None,
    ) -> None:
        """`heard`: what anybody listens to, all by default; others are not sent. When one is sent
        does not depend on others."""
        self._publish = publisher.publish
        self._heap: list[tuple[int, int, BoardObject]] = []
        """When, which place in the order, the object."""
        self._current: dict[BoardObject, int] = {}
        """The place of its newest metadata: what stands in the heap by an older one is void."""
        self._places = itertools.count()
        self._changed: dict[BoardObject, None] = {}
        self._now_us = 0
        self._heard = None if heard is None else {each.object_id for each in heard}
        board.subscribe_metadata(self._schedule)
        for order, entry in enumerate(board.objects()):
            self._schedule(entry, phase_us=order * _PHASE_STEP_US)

    def update(self, now_us: int) -> None:
        """Send what is due at `now_us`."""
        self._now_us = now_us
        if self._changed:
            changed, self._changed = self._changed, {}
            for entry in changed:
                self._send_changed(entry)
        heap = self._heap
        while heap and heap[0][0] <= now_us:
            due_us, place, entry = heap[0]
            if place != self._current[entry]:
                heapq.heappop(heap)
                continue
            policy = entry.metadata.flight
            period_us = policy.period_ms * 1000
            next_us = due_us + ((now_us - due_us) // period_us + 1) * period_us
            heapq.heapreplace(heap, (next_us, place, entry))
            if policy.mode is UpdateMode.THROTTLED:
                entry.on_announce = self._announced
            else:
                self._send(entry)

    def repeat(self) -> None:
        """Send what comes periodically as it is; their times stay as they are. What is throttled
        is among it if it was sent in its present period."""
        for _, place, entry in sorted(self._heap, key=_by_time):
            is_waiting = entry.on_announce is not None
            if place == self._current[entry] and not is_waiting:
                self._send(entry)

    def _schedule(self, entry: BoardObject, phase_us: int = 0) -> None:
        """Take over an object's metadata: at start, and whenever a station changes it."""
        if self._heard is not None and entry.definition.object_id not in self._heard:
            return
        self._current[entry] = place = next(self._places)
        self._changed.pop(entry, None)
        policy = entry.metadata.flight
        sends_changes = policy.mode in (UpdateMode.ONCHANGE, UpdateMode.THROTTLED)
        entry.on_announce = self._announced if sends_changes else None
        if policy.mode not in _TIMED or policy.period_ms == 0:
            return
        period_us = policy.period_ms * 1000
        due_us = self._now_us + period_us + phase_us % period_us
        heapq.heappush(self._heap, (due_us, place, entry))

    def _announced(self, entry: BoardObject, _instance: int) -> None:
        self._changed[entry] = None

    def _send_changed(self, entry: BoardObject) -> None:
        if entry.metadata.flight.mode is UpdateMode.THROTTLED:
            entry.on_announce = None
        self._send(entry)

    def _send(self, entry: BoardObject) -> None:
        self._publish(entry.definition.object_id, ALL_INSTANCES, entry.metadata.flight.acked)


def _by_time(item: tuple[int, int, BoardObject]) -> tuple[int, int]:
    return item[:2]
