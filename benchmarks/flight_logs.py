"""Logs to measure decoding by: a real flight many times over, and one of dRonin's.

The flight is that of 2014 in the shared data, where that is beside the repository; otherwise one
is made of the same objects in the same numbers a second.
"""

import struct
from pathlib import Path

import numpy as np

from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.definition import FieldType, ObjectDefinition, UpdateMode
from telemetry.protocol.wire.dialect import Dialect
from telemetry.protocol.wire.frame import FrameType
from telemetry.recording.logs.records import read_records

REAL_FLIGHT = (
    Path(__file__).resolve().parents[2] / "shared/data/logs/openpilot-14.06-quad-2014-07-17.opl"
)
FLIGHT_BYTES = 150_000_000
DRONIN_BYTES = 10_000_000
_FLIGHT_S = 747
_DRONIN_RELEASE = "dRonin-20180729"
_HEADER = b"dRonin git hash:\nRelease-20180729\n0000000000000000000000000000000000000000\n##\n"
_RECORD = struct.Struct("<Iq")


def write_flight(path: Path, catalogue: Catalogue, size: int = FLIGHT_BYTES) -> None:
    """The flight again and again, its times going on, until the log has `size` bytes."""
    once = REAL_FLIGHT.read_bytes() if REAL_FLIGHT.is_file() else _made_flight(catalogue)
    flight = np.frombuffer(once, np.uint8)
    records = read_records(flight)
    at = (records.starts - _RECORD.size)[:, np.newaxis] + np.arange(4)
    span_ms = int(records.times_ms[-1]) + 20
    with path.open("wb") as file:
        for number in range(-(-size // len(once))):
            times_ms = records.times_ms + np.uint32(number * span_ms)
            shifted = flight.copy()
            shifted[at] = times_ms.astype("<u4").view(np.uint8).reshape(-1, 4)
            file.write(shifted.tobytes())


def write_dronin(path: Path, catalogue: Catalogue) -> None:
    """What a board of dRonin's sends, as its station records it."""
    objects = catalogue.release(_DRONIN_RELEASE)
    minute = _sent(objects, Dialect("multi", 7), 60)
    with path.open("wb") as file:
        file.write(_HEADER)
        start_ms = 0
        while file.tell() < DRONIN_BYTES:
            file.write(b"".join(_record(start_ms + ms, frame) for ms, frame in minute))
            start_ms += 60_000


def _made_flight(catalogue: Catalogue) -> bytes:
    """As often a second as in the flight of 2014, where a link of little room slowed all down."""
    objects = catalogue.release("OpenPilot-14.06-RC3")
    sent = _sent(objects, Dialect(), _FLIGHT_S, slowed=8)
    return b"".join(_record(ms, frame) for ms, frame in sent)


def _sent(
    objects: tuple[ObjectDefinition, ...], dialect: Dialect, seconds: int, slowed: int = 1
) -> list[tuple[int, bytes]]:
    """Times and frames, in order: what is periodic in its period, all else once."""
    rng = np.random.default_rng(0)
    sent = []
    for definition in objects:
        policy = definition.flight_policy
        is_periodic = policy.mode is UpdateMode.PERIODIC and policy.period_ms > 0
        period_ms = policy.period_ms * slowed if is_periodic else 1000 * seconds
        for ms in range(0, 1000 * seconds, period_ms):
            payload = _payload(definition, rng)
            single = definition.single_instance
            frame = dialect.encode(FrameType.OBJ, definition.object_id, 0, single, payload)
            sent.append((ms, frame))
    return sorted(sent)


def _payload(definition: ObjectDefinition, rng: np.random.Generator) -> bytes:
    """Anything, but for states, which do not change with every sample."""
    if any(field.type is FieldType.ENUM for field in definition.fields):
        return definition.default_row().tobytes()
    return rng.bytes(definition.size)


def _record(ms: int, frame: bytes) -> bytes:
    return _RECORD.pack(ms, len(frame)) + frame
