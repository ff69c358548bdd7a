"""Turns the frames of a log into the columns of a recording, one object at a time.

Which objects the ids stand for comes from the catalogue; where the instance id stands and how
long metadata is, from the lengths of the frames.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from telemetry.objects.catalogue import Catalogue
from telemetry.objects.definition import ObjectDefinition
from telemetry.objects.metadata import metaobject
from telemetry.recording.recording import Recording
from telemetry.wire.dialect import (
    INSTANCE_BYTES,
    METADATA_SIZES,
    TIMESTAMP_BYTES,
    DialectDetector,
)
from telemetry.wire.frame import DATA_TYPES, FILE_TYPES, HEADER_BYTES, TIMESTAMPED
from telemetry.wire.scan import Bytes, FrameTable

MAX_INSTANCES = 1000

Positions = npt.NDArray[np.int64]


@dataclass(slots=True)
class Tally:
    """What the frames of a log were. `counts` and `names` are by object id, metaobjects' too."""

    unknown_frames: int = 0
    counts: dict[int, int] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)
    detector: DialectDetector = field(default_factory=DialectDetector)


class ColumnFiller:
    """Fills one recording from one stream of frames, `times_s` telling when each arrived."""

    def __init__(
        self,
        stream: Bytes,
        frames: FrameTable,
        times_s: npt.NDArray[np.float64],
        catalogue: Catalogue,
        recording: Recording,
    ) -> None:
        self.tally = Tally()
        self._stream = stream
        self._frames = frames
        self._times_s = times_s
        self._catalogue = catalogue
        self._recording = recording

    def fill(self) -> Tally:
        """Record every frame that carries a value of a known object; tally all."""
        for object_id, members in _groups(self._frames):
            self.tally.counts[object_id] = len(members)
            definition = self._catalogue.get(object_id & ~1)
            if definition is None or definition.object_id | 1 < object_id:
                self.tally.unknown_frames += len(members)
                continue
            is_meta = object_id != definition.object_id
            self.tally.names[object_id] = definition.name + ("Meta" if is_meta else "")
            values = members[np.isin(self._frames.types[members], list(DATA_TYPES))]
            for size in METADATA_SIZES if is_meta else (definition.size,):
                shape = metaobject(definition, size) if is_meta else definition
                values = self._take_fitting(shape, values, is_meta)
            self.tally.unknown_frames += len(values)
        return self.tally

    def _take_fitting(
        self, definition: ObjectDefinition, values: Positions, is_meta: bool
    ) -> Positions:
        """Record the frames among `values` that hold `definition`; return the others."""
        frames = self._frames
        stamp = np.where(frames.types[values] & TIMESTAMPED, TIMESTAMP_BYTES, 0)
        body = frames.lengths[values].astype(np.int64) - HEADER_BYTES - stamp
        single = definition.single_instance or is_meta
        has_instance = body == definition.size + INSTANCE_BYTES
        fits = has_instance | ((body == definition.size) if single else False)
        for size in np.unique(body[fits]).tolist():
            votes = int(np.count_nonzero(body == size))
            self.tally.detector.observe_size(size, definition.size, single, is_meta, votes)
        head = frames.offsets[values] + HEADER_BYTES
        instances = np.where(has_instance, self._instances_at(head), 0)
        fits &= instances < (1 if single else MAX_INSTANCES)
        payloads = head + stamp + np.where(has_instance, INSTANCE_BYTES, 0)
        for instance in np.unique(instances[fits]).tolist():
            chosen = fits & (instances == instance)
            rows = self._rows(payloads[chosen], definition)
            times = self._times_s[values[chosen]]
            self._recording.extend(definition, int(instance), times, rows)
        rest: Positions = values[~fits]
        return rest

    def _instances_at(self, positions: Positions) -> Positions:
        low = self._stream[positions].astype(np.int64)
        return low + self._stream[positions + 1].astype(np.int64) * 256

    def _rows(self, positions: Positions, definition: ObjectDefinition) -> npt.NDArray[Any]:
        """Copy packed payloads out of the stream: a view with a row at every byte, indexed."""
        size = definition.size
        window: npt.NDArray[Any] = np.ndarray(
            (len(self._stream) - size + 1,), f"V{size}", self._stream, strides=(1,)
        )
        return window[positions].view(definition.dtype)


def _groups(frames: FrameTable) -> list[tuple[int, Positions]]:
    """Positions of the frames of each object id, ascending, by id. File transfers are left out.

    One sort of 64-bit keys (id above, position below) is faster than a stable argsort.
    """
    keys = np.arange(len(frames), dtype=np.uint64)
    keys |= frames.ids.astype(np.uint64) << np.uint64(32)
    is_file = np.isin(frames.types, list(FILE_TYPES))
    if is_file.any():
        keys = keys[~is_file]
    keys.sort()
    ids = (keys >> np.uint64(32)).astype(np.uint32)
    keys &= np.uint64(0xFFFFFFFF)
    positions = keys.view(np.int64)
    starts = np.flatnonzero(np.diff(ids, prepend=ids[:1] ^ 1)) if len(ids) else np.empty(0, int)
    ends = np.append(starts[1:], len(ids))
    spans = zip(ids[starts].tolist(), starts.tolist(), ends.tolist(), strict=True)
    return [(object_id, positions[start:end]) for object_id, start, end in spans]
