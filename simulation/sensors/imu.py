"""Gyro and accelerometer, possibly away from the centre of mass.

The accelerometer feels the specific force where it sits (simulation.md 5.8):

    f = R^T (v' - g) + w' x r + w x (w x r)

Rotors shake both: with lines at their frequencies (`vibration`), and with white noise in proportion
to their mean speed, which the many weak vibrations far above half the sample rate fold down to.
"""

import math
from typing import Any

from simulation.compiler.decorators import njit_part
from simulation.environment.earth import earth_rate_at
from simulation.mathematics.random_numbers import Whole
from simulation.mathematics.rotation import to_body
from simulation.records.flight import ATTITUDE, RATES
from simulation.records.sensor_table import ACCEL, GYRO
from simulation.sensors.axis_errors import add_axis_errors, board_temperature_c
from simulation.sensors.error_model import measured
from simulation.sensors.imu_errors import add_g_sensitivity, mix_axes, move_flicker
from simulation.sensors.vibration import follow_rotors, shaken


@njit_part
def measure_gyro(p: Any, w: Any, s: Any, k: Whole, slot: Any) -> None:
    """Sample number `k`: turn rates in deg/s along the board's axes, and the temperature in
    degrees Celsius."""
    for i in range(3):
        slot[i] = math.degrees(s["motion"][RATES + i])
    if w["earth_rate"] != 0:
        _add_earth_rate(w, s, slot)
    add_axis_errors(w, s, GYRO, slot)
    mix_axes(s, GYRO, slot)
    add_g_sensitivity(s, slot)
    _finish(p, s, GYRO, k, slot)
    slot[3] = board_temperature_c(w, s)


@njit_part
def _add_earth_rate(w: Any, s: Any, slot: Any) -> None:
    """Let it feel the Earth turn, deg/s."""
    north, east, down = earth_rate_at(w, s)
    body = to_body(s["motion"][ATTITUDE : ATTITUDE + 4], north, east, down)
    for i in range(3):
        slot[i] += math.degrees(body[i])


@njit_part
def measure_accel(p: Any, w: Any, s: Any, k: Whole, slot: Any) -> None:
    """Sample number `k`: specific force in m/s2 along the board's axes."""
    r, turning, x = p["imu_position"], s["angular_acceleration"], s["motion"][RATES : RATES + 3]
    along = x[0] * r[0] + x[1] * r[1] + x[2] * r[2]
    square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2]
    for i in range(3):
        j, m = (i + 1) % 3, (i + 2) % 3
        lever = turning[j] * r[m] - turning[m] * r[j] + x[i] * along - r[i] * square
        slot[i] = s["specific_force"][i] + lever
    add_axis_errors(w, s, ACCEL, slot)
    mix_axes(s, ACCEL, slot)
    _finish(p, s, ACCEL, k, slot)


@njit_part
def _finish(p: Any, s: Any, m: int, k: Whole, slot: Any) -> None:
    """Add vibration, floor and the error all sensors share."""
    follow_rotors(p, s, k * p["sensor_period"][m])
    move_flicker(p, s, m, k)
    for i in range(3):
        slot[i] = measured(p, s, m, i, slot[i] + shaken(s, m, i) + s["imu_wander"][m, i])
