"""Log entries: what a board's DebugLogEntry holds, in every form that firmware writes.

An entry is a header and a block of bytes. The first object's header is the entry's own; before each
further one stands the same header within the block, and what is free behind the last one is 0xFF.
The type tells little: a block that a text flushed keeps the type UAVObject though it holds several;
and where the flash was busy, objects stand behind a text (pios_debuglog.c of LibrePilot).
"""

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from telemetry.protocol.objects.definition import ObjectDefinition

OBJECT_NAME: Final = "DebugLogEntry"
_FREE: Final = b"\xff\0"
_CODES: Final = {4: "I", 2: "H", 1: "B"}
_LATE: Final = 8
"""By so many entries may firmware's own number of one be behind the number of its place: it counts
what is written, while two blocks and any texts are on their way."""


@dataclass(frozen=True, slots=True)
class LoggedItem:
    """An object's packed values, or a text (`object_id` 0), as a board logged it.

    `flight` and `entry` are firmware's own counts when it was logged, `clock_us` its clock, which
    wraps. `instance` is None where the board names none. `is_cut` says that it was longer than its
    block.
    """

    flight: int
    entry: int
    clock_us: int
    object_id: int
    instance: int | None
    data: bytes
    is_cut: bool = False

    @property
    def text(self) -> str:
        """What a text says; empty for an object."""
        if self.object_id:
            return ""
        return self.data.split(b"\0")[0].decode("utf-8", "replace").strip()


@dataclass(frozen=True, slots=True)
class LogBlock:
    """An entry taken apart. `unread` bytes of it are neither an object nor free."""

    type: str
    flight: int
    entry: int
    items: tuple[LoggedItem, ...] = ()
    unread: int = 0

    @property
    def is_empty(self) -> bool:
        """Whether the board says that it has no such entry; then it repeats what was asked for."""
        return self.type == "Empty"

    @property
    def is_text(self) -> bool:
        """Whether it begins with a text, which is written at once and not when a block is full."""
        return bool(self.items) and not self.items[0].object_id


def read_block(definition: ObjectDefinition, payload: bytes) -> LogBlock:
    """Take a packed DebugLogEntry apart. Nonsense in it costs itself alone; nothing is raised."""
    header = _header(definition)
    head = header.read(payload, 0)
    kind = definition.field_named("Type").option_text(head["Type"])
    if kind == "Empty":
        return LogBlock(kind, head["Flight"], head["Entry"])
    data = payload[header.size :]
    items = [_first_item(header, head, data)]
    at = len(items[0].data)
    while (start := _next_head(header, data, at, items[0])) is not None:
        at = start + header.size
        items.append(_item(header.read(data, start), data[at:]))
        at += len(items[-1].data)
    unread = len(data[at:].strip(_FREE))
    return LogBlock(kind, head["Flight"], head["Entry"], tuple(items), unread)


def _first_item(header: "_Header", head: Mapping[str, int], data: bytes) -> LoggedItem:
    """What an entry begins with. The end of a text may have been written over by an object: where
    the flash was busy, firmware goes on at the place where the block was before the text."""
    first = _item(head, data)
    if first.object_id:
        return first
    for start in range(len(first.data)):
        if header.stands_at(data, start, first):
            return replace(first, data=first.data[:start])
    return first


def _item(head: Mapping[str, int], data: bytes) -> LoggedItem:
    return LoggedItem(
        head["Flight"],
        head["Entry"],
        head["FlightTime"],
        head["ObjectID"],
        head["InstanceID"],
        data[: head["Size"]],
        is_cut=head["Size"] > len(data),
    )


def _next_head(header: "_Header", data: bytes, at: int, first: LoggedItem) -> int | None:
    """Where the next header stands, at `at` or behind free bytes."""
    free = len(data[at:]) - len(data[at:].lstrip(_FREE))
    for start in range(at, at + free + 1):
        if header.stands_at(data, start, first):
            return start
    return None


class _Header:
    """The fields before Data, which stands last in every release."""

    def __init__(self, definition: ObjectDefinition) -> None:
        fields = [f for f in definition.wire_fields if f.name != "Data"]
        self._names = tuple(f.name for f in fields)
        self._layout = struct.Struct("<" + "".join(_CODES[f.type.size] for f in fields))
        self._object_type = definition.field_named("Type").options.index("UAVObject")
        self.size = self._layout.size

    def read(self, data: bytes, at: int) -> Mapping[str, int]:
        return dict(zip(self._names, self._layout.unpack_from(data, at), strict=True))

    def stands_at(self, data: bytes, at: int, first: LoggedItem) -> bool:
        """Whether the header of a further object may stand there."""
        room = len(data) - at - self.size
        if room <= 0:
            return False
        head = self.read(data, at)
        return (
            head["Type"] == self._object_type
            and 0 < head["Size"] <= room
            and head["ObjectID"] not in (0, 0xFFFFFFFF)
            and head["Flight"] - first.flight in (0, 1)
            and 0 <= head["Entry"] - first.entry <= _LATE
        )


@lru_cache(maxsize=8)
def _header(definition: ObjectDefinition) -> _Header:
    return _Header(definition)


def in_order(blocks: Mapping[int, LogBlock]) -> Iterator[LogBlock]:
    """Blocks by their places, in the order in which their contents were logged.

    A text is written at once, before the block that it flushes, though what that holds is older. Of
    both firmware's own number says when they were begun.
    """

    def begun(place: int) -> tuple[int, bool, int]:
        block = blocks[place]
        is_told = 0 <= place - block.entry <= _LATE
        return block.entry if is_told else place, block.is_text, place

    return (blocks[place] for place in sorted(blocks, key=begun))
