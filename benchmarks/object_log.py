"""Log of given samples, by the station's own writer: flights of elsewhere, and parts of flights."""

import heapq
from collections.abc import Iterable, Iterator
from pathlib import Path

from telemetry.protocol.wire.dialect import Dialect
from telemetry.protocol.wire.frame import FrameType
from telemetry.recording.logs.opl_writer import OplWriter
from telemetry.recording.recording import RecordedColumns

_DIALECT = Dialect()


def write_log(path: Path, columns: Iterable[RecordedColumns]) -> None:
    """Write what was sampled in order of time, in the place of a log that is there."""
    path.unlink(missing_ok=True)
    writer = OplWriter(path)
    try:
        for time_s, frame in heapq.merge(*map(_frames, columns), key=_when):
            writer.write(time_s, frame)
    finally:
        writer.close()


def _frames(columns: RecordedColumns) -> Iterator[tuple[float, bytes]]:
    definition = columns.definition
    object_id, single = definition.object_id, definition.single_instance
    for time_s, row in zip(columns.times.tolist(), columns.rows, strict=True):
        payload = row.tobytes()
        yield (
            time_s,
            _DIALECT.encode(FrameType.OBJ, object_id, columns.instance, single, payload),
        )


def _when(sample: tuple[float, bytes]) -> float:
    return sample[0]
