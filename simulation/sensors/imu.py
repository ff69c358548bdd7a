"""Gyro and accelerometer, possibly away from the centre of mass.

The accelerometer feels the specific force where it sits (simulation.md 5.8):

    f = R^T (v' - g) + w' x r + w x (w x r)

Rotors shake both: white noise in proportion to their mean speed, as vibration far above half the
sample rate folds down to.
"""

import math
from typing import Any

from simulation.records import ACCEL, GYRO, RATES
from simulation.sensors.error_model import measured
from telemetry.compiled import njit_part


@njit_part
def measure_gyro(p: Any, s: Any, slot: Any) -> None:
    """Body rates in deg/s."""
    for i in range(3):
        slot[i] = measured(p, s, GYRO, i, math.degrees(s["motion"][RATES + i]))


@njit_part
def measure_accel(p: Any, s: Any, slot: Any) -> None:
    """Specific force in m/s2 along the body axes."""
    r, turning, w = p["imu_position"], s["angular_acceleration"], s["motion"][RATES : RATES + 3]
    along = w[0] * r[0] + w[1] * r[1] + w[2] * r[2]
    square = w[0] * w[0] + w[1] * w[1] + w[2] * w[2]
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        lever = turning[j] * r[k] - turning[k] * r[j] + w[i] * along - r[i] * square
        slot[i] = measured(p, s, ACCEL, i, s["specific_force"][i] + lever)
