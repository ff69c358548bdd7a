"""Hearing without a link: the newest values of some objects, for somebody in the same process.

What is heard, and when, is what telemetry sends; only frames are neither made nor taken apart.
"""

from collections.abc import Iterable

import numpy as np

from simulation.autopilot.board import SimulatedBoard
from telemetry.protocol.objects.definition import ObjectDefinition
from telemetry.recording.sample import Sample


class Hearing:
    """The publisher of a board that nobody talks to by bytes. Of an object with several instances
    the first is heard, which telemetry sends last; of one that the board lacks, nothing."""

    def __init__(self, board: SimulatedBoard, heard: Iterable[ObjectDefinition]) -> None:
        self._board = board
        self._heard = {definition.object_id: definition for definition in heard}
        self._payloads: dict[int, bytes] = {}
        self._samples: dict[str, Sample] = {}

    def publish(self, object_id: int, instance: int, acked: bool) -> None:
        """Take an object's present values."""
        payload = self._board.read(object_id, 0)
        if payload is None or payload == self._payloads.get(object_id):
            return
        self._payloads[object_id] = payload
        definition = self._heard[object_id]
        row = np.frombuffer(payload, definition.dtype)[0]
        self._samples[definition.name] = Sample(0.0, definition, 0, row)

    def read(self, name: str) -> Sample | None:
        """The newest value of an object, None while there is none. Its time is not kept."""
        return self._samples.get(name)
