"""HITL sensors: the simulated ones as the objects in which a board keeps its own.

Each sensor is one object, under the name that the board's firmware gives it. Fields that a
firmware does not have are left out. Units are those of the board's definitions.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from simulation.environment.atmosphere import SEA_LEVEL_DENSITY, density_of
from simulation.records.sensor_table import SUPPLIED_SENSORS, ObjectMapping
from telemetry.protocol.objects.definition import FieldDefinition, FieldType, ObjectDefinition
from telemetry.protocol.objects.values import Value, pack_values

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


def object_values(mapping: ObjectMapping, output: Any) -> Values:
    """The newest values in OUTPUT as fields of the sensor's object."""
    values: Values = {}
    for member, fields in mapping.fields.items():
        for field, value in zip(fields, np.atleast_1d(output[member]).tolist(), strict=True):
            values[field] = value * mapping.per_unit.get(field, 1.0)
    more = _MORE.get(mapping.names[0])
    return values | more(output) if more is not None else values


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
        known = self.definition
        values = {
            name: _held_in(known.field_named(name), value)
            for name, value in object_values(self._mapping, output).items()
            if known.has_field(name)
        }
        return pack_values(known, values)


def _held_in(f: FieldDefinition, value: Value) -> Value:
    """A value in our units as a field of a board has it: firmware until 2014 takes kilopascal."""
    if not isinstance(value, float):
        return value
    value = value * 1e-3 if f.units == "kPa" else value
    return value if f.type is FieldType.FLOAT else round(value)
