"""UAVTalk dialect: the instance id's place and metadata's length, which no version bit tells.

LibrePilot, and OpenPilot from 14.01, put an instance id into every frame ("always"); Tau Labs,
dRonin and older OpenPilot only into frames of multi-instance objects ("multi"). Metadata has
8, 7 or 19 bytes. Reading needs no prior knowledge, because an object's size decides; writing
needs to know, and `DialectDetector` learns it from what the aircraft sends.
"""

import struct
from collections import Counter
from dataclasses import dataclass
from typing import Literal, TypeVar

from telemetry.protocol.wire.frame import DATA_TYPES, TIMESTAMPED, Frame, FrameType, encode

InstanceId = Literal["always", "multi"]

INSTANCE_BYTES = 2
TIMESTAMP_BYTES = 2
METADATA_SIZES = (8, 7, 19)
_U16 = struct.Struct("<H")
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Parts:
    """What a frame's body holds. `timestamp_ms` is the low 16 bits of the sender's clock."""

    instance: int
    payload: bytes
    timestamp_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Dialect:
    """How one aircraft writes its frames."""

    instance_id: InstanceId = "always"
    metadata_bytes: int = 8

    def split(
        self, frame: Frame, payload_size: int, single_instance: bool, is_meta: bool = False
    ) -> Parts | None:
        """Take a body apart, or return None if its length fits neither reading of the object.

        `payload_size` is the definition's; it is ignored for metaobjects, whose payload may
        have any of the known metadata sizes. Lengths decide, so frames of another dialect are
        understood too. Frames without a value (requests, answers) have an empty payload.
        """
        body = frame.body
        if frame.type not in DATA_TYPES:
            return _split_answer(body)
        stamp_bytes = TIMESTAMP_BYTES if frame.type & TIMESTAMPED else 0
        sizes = METADATA_SIZES if is_meta else (payload_size,)
        if len(body) - stamp_bytes - INSTANCE_BYTES in sizes:
            at = INSTANCE_BYTES
        elif single_instance and len(body) - stamp_bytes in sizes:
            at = 0
        else:
            return None
        instance = _U16.unpack_from(body)[0] if at else 0
        stamp = _U16.unpack_from(body, at)[0] if stamp_bytes else None
        return Parts(instance, body[at + stamp_bytes :], stamp)

    def encode(
        self,
        frame_type: int,
        object_id: int,
        instance: int,
        single_instance: bool,
        payload: bytes = b"",
    ) -> bytes:
        """Return a complete frame. For timestamped types the payload starts with the stamp.

        Metaobjects count as single-instance objects. In the "multi" dialect a NACK never
        names an instance.
        """
        if self.instance_id != "always" and (single_instance or frame_type == FrameType.NACK):
            return encode(frame_type, object_id, payload)
        return encode(frame_type, object_id, payload, instance)


def _split_answer(body: bytes) -> Parts | None:
    if len(body) == INSTANCE_BYTES:
        return Parts(_U16.unpack(body)[0], b"")
    return None if body else Parts(0, b"")


class DialectDetector:
    """Learns a dialect from frames that carry values of known single-instance objects."""

    def __init__(self) -> None:
        self._instance_votes: Counter[InstanceId] = Counter()
        self._metadata_votes: Counter[int] = Counter()

    def observe(
        self, frame: Frame, payload_size: int, single_instance: bool, is_meta: bool = False
    ) -> None:
        """Take a frame as evidence. `payload_size` is ignored for metaobjects."""
        if frame.type in DATA_TYPES:
            stamp_bytes = TIMESTAMP_BYTES if frame.type & TIMESTAMPED else 0
            body_size = len(frame.body) - stamp_bytes
            self.observe_size(body_size, payload_size, single_instance, is_meta)

    def observe_size(
        self,
        body_size: int,
        payload_size: int,
        single_instance: bool,
        is_meta: bool = False,
        votes: int = 1,
    ) -> None:
        """Take as evidence `votes` values with bodies of `body_size`, timestamp not counted."""
        if not (single_instance or is_meta):
            return
        for size in METADATA_SIZES if is_meta else (payload_size,):
            if body_size - size in (0, INSTANCE_BYTES):
                self._instance_votes["multi" if body_size == size else "always"] += votes
                if is_meta:
                    self._metadata_votes[size] += votes

    @property
    def instance_id(self) -> Literal["always", "multi", "?"]:
        """The usual place of the instance id, "?" while nothing has told."""
        return _winner(self._instance_votes) or "?"

    @property
    def metadata_bytes(self) -> int | None:
        """The usual size of metadata, None while no metaobject was seen."""
        return _winner(self._metadata_votes)

    @property
    def dialect(self) -> Dialect:
        """The best present knowledge: what was seen, else what goes with it, else the newest."""
        instance_id = _winner(self._instance_votes) or "always"
        usual = 8 if instance_id == "always" else 7
        return Dialect(instance_id, _winner(self._metadata_votes) or usual)


def _winner(votes: Counter[_T]) -> _T | None:
    return votes.most_common(1)[0][0] if votes else None
