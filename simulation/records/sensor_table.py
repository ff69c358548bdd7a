"""Sensor table: one row for each simulated sensor, from which all that lists sensors is derived.

Derived are members of OUTPUT and PARAMETERS, sections of aircraft files, the faults an operator
can cause, the objects on board, what a station may supply in their place, what we supply to a real
board, and what controllers are given. What a sensor measures is compiled: `simulation.sensors`.

A row's number is the sensor's index in all records and the first part of its random streams, so a
new row comes last, and no flight without that sensor changes.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

import numpy as np

from simulation.files.parameter_file import NumberKey

VALUES: Final = 16
"""Most values of one sample."""
HARMONICS: Final = 3
"""Multiples of a rotor's frequency at which it shakes gyro and accelerometer."""
RAYS: Final = 17
"""Most rays of a sonar."""

Member = tuple[str, type] | tuple[str, type, int | tuple[int, ...]]
"""A member of a record: name, type and shape."""


@dataclass(frozen=True, slots=True)
class ObjectMapping:
    """The UAVObject of a sensor or state, and the `fields` that each member of OUTPUT fills.

    `names` are the object's in the firmware families, newest first. `counter` is the member of
    OUTPUT that moves with each value. `per_unit` is how many of a field's unit one of its member's
    is, where not 1. What is not `is_supplied` only the board itself can measure.
    """

    names: tuple[str, ...]
    counter: str
    fields: Mapping[str, tuple[str, ...]]
    per_unit: Mapping[str, float] = field(default_factory=dict)
    is_supplied: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedSensor:
    """One sensor, or a value that is sampled with another's but has an error model of its own.

    `name` is that of its section [sensors.NAME] and of its faults. `raw` and `members` are what it
    delivers into OUTPUT, `raw` before the board's calibration. `axes` is how many of its values
    have errors. `period_ms` and `delay_ms` are defaults; period 0 is sampled with another sensor.
    `keys` of its section go to members of PARAMETERS, of which it adds `parameters`.
    """

    name: str
    title: str
    counter: str = ""
    raw: tuple[Member, ...] = ()
    members: tuple[Member, ...] = ()
    axes: int = 1
    period_ms: int = 0
    delay_ms: int = 0
    parameters: tuple[Member, ...] = ()
    keys: Mapping[str, NumberKey] = field(default_factory=dict)
    has_error_keys: bool = True
    is_optional: bool = False
    has_faults: bool = True
    is_for_controllers: bool = True
    object: ObjectMapping | None = None


_XYZ = ("x", "y", "z")
_PLACE: Final = NumberKey(-10.0, 10.0, (3,), default=[0] * 3)
IMU_KEYS: Final = {
    "vibration": NumberKey(0.0, 1.0, default=0.0),
    "harmonics": NumberKey(0.0, 1e4, (HARMONICS,), default=[0] * HARMONICS),
    "bandwidth_hz": NumberKey(0.0, 1e4, default=0.0),
    "misalignment_deg": NumberKey(0.0, 10.0, default=0.0),
    "cross_axis": NumberKey(0.0, 0.2, default=0.0),
    "flicker": NumberKey(0.0, 10.0, default=0.0),
}
"""What only gyro and accelerometer have; each a member of PARAMETERS with a row for both."""

SENSORS: Final = (
    SimulatedSensor(
        name="gyro",
        title="Gyro",
        counter="imu_count",
        raw=(
            ("raw_gyro", np.float64, 3),  # deg/s, in the board's axes, before SETTINGS.calibration
            ("raw_accel", np.float64, 3),  # m/s2
            ("raw_mag", np.float64, 3),  # mGauss
            ("board_temperature_c", np.float64),  # of these three sensors
        ),
        members=(("gyro", np.float64, 3),),  # deg/s, calibrated, but for the bias to be estimated
        axes=3,
        period_ms=2,
        parameters=(
            # gyro and accelerometer: deg/s and m/s2
            ("vibration", np.float64, 2),  # white noise per rad/s of the rotors
            ("harmonics", np.float64, (2, HARMONICS)),  # of a rotor at 1000 rad/s
            ("bandwidth_hz", np.float64, 2),  # of the anti-alias filter; 0: none
            ("misalignment_deg", np.float64, 2),  # deviations, drawn once per run
            ("cross_axis", np.float64, 2),  # share
            ("flicker", np.float64, 2),  # bias instability
            ("g_sensitivity", np.float64),  # deviation, deg/s per m/s2
        ),
        keys={
            **IMU_KEYS,
            "g_sensitivity": NumberKey(0.0, 10.0, member="g_sensitivity", default=0.0),
        },
        object=ObjectMapping(("GyroSensor", "Gyros"), "imu_count", {"gyro": _XYZ}),
    ),
    SimulatedSensor(
        name="accel",
        title="Accelerometer",
        counter="imu_count",
        members=(("accel", np.float64, 3),),  # m/s2, specific force: level and at rest z is -9.81
        axes=3,
        period_ms=2,
        parameters=(("imu_position", np.float64, 3),),  # m from the centre of mass
        keys={**IMU_KEYS, "position_m": replace(_PLACE, member="imu_position")},
        object=ObjectMapping(("AccelSensor", "Accels"), "imu_count", {"accel": _XYZ}),
    ),
    SimulatedSensor(
        name="mag",
        title="Magnetometer",
        counter="mag_count",
        members=(("mag", np.float64, 3),),  # mGauss, body
        axes=3,
        period_ms=10,
        parameters=(
            ("hard_iron", np.float64, 3),  # mGauss
            ("field_per_ampere", np.float64, 3),  # mGauss/A
        ),
        keys={
            "hard_iron_mgauss": NumberKey(-1e4, 1e4, (3,), member="hard_iron", default=[0] * 3),
            "per_ampere_mgauss": NumberKey(
                -1e3, 1e3, (3,), member="field_per_ampere", default=[0] * 3
            ),
        },
        object=ObjectMapping(("MagSensor", "Magnetometer"), "mag_count", {"mag": _XYZ}),
    ),
    SimulatedSensor(
        name="baro",
        title="Barometer",
        counter="baro_count",
        members=(
            ("baro_pressure_kpa", np.float64),
            ("baro_temperature_c", np.float64),
            ("baro_altitude_m", np.float64),  # ISA altitude of that pressure
        ),
        period_ms=20,
        parameters=(("ram_share", np.float64),),  # of the dynamic pressure that it feels
        keys={"ram_share": NumberKey(-1.0, 1.0, member="ram_share", default=0.0)},
        object=ObjectMapping(
            ("BaroSensor", "BaroAltitude"),
            "baro_count",
            {
                "baro_altitude_m": ("Altitude",),
                "baro_temperature_c": ("Temperature",),
                "baro_pressure_kpa": ("Pressure",),
            },
            per_unit={"Pressure": 1000.0},
        ),
    ),
    SimulatedSensor(
        name="gps",
        title="GPS",
        counter="gps_count",
        members=(
            ("gps_status", np.int64),  # GPS_...
            ("gps_satellites", np.int64),
            ("gps_latitude_deg", np.float64),
            ("gps_longitude_deg", np.float64),
            ("gps_altitude_m", np.float64),  # above the geoid
            ("gps_velocity", np.float64, 3),  # m/s, NED
            ("gps_pdop", np.float64),
            ("gps_hdop", np.float64),
            ("gps_vdop", np.float64),
        ),
        axes=3,
        period_ms=200,
        delay_ms=150,
        parameters=(
            ("gps_position_tau", np.float64),  # s, how fast a position error is forgotten
            ("gps_first_fix", np.int64),  # steps after reset
            ("gps_satellites", np.float64),
        ),
        keys={
            "first_fix_s": NumberKey(0.0, 600.0, member="gps_first_fix", scale=1000.0),
            "position_white_m": NumberKey(0.0, 100.0),
            "position_turn_on_m": NumberKey(0.0, 100.0, default=0.0),
            "position_tau_s": NumberKey(1.0, 1e5, member="gps_position_tau"),
            "satellites": NumberKey(0, 40, member="gps_satellites"),
        },
        has_error_keys=False,
        object=ObjectMapping(
            ("GPSPositionSensor", "GPSPosition"),
            "gps_count",
            {
                "gps_latitude_deg": ("Latitude",),
                "gps_longitude_deg": ("Longitude",),
                "gps_altitude_m": ("Altitude",),
                "gps_status": ("Status",),
                "gps_satellites": ("Satellites",),
                "gps_pdop": ("PDOP",),
                "gps_hdop": ("HDOP",),
                "gps_vdop": ("VDOP",),
            },
            per_unit={"Latitude": 1e7, "Longitude": 1e7},
        ),
    ),
    SimulatedSensor(
        name="sonar",
        title="Sonar",
        counter="sonar_count",
        members=(("sonar_range_m", np.float64),),  # to the nearest echo; the longest if none
        period_ms=50,
        parameters=(
            ("sonar_position", np.float64, 3),
            ("sonar_limits", np.float64, 2),  # m, least and most
            ("sonar_incidence", np.float64),  # cosine of the most slanting echo
            ("sonar_rays", np.int64),
            ("sonar_ray", np.float64, (RAYS, 3)),  # body axes
        ),
        keys={
            "position_m": replace(_PLACE, member="sonar_position"),
            "least_m": NumberKey(0.0, 10.0, default=0.03),
            "half_angle_deg": NumberKey(0.0, 80.0, default=20.0),
            "cones": NumberKey(0, 8, whole=True, default=2),
            "traces": NumberKey(1, 16, whole=True, default=4),
            "incidence_deg": NumberKey(1.0, 90.0, default=50.0),
        },
        is_optional=True,
        object=ObjectMapping(
            ("SonarAltitude",), "sonar_count", {"sonar_range_m": ("Altitude",)}, is_supplied=False
        ),
    ),
    SimulatedSensor(
        name="airspeed",
        title="Airspeed",
        counter="airspeed_count",
        members=(("airspeed_pressure_pa", np.float64),),  # differential
        period_ms=20,
        is_optional=True,
        object=ObjectMapping(
            ("AirspeedSensor", "BaroAirspeed"),
            "airspeed_count",
            {"airspeed_pressure_pa": ("DifferentialPressure",)},
        ),
    ),
    SimulatedSensor(
        name="rotor_speed",
        title="Rotor speed",
        counter="rotor_speed_count",
        members=(("rotor_speed_measured", np.float64, VALUES),),  # rad/s
        period_ms=50,
        is_optional=True,
        has_faults=False,
        is_for_controllers=False,
    ),
    SimulatedSensor(
        name="battery",
        title="Battery monitor",
        counter="battery_count",
        members=(
            ("battery_voltage", np.float64),  # V at the terminals, sagging under load
            ("battery_current", np.float64),  # A
            ("battery_consumed_mah", np.float64),  # counted from the currents
        ),
        period_ms=50,
        keys={
            "voltage_white_v": NumberKey(0.0, 10.0, default=0.02),
            "voltage_resolution_v": NumberKey(1e-6, 1.0, default=0.01),
            "voltage_range_v": NumberKey(1.0, 100.0, default=60.0),
            "current_white_a": NumberKey(0.0, 10.0, default=0.1),
            "current_turn_on_a": NumberKey(0.0, 10.0, default=0.0),
            "current_resolution_a": NumberKey(1e-6, 10.0, default=0.05),
            "current_range_a": NumberKey(0.1, 1000.0, default=120.0),
        },
        has_error_keys=False,
        is_optional=True,
        has_faults=False,
    ),
    SimulatedSensor(
        name="gps_velocity",
        title="GPS velocity",
        axes=3,
        has_faults=False,
        object=ObjectMapping(
            ("GPSVelocitySensor", "GPSVelocity"),
            "gps_count",
            {"gps_velocity": ("North", "East", "Down")},
        ),
    ),
    SimulatedSensor(name="current", title="Current", has_error_keys=False, has_faults=False),
)
"""By number. GPS has its position's error model and BATTERY its voltage's."""

SENSOR_COUNT: Final = len(SENSORS)
GYRO, ACCEL, MAG, BARO, GPS, SONAR, AIRSPEED, ROTOR_SPEED, BATTERY, GPS_VELOCITY, CURRENT = range(
    SENSOR_COUNT
)

SUPPLIED_SENSORS: Final[Mapping[str, ObjectMapping]] = MappingProxyType(
    {
        sensor.name.replace("_", "-"): sensor.object
        for sensor in SENSORS
        if sensor.object is not None and sensor.object.is_supplied
    }
)
"""What a simulator can supply to a real board, by the names that `--hitl-sensors` takes."""


def output_members() -> tuple[Member, ...]:
    """What the sensors deliver into OUTPUT, each counter before what it counts."""
    found: dict[str, Member] = {}
    for sensor in SENSORS:
        counter: tuple[Member, ...] = ((sensor.counter, np.int64),) if sensor.counter else ()
        for member in (*counter, *sensor.raw, *sensor.members):
            found.setdefault(member[0], member)
    return tuple(found.values())


def parameter_members() -> tuple[Member, ...]:
    """What the sensors add to PARAMETERS."""
    return tuple(member for sensor in SENSORS for member in sensor.parameters)
