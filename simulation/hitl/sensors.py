"""HITL sensors: the simulated ones as the objects in which a board keeps its own.

Each sensor is one object, under the name that the board's firmware gives it. Fields that a
firmware does not have are left out. Units are those of the board's definitions.
"""

import math
import struct
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from simulation.environment.atmosphere import SEA_LEVEL_DENSITY, density_of
from simulation.records.sensor_table import SUPPLIED_SENSORS, ObjectMapping
from telemetry.protocol.objects.definition import FieldDefinition, FieldType, ObjectDefinition
from telemetry.protocol.objects.values import Value

_ZERO_CELSIUS_K = 273.15
Values = dict[str, Any]


def _temperature_and_time(output: Any) -> Values:
    return {
        "temperature": float(output["baro_temperature_c"]),
        "SensorReadTimestamp": int(output["time_us"]) & 0xFFFFFFFF,
    }


def _course(output: Any) -> Values:
    north, east, _ = output["gps_velocity"].tolist()
    return {
        "Heading": math.degrees(math.atan2(east, north)) % 360.0,
        "Groundspeed": math.hypot(north, east),
    }


def _airspeed(output: Any) -> Values:
    """Calibrated airspeed is defined by the density at sea level, the true one takes that of the
    air around, by barometer and thermometer."""
    pressure = max(float(output["airspeed_pressure_pa"]), 0.0)
    kelvin = float(output["baro_temperature_c"]) + _ZERO_CELSIUS_K
    air = density_of(1000.0 * float(output["baro_pressure_kpa"]), kelvin)
    return {
        "Temperature": kelvin,
        "CalibratedAirspeed": math.sqrt(2.0 * pressure / SEA_LEVEL_DENSITY),
        "TrueAirspeed": math.sqrt(2.0 * pressure / (air or SEA_LEVEL_DENSITY)),
        "SensorConnected": "True",
    }


_MORE: Final[Mapping[str, Callable[[Any], Values]]] = {
    "GyroSensor": _temperature_and_time,
    "AccelSensor": _temperature_and_time,
    "MagSensor": _temperature_and_time,
    "GPSPositionSensor": _course,
    "AirspeedSensor": _airspeed,
}
"""What is written into an object besides the sensor's own values."""


class SensorError(ValueError):
    """A sensor that there is not; one sentence with those there are."""


def chosen_sensors(text: str) -> tuple[str, ...]:
    """Read "gyro,accel,..."; an empty text means all. Raises SensorError."""
    names = tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))
    for name in names:
        if name not in SUPPLIED_SENSORS:
            raise SensorError(
                f"There is no sensor '{name}'; there are {', '.join(SUPPLIED_SENSORS)}."
            )
    return names or tuple(SUPPLIED_SENSORS)


class SensorFeed:
    """One sensor on its way to a board: a payload whenever the simulated sensor has delivered."""

    def __init__(self, mapping: ObjectMapping, definition: ObjectDefinition) -> None:
        self.definition = definition
        self._mapping = mapping
        self._packer = _Packer(mapping, definition)
        self._count = 0

    def anew(self) -> "SensorFeed":
        """The same sensor of another aircraft."""
        return SensorFeed(self._mapping, self.definition)

    def payload(self, output: np.void) -> bytes | None:
        """The newest value, None if it was handed out before."""
        count = int(output[self._mapping.counter])
        if count == self._count:
            return None
        self._count = count
        return self._packer.pack(output)


class _Packer:
    """`pack_values` of one sensor's object, hundreds of times a second: a tenth of the work.

    Fields that an object does not have are left out; what nobody measures stands at its default.
    """

    def __init__(self, mapping: ObjectMapping, definition: ObjectDefinition) -> None:
        row, names = definition.default_row(), definition.dtype.names or ()
        self._values: list[Any] = []
        self._places: dict[str, tuple[int, FieldDefinition]] = {}
        self._more = _MORE.get(mapping.names[0])
        codes = []
        for name in names:
            numbers = np.atleast_1d(row[name])
            if definition.has_field(name) and definition.field_named(name).elements == 1:
                self._places[name] = (len(self._values), definition.field_named(name))
            self._values += numbers.tolist()
            codes.append(f"{len(numbers)}{numbers.dtype.char}")
        self._struct = struct.Struct("<" + "".join(codes))
        self._blocks = {
            member: place
            for member, fields in mapping.fields.items()
            if (place := self._block(mapping, fields)) is not None
        }
        """Members of several numbers that stand in the object as they are, and where."""
        self._singles = {
            member: tuple((self._places.get(name), mapping.per_unit.get(name)) for name in fields)
            for member, fields in mapping.fields.items()
            if member not in self._blocks
        }

    def pack(self, output: Any) -> bytes:
        """The newest values in OUTPUT. Raises struct.error for what a field cannot hold."""
        packed, places = self._values, self._places
        for member, place in self._blocks.items():
            packed[place] = output[member].tolist()
        for member, slots in self._singles.items():
            measured = output[member].tolist()
            numbers = measured if isinstance(measured, list) else (measured,)
            for (slot, factor), value in zip(slots, numbers, strict=True):
                if slot is not None:
                    packed[slot[0]] = _number_in(slot[1], value * factor if factor else value)
        if self._more is not None:
            for name, value in self._more(output).items():
                slot = places.get(name)
                if slot is not None:
                    packed[slot[0]] = _number_in(slot[1], value)
        return self._struct.pack(*packed)

    def _block(self, mapping: ObjectMapping, fields: tuple[str, ...]) -> slice | None:
        """Where these fields stand, if all are floats in a row and need no conversion."""
        slots = [self._places.get(name) for name in fields]
        known = [slot for slot in slots if slot is not None]
        first = known[0][0] if known else 0
        is_plain = (
            len(known) == len(fields) > 1
            and not mapping.per_unit
            and all(f.type is FieldType.FLOAT and f.units != "kPa" for _, f in known)
            and [place for place, _ in known] == list(range(first, first + len(known)))
        )
        return slice(first, first + len(known)) if is_plain else None


def _number_in(f: FieldDefinition, value: Value) -> float | int:
    """A value in our units as a field of a board has it: firmware until 2014 takes kilopascal."""
    if isinstance(value, float):
        value = value * 1e-3 if f.units == "kPa" else value
        return value if f.type is FieldType.FLOAT else round(value)
    return f.option_number(value) if isinstance(value, str) else value
