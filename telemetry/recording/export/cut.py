"""Log cut: a stretch of a log as a log of its own.

The bytes of the stretch stay as they are, damage and all. Before them stands what was last said of
every object, so that the shorter log knows as much at its start as the long one did. Its times
begin at 0. Definitions, the world and the events noted beside the log go along.
"""

import shutil
import struct
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from telemetry.base.safe_files import whole_file
from telemetry.protocol.objects.catalogue import load_catalogue
from telemetry.protocol.wire.dialect import INSTANCE_BYTES, Dialect
from telemetry.protocol.wire.frame import FrameType
from telemetry.protocol.wire.scan import Bytes, scan
from telemetry.recording.export.request import (
    ALL,
    ExportError,
    ExportRequest,
    file_name,
    writing_to,
)
from telemetry.recording.logs.definitions import definitions_path, keep_definitions
from telemetry.recording.logs.reader import LogError, read_log_bytes
from telemetry.recording.logs.records import Records
from telemetry.recording.logs.station_events import append_events, within
from telemetry.recording.logs.times import Times, ascending_ms
from telemetry.recording.logs.world import world_note_path
from telemetry.recording.recording import Recording

_HEADER = struct.Struct("<Iq")
_RECORDS_LOOKED_AT = 5000
_THOUSAND = 1000


def export_opl(recording: Recording, folder: Path, request: ExportRequest = ALL) -> list[Path]:
    """Write one .opl and return it. Raises ExportError; also for objects or a rate, since a log is
    cut whole, and for a recording that does not come from a log."""
    if request.objects or request.rate_hz is not None:
        raise ExportError("A log is cut out whole: leave --objects and --rate away.")
    start_s, end_s = request.span(recording)
    target = folder / file_name(recording, f"_{start_s:.0f}-{end_s:.0f}s.opl")
    if target.exists():
        raise ExportError(f"{target} is there already. Give another folder.")
    try:
        data, records = read_log_bytes(Path(recording.source))
    except LogError as error:
        raise ExportError(f"Only a log that is a file can be cut out: {error}") from error
    times_ms = _times_ms(records, recording)
    first, stop = np.searchsorted(times_ms, (start_s * 1000, end_s * 1000 + 1))
    with writing_to(folder):
        with whole_file(target) as fresh, fresh.open("wb") as file:
            for frame in _state_before(recording, start_s, _dialect(data, records, recording)):
                file.write(_HEADER.pack(0, len(frame)) + frame)
            for index in range(first, stop):
                start, size = int(records.starts[index]), int(records.sizes[index])
                milliseconds = int(times_ms[index]) - round(start_s * 1000)
                file.write(_HEADER.pack(max(milliseconds, 0), size))
                file.write(data[start : start + size].data)
        for path_of in (definitions_path, world_note_path):
            if (beside := path_of(Path(recording.source))).is_file():
                shutil.copyfile(beside, path_of(target))
        # Those that are not shipped may come from folders of the user's.
        catalogue = request.catalogue or load_catalogue()
        keep_definitions(target, _object_ids(target), catalogue, recording)
        if events := within(recording.noted(), start_s, end_s):
            append_events(target, events)
    return [target]


def _object_ids(log: Path) -> set[int]:
    data, records = read_log_bytes(log)
    return {group.object_id for group in scan(data, records.starts, records.sizes).groups}


def _times_ms(records: Records, recording: Recording) -> Times:
    """The records' times as the recording has them: a log of microseconds was converted."""
    times_ms, _ = ascending_ms(records.times_ms)
    is_too_long = float(times_ms[-1]) > recording.last_s * 1000 * (_THOUSAND / 2)
    return times_ms // _THOUSAND if is_too_long else times_ms


def _state_before(recording: Recording, start_s: float, dialect: Dialect) -> Iterator[bytes]:
    """What was last said of each object before a time, as frames."""
    for track in recording.tracks():
        index = int(track.times.searchsorted(start_s, "left")) - 1
        if index >= 0:
            definition = track.definition
            is_single = definition.single_instance or definition.meta_of is not None
            payload = track.rows[index].tobytes()
            yield dialect.encode(
                FrameType.OBJ, definition.object_id, track.instance, is_single, payload
            )


def _dialect(data: Bytes, records: Records, recording: Recording) -> Dialect:
    """Where this log's frames have their instance id, by the first of them."""
    few = slice(0, _RECORDS_LOOKED_AT)
    for group in scan(data, records.starts[few], records.sizes[few]).groups:
        track = recording.track(group.object_id)
        if track is not None and group.type == FrameType.OBJ and track.definition.single_instance:
            extra_bytes = group.bodies.shape[1] - track.definition.size
            if extra_bytes in (0, INSTANCE_BYTES):
                return Dialect("always" if extra_bytes else "multi")
    return Dialect()
