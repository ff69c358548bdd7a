"""Telemetry: sends every object when its metadata says so.

Periodic objects are due by a heap of times; on-change objects go out with the loop in which
they were announced; throttled ones likewise, but not more often than their period.
"""

import heapq
from typing import Protocol

from simulation.autopilot.board import BoardObject, SimulatedBoard
from telemetry.protocol.objects.definition import ALL_INSTANCES, UpdateMode

_PHASE_STEP_US = 37_000


class Publisher(Protocol):
    """What telemetry needs of a flight session."""

    def publish(self, object_id: int, instance: int, acked: bool) -> None:
        """Send one instance of an object, or all of them, the last first."""


class Telemetry:
    """Obeys the metadata of a board's objects."""

    def __init__(self, board: SimulatedBoard, publisher: Publisher) -> None:
        self._publish = publisher.publish
        self._heap: list[tuple[int, int, int, int, bool]] = []
        """When, the generation of the metadata, the object, its period in us, whether acked."""
        self._generation: dict[int, int] = {}
        self._changed: dict[BoardObject, None] = {}
        self._not_before_us: dict[BoardObject, int] = {}
        self._now_us = 0
        board.subscribe_metadata(self._schedule)
        for order, entry in enumerate(board.objects()):
            self._generation[entry.definition.object_id] = 0
            self._schedule(entry, phase_us=order * _PHASE_STEP_US)

    def update(self, now_us: int) -> None:
        """Send what is due at `now_us`."""
        self._now_us = now_us
        heap = self._heap
        while heap and heap[0][0] <= now_us:
            due_us, generation, object_id, period_us, acked = heap[0]
            if generation != self._generation[object_id]:
                heapq.heappop(heap)
                continue
            self._publish(object_id, ALL_INSTANCES, acked)
            heapq.heapreplace(heap, (due_us + period_us, generation, object_id, period_us, acked))
        if self._changed:
            self._send_changed(now_us)

    def repeat(self) -> None:
        """Send every periodic object as it is; their times stay as they are."""
        for _, generation, object_id, _, acked in sorted(self._heap):
            if generation == self._generation[object_id]:
                self._publish(object_id, ALL_INSTANCES, acked)

    def _schedule(self, entry: BoardObject, phase_us: int = 0) -> None:
        """Take over an object's metadata: at start, and whenever a station changes it."""
        object_id = entry.definition.object_id
        self._generation[object_id] += 1
        self._changed.pop(entry, None)
        self._not_before_us.pop(entry, None)
        policy = entry.metadata.flight
        sends_changes = policy.mode in (UpdateMode.ONCHANGE, UpdateMode.THROTTLED)
        entry.on_announce = self._announced if sends_changes else None
        if policy.mode is not UpdateMode.PERIODIC or policy.period_ms == 0:
            return
        period_us = policy.period_ms * 1000
        due_us = self._now_us + period_us + phase_us % period_us
        item = (due_us, self._generation[object_id], object_id, period_us, policy.acked)
        heapq.heappush(self._heap, item)

    def _announced(self, entry: BoardObject, _instance: int) -> None:
        self._changed[entry] = None

    def _send_changed(self, now_us: int) -> None:
        later: dict[BoardObject, None] = {}
        for entry in self._changed:
            if now_us < self._not_before_us.get(entry, 0):
                later[entry] = None
                continue
            policy = entry.metadata.flight
            self._publish(entry.definition.object_id, ALL_INSTANCES, policy.acked)
            if policy.mode is UpdateMode.THROTTLED:
                self._not_before_us[entry] = now_us + policy.period_ms * 1000
        self._changed = later
