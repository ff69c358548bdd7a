"""Metadata: who may write an object, and when each side sends it; and the metaobjects with it.

Three packed forms exist (8, 7 and 19 bytes). Access bits say 0 = read and write, 1 = read only.
In the two shorter ones they are the lowest bits of the flags: flight, station; then which of them
has its objects acknowledged, and in two bits each the modes of flight, station and logging.
"""

import struct
from dataclasses import dataclass
from functools import lru_cache

from telemetry.protocol.objects.definition import (
    FieldDefinition,
    FieldType,
    ObjectDefinition,
    UpdateMode,
    UpdatePolicy,
)

METADATA_SIZES = (8, 7, 19)
_FORMS = {8: struct.Struct("<HHHH"), 7: struct.Struct("<BHHH"), 19: struct.Struct("<BBBBIBBIBI")}

_NO_POLICY = UpdatePolicy()


@dataclass(frozen=True, slots=True)
class Metadata:
    """Access and update policies of one object. Logging is never acknowledged."""

    flight_readonly: bool = False
    gcs_readonly: bool = False
    flight: UpdatePolicy = _NO_POLICY
    gcs: UpdatePolicy = _NO_POLICY
    logging: UpdatePolicy = _NO_POLICY

    @staticmethod
    def of(definition: ObjectDefinition) -> "Metadata":
        """What the definition itself prescribes."""
        return Metadata(
            definition.flight_readonly,
            definition.gcs_readonly,
            definition.flight_policy,
            definition.gcs_policy,
            definition.logging_policy,
        )

    def pack(self, size: int = 8) -> bytes:
        """The bytes on the wire: 8 (LibrePilot, OpenPilot from 14.01), 7 or 19.

        The 7-byte form has no room for the logging mode. Raises ValueError for another size or
        a period that does not fit.
        """
        if size not in _FORMS:
            raise ValueError(f"metadata has 8, 7 or 19 bytes, not {size}")
        periods = (self.flight.period_ms, self.gcs.period_ms, self.logging.period_ms)
        longest = 0xFFFFFFFF if size == 19 else 0xFFFF
        for period_ms in periods:
            if not 0 <= period_ms <= longest:
                raise ValueError(f"a period is 0 to {longest} ms, not {period_ms}")
        flight, gcs, logging = self.flight, self.gcs, self.logging
        if size == 19:
            return _FORMS[19].pack(
                *(self.flight_readonly, self.gcs_readonly),
                *(flight.acked, flight.mode.value, flight.period_ms),
                *(gcs.acked, gcs.mode.value, gcs.period_ms),
                *(logging.mode.value, logging.period_ms),
            )
        bits = (self.flight_readonly, self.gcs_readonly, flight.acked, gcs.acked)
        modes = (flight.mode, gcs.mode, logging.mode)[: 2 if size == 7 else 3]
        flags = sum(bit << place for place, bit in enumerate(bits))
        flags += sum(mode.value << 4 + 2 * place for place, mode in enumerate(modes))
        return _FORMS[size].pack(flags, *periods)

    @staticmethod
    def unpack(data: bytes) -> "Metadata":
        """Read any of the three forms, told apart by length; raise ValueError for another."""
        if len(data) not in _FORMS:
            raise ValueError(f"metadata has 8, 7 or 19 bytes, not {len(data)}")
        numbers = _FORMS[len(data)].unpack(data)
        if len(data) != 19:
            flags, *periods = numbers
            if len(data) == 7:
                flags |= (UpdateMode.PERIODIC if periods[2] else UpdateMode.MANUAL).value << 8
            bits, modes = [flags & 1 << place for place in range(4)], flags >> 4
            flight, gcs = (bits[2], modes, periods[0]), (bits[3], modes >> 2, periods[1])
            numbers = (*bits[:2], *flight, *gcs, modes >> 4, periods[2])
        flight_readonly, gcs_readonly, *rest, logging_mode, logging_ms = numbers
        return Metadata(
            bool(flight_readonly),
            bool(gcs_readonly),
            _policy(*rest[:3]),
            _policy(*rest[3:]),
            _policy(False, logging_mode, logging_ms),
        )


def _policy(acked: int, mode: int, period_ms: int) -> UpdatePolicy:
    return UpdatePolicy(UpdateMode(mode & 3), period_ms, bool(acked))


def fitting_logging(wanted: UpdatePolicy, sent: UpdatePolicy) -> UpdatePolicy:
    """What firmware can do of that, for an object that is sent so.

    Where one of both ways is *throttled*, each event sets the timer of the other one anew, and a
    timer that is set fires at once (updateObject of LibrePilot's telemetry.c, eventPeriodicUpdate
    of eventdispatcher.c): logged periodically, a throttled object is written without pause; logged
    throttled, a periodic one is sent so. And whoever is told of each update by one of both ways is
    told of it by the other.
    """
    if wanted.mode is UpdateMode.MANUAL:
        return wanted
    if sent.mode is UpdateMode.THROTTLED:
        return UpdatePolicy(UpdateMode.THROTTLED, wanted.period_ms or sent.period_ms)
    if wanted.mode is UpdateMode.THROTTLED and sent.mode is not UpdateMode.MANUAL:
        return UpdatePolicy(UpdateMode.PERIODIC, wanted.period_ms)
    return wanted


_NAMES_BY_SIZE = {
    8: ("Flags:uint16", "FlightPeriod:uint16", "GCSPeriod:uint16", "LoggingPeriod:uint16"),
    7: ("Flags:uint8", "FlightPeriod:uint16", "GCSPeriod:uint16", "LoggingPeriod:uint16"),
    19: (
        *("FlightAccess:uint8", "GCSAccess:uint8"),
        *("FlightAcked:uint8", "FlightMode:uint8", "FlightPeriod:uint32"),
        *("GCSAcked:uint8", "GCSMode:uint8", "GCSPeriod:uint32"),
        *("LoggingMode:uint8", "LoggingPeriod:uint32"),
    ),
}


@lru_cache(maxsize=4096)
def metaobject(definition: ObjectDefinition, size: int = 8) -> ObjectDefinition:
    """The object that carries `definition`'s metadata in `size` bytes: its id is one higher."""
    if size not in _NAMES_BY_SIZE:
        raise ValueError(f"metadata has 8, 7 or 19 bytes, not {size}")
    return ObjectDefinition(
        name=f"{definition.name}Meta",
        fields=_meta_fields(size),
        description=f"Access and update policies of {definition.name}.",
        category=definition.category,
        sorted_by_size=False,
        meta_of=definition.object_id,
    )


@lru_cache(maxsize=3)
def _meta_fields(size: int) -> tuple[FieldDefinition, ...]:
    fields = []
    for entry in _NAMES_BY_SIZE[size]:
        name, _, label = entry.partition(":")
        units = "ms" if name.endswith("Period") else "hex" if name == "Flags" else ""
        fields.append(FieldDefinition(name, FieldType.named(label), units=units))
    return tuple(fields)
