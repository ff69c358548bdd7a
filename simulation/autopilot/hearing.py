"""Hearing without bytes: the newest values of some objects, for somebody in the same process.

What is heard, and when, is what telemetry sends; only frames are not taken apart for it, nor made
where there is no link.
"""

from collections.abc import Iterable

import numpy as np

from simulation.autopilot.board import SimulatedBoard
from telemetry.protocol.objects.definition import ObjectDefinition
from telemetry.protocol.session.session import Session
from telemetry.recording.sample import Sample


class Hearing:
    """The publisher of a board, which hears what it hands on to a link, if there is one. Of an
    object with several instances the first is heard, which telemetry sends last; of one that the
    board lacks, nothing."""

    def __init__(
        self, board: SimulatedBoard, heard: Iterable[ObjectDefinition], link: Session | None
    ) -> None:
        self._board = board
        self._heard = {definition.object_id: definition for definition in heard}
        self._link = link
        self._payloads: dict[int, bytes] = {}
        self._samples: dict[str, Sample] = {}

    def publish(self, object_id: int, instance: int, acked: bool) -> None:
        """Take an object's present values."""
        if self._link is not None:
            self._link.publish(object_id, instance, acked)
        definition = self._heard.get(object_id)
        if definition is not None:
            self._hear(definition)

    def read(self, name: str) -> Sample | None:
        """The newest value of an object, None while there is none. Its time is not kept."""
        return self._samples.get(name)

    def _hear(self, definition: ObjectDefinition) -> None:
        payload = self._board.read(definition.object_id, 0)
        if payload is None or payload == self._payloads.get(definition.object_id):
            return
        self._payloads[definition.object_id] = payload
        row = np.frombuffer(payload, definition.dtype)[0]
        self._samples[definition.name] = Sample(0.0, definition, 0, row)
