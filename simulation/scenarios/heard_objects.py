"""Heard objects: the newest values of some objects that a pilot on the ground has received."""

from collections.abc import Iterable

import numpy as np

from telemetry.protocol.objects.definition import ObjectDefinition
from telemetry.protocol.wire.decoder import FrameDecoder
from telemetry.protocol.wire.dialect import Dialect
from telemetry.protocol.wire.frame import DATA_TYPES, Frame
from telemetry.recording.sample import Sample

_MOST_PENDING = 1 << 16


class HeardObjects:
    """Listens for the objects given."""

    def __init__(self, definitions: Iterable[ObjectDefinition]) -> None:
        self._dialect = Dialect()
        self._decoder = FrameDecoder()
        self._objects = {definition.object_id: definition for definition in definitions}
        self._samples: dict[str, Sample] = {}
        self._pending = bytearray()

    def hear(self, data: bytes) -> None:
        """Take what the aircraft sent; it is decoded when something is read."""
        if not self._objects:
            return
        self._pending += data
        if len(self._pending) >= _MOST_PENDING:
            self._decode()

    def read(self, name: str) -> Sample | None:
        """The newest value of an object, None while there is none. Its time is not kept."""
        if self._pending:
            self._decode()
        return self._samples.get(name)

    def _decode(self) -> None:
        data = bytes(self._pending)
        self._pending.clear()
        for frame in self._decoder.feed(data):
            if frame.object_id in self._objects and frame.type in DATA_TYPES:
                self._take(frame)

    def _take(self, frame: Frame) -> None:
        definition = self._objects[frame.object_id]
        parts = self._dialect.split(frame, definition.size, definition.single_instance)
        if parts is not None:
            row = np.frombuffer(parts.payload, definition.dtype)[0]
            self._samples[definition.name] = Sample(0.0, definition, 0, row)
