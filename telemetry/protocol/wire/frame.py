"""UAVTalk frame: its shape in bytes and the value it becomes.

    | 0x3C | type | length: 2 | object id: 4 | body: length - 8 | CRC-8 of all before |

All integers are little-endian; `length` counts everything but the CRC. What the body holds
(instance id, timestamp, payload) depends on the release and on the object: see `dialect`.
"""

import struct
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

from telemetry.protocol.wire.crc import crc8

SYNC = 0x3C
HEADER_BYTES = 8
CRC_BYTES = 1
MAX_PAYLOAD_BYTES = 256  # the ground stations' limit; the largest object known has 233
MAX_LENGTH = HEADER_BYTES + 2 + 2 + MAX_PAYLOAD_BYTES
HEADER = struct.Struct("<BBHI")
_U16 = struct.Struct("<H")

_BYTES = tuple(bytes((value,)) for value in range(256))

TIMESTAMPED = 0x80


class FrameType(IntEnum):
    """What a frame says. OBJ_ACK is an object that wants to be acknowledged."""

    OBJ = 0x20
    OBJ_REQ = 0x21
    OBJ_ACK = 0x22
    ACK = 0x23
    NACK = 0x24
    OBJ_TS = 0xA0
    OBJ_ACK_TS = 0xA2

    __hash__ = int.__hash__  # that of enumerations is slow, and not that of the equal number


FILE_TYPES = frozenset({0x28, 0x29})
"""File requests and file data of dRonin: framed like all others, their id is not an object's."""

KNOWN_TYPES = frozenset(int(kind) for kind in FrameType) | FILE_TYPES

DATA_TYPES = frozenset(
    int(kind) for kind in (FrameType.OBJ, FrameType.OBJ_ACK, FrameType.OBJ_TS, FrameType.OBJ_ACK_TS)
)
"""The types that carry an object's value."""


class Frame(NamedTuple):
    """A frame whose checksum was right. `body` lies between the 8-byte header and the CRC."""

    type: int
    object_id: int
    body: bytes


def encode(
    frame_type: int, object_id: int, payload: bytes = b"", instance: int | None = None
) -> bytes:
    """Return the complete frame; raise ValueError for a body no receiver would take.

    The body is the payload, after the instance id if there is one.
    """
    head, crc = _head(frame_type, object_id, instance, len(payload))
    return head + payload + _BYTES[crc8(payload, crc)]


@lru_cache(maxsize=4096)  # an aircraft says the same things again and again
def _head(
    frame_type: int, object_id: int, instance: int | None, payload_bytes: int
) -> tuple[bytes, int]:
    """All of a frame before its payload, and the checksum over that."""
    named = b"" if instance is None else _U16.pack(instance)
    length = HEADER_BYTES + len(named) + payload_bytes
    if length > MAX_LENGTH:
        most = MAX_LENGTH - HEADER_BYTES
        raise ValueError(f"a frame carries {most} bytes, not {length - HEADER_BYTES}")
    head = HEADER.pack(SYNC, frame_type, length, object_id) + named
    return head, crc8(head)
