"""Flight files of on-board logs: entries as the `.opl` that every station reads, with true times.

Texts, and where times cannot be known, are events beside it. Objects that nobody knows are written
as they are: they show when their definitions come.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from telemetry.base.finding import Level
from telemetry.base.input_files import read_bytes
from telemetry.base.unused_names import unused_path
from telemetry.configuration.board_logs.entries import LogBlock, LoggedItem, in_order, read_block
from telemetry.configuration.board_logs.entry_store import EntryStore
from telemetry.configuration.board_logs.entry_times import (
    EntryTimes,
    UnknownTimes,
    boot_time_s,
    entry_times,
)
from telemetry.configuration.board_logs.errors import BoardLogError
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.wire.frame import FrameType, encode
from telemetry.recording.events import Event
from telemetry.recording.logs.definitions import keep_definitions
from telemetry.recording.logs.opl_writer import OplWriter, WriteFailed
from telemetry.recording.logs.station_events import append_events, events_path

_LONGEST_TEXT: Final = 200
_SHORT_S: Final = 10.0
"""Before the first SystemStats and behind the last one every log has some seconds."""


@dataclass(frozen=True, slots=True)
class FlightContents:
    """What a board logged of one flight, in the order in which it did, with times. `unread` bytes
    of its entries are no objects."""

    number: int
    items: tuple[LoggedItem, ...]
    times: EntryTimes
    unread: int


def contents_of(
    store: EntryStore, number: int, catalogue: Catalogue, wrapping_s: float | None
) -> FlightContents:
    """Put a flight together of its entries. Raises BoardLogError if it has none.

    Its last block may have been written when the next flight had begun.
    """
    own = {p: block for p, block in _blocks(store, number).items() if block.flight != number - 1}
    for _, block in sorted(_blocks(store, number + 1).items()):
        if block.flight == number:
            own[max(own, default=-1) + 1] = block
    items = _without_repetitions(own)
    if not items:
        raise BoardLogError(f"Flight {number} has no entries here: download it first.")
    anchors = {i: s for i, item in enumerate(items) if (s := boot_time_s(item, catalogue))}
    times = entry_times([item.clock_us for item in items], anchors, wrapping_s)
    unread = sum(block.unread for block in own.values())
    return FlightContents(number, tuple(items), times, unread)


def write_flight(path: Path, contents: FlightContents, catalogue: Catalogue) -> Path:
    """Write a flight as `path`, which ends with .opl, with the files that go with it; returns where
    it is. Beside another of that name it gets a number; the same again is not written twice.

    Raises BoardLogError, and leaves nothing half written then.
    """
    free = unused_path(path, events_path(path).name.removeprefix(path.stem), form="{}-{}")
    try:
        free.parent.mkdir(parents=True, exist_ok=True)
        _write_frames(free, contents)
        ids = {item.object_id for item in contents.items}
        if free != path and _is_alike(free, path):
            free.unlink()
            keep_definitions(path, ids, catalogue)  # they may have come since
            return path
        append_events(free, list(_events(contents)))
        keep_definitions(free, ids, catalogue)
    except (OSError, WriteFailed) as error:
        for file in (free, events_path(free)):
            with suppress(OSError):
                file.unlink()
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise BoardLogError(
            f"{free} cannot be written ({reason}). The entries are kept; make room and try again."
        ) from error
    return free


def _is_alike(a: Path, b: Path) -> bool:
    size = a.stat().st_size
    return size == b.stat().st_size and read_bytes(a, size) == read_bytes(b, size)


def _blocks(store: EntryStore, number: int) -> dict[int, LogBlock]:
    rows = store.entries(number)
    return {place: read_block(store.definition, row) for place, row in rows.items()}


def _without_repetitions(blocks: Mapping[int, LogBlock]) -> list[LoggedItem]:
    """Where the flash was busy a text stands in a block behind it once more, perhaps cut off."""
    found: dict[object, LoggedItem] = {}
    for block in in_order(blocks):
        for item in block.items:
            key = item if item.object_id else (item.flight, item.entry, item.clock_us)
            found.setdefault(key, item)
    return list(found.values())


def _write_frames(path: Path, contents: FlightContents) -> None:
    writer = OplWriter(path)
    try:
        for item, t in zip(contents.items, contents.times.seconds.tolist(), strict=True):
            if item.object_id:
                frame = encode(FrameType.OBJ, item.object_id, item.data, item.instance)
                writer.write(t, frame)
    finally:
        writer.close()


def _events(contents: FlightContents) -> Iterator[Event]:
    seconds = contents.times.seconds
    yield Event(0.0, "recording", Level.INFO, _beginning(contents))
    for span in contents.times.unknown:
        begin_s, end_s = float(seconds[span.first]), float(seconds[span.last])
        level = Level.INFO if end_s - begin_s < _SHORT_S else Level.WARNING
        yield Event(begin_s, "gap", level, _unknown_text(span, contents.times), end_s)
    for item, t in zip(contents.items, seconds.tolist(), strict=True):
        if item.text:
            yield Event(t, "recording", Level.INFO, item.text[:_LONGEST_TEXT])
        elif item.is_cut:
            text = f"An object of {item.object_id:08X} is longer than its entry: its end is lost"
            yield Event(t, "recording", Level.WARNING, text)
    if contents.unread:
        text = f"{contents.unread} bytes of the log are no objects and were left out"
        yield Event(0.0, "recording", Level.WARNING, text)


def _beginning(contents: FlightContents) -> str:
    boot_s = contents.times.boot_s
    since = "an unknown time" if boot_s is None else f"about {max(boot_s, 0.0):.0f} s"
    return (
        f"From the board's own log, flight {contents.number}: it begins {since} after the board "
        "was started. The board knows no date"
    )


def _unknown_text(span: UnknownTimes, times: EntryTimes) -> str:
    end_s = float(times.seconds[span.last])
    if span.extra is not None:
        return (
            f"Times up to {end_s:.3f} s are not known: {span.extra} times the wrap of the board's "
            "clock lie somewhere between"
        )
    why = "no SystemStats in the log tells how often the board's clock wrapped in a pause"
    if not times.wraps:
        why = "it is not known after how long the clock of this board wraps"
    return f"Times up to {end_s:.3f} s are the shortest possible: {why}"
