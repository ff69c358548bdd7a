"""[sensors.*]: rate, delay, losses and errors of each sensor, see `simulation.sensors`."""

import math
from collections.abc import Mapping
from typing import Final

import numpy as np

from simulation.noise import Whole
from simulation.parameter_file import NumberKey, ParameterFile, ParameterSection, Values
from simulation.records import (
    ACCEL,
    AIRSPEED,
    BARO,
    BATTERY,
    CURRENT,
    GPS,
    GPS_VELOCITY,
    GYRO,
    MAG,
    MODELS,
    QUEUE,
    RAYS,
    ROTOR_SPEED,
    SONAR,
)

_ERROR: Final = {
    "white": NumberKey(0.0, 1e4),
    "drift": NumberKey(0.0, 1e4),
    "drift_tau_s": NumberKey(0.1, 1e6),
    "turn_on": NumberKey(0.0, 1e4),
    "range": NumberKey(1e-12, 1e6),
    "resolution": NumberKey(1e-12, 1e6),
}

_SECTION_OF: Final[dict[Whole, str]] = {
    GYRO: "gyro",
    ACCEL: "accel",
    MAG: "mag",
    BARO: "baro",
    GPS: "gps",
    SONAR: "sonar",
    AIRSPEED: "airspeed",
    ROTOR_SPEED: "rotor_speed",
    BATTERY: "battery",
}
_AXES: Final[dict[Whole, int]] = {GYRO: 3, ACCEL: 3, MAG: 3, GPS: 3, GPS_VELOCITY: 3}
"""Values with an error of their own, where not one; rotor speeds have as many as there are."""
_MONITOR: Final = {
    "voltage_white_v": (BATTERY, 0, NumberKey(0.0, 10.0, default=0.02)),
    "voltage_resolution_v": (BATTERY, 5, NumberKey(1e-6, 1.0, default=0.01)),
    "voltage_range_v": (BATTERY, 4, NumberKey(1.0, 100.0, default=60.0)),
    "current_white_a": (CURRENT, 0, NumberKey(0.0, 10.0, default=0.1)),
    "current_turn_on_a": (CURRENT, 3, NumberKey(0.0, 10.0, default=0.0)),
    "current_resolution_a": (CURRENT, 5, NumberKey(1e-6, 10.0, default=0.05)),
    "current_range_a": (CURRENT, 4, NumberKey(0.1, 1000.0, default=120.0)),
}
"""Where the keys of [sensors.battery] go: model and column."""


def _timing(period_ms: int, delay_ms: int = 0) -> dict[str, NumberKey]:
    """Keys every sensor has; the arguments are the defaults."""
    return {
        "period_ms": NumberKey(1, 10_000, whole=True, default=period_ms),
        "delay_ms": NumberKey(0, 10_000, whole=True, default=delay_ms),
        "dropout": NumberKey(0.0, 1.0, default=0.0),
    }


def _keep_timing(sensor: Whole, values: Values, p: np.void) -> None:
    p["sensor_period"][sensor] = values["period_ms"]
    p["sensor_delay"][sensor] = values["delay_ms"]
    p["sensor_dropout"][sensor] = values["dropout"]


def _sensor(
    sensor: Whole,
    timing: Mapping[str, NumberKey],
    more: Mapping[str, NumberKey],
    is_optional: bool = False,
) -> ParameterSection:
    """A section with an error model, `timing` and `more` keys, which say themselves where to."""

    def keep(file: ParameterFile, values: Values, p: np.void) -> None:
        p["sensor_error"][sensor] = [values[key] for key in _ERROR]
        _keep_timing(sensor, values, p)
        if sensor in (GYRO, ACCEL):
            p["vibration"][sensor] = values["vibration"]
        if sensor == SONAR:
            _lay_rays(file, values, p)

    name = f"sensors.{_SECTION_OF[sensor]}"
    return ParameterSection(name, {**_ERROR, **timing, **more}, keep, is_optional)


def _lay_rays(file: ParameterFile, values: Values, p: np.void) -> None:
    """One ray straight down the body, the others evenly on cones up to the half angle."""
    if 1 + values["cones"] * values["traces"] > RAYS:
        what = f"The sonar has more than {RAYS} rays."
        raise file.error("sensors.sonar", "traces", what, "Lower 'cones' or 'traces'.")
    rays = [(0.0, 0.0, 1.0)]
    for cone in range(1, int(values["cones"]) + 1):
        tilt = math.radians(values["half_angle_deg"]) * cone / values["cones"]
        for trace in range(int(values["traces"])):
            turn = 2.0 * math.pi * trace / values["traces"]
            across = math.sin(tilt)
            rays.append((across * math.cos(turn), across * math.sin(turn), math.cos(tilt)))
    p["sonar_rays"] = len(rays)
    p["sonar_ray"][: len(rays)] = rays
    p["sonar_limits"] = (values["least_m"], values["range"])
    p["sonar_incidence"] = math.cos(math.radians(values["incidence_deg"]))


def _keep_velocity(_: ParameterFile, values: Values, p: np.void) -> None:
    p["sensor_error"][GPS_VELOCITY] = [values[key] for key in _ERROR]


def _keep_fix(_: ParameterFile, values: Values, p: np.void) -> None:
    _keep_timing(GPS, values, p)
    offset = values["position_turn_on_m"]
    p["sensor_error"][GPS] = (values["position_white_m"], 0.0, 1.0, offset, 1e9, 1e-3)


def _keep_monitor(_: ParameterFile, values: Values, p: np.void) -> None:
    _keep_timing(BATTERY, values, p)
    for model in (BATTERY, CURRENT):
        p["sensor_error"][model][2] = 1.0
    for key, (model, column, _key) in _MONITOR.items():
        p["sensor_error"][model][column] = values[key]


def finish_sensors(file: ParameterFile, p: np.void) -> None:
    """Fit the plainest battery monitor where the file has none, and complain about delays that
    are too long to be kept."""
    if not p["sensor_period"][BATTERY]:
        _keep_monitor(file, {key: rule.default for key, rule in _BATTERY.items()}, p)
    p["error_axes"] = [_AXES.get(model, 1) for model in range(MODELS)]
    p["error_axes"][ROTOR_SPEED] = p["rotor_count"]
    for sensor, name in _SECTION_OF.items():
        if p["sensor_delay"][sensor] > (QUEUE - 1) * p["sensor_period"][sensor]:
            raise file.error(
                f"sensors.{name}",
                "delay_ms",
                f"'delay_ms' is longer than {QUEUE - 1} samples take.",
                "Lower it, or let the sensor sample less often.",
            )


_BATTERY: Final = {**_timing(50), **{key: rule for key, (_, _, rule) in _MONITOR.items()}}
_VIBRATION: Final = {"vibration": NumberKey(0.0, 1.0, default=0.0)}

SECTIONS: Final = (
    _sensor(GYRO, _timing(2), _VIBRATION),
    _sensor(
        ACCEL,
        _timing(2),
        {
            **_VIBRATION,
            "position_m": NumberKey(-10.0, 10.0, (3,), member="imu_position", default=[0] * 3),
        },
    ),
    _sensor(
        MAG,
        _timing(10),
        {
            "hard_iron_mgauss": NumberKey(-1e4, 1e4, (3,), member="hard_iron", default=[0] * 3),
            "per_ampere_mgauss": NumberKey(
                -1e3, 1e3, (3,), member="field_per_ampere", default=[0] * 3
            ),
        },
    ),
    _sensor(
        BARO, _timing(20), {"ram_share": NumberKey(-1.0, 1.0, member="ram_share", default=0.0)}
    ),
    _sensor(AIRSPEED, _timing(20), {}, is_optional=True),
    _sensor(
        SONAR,
        _timing(50),
        {
            "position_m": NumberKey(-10.0, 10.0, (3,), member="sonar_position", default=[0] * 3),
            "least_m": NumberKey(0.0, 10.0, default=0.03),
            "half_angle_deg": NumberKey(0.0, 80.0, default=20.0),
            "cones": NumberKey(0, 8, whole=True, default=2),
            "traces": NumberKey(1, 16, whole=True, default=4),
            "incidence_deg": NumberKey(1.0, 90.0, default=50.0),
        },
        is_optional=True,
    ),
    _sensor(ROTOR_SPEED, _timing(50), {}, is_optional=True),
    ParameterSection("sensors.battery", _BATTERY, _keep_monitor, is_optional=True),
    ParameterSection("sensors.gps_velocity", _ERROR, _keep_velocity),
    ParameterSection(
        "sensors.gps",
        {
            **_timing(200, 150),
            "first_fix_s": NumberKey(0.0, 600.0, member="gps_first_fix", scale=1000.0),
            "position_white_m": NumberKey(0.0, 100.0),
            "position_turn_on_m": NumberKey(0.0, 100.0, default=0.0),
            "position_tau_s": NumberKey(1.0, 1e5, member="gps_position_tau"),
            "satellites": NumberKey(0, 40, member="gps_satellites"),
        },
        _keep_fix,
    ),
)
