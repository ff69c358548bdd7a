"""Objects and payloads for the tests of recordings."""

import struct

from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, load_catalogue
from telemetry.protocol.objects.definition import FieldDefinition, FieldType, ObjectDefinition
from telemetry.protocol.objects.values import pack_values

CATALOGUE = load_catalogue()


def definition(name: str) -> ObjectDefinition:
    return CATALOGUE.find(name, DEFAULT_RELEASE)


ATTITUDE = definition("AttitudeState")
WAYPOINT = definition("Waypoint")
STATUS = definition("FlightStatus")
ALARMS = definition("SystemAlarms")
STATS = definition("SystemStats")

COUNTER = ObjectDefinition(
    "Counter",
    (FieldDefinition("Value", FieldType.UINT32), FieldDefinition("Copy", FieldType.UINT32)),
)


def counted(value: int) -> bytes:
    return struct.pack("<II", value, value)


def packed(shape: ObjectDefinition, **values: object) -> bytes:
    return pack_values(shape, values)
