"""A board with a log in its flash, in simulated time.

Written from what firmware does (flight/modules/Logging/Logging.c, flight/pios/common/
pios_debuglog.c, pios_flashfs_logfs.c), not from what reads it: two buffers that are written behind,
texts that are written at once, a number that is that of the present when a block is begun.
"""

import struct
from collections import Counter

from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue
from telemetry.protocol.objects.values import pack_values, read_value, row_of
from tests.boards.slow_link import LinkKind, SlowBench, TimedBoard
from tests.telemetry.protocol.session.fakes import SMALL

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


class LogBoard(TimedBoard):
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


class LogBench(SlowBench):
    """A vehicle with such a board behind such a link."""

    def __init__(self, catalogue: Catalogue, flash: LogFlash, kind: LinkKind | None = None) -> None:
        self.log_board = LogBoard(catalogue, flash)
        super().__init__(catalogue, self.log_board, kind)
