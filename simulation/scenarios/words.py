"""Words of a pilot on the ground: the objects it writes, and how frames say them."""

from collections.abc import Sequence
from typing import NamedTuple

from telemetry.protocol.objects.definition import ObjectDefinition
from telemetry.protocol.wire.dialect import Dialect
from telemetry.protocol.wire.frame import FrameType


class PilotWord(NamedTuple):
    """One instance of an object as a pilot writes it, in the bytes of its definition."""

    definition: ObjectDefinition
    instance: int
    payload: bytes


class WordFrames:
    """Says words as UAVTalk frames that nobody has to acknowledge."""

    def __init__(self) -> None:
        self._dialect = Dialect()
        self._said: PilotWord | None = None  # sticks are said again and again
        self._frame = b""

    def of(self, words: Sequence[PilotWord]) -> bytes:
        """The bytes that say them, in their order."""
        return b"".join(map(self._frame_of, words))

    def _frame_of(self, word: PilotWord) -> bytes:
        if word is not self._said:
            self._said = word
            definition, instance, payload = word
            single = definition.single_instance
            self._frame = self._dialect.encode(
                FrameType.OBJ, definition.object_id, instance, single, payload
            )
        return self._frame
