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
from dataclasses import dataclass
from typing import Protocol

from simulation.autopilot.board import BoardObject, SimulatedBoard
from telemetry.protocol.objects.definition import ALL_INSTANCES, ObjectDefinition, UpdateMode

_PHASE_STEP_US = 37_000
_TIMED = (UpdateMode.PERIODIC, UpdateMode.THROTTLED)


class Publisher(Protocol):
    """What telemetry needs of a flight session."""

    def publish(self, object_id: int, instance: int, acked: bool) -> None:
        """Send one instance of an object, or all of them, the last first."""


@dataclass(slots=True, eq=False)
class _Order:
    """What one state of an object's metadata asks for; `is_void` once there is a newer one."""

    entry: BoardObject
    object_id: int
    acked: bool
    is_throttled: bool
    period_us: int
    is_void: bool = False


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
        self._heap: list[tuple[int, int, _Order]] = []
        """When, which place in the order, what."""
        self._orders: dict[BoardObject, _Order] = {}
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
            due_us, place, order = heap[0]
            if order.is_void:
                heapq.heappop(heap)
                continue
            period_us = order.period_us
            next_us = due_us + ((now_us - due_us) // period_us + 1) * period_us
            heapq.heapreplace(heap, (next_us, place, order))
            if order.is_throttled:
                order.entry.on_announce = self._announced
            else:
                self._publish(order.object_id, ALL_INSTANCES, order.acked)

    def repeat(self) -> None:
        """Send what comes periodically as it is; their times stay as they are. What is throttled
        is among it if it was sent in its present period."""
        for _, _, order in sorted(self._heap, key=_by_time):
            is_waiting = order.entry.on_announce is not None
            if not (order.is_void or is_waiting):
                self._publish(order.object_id, ALL_INSTANCES, order.acked)

    def _schedule(self, entry: BoardObject, phase_us: int = 0) -> None:
        """Take over an object's metadata: at start, and whenever a station changes it."""
        object_id = entry.definition.object_id
        if self._heard is not None and object_id not in self._heard:
            return
        if entry in self._orders:
            self._orders[entry].is_void = True
        self._changed.pop(entry, None)
        policy = entry.metadata.flight
        is_throttled, period_us = policy.mode is UpdateMode.THROTTLED, policy.period_ms * 1000
        order = _Order(entry, object_id, policy.acked, is_throttled, period_us)
        self._orders[entry] = order
        sends_changes = is_throttled or policy.mode is UpdateMode.ONCHANGE
        entry.on_announce = self._announced if sends_changes else None
        if policy.mode not in _TIMED or period_us == 0:
            return
        due_us = self._now_us + period_us + phase_us % period_us
        heapq.heappush(self._heap, (due_us, next(self._places), order))

    def _announced(self, entry: BoardObject, _instance: int) -> None:
        self._changed[entry] = None

    def _send_changed(self, entry: BoardObject) -> None:
        order = self._orders[entry]
        if order.is_throttled:
            entry.on_announce = None
        self._publish(order.object_id, ALL_INSTANCES, order.acked)


def _by_time(item: tuple[int, int, _Order]) -> tuple[int, int]:
    return item[:2]
