"""Log reader: `.opl`, and `.tll` and `.drlog`, which are the same behind a text header.

Reading is by content, not by name. Damage is passed over and reported as warnings; only a file
without any telemetry is refused.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from telemetry.base.input_files import read_array
from telemetry.protocol.objects.catalogue import Catalogue, DefinitionSet
from telemetry.protocol.wire.scan import Bytes, FoundFrames, scan
from telemetry.recording.logs.columns import ColumnFiller, Tally
from telemetry.recording.logs.definitions import (
    LogDefinitionsError,
    keep_definitions,
    read_definitions,
    unknown_sentence,
)
from telemetry.recording.logs.info import LogInfo, ObjectInfo, WireInfo
from telemetry.recording.logs.records import Records, read_records
from telemetry.recording.logs.station_events import LogEventsError, events_path, read_events
from telemetry.recording.logs.times import ascending_ms
from telemetry.recording.logs.world import LogWorldError, read_imu_note, read_world_note
from telemetry.recording.recording import Recording

_TEXT_HEADERS = (b"Tau Labs git hash:\n", b"dRonin git hash:\n")
_TEXT_HEADER_END = b"\n##\n"
_TEXT_HEADER_LIMIT = 1024
_MOST_NAMES = 5
LARGEST_BYTES: Final = 2 << 30
"""A day of the fastest telemetry radio; reading takes three times that of memory."""


class LogError(Exception):
    """A file that cannot be opened as a flight log. One sentence for the user, with a remedy."""


@dataclass(frozen=True, slots=True)
class LogReading:
    """A log that was read: the flight, what the file holds, and what was odd about it.

    `catalogue` has the definitions that travelled with it, too.
    """

    recording: Recording
    info: LogInfo
    warnings: tuple[str, ...]
    catalogue: Catalogue | None = None

    @property
    def object_ids(self) -> frozenset[int]:
        """The ids of the objects in the file, of those too that were only asked for."""
        info = self.info
        entries = (*info.per_object.values(), *info.without_value.values())
        return frozenset(entry.id & ~1 for entry in entries)

    @property
    def unknown_ids(self) -> frozenset[int]:
        """Those of them that nobody has a definition of."""
        get = self.catalogue.get if self.catalogue is not None else lambda _object_id: True
        return frozenset(each for each in self.object_ids if get(each) is None)


def keep_known(log: Path, reading: LogReading, catalogue: Catalogue) -> None:
    """Keep beside a log the definitions that it was read by. Raises OSError."""
    known = reading.catalogue or catalogue
    keep_definitions(log, reading.object_ids, known, reading.recording)


def read_log(path: Path, catalogue: Catalogue) -> LogReading:
    """Read a whole log into a recording, with the definitions, the world and the events of its
    station noted beside it if there are any; raise LogError if it is none.

    Memory stays below three times the file.
    """
    problems: tuple[str, ...] = ()
    own: DefinitionSet | None = None
    try:
        own = read_definitions(path)
    except LogDefinitionsError as error:
        problems = (str(error),)
    reading = _read(path, catalogue.with_own(own) if own else catalogue)
    if own:
        problems = tuple(_contradictions(own, catalogue, reading.recording))
    try:
        reading.recording.world = read_world_note(path)
        reading.recording.imu = read_imu_note(path)
    except LogWorldError as error:
        problems = (*problems, str(error))
    problems = (*problems, *_take_events(path, reading.recording))
    return replace(reading, warnings=(*problems, *reading.warnings))


def _take_events(path: Path, recording: Recording) -> Iterator[str]:
    """Have what the station noted in the flight; sentences about what of it cannot be read."""
    try:
        events, left_out = read_events(path)
    except LogEventsError as error:
        yield str(error)
        return
    recording.take_noted(events)
    if left_out:
        lines = "1 line" if left_out == 1 else f"{left_out} lines"
        yield f"{lines} of {events_path(path).name} cannot be read; the other events are shown."


def _contradictions(
    own: DefinitionSet, catalogue: Catalogue, recording: Recording
) -> Iterator[str]:
    """A sentence if definitions beside a log have it read otherwise than those known here.

    An id does not tell units, limits, names of elements and numbers of options.
    """
    names = [
        definition.name
        for definition in dict.fromkeys(track.definition for track in recording.tracks())
        if definition == own.with_id(definition.object_id)
        and catalogue.get(definition.object_id) not in (None, definition)
        and not catalogue.is_shipped(definition)
    ]
    if names:
        more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
        yield (
            f"{own.name} reads {', '.join(names[:_MOST_NAMES])}{more} with other units, limits or "
            "names than the definitions here, and is followed. Move it away to read the log by "
            "those."
        )


def _read(path: Path, catalogue: Catalogue) -> LogReading:
    data, records = read_log_bytes(path)
    frames = scan(data, records.starts, records.sizes)
    del data
    if not len(frames):
        raise LogError(
            f"{path.name} is not a flight log: it holds no telemetry. "
            "Open a file that a ground station recorded (.opl, .tll or .drlog)."
        )
    times_ms, warnings = ascending_ms(records.times_ms)
    arrival = times_ms[frames.records]
    recording = Recording(source=str(path))
    tally = ColumnFiller(arrival, catalogue, recording).fill(frames.groups)
    if _is_in_microseconds(recording):
        times_ms, arrival = times_ms // 1000, arrival // 1000
        recording = Recording(source=str(path))
        tally = ColumnFiller(arrival, catalogue, recording).fill(frames.groups)
        warnings.append("The log's times are microseconds, as older stations wrote; converted.")
    # Not by what was asked for: a station asks for much that an aircraft does not have.
    ids = (track.definition.object_id for track in recording.tracks())
    release = catalogue.best_release(ids, recording.firmware_tag)
    recording.take_definitions(lambda object_id: catalogue.get(object_id, release or ""))
    warnings += [track.unit_note for track in recording.tracks() if track.unit_note]
    span = (float(times_ms[0]) / 1000, float(times_ms[-1]) / 1000)
    info = _describe(records, frames, tally, recording, release, span)
    damage = _damage(records, frames, info)
    return LogReading(recording, info, (*damage, *warnings), catalogue)


def read_log_bytes(path: Path) -> tuple[Bytes, Records]:
    """All bytes of a log, and the records in them; raise LogError if the file cannot be read."""
    data = _load(path)
    return data, read_records(data, _skip_text_header(data))


def _load(path: Path) -> Bytes:
    try:
        data = read_array(path, LARGEST_BYTES)
    except OSError as error:
        raise LogError(f"Cannot read {path}: {error.strerror or error}.") from error
    if not len(data):
        raise LogError(f"{path.name} is empty: nothing was recorded; open another log.")
    # Not mapped: a drive that is pulled meanwhile would end the program, and a live flight with it.
    return data


def _skip_text_header(data: Bytes) -> int:
    head = data[:_TEXT_HEADER_LIMIT].tobytes()
    if not head.startswith(_TEXT_HEADERS):
        return 0
    end = head.find(_TEXT_HEADER_END)
    return end + len(_TEXT_HEADER_END) if end >= 0 else 0


def _is_in_microseconds(recording: Recording) -> bool:
    """Whether the log's clock runs a thousand times as fast as the aircraft's own.

    Older stations put microseconds into the millisecond field when they exported on-board logs.
    """
    times_s, flight_ms = recording.series("SystemStats.FlightTime")
    elapsed_ms = np.diff(times_s) * 1000
    own_ms = np.diff(flight_ms.astype(np.float64))
    forward = own_ms > 0
    if np.count_nonzero(forward) < 2:
        return False
    return bool(500 < np.median(elapsed_ms[forward] / own_ms[forward]) < 2000)


def _describe(
    records: Records,
    frames: FoundFrames,
    tally: Tally,
    recording: Recording,
    release: str | None,
    span: tuple[float, float],
) -> LogInfo:
    detector = tally.detector
    found = _by_name(tally, span[1] - span[0])
    per_object = {name: entry for name, entry in found.items() if entry.count}
    return LogInfo(
        records=len(records) - len(records.damaged),
        frames=len(frames),
        crc_errors=frames.crc_errors,
        junk_bytes=frames.junk_bytes,
        unknown_frames=tally.unknown_frames,
        objects=len(per_object),
        first_s=span[0],
        last_s=span[1],
        release=release,
        wire=WireInfo(detector.instance_id, detector.metadata_bytes),
        reboots=tuple(event.t for event in recording.events() if event.kind == "reboot"),
        per_object=per_object,
        without_value={
            name: entry
            for name, entry in found.items()
            if not entry.count and (entry.requests or entry.refusals)
        },
    )


def _by_name(tally: Tally, duration_s: float) -> dict[str, ObjectInfo]:
    """Counts by name; unknown objects, and further versions of a name, by their id."""
    found: dict[str, ObjectInfo] = {}
    for object_id, count in sorted(tally.values.items(), key=lambda entry: not entry[1]):
        name = tally.names.get(object_id, "")
        if not name or name in found:
            name = f"{name}@0x{object_id:08X}" if name else f"0x{object_id:08X}"
        rate_hz = count / duration_s if duration_s > 0 else 0.0
        requests, refusals = tally.requests[object_id], tally.refusals[object_id]
        found[name] = ObjectInfo(object_id, count, rate_hz, requests, refusals)
    return dict(sorted(found.items()))


def _damage(records: Records, frames: FoundFrames, info: LogInfo) -> list[str]:
    """Sentences about bytes that were passed over."""
    warnings = []
    if count := records.damaged_bytes:
        found = int(np.isin(frames.records, records.damaged).sum())
        became = f"; in them {found} {_frames(found)} found" if found else " and were skipped"
        warnings.append(f"{count} bytes between the records are damaged{became}.")
    if records.is_truncated:
        warnings.append("The file ends inside its last record; everything before it is shown.")
    if info.crc_errors:
        warnings.append(f"{info.crc_errors} damaged {_frames(info.crc_errors)} left out.")
    if count := frames.doubtful_frames:
        warnings.append(
            f"{count} {_frames(count)} left out, too: among so many damaged ones a good "
            "checksum proves nothing."
        )
    if info.unknown_frames:
        warnings.append(unknown_sentence(info.unknown_frames))
    return warnings


def _frames(count: int) -> str:
    return "frame was" if count == 1 else "frames were"
