"""Metadata: who may write an object, and when each side sends it; and the metaobjects with it.

Three packed forms exist (8, 7 and 19 bytes). Access bits say 0 = read and write, 1 = read only.
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

_FLIGHT_READONLY = 1 << 0
_GCS_READONLY = 1 << 1
_FLIGHT_ACKED = 1 << 2
_GCS_ACKED = 1 << 3
_FLIGHT_MODE_SHIFT = 4
_GCS_MODE_SHIFT = 6
_LOGGING_MODE_SHIFT = 8


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
        if size == 19:
            return self._pack_unflagged()
        return _FORMS[size].pack(self._flags() & (0xFF if size == 7 else 0xFFFF), *periods)

    def _flags(self) -> int:
        return (
            _FLIGHT_READONLY * self.flight_readonly
            | _GCS_READONLY * self.gcs_readonly
            | _FLIGHT_ACKED * self.flight.acked
            | _GCS_ACKED * self.gcs.acked
            | self.flight.mode.value << _FLIGHT_MODE_SHIFT
            | self.gcs.mode.value << _GCS_MODE_SHIFT
            | self.logging.mode.value << _LOGGING_MODE_SHIFT
        )

    def _pack_unflagged(self) -> bytes:
        return _FORMS[19].pack(
            self.flight_readonly,
            self.gcs_readonly,
            *(self.flight.acked, self.flight.mode.value, self.flight.period_ms),
            *(self.gcs.acked, self.gcs.mode.value, self.gcs.period_ms),
            *(self.logging.mode.value, self.logging.period_ms),
        )

    @staticmethod
    def unpack(data: bytes) -> "Metadata":
        """Read any of the three forms, told apart by length; raise ValueError for another."""
        if len(data) not in _FORMS:
            raise ValueError(f"metadata has 8, 7 or 19 bytes, not {len(data)}")
        numbers = _FORMS[len(data)].unpack(data)
        if len(data) == 19:
            return _from_unflagged(numbers)
        flags, flight_ms, gcs_ms, logging_ms = numbers
        if len(data) == 7:
            flags |= (UpdateMode.PERIODIC if logging_ms else UpdateMode.MANUAL).value << 8
        return Metadata(
            bool(flags & _FLIGHT_READONLY),
            bool(flags & _GCS_READONLY),
            UpdatePolicy(
                _mode(flags >> _FLIGHT_MODE_SHIFT), flight_ms, bool(flags & _FLIGHT_ACKED)
            ),
            UpdatePolicy(_mode(flags >> _GCS_MODE_SHIFT), gcs_ms, bool(flags & _GCS_ACKED)),
            UpdatePolicy(_mode(flags >> _LOGGING_MODE_SHIFT), logging_ms),
        )


def _mode(number: int) -> UpdateMode:
    return UpdateMode(number & 3)


def _from_unflagged(numbers: tuple[int, ...]) -> Metadata:
    flight_ro, gcs_ro, acked, mode, period, gcs_acked, gcs_mode, gcs_period, log, log_ms = numbers
    return Metadata(
        bool(flight_ro),
        bool(gcs_ro),
        UpdatePolicy(_mode(mode), period, bool(acked)),
        UpdatePolicy(_mode(gcs_mode), gcs_period, bool(gcs_acked)),
        UpdatePolicy(_mode(log), log_ms),
    )


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
