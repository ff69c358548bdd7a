"""A board with a log in its flash, and a slow link to it, both in simulated time.

Written from what firmware does (flight/modules/Logging/Logging.c, flight/pios/common/
pios_debuglog.c, pios_flashfs_logfs.c), not from what reads it: two buffers that are written behind,
texts that are written at once, a number that is that of the present when a block is begun.
"""

import random
import struct
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue
from telemetry.protocol.objects.values import pack_values, read_value, row_of
from telemetry.protocol.session.config import Role
from telemetry.protocol.session.session import Session
from telemetry.vehicle.conversation import Conversation
from tests.telemetry.configuration.settings.bench import Bench
from tests.telemetry.protocol.session.fakes import SMALL, MemoryBoard, frames_of
from tests.telemetry.vehicle.fakes import Clock

HEAD = struct.Struct("<IIHHHHB")
ROOM = 200
TEXT, OBJECT, SEVERAL = 1, 2, 3
LOG_OBJECTS = ("DebugLogControl", "DebugLogEntry", "DebugLogStatus", "DebugLogSettings")


class LogFlash:
    """Slots by (flight, number), and what firmware does to fill them.

    `writes_behind`: how many more things are logged before a full block is written; a text that
    comes first is written before it.
    """

    def __init__(
        self, slots: int = 8000, wrap_us: float = 2**32 / 168, writes_behind: int = 1
    ) -> None:
        self.slots: dict[tuple[int, int], bytes] = {}
        self.size = slots
        self.flight = self.number = 0
        self._wrap_us = wrap_us
        self._behind = writes_behind
        self._data = bytearray()
        self._head: tuple[int, ...] = ()
        self._full: list[bytes] = []
        self._due = 0

    def log(self, t_us: float, object_id: int, data: bytes, instance: int = 0) -> None:
        """PIOS_DEBUGLOG_UAVObject."""
        self._come_due()
        size = min(len(data), ROOM)
        if self._data and len(self._data) + size + HEAD.size > ROOM:
            self._flush(SEVERAL)
        clock = int(t_us % self._wrap_us)
        head = (clock, object_id, self.flight, self.number, instance, size, OBJECT)
        if self._data:
            self._data += HEAD.pack(*head)
        else:
            self._head = head
        self._data += data[:size]

    def say(self, t_us: float, text: str) -> None:
        """PIOS_DEBUGLOG_Printf: it flushes what was begun, and is written before that."""
        if self._data:
            self._flush(OBJECT)
        data = text.encode()[: ROOM - 1]
        clock = int(t_us % self._wrap_us)
        head = (clock, 0, self.flight, self.number, 0, len(data), TEXT)
        self._save(_row(head, data + b"\0"))

    def end_flight(self) -> None:
        """PIOS_DEBUGLOG_Enable(0): what waits is written as the next flight's."""
        self.flight, self.number = self.flight + 1, 0

    def write_all(self) -> None:
        """Time enough for what waits."""
        while self._full:
            self._save(self._full.pop(0))

    def erase(self) -> None:
        """PIOS_DEBUGLOG_Format."""
        self.slots.clear()
        self.flight = self.number = 0
        self._data.clear()
        self._full.clear()

    def _flush(self, kind: int) -> None:
        self._full.append(_row((*self._head[:-1], kind), bytes(self._data)))
        self._data.clear()
        self._due = self._behind
        if len(self._full) > 1:
            self._save(self._full.pop(0))

    def _come_due(self) -> None:
        if self._full:
            self._due -= 1
            if self._due < 0:
                self.write_all()

    def _save(self, row: bytes) -> None:
        if len(self.slots) < self.size:
            self.slots[self.flight, self.number] = row
            self.number += 1


def _row(head: tuple[int, ...], data: bytes) -> bytes:
    return HEAD.pack(*head) + data.ljust(ROOM, b"\xff")


class LogBoard(MemoryBoard):
    """Answers for a log flash. `fills_after_s`: how late an entry is there after it was asked for,
    which is acknowledged at once; `asked` counts the entries that were asked for."""

    def __init__(self, catalogue: Catalogue, flash: LogFlash) -> None:
        names = (*SMALL, *LOG_OBJECTS)
        super().__init__(catalogue.find(name, DEFAULT_RELEASE) for name in names)
        self.flash = flash
        self.fills_after_s = 0.0
        self.erases_for_s = 3.0
        self.is_armed = False
        self.asked: Counter[tuple[int, int]] = Counter()
        self.now: Callable[[], float] = lambda: 0.0
        self._waiting: list[tuple[float, bytes]] = []
        self._erased_at: float | None = None
        entry = self.named("DebugLogEntry")
        self.values[entry.object_id, 0] = bytes(entry.size)
        self.rename(b"a log board.")

    def write(self, object_id: int, instance: int, payload: bytes) -> bool:
        control = self.named("DebugLogControl")
        if object_id == control.object_id:
            row = row_of(control, payload)
            operation = read_value(control, row, "Operation")
            if operation == "Retrieve":
                self._retrieve(int(row["Flight"]), int(row["Entry"]))
            elif operation == "FormatFlash" and not self.is_armed:
                self._erased_at = self.now() + self.erases_for_s
        return super().write(object_id, instance, payload)

    def read(self, object_id: int, instance: int) -> bytes | None:
        now = self.now()
        while self._waiting and self._waiting[0][0] <= now:
            entry = self.named("DebugLogEntry")
            self.values[entry.object_id, 0] = self._waiting.pop(0)[1]
        if self._erased_at is not None and self._erased_at <= now:
            self._erased_at = None
            self.flash.erase()
        if object_id == self.named("DebugLogStatus").object_id:
            return self._status()
        if object_id == self.named("FlightStatus").object_id and self.is_armed:
            return pack_values(self.named("FlightStatus"), {"Armed": "Armed"})
        return super().read(object_id, instance)

    def rename(self, serial: bytes) -> None:
        """Be another board."""
        identity = self.named("FirmwareIAPObj")
        payload = pack_values(identity, {"CPUSerial": tuple(serial)})
        self.values[identity.object_id, 0] = payload

    def _retrieve(self, flight: int, number: int) -> None:
        self.asked[flight, number] += 1
        row = self.flash.slots.get((flight & 0xFF, number))
        if row is None:
            row = HEAD.pack(0, 0, flight, number, 0, 0, 0) + bytes(ROOM)
        self._waiting.append((self.now() + self.fills_after_s, row))

    def _status(self) -> bytes:
        used = len(self.flash.slots)
        values = {
            "Flight": self.flash.flight,
            "Entry": self.flash.number,
            "UsedSlots": used,
            "FreeSlots": self.flash.size - used,
        }
        return pack_values(self.named("DebugLogStatus"), values)


@dataclass(frozen=True)
class LinkKind:
    """57,600 baud with two turn-arounds, unless told otherwise."""

    bytes_per_s: float = 5760.0
    delay_s: float = 0.01
    loss: float = 0.0
    seed: int = 1


class SlowLink:
    """A link of so many bytes a second in each direction, after a delay; frames may be lost."""

    name, address, can_write = "slow", "test:slow", True

    def __init__(self, clock: Clock, catalogue: Catalogue, board: LogBoard, kind: LinkKind) -> None:
        self.board = board
        self.lost = 0
        self.is_silent = False
        self._clock = clock
        self._kind = kind
        self._random = random.Random(kind.seed)
        self._up: list[tuple[float, bytes]] = []
        self._down: list[tuple[float, bytes]] = []
        self._free_s = {True: 0.0, False: 0.0}
        self._next_stats_s = clock.now
        self._moment = clock.now
        board.now = lambda: self._moment
        self.flight = Session(Role.FLIGHT, catalogue, board=board)
        self.flight.start(clock.now)

    def read(self, timeout_s: float) -> bytes:
        end_s = self._clock.now + max(timeout_s, 0.0005)
        while True:
            due_s = min(end_s, self._next_stats_s, *(t for t, _ in self._up[:1] + self._down[:1]))
            self._moment = self._clock.now = max(self._clock.now, due_s)
            self._board_hears()
            if self.is_silent:
                self._down.clear()
            if self._down and self._down[0][0] <= self._clock.now:
                return self._down.pop(0)[1]
            if self._clock.now >= end_s:
                return b""

    def write(self, data: bytes) -> None:
        self._send(self._up, data, self._clock.now, is_up=True)

    def close(self) -> None:
        pass

    def _board_hears(self) -> None:
        now = self._clock.now
        while self._up and self._up[0][0] <= now:
            self.flight.receive(self._up.pop(0)[1], now)
        if now >= self._next_stats_s:
            self._next_stats_s = now + 1.0
            for name in ("FlightTelemetryStats", "SystemStats"):
                self.flight.publish(self.board.named(name).object_id)
        self.flight.tick(now)
        self._send(self._down, self.flight.bytes_to_send(), now, is_up=False)

    def _send(
        self, queue: list[tuple[float, bytes]], data: bytes, now: float, *, is_up: bool
    ) -> None:
        for frame in frames_of(data):
            self._free_s[is_up] = (
                max(now, self._free_s[is_up]) + len(frame) / self._kind.bytes_per_s
            )
            if self._random.random() < self._kind.loss:
                self.lost += 1
            else:
                queue.append((self._free_s[is_up] + self._kind.delay_s, frame))


class LogBench(Bench):
    """A vehicle with such a board behind such a link."""

    def __init__(self, catalogue: Catalogue, flash: LogFlash, kind: LinkKind | None = None) -> None:
        self._kind = kind or LinkKind()
        self.log_board = LogBoard(catalogue, flash)
        super().__init__(catalogue, self.log_board)

    def connect(self) -> None:
        self.slow = SlowLink(self.clock, self.catalogue, self.log_board, self._kind)
        self._conversation = Conversation(self.slow, self._setup, self._show)
        self._conversation.start()

    def pause(self, _: float) -> None:
        """The worker goes on while the job waits."""
        self.step()
