"""Small logs made for the tests, whole and damaged."""

import struct
from pathlib import Path

from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, load_catalogue
from telemetry.protocol.objects.definition import ObjectDefinition
from telemetry.protocol.wire.dialect import Dialect
from telemetry.protocol.wire.frame import FrameType

CATALOGUE = load_catalogue()
ATTITUDE = CATALOGUE.find("AttitudeState", DEFAULT_RELEASE)
STATS = CATALOGUE.find("SystemStats", DEFAULT_RELEASE)
WAYPOINT = CATALOGUE.find("Waypoint", DEFAULT_RELEASE)
FLIGHT_TIME_AT = STATS.dtype.fields["FlightTime"][1]  # type: ignore[index]
ROLL_AT = ATTITUDE.dtype.fields["Roll"][1]  # type: ignore[index]


def record(ms: int, data: bytes) -> bytes:
    return struct.pack("<Iq", ms, len(data)) + data


def frame(
    definition: ObjectDefinition, payload: bytes, instance: int = 0, dialect: Dialect | None = None
) -> bytes:
    single = definition.single_instance
    return (dialect or Dialect()).encode(
        FrameType.OBJ, definition.object_id, instance, single, payload
    )


def attitude(roll: float) -> bytes:
    """A frame that carries a roll angle."""
    payload = bytearray(ATTITUDE.size)
    struct.pack_into("<f", payload, ROLL_AT, roll)
    return frame(ATTITUDE, bytes(payload))


def stats(flight_ms: int) -> bytes:
    """A frame that carries a flight time."""
    payload = bytearray(STATS.size)
    struct.pack_into("<I", payload, FLIGHT_TIME_AT, flight_ms)
    return frame(STATS, bytes(payload))


def attitudes(count: int, start_ms: int = 0) -> list[bytes]:
    """Records 100 ms apart, with rolls of 0, 1, 2 and so on."""
    return [record(start_ms + 100 * n, attitude(n)) for n in range(count)]


def saved(folder: Path, *parts: bytes, name: str = "flight.opl") -> Path:
    path = folder / name
    path.write_bytes(b"".join(parts))
    return path
