"""Attitude from gyro, accelerometer, magnetometer and GPS velocity: a complementary filter.

The gyro is integrated at every IMU sample. Tilt errors are taken out slowly: with GPS, from the
difference between the velocity change GPS saw and the one the accelerometer implies (so that
manoeuvres do not tilt the horizon); without, as firmware does it (filtercf.c), from the
accelerometer as a plumb line whatever it measures: a throw and a long turn do tilt the horizon.
Heading comes from the magnetometer and the declination at home. The integral of the corrections is
the gyro's bias.
"""

import math
from typing import Any

from simulation.compiler.decorators import njit_part, njit_shared
from simulation.mathematics.rotation import clamp, set_euler, to_body, to_ned, turn, wrap_pi
from simulation.records.interface import FUSION_COMPLEMENTARY, IMU_S

START_SAMPLES = 500
"""Samples averaged at rest before the filter starts."""
MOST_WINDOWS = 5
"""Averages tried while moving, before it starts in motion."""
# Variances of all axes that are still rest, above twice the sensors' own noise.
_REST_GYRO_VARIANCE = 1.0  # (deg/s)2
_REST_ACCEL_VARIANCE = 0.25  # (m/s2)2

_LEAST_PLUMB = 1e-3  # m/s2; less has no direction
_TILT_GAIN = 0.3  # 1/s
_HEADING_GAIN = 0.4  # 1/s
_BIAS_GAIN = 0.01  # 1/s2
_BIAS_LIMIT = 10.0  # deg/s
_LEAST_GAIN = 1e-9
_ACCEL_TAU = 0.02  # s
_ACCEL_KEEP = math.exp(-IMU_S / _ACCEL_TAU)


@njit_shared
def start(c: Any, f: Any, o: Any) -> bool:
    """Average while at rest; then set bias and attitude. True once the filter runs.

    While it moves the average is begun anew; after MOST_WINDOWS it starts all the same, with no
    gyro bias and a rough attitude.
    """
    if o["attitude_valid"] != 0:
        return True
    f["samples"] += 1
    for i in range(3):
        f["gyro_sum"][i] += o["gyro"][i]
        f["accel_sum"][i] += o["accel"][i]
        f["gyro_square"] += o["gyro"][i] * o["gyro"][i]
        f["accel_square"] += o["accel"][i] * o["accel"][i]
    if f["samples"] < START_SAMPLES:
        return False
    moves = _take_averages(c["sensors"], f, o)
    if moves and f["windows"] < MOST_WINDOWS:
        return False
    for i in range(3):
        if moves:
            o["gyro_bias"][i] = 0.0
    a, q, m = f["accel"], o["quaternion"], o["mag"]
    roll = math.atan2(-a[1], -a[2])
    pitch = math.atan2(a[0], math.sqrt(a[1] * a[1] + a[2] * a[2]))
    set_euler(q, roll, pitch, 0.0)
    north, east, _ = to_ned(q, m[0], m[1], m[2])
    set_euler(q, roll, pitch, math.radians(c["home_declination_deg"]) - math.atan2(east, north))
    o["attitude_valid"] = 1
    return True


@njit_part
def _take_averages(known: Any, f: Any, o: Any) -> bool:
    """Take over the averages and begin new ones; True if it moved meanwhile. `known` are
    SETTINGS.sensors."""
    n = float(START_SAMPLES)
    gyro, accel, turning = f["gyro_square"] / n, f["accel_square"] / n, 0.0
    for i in range(3):
        o["gyro_bias"][i] = f["gyro_sum"][i] / n
        f["accel"][i] = f["accel_sum"][i] / n
        turning += o["gyro_bias"][i] * o["gyro_bias"][i]
        accel -= f["accel"][i] * f["accel"][i]
        f["gyro_sum"][i] = 0.0
        f["accel_sum"][i] = 0.0
    f["samples"] = 0
    f["gyro_square"] = 0.0
    f["accel_square"] = 0.0
    f["windows"] += 1
    f["moves"] = int(
        gyro - turning > _REST_GYRO_VARIANCE + 2.0 * known["gyro_variance"]
        or accel > _REST_ACCEL_VARIANCE + 2.0 * known["accel_variance"]
        or turning > _BIAS_LIMIT * _BIAS_LIMIT
    )
    return bool(f["moves"])


@njit_part
def smooth_imu(c: Any, f: Any, o: Any) -> None:
    """Rates without bias; specific force, low-passed."""
    for i in range(3):
        f["accel"][i] = _ACCEL_KEEP * f["accel"][i] + (1.0 - _ACCEL_KEEP) * o["accel"][i]
        o["specific_force"][i] = f["accel"][i]
        o["rates"][i] = o["gyro"][i] - o["gyro_bias"][i]


@njit_part
def _plumb(c: Any, f: Any, o: Any) -> tuple[float, float, float]:
    """Sine of the tilt error about the body's axes, if it were only gravity that the accelerometer
    measures; both are low-passed alike (AccelTau)."""
    x, y, z = to_body(o["quaternion"], 0.0, 0.0, -1.0)
    a, g, keep = f["plumb_accel"], f["plumb_up"], c["plumb_keep"]
    for i, value in enumerate((x, y, z)):
        a[i] = keep * a[i] + (1.0 - keep) * o["accel"][i]
        g[i] = keep * g[i] + (1.0 - keep) * value
    size = math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])
    size *= math.sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2])
    if size < _LEAST_PLUMB:
        return 0.0, 0.0, 0.0
    x, y, z = a[1] * g[2] - a[2] * g[1], a[2] * g[0] - a[0] * g[2], a[0] * g[1] - a[1] * g[0]
    return x / size, y / size, z / size


@njit_part
def _tilt_correction(c: Any, f: Any, o: Any) -> tuple[float, float, float, float]:
    """Rates about the body's axes that take out the tilt error, rad/s, and what share of them per
    second the gyro's bias takes over."""
    if f["gps_differences"] > 1:
        north, east = f["tilt_error"][0], f["tilt_error"][1]
        x, y, z = to_body(o["quaternion"], _TILT_GAIN * north, _TILT_GAIN * east, 0.0)
        return x, y, z, _BIAS_GAIN / _TILT_GAIN
    x, y, z = _plumb(c, f, o)
    gain = math.radians(c["plumb_kp"]) / IMU_S
    return gain * x, gain * y, gain * z, c["plumb_ki"] / max(c["plumb_kp"], _LEAST_GAIN)


@njit_part
def _heading_error(c: Any, f: Any, o: Any) -> float:
    """Heading error from a magnetometer sample not yet used, in rad times the IMU samples it
    stands for; 0 if there is none. `c` are the settings."""
    if o["mag_count"] == f["mag_seen"]:
        return 0.0
    elapsed = (o["mag_count"] - f["mag_seen"]) * c["sensors"]["mag_period_s"] / IMU_S
    f["mag_seen"] = o["mag_count"]
    m = o["mag"]
    north, east, _ = to_ned(o["quaternion"], m[0], m[1], m[2])
    return float(
        elapsed * wrap_pi(math.radians(c["home_declination_deg"]) - math.atan2(east, north))
    )


@njit_part
def update_attitude(c: Any, f: Any, o: Any) -> None:
    """One IMU sample: rates, attitude, bias. `c` are the settings."""
    smooth_imu(c, f, o)
    q, bias = o["quaternion"], o["gyro_bias"]
    x, y, z, ratio = _tilt_correction(c, f, o)
    if f["fusion"] != FUSION_COMPLEMENTARY:
        heading = _HEADING_GAIN * _heading_error(c, f, o)
        about_x, about_y, about_z = to_body(q, 0.0, 0.0, heading)
        x, y, z = x + about_x, y + about_y, z + about_z
    for i, e in enumerate((x, y, z)):
        bias[i] = clamp(bias[i] - math.degrees(ratio * e) * IMU_S, -_BIAS_LIMIT, _BIAS_LIMIT)
    turn(
        q,
        (math.radians(o["gyro"][0] - bias[0]) + x) * IMU_S,
        (math.radians(o["gyro"][1] - bias[1]) + y) * IMU_S,
        (math.radians(o["gyro"][2] - bias[2]) + z) * IMU_S,
    )
