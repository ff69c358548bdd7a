"""The simulated sensors as the objects in which a board keeps its own.

Each sensor is one object, under the name that the board's firmware gives it. Fields that a
firmware does not have are left out. Units are those of the definitions, which `OUTPUT` shares.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from simulation.environment.atmosphere import SEA_LEVEL_DENSITY, density_of
from telemetry.objects.definition import ObjectDefinition
from telemetry.objects.values import pack_values

_ZERO_CELSIUS_K = 273.15
Values = dict[str, Any]


@dataclass(frozen=True, slots=True)
class SensorKind:
    """One sensor: its object's names in the firmware families, newest first; the member of OUTPUT
    that counts its values; and what to write into the object."""

    objects: tuple[str, ...]
    counter: str
    values: Callable[[Any], Values]


def _xyz(member: str) -> Callable[[Any], Values]:
    def values(output: Any) -> Values:
        x, y, z = output[member].tolist()
        return {
            "x": x,
            "y": y,
            "z": z,
            "temperature": float(output["baro_temperature_c"]),
            "SensorReadTimestamp": int(output["time_us"]) & 0xFFFFFFFF,
        }

    return values


def _baro(output: Any) -> Values:
    return {
        "Altitude": float(output["baro_altitude_m"]),
        "Temperature": float(output["baro_temperature_c"]),
        "Pressure": float(output["baro_pressure_kpa"]),
    }


def _gps_position(output: Any) -> Values:
    north, east, _ = output["gps_velocity"].tolist()
    return {
        "Latitude": round(float(output["gps_latitude_deg"]) * 1e7),
        "Longitude": round(float(output["gps_longitude_deg"]) * 1e7),
        "Altitude": float(output["gps_altitude_m"]),
        "Heading": math.degrees(math.atan2(east, north)) % 360.0,
        "Groundspeed": math.hypot(north, east),
        "PDOP": float(output["gps_pdop"]),
        "HDOP": float(output["gps_hdop"]),
        "VDOP": float(output["gps_vdop"]),
        "Status": int(output["gps_status"]),
        "Satellites": int(output["gps_satellites"]),
    }


def _gps_velocity(output: Any) -> Values:
    north, east, down = output["gps_velocity"].tolist()
    return {"North": north, "East": east, "Down": down}


def _airspeed(output: Any) -> Values:
    """Calibrated airspeed is defined by the density at sea level, the true one takes that of the
    air around, by barometer and thermometer."""
    pressure = max(float(output["airspeed_pressure_pa"]), 0.0)
    kelvin = float(output["baro_temperature_c"]) + _ZERO_CELSIUS_K
    air = density_of(1000.0 * float(output["baro_pressure_kpa"]), kelvin)
    return {
        "DifferentialPressure": float(output["airspeed_pressure_pa"]),
        "Temperature": kelvin,
        "CalibratedAirspeed": math.sqrt(2.0 * pressure / SEA_LEVEL_DENSITY),
        "TrueAirspeed": math.sqrt(2.0 * pressure / (air or SEA_LEVEL_DENSITY)),
        "SensorConnected": "True",
    }


SENSORS: Final[Mapping[str, SensorKind]] = MappingProxyType(
    {
        "gyro": SensorKind(("GyroSensor", "Gyros"), "imu_count", _xyz("gyro")),
        "accel": SensorKind(("AccelSensor", "Accels"), "imu_count", _xyz("accel")),
        "mag": SensorKind(("MagSensor", "Magnetometer"), "mag_count", _xyz("mag")),
        "baro": SensorKind(("BaroSensor", "BaroAltitude"), "baro_count", _baro),
        "gps": SensorKind(("GPSPositionSensor", "GPSPosition"), "gps_count", _gps_position),
        "gps-velocity": SensorKind(
            ("GPSVelocitySensor", "GPSVelocity"), "gps_count", _gps_velocity
        ),
        "airspeed": SensorKind(("AirspeedSensor", "BaroAirspeed"), "airspeed_count", _airspeed),
    }
)
"""All sensors that can be supplied, by the names that `--hitl-sensors` takes."""


class SensorError(ValueError):
    """A sensor that there is not; one sentence with those there are."""


def chosen_sensors(text: str) -> tuple[str, ...]:
    """Read "gyro,accel,..."; an empty text means all. Raises SensorError."""
    names = tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))
    for name in names:
        if name not in SENSORS:
            raise SensorError(f"There is no sensor '{name}'; there are {', '.join(SENSORS)}.")
    return names or tuple(SENSORS)


class SensorFeed:
    """One sensor on its way to a board: a payload whenever the simulated sensor has delivered."""

    def __init__(self, kind: SensorKind, definition: ObjectDefinition) -> None:
        self.definition = definition
        self._kind = kind
        self._count = 0

    def payload(self, output: np.void) -> bytes | None:
        """The newest value, None if it was handed out before."""
        count = int(output[self._kind.counter])
        if count == self._count:
            return None
        self._count = count
        known = self.definition
        values = {k: v for k, v in self._kind.values(output).items() if known.has_field(k)}
        return pack_values(known, values)
