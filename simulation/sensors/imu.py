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
from simulation.mathematics.vectors import Vector, cross, dot
from simulation.records.flight import ATTITUDE, RATES
from simulation.records.sensor_table import ACCEL, GYRO
from simulation.sensors.axis_errors import board_temperature_c, with_axis_errors
from simulation.sensors.error_model import measured
from simulation.sensors.imu_errors import move_flicker, with_g_sensitivity, with_mixed_axes
from simulation.sensors.vibration import follow_rotors, shaken


@njit_part
def measure_gyro(p: Any, w: Any, s: Any, k: Whole, slot: Any) -> None:
    """Sample number `k`: turn rates in deg/s along the board's axes, and the temperature in
    degrees Celsius."""
    x = s["motion"]
    rates = math.degrees(x[RATES]), math.degrees(x[RATES + 1]), math.degrees(x[RATES + 2])
    if w["earth_rate"] != 0:
        rates = _with_earth_rate(w, s, rates)
    felt = with_mixed_axes(s, GYRO, with_axis_errors(w, s, GYRO, rates))
    _finish(p, s, (GYRO, k), with_g_sensitivity(s, felt), slot)
    slot[3] = board_temperature_c(w, s)


@njit_part
def _with_earth_rate(w: Any, s: Any, rates: Vector) -> Vector:
    """Rates in deg/s with that of the Earth."""
    north, east, down = earth_rate_at(w, s)
    a, b, c = to_body(s["motion"][ATTITUDE : ATTITUDE + 4], north, east, down)
    return rates[0] + math.degrees(a), rates[1] + math.degrees(b), rates[2] + math.degrees(c)


@njit_part
def measure_accel(p: Any, w: Any, s: Any, k: Whole, slot: Any) -> None:
    """Sample number `k`: specific force in m/s2 along the board's axes."""
    r, x, felt = p["imu_position"], s["motion"][RATES : RATES + 3], s["specific_force"]
    along, square = dot(x, r), dot(x, x)
    a, b, c = cross(s["angular_acceleration"], r)
    true = (
        felt[0] + (a + x[0] * along - r[0] * square),
        felt[1] + (b + x[1] * along - r[1] * square),
        felt[2] + (c + x[2] * along - r[2] * square),
    )
    shown = with_mixed_axes(s, ACCEL, with_axis_errors(w, s, ACCEL, true))
    _finish(p, s, (ACCEL, k), shown, slot)


@njit_part
def _finish(p: Any, s: Any, which: tuple[int, Whole], shown: Vector, slot: Any) -> None:
    """Write `which` sensor's sample with vibration, floor and the error all sensors share."""
    m, k = which
    follow_rotors(p, s, k * p["sensor_period"][m])
    move_flicker(p, s, m, k)
    for i, value in enumerate(shown):
        slot[i] = measured(p, s, m, i, value + shaken(s, m, i) + s["imu_wander"][m, i])
