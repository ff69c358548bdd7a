"""Gyro and accelerometer, possibly away from the centre of mass.

The accelerometer feels the specific force where it sits (simulation.md 5.8):

    f = R^T (v' - g) + w' x r + w x (w x r)

Rotors shake both: white noise in proportion to their mean speed, as vibration far above half the
sample rate folds down to.
"""

import math
from typing import Any

from simulation.compiled import njit_part
from simulation.records import RATES
from simulation.sensor_table import ACCEL, GYRO
from simulation.sensors.axis_errors import add_axis_errors, board_temperature_c
from simulation.sensors.error_model import measured


@njit_part
def measure_gyro(p: Any, w: Any, s: Any, slot: Any) -> None:
    """Turn rates in deg/s along the board's axes, and the temperature in degrees Celsius."""
    for i in range(3):
        slot[i] = math.degrees(s["motion"][RATES + i])
    add_axis_errors(w, s, GYRO, slot)
    for i in range(3):
        slot[i] = measured(p, s, GYRO, i, slot[i])
    slot[3] = board_temperature_c(w, s)


@njit_part
def measure_accel(p: Any, w: Any, s: Any, slot: Any) -> None:
    """Specific force in m/s2 along the board's axes."""
    r, turning, x = p["imu_position"], s["angular_acceleration"], s["motion"][RATES : RATES + 3]
    along = x[0] * r[0] + x[1] * r[1] + x[2] * r[2]
    square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2]
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        lever = turning[j] * r[k] - turning[k] * r[j] + x[i] * along - r[i] * square
        slot[i] = s["specific_force"][i] + lever
    add_axis_errors(w, s, ACCEL, slot)
    for i in range(3):
        slot[i] = measured(p, s, ACCEL, i, slot[i])
