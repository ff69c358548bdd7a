"""[sensors.*]: rate, delay, losses and errors of each sensor, see
`simulation.records.sensor_table`."""

import math
from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from simulation.files.parameter_file import NumberKey, ParameterFile, ParameterSection, Values
from simulation.mathematics.random_numbers import Whole
from simulation.records.flight import DRIFT_TAU, QUEUE, RANGE, RESOLUTION, TURN_ON, WHITE
from simulation.records.sensor_table import (
    ACCEL,
    BATTERY,
    CURRENT,
    GPS,
    IMU_KEYS,
    RAYS,
    ROTOR_SPEED,
    SENSORS,
    SimulatedSensor,
)
from simulation.sensors.sonar import cone_of_rays

_ERROR: Final = {
    "white": NumberKey(0.0, 1e4),
    "drift": NumberKey(0.0, 1e4),
    "drift_tau_s": NumberKey(0.1, 1e6),
    "turn_on": NumberKey(0.0, 1e4),
    "range": NumberKey(1e-12, 1e6),
    "resolution": NumberKey(1e-12, 1e6),
}
_MONITOR: Final[Mapping[str, tuple[Whole, int]]] = {
    "voltage_white_v": (BATTERY, WHITE),
    "voltage_resolution_v": (BATTERY, RESOLUTION),
    "voltage_range_v": (BATTERY, RANGE),
    "current_white_a": (CURRENT, WHITE),
    "current_turn_on_a": (CURRENT, TURN_ON),
    "current_resolution_a": (CURRENT, RESOLUTION),
    "current_range_a": (CURRENT, RANGE),
}
"""Where the keys of [sensors.battery] go: error model and column."""


def _keys(sensor: SimulatedSensor) -> dict[str, NumberKey]:
    """The keys of its section; empty if it has none."""
    timing = {
        "period_ms": NumberKey(1, 10_000, whole=True, default=sensor.period_ms),
        "delay_ms": NumberKey(0, 10_000, whole=True, default=sensor.delay_ms),
        "dropout": NumberKey(0.0, 1.0, default=0.0),
    }
    return {
        **(_ERROR if sensor.has_error_keys else {}),
        **(timing if sensor.period_ms else {}),
        **sensor.keys,
    }


def _section(number: int, sensor: SimulatedSensor) -> ParameterSection:
    def store(file: ParameterFile, values: Values, p: np.void) -> None:
        if sensor.has_error_keys:
            p["sensor_error"][number] = [values[key] for key in _ERROR]
        if sensor.period_ms:
            p["sensor_period"][number] = values["period_ms"]
            p["sensor_delay"][number] = values["delay_ms"]
            p["sensor_dropout"][number] = values["dropout"]
        if number <= ACCEL:
            for key in IMU_KEYS:
                p[key][number] = values[key]
        if sensor.name in _SPECIAL:
            _SPECIAL[sensor.name](file, values, p)

    return ParameterSection(f"sensors.{sensor.name}", _keys(sensor), store, sensor.is_optional)


def _lay_rays(file: ParameterFile, values: Values, p: np.void) -> None:
    """One ray straight down the body, the others evenly on cones up to the half angle."""
    cones, traces = int(values["cones"]), int(values["traces"])
    if 1 + cones * traces > RAYS:
        what = f"The sonar has more than {RAYS} rays."
        raise file.error("sensors.sonar", "traces", what, "Lower 'cones' or 'traces'.")
    rays = cone_of_rays(math.radians(values["half_angle_deg"]), cones, traces)
    p["sonar_rays"] = len(rays)
    p["sonar_ray"][: len(rays)] = np.roll(rays, -1, axis=1)
    p["sonar_limits"] = (values["least_m"], values["range"])
    p["sonar_incidence"] = math.cos(math.radians(values["incidence_deg"]))


def _store_fix(_: ParameterFile, values: Values, p: np.void) -> None:
    offset = values["position_turn_on_m"]
    p["sensor_error"][GPS] = (values["position_white_m"], 0.0, 1.0, offset, 1e9, 1e-3)


def _store_monitor(_: ParameterFile, values: Values, p: np.void) -> None:
    p["sensor_error"][[BATTERY, CURRENT], DRIFT_TAU] = 1.0
    for key, (model, column) in _MONITOR.items():
        p["sensor_error"][model][column] = values[key]


_SPECIAL: Final[Mapping[str, Callable[[ParameterFile, Values, np.void], None]]] = {
    "gps": _store_fix,
    "sonar": _lay_rays,
    "battery": _store_monitor,
}
"""What is to be worked out from the keys of a section, besides storing them."""


def finish_sensors(file: ParameterFile, p: np.void) -> None:
    """Fit the plainest battery monitor where the file has none, and complain about delays that
    are too long to be kept."""
    monitor = _section(int(BATTERY), SENSORS[BATTERY])
    if not p["sensor_period"][BATTERY] and monitor.finish is not None:
        monitor.finish(file, {key: rule.default for key, rule in monitor.keys.items()}, p)
    p["error_axes"] = [sensor.axes for sensor in SENSORS]
    p["error_axes"][ROTOR_SPEED] = p["rotor_count"]
    for number, sensor in enumerate(SENSORS):
        if p["sensor_delay"][number] > (QUEUE - 1) * p["sensor_period"][number]:
            raise file.error(
                f"sensors.{sensor.name}",
                "delay_ms",
                f"'delay_ms' is longer than {QUEUE - 1} samples take.",
                "Lower it, or let the sensor sample less often.",
            )


SECTIONS: Final = tuple(
    _section(number, sensor) for number, sensor in enumerate(SENSORS) if _keys(sensor)
)
