"""Axis errors that a calibration finds: bias and scale by axis, and a turned board.

y = (1 + scale) R v + bias + warming (T - 25 deg C), R from body axes into the board's.
"""

from typing import Any

from simulation.compiler.decorators import njit_part
from simulation.mathematics.random_numbers import Whole
from simulation.mathematics.vectors import Vector, dot
from simulation.records.sensor_table import MAG

_ZERO_CELSIUS_K = 273.15
_REFERENCE_C = 25.0


@njit_part
def board_temperature_c(w: Any, s: Any) -> float:
    """What the thermometers in gyro, accelerometer and magnetometer show."""
    return float(s["air_temperature"] + w["board_warmer"] - _ZERO_CELSIUS_K)


@njit_part
def with_axis_errors(w: Any, s: Any, m: Whole, true: Vector) -> Vector:
    """What sensor `m` (GYRO, ACCEL or MAG) makes of the true body vector."""
    turned, bias, scale = w["body_to_board"], w["sensor_bias"][m], w["sensor_scale"][m]
    warm = 0.0
    if m < MAG:
        warm = w["sensor_warming"][m] * (board_temperature_c(w, s) - _REFERENCE_C)
    return (
        dot(turned[0], true) * (1.0 + scale[0]) + bias[0] + warm,
        dot(turned[1], true) * (1.0 + scale[1]) + bias[1] + warm,
        dot(turned[2], true) * (1.0 + scale[2]) + bias[2] + warm,
    )
