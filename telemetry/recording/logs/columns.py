"""Log columns: the frames of a log as columns of a recording, one object at a time.

Which objects the ids stand for comes from the catalogue; where the instance id stands and how
long metadata is, from the lengths of the frames.
"""

from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from typing import Any

import numpy as np
import numpy.typing as npt

from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.definition import MAX_INSTANCES, ObjectDefinition
from telemetry.protocol.objects.metadata import metaobject
from telemetry.protocol.wire.dialect import (
    INSTANCE_BYTES,
    METADATA_SIZES,
    TIMESTAMP_BYTES,
    DialectDetector,
)
from telemetry.protocol.wire.frame import DATA_TYPES, FILE_TYPES, TIMESTAMPED, FrameType
from telemetry.protocol.wire.scan import Bytes, FrameGroup, Numbers
from telemetry.recording.logs.times import Times
from telemetry.recording.recording import RecordedColumns, Recording

_U16 = np.dtype("<u2")


@dataclass(slots=True)
class Tally:
    """What the frames of a log were. Counts and names are by object id, metaobjects' too:
    `values` that came, `requests` for them and `refusals`."""

    unknown_frames: int = 0
    values: dict[int, int] = field(default_factory=dict)
    requests: dict[int, int] = field(default_factory=dict)
    refusals: dict[int, int] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)
    detector: DialectDetector = field(default_factory=DialectDetector)


class ColumnFiller:
    """Fills one recording from the frames of a log, `times_ms` telling when each arrived."""

    def __init__(self, times_ms: Times, catalogue: Catalogue, recording: Recording) -> None:
        self.tally = Tally()
        self._times_ms = times_ms
        self._times_s = np.empty(len(times_ms))  # a part for each column, all in large pages
        self._timed = 0
        self._catalogue = catalogue
        self._recording = recording
        self._columns: list[RecordedColumns] = []

    def fill(self, groups: list[FrameGroup]) -> Tally:
        """Record every frame that carries a value of a known object; tally all."""
        objects = (group for group in groups if group.type not in FILE_TYPES)
        for object_id, alike in groupby(objects, key=attrgetter("object_id")):
            self._take_object(object_id, list(alike))
        self._recording.extend_all(self._columns)
        self._columns.clear()
        return self.tally

    def _take_object(self, object_id: int, groups: list[FrameGroup]) -> None:
        tally = self.tally
        values = [group for group in groups if group.type in DATA_TYPES]
        count = _count(values)
        tally.values[object_id] = count
        tally.requests[object_id] = _count([g for g in groups if g.type == FrameType.OBJ_REQ])
        tally.refusals[object_id] = _count([g for g in groups if g.type == FrameType.NACK])
        definition = self._catalogue.get(object_id & ~1)
        if definition is None:
            tally.unknown_frames += _count(groups)
            return
        is_meta = object_id != definition.object_id
        tally.names[object_id] = definition.name + ("Meta" if is_meta else "")
        taken = 0
        for size in METADATA_SIZES if is_meta else (definition.size,):
            shape = metaobject(definition, size) if is_meta else definition
            taken += self._take_fitting(shape, values, is_meta)
        tally.values[object_id] = taken
        tally.unknown_frames += count - taken

    def _take_fitting(
        self, definition: ObjectDefinition, values: list[FrameGroup], is_meta: bool
    ) -> int:
        """Record the frames among `values` that hold `definition`; return how many do."""
        single = definition.single_instance or is_meta
        pieces = []
        for group in values:
            stamp_bytes = TIMESTAMP_BYTES if group.type & TIMESTAMPED else 0
            body_size = group.bodies.shape[1] - stamp_bytes
            instance_bytes = body_size - definition.size
            if instance_bytes == INSTANCE_BYTES or (single and instance_bytes == 0):
                self.tally.detector.observe_size(
                    body_size, definition.size, single, is_meta, len(group.numbers)
                )
                instances = _instances(group.bodies, instance_bytes)
                payloads = group.bodies[:, instance_bytes + stamp_bytes :]
                pieces.append((group.numbers, instances, payloads))
        if not pieces:
            return 0
        numbers, instances, payloads = pieces[0]
        if len(pieces) > 1:
            numbers, instances, payloads = (
                np.concatenate(part) for part in zip(*pieces, strict=True)
            )
            order = np.argsort(numbers)
            numbers, instances, payloads = numbers[order], instances[order], payloads[order]
        return self._record(definition, numbers, instances, payloads)

    def _record(
        self,
        definition: ObjectDefinition,
        numbers: Numbers,
        instances: npt.NDArray[np.uint16],
        payloads: Bytes,
    ) -> int:
        """Take columns for each instance; return the number of samples."""
        times = self._times_of(numbers)
        if not instances.any():
            return self._append(definition, 0, times, payloads)
        single = definition.single_instance or definition.meta_of is not None
        taken = 0
        for instance in np.unique(instances).tolist():
            if instance >= (1 if single else MAX_INSTANCES):
                break
            mine = instances == instance
            taken += self._append(definition, instance, times[mine], payloads[mine])
        return taken

    def _times_of(self, numbers: Numbers) -> npt.NDArray[np.float64]:
        start, self._timed = self._timed, self._timed + len(numbers)
        return np.divide(self._times_ms[numbers], 1000.0, out=self._times_s[start : self._timed])

    def _append(
        self,
        definition: ObjectDefinition,
        instance: int,
        times: npt.NDArray[np.float64],
        payloads: Bytes,
    ) -> int:
        rows: npt.NDArray[Any] = payloads.view(definition.dtype)[:, 0]
        self._columns.append(RecordedColumns(definition, instance, times, rows))
        return len(times)


def _instances(bodies: Bytes, instance_bytes: int) -> npt.NDArray[np.uint16]:
    if not instance_bytes:
        return np.zeros(len(bodies), np.uint16)
    return bodies[:, :INSTANCE_BYTES].view(_U16)[:, 0]


def _count(groups: list[FrameGroup]) -> int:
    return sum(len(group.numbers) for group in groups)
