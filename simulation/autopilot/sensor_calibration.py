"""Sensor calibration: the settings objects of the board's sensors as SETTINGS.calibration.

R turns the board's axes into the aircraft's: first by BoardRotation, then by BoardLevelTrim, both
the attitude of the aircraft as the board sees it, as in firmware. While the objects change
nothing, `applied` stays 0 and sensors are taken as they come.
"""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from simulation.autopilot.board import SimulatedBoard
from simulation.mathematics.rotation import set_euler, to_body

OBJECTS = ("AccelGyroSettings", "RevoCalibration", "AttitudeSettings")
_LEAST_SPAN_K = 0.1
"""A calibrated range of temperatures that is shorter counts as none."""

Matrix = npt.NDArray[np.float64]


def take_calibration(board: SimulatedBoard, record: Any) -> None:
    """Fill `record`, a SETTINGS.calibration, from the objects named in OBJECTS."""
    imu, mag = board["AccelGyroSettings"].row, board["RevoCalibration"].row
    attitude = board["AttitudeSettings"].row
    trim = attitude["BoardLevelTrim"].tolist()
    turned = _into_body([*trim, 0.0]) @ _into_body(attitude["BoardRotation"].tolist())
    coldest, warmest = imu["temp_calibrated_extent"].tolist()
    is_thermal = warmest - coldest > _LEAST_SPAN_K
    record["accel_bias"] = imu["accel_bias"]
    record["accel_scale"] = imu["accel_scale"]
    record["accel_temperature"] = imu["accel_temp_coeff"] * is_thermal
    record["gyro_bias"] = imu["gyro_bias"]
    record["gyro_scale"] = imu["gyro_scale"]
    record["gyro_temperature"] = imu["gyro_temp_coeff"].reshape(3, 2) * is_thermal
    record["temperatures"] = (coldest, warmest)
    record["board_to_body"] = turned
    record["mag_bias"] = mag["mag_bias"]
    record["mag_to_body"] = turned @ mag["mag_transform"].reshape(3, 3)
    record["applied"] = int(_changes_something(record))


def _into_body(angles_deg: list[float]) -> Matrix:
    """The rotation into axes that stand at these angles of roll, pitch and yaw."""
    attitude = [0.0] * 4
    set_euler(attitude, *(math.radians(angle) for angle in angles_deg))
    return np.array([to_body(attitude, *axis) for axis in np.eye(3)]).T


def _changes_something(record: Any) -> bool:
    zero = ("accel_bias", "gyro_bias", "mag_bias", "accel_temperature", "gyro_temperature")
    one = ("accel_scale", "gyro_scale")
    identity = ("board_to_body", "mag_to_body")
    return bool(
        any(record[name].any() for name in zero)
        or any((record[name] != 1.0).any() for name in one)
        or any((record[name] != np.eye(3)).any() for name in identity)
    )
