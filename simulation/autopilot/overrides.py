"""Overrides: sensors and states that a station supplies in place of the board's own.

A station takes an object over by setting it read-only for the flight side and then writes it
(hardware in the loop). Each object is taken over by itself, and given back by restoring its
metadata. Until the first write the last own value stands, as in an object nobody writes.
"""

import math
from collections.abc import Callable

import numpy as np

from simulation.autopilot.board import BoardObject, SimulatedBoard
from simulation.environment.atmosphere import SEA_LEVEL_DENSITY
from simulation.interface import (
    OVERRIDE_ACCEL,
    OVERRIDE_AIRSPEED,
    OVERRIDE_ATTITUDE,
    OVERRIDE_BARO,
    OVERRIDE_GPS_POSITION,
    OVERRIDE_GPS_VELOCITY,
    OVERRIDE_GYRO,
    OVERRIDE_MAG,
    OVERRIDE_POSITION,
    OVERRIDE_RATES,
    OVERRIDE_VELOCITY,
)
from simulation.members import Members
from simulation.rotation import set_euler

_AXES = ("x", "y", "z")
_NED = ("North", "East", "Down")
_FIX = ("Latitude", "Longitude", "Altitude", "Status", "Satellites", "PDOP", "HDOP", "VDOP")
# Object, its row of OVERRIDE, its fields in the order of the columns, the same in OUTPUT, and
# the sensor's counter in OUTPUT.
_OBJECTS: tuple[tuple[str, int, tuple[str, ...], tuple[str, ...], str], ...] = (
    ("GyroSensor", OVERRIDE_GYRO, _AXES, ("gyro",), "imu_count"),
    ("AccelSensor", OVERRIDE_ACCEL, _AXES, ("accel",), "imu_count"),
    ("MagSensor", OVERRIDE_MAG, _AXES, ("mag",), "mag_count"),
    (
        "BaroSensor",
        OVERRIDE_BARO,
        ("Altitude", "Temperature", "Pressure"),
        ("baro_altitude_m", "baro_temperature_c", "baro_pressure_kpa"),
        "baro_count",
    ),
    (
        "GPSPositionSensor",
        OVERRIDE_GPS_POSITION,
        _FIX,
        (
            *("gps_latitude_deg", "gps_longitude_deg", "gps_altitude_m"),
            *("gps_status", "gps_satellites", "gps_pdop", "gps_hdop", "gps_vdop"),
        ),
        "gps_count",
    ),
    ("GPSVelocitySensor", OVERRIDE_GPS_VELOCITY, _NED, ("gps_velocity",), "gps_count"),
    (
        "AirspeedSensor",
        OVERRIDE_AIRSPEED,
        ("DifferentialPressure",),
        ("airspeed_pressure_pa",),
        "airspeed_count",
    ),
    ("AttitudeState", OVERRIDE_ATTITUDE, ("q1", "q2", "q3", "q4"), ("quaternion",), "imu_count"),
    ("GyroState", OVERRIDE_RATES, _AXES, ("rates",), "imu_count"),
    ("PositionState", OVERRIDE_POSITION, _NED, ("position",), "imu_count"),
    ("VelocityState", OVERRIDE_VELOCITY, _NED, ("velocity",), "imu_count"),
)
_DEGREES_PER_UNIT = 1e-7


class Overrides:
    """Hands values of objects that a station supplies to the compiled loop."""

    def __init__(self, board: SimulatedBoard, command: np.void, output: Members) -> None:
        self._record = command["override"]
        self._output = output
        self._entries = [board[name] for name, *_ in _OBJECTS]
        self._was_supplied = [False] * len(_OBJECTS)
        for i, entry in enumerate(self._entries):
            entry.subscribe(self._listener(i))

    def update(self) -> None:
        """Run once per loop: take objects over and give them back as their metadata says."""
        supplied = [entry.is_supplied for entry in self._entries]
        if supplied == self._was_supplied:
            return
        for i, (is_supplied, was_supplied) in enumerate(
            zip(supplied, self._was_supplied, strict=True)
        ):
            if is_supplied and not was_supplied:
                self._freeze(i)
            self._record["replaced"][_OBJECTS[i][1]] = int(is_supplied)
        self._was_supplied = supplied
        self._record["any"] = int(any(supplied))

    def _freeze(self, i: int) -> None:
        """Begin with the board's own newest value."""
        _, number, _, members, counter = _OBJECTS[i]
        values = np.concatenate([np.atleast_1d(self._output[member]) for member in members])
        self._record["value"][number, : len(values)] = values
        self._record["count"][number] = self._output[counter]

    def _listener(self, i: int) -> Callable[[], None]:
        return lambda: self._written(i)

    def _written(self, i: int) -> None:
        entry = self._entries[i]
        if not entry.is_supplied:
            return
        self.update()  # metadata and value may have come in the same loop
        _, number, fields, _, _ = _OBJECTS[i]
        if number == OVERRIDE_ATTITUDE:
            values = _attitude(entry)
        elif number == OVERRIDE_AIRSPEED:
            values = _airspeed(entry)
        else:
            values = _values(entry, fields)
        if all(map(math.isfinite, values)):
            self._record["value"][number, : len(values)] = values
            self._record["count"][number] += 1


def _values(entry: BoardObject, fields: tuple[str, ...]) -> list[float]:
    values = [float(entry.row[field]) for field in fields]
    if fields is _FIX:
        values[0] *= _DEGREES_PER_UNIT
        values[1] *= _DEGREES_PER_UNIT
    return values


def _airspeed(entry: BoardObject) -> list[float]:
    """The differential pressure in Pa; what CalibratedAirspeed means where a station wrote none."""
    pressure = float(entry.row["DifferentialPressure"])
    speed = float(entry.row["CalibratedAirspeed"])
    return [pressure if pressure != 0.0 else 0.5 * SEA_LEVEL_DENSITY * speed * speed]


def _attitude(entry: BoardObject) -> list[float]:
    """The quaternion at length one; that of roll, pitch and yaw where a station wrote none."""
    quaternion = _values(entry, ("q1", "q2", "q3", "q4"))
    length = math.sqrt(sum(q * q for q in quaternion))
    if length == 0.0:
        set_euler(quaternion, *(math.radians(entry.row[name]) for name in ("Roll", "Pitch", "Yaw")))
        return quaternion
    return [q / length for q in quaternion]
