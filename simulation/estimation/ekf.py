"""The extended Kalman filter: attitude, position, velocity and sensor biases in one solution.

Seed 001, 3.4. An error-state filter with 25 states, see `ekf_state`, begun as `ekf_start` says.
"""

import math
from typing import Any

from simulation.compiler.decorators import njit_part, njit_shared
from simulation.environment.earth import GRAVITY
from simulation.estimation.attitude_filter import smooth_imu
from simulation.estimation.ekf_compass import show_heading, use_mag
from simulation.estimation.ekf_measurements import (
    check_place,
    remember,
    use_baro,
    use_gps,
    use_nothing,
    use_rest,
)
from simulation.estimation.ekf_motion import (
    SAMPLES,
    follow_covariance,
    follow_imu,
)
from simulation.estimation.ekf_start import begin_anew, keep_state
from simulation.estimation.ekf_state import (
    ACCEL_BIAS,
    GYRO_BIAS,
    POSITION,
    SIZE,
    TURN,
    VELOCITY,
)
from simulation.mathematics.rotation import clamp
from simulation.records.interface import FUSION_INS13, FUSION_INS13_CF

_GYRO_BIAS_LIMIT = math.radians(10.0)
_ACCEL_BIAS_LIMIT = 1.0  # m/s2
_MOST_VARIANCE = 1e8
_REST_TICKS = 10  # steps of the covariance
_FAKE_TICKS = 20
_REST_RATE = 3.0  # deg/s
_REST_FORCE = 0.5  # m/s2 off gravity, above what smoothed noise makes of it
_SMOOTHED = 0.4  # most of a sample's noise that smoothing leaves, in a few deviations
_REST_SPEED = 1.0  # m/s by GPS


@njit_part
def uses_gps(fusion: int) -> bool:
    """Whether this fusion algorithm, one of the EKF's, has GPS."""
    return fusion in (FUSION_INS13, FUSION_INS13_CF)


@njit_part
def _stands(c: Any, m: Any, o: Any) -> bool:
    """Whether it stands still as far as its sensors tell. Armed, it never counts as standing."""
    if m["armed"] != 0:
        return False
    a, w, v = o["specific_force"], o["rates"], o["gps_velocity"]
    force = math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])
    rate = math.sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2])
    speed = math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    most = _REST_FORCE + _SMOOTHED * math.sqrt(c["sensors"]["accel_variance"])
    return bool(abs(force - GRAVITY) < most and rate < _REST_RATE and speed < _REST_SPEED)


@njit_shared
def update_ekf(c: Any, m: Any, f: Any, o: Any, step: int) -> None:
    """One IMU sample, and what else has been measured since. `c` are the settings, `m` the
    command; GPS is used if the fusion algorithm has it."""
    e = f["ekf"]
    smooth_imu(c, f, o)
    remember(e, step)
    follow_imu(e, o)
    if e["samples"] >= SAMPLES:
        follow_covariance(c, e)
        if e["ticks"] % _REST_TICKS == 0 and _stands(c, m, o):
            use_rest(e)
        if e["ticks"] % _FAKE_TICKS == 0:
            _use_nothing(c, f, e)
        _check(c, e, o)
    use_mag(c, e, o)
    use_baro(c, e, o)
    if uses_gps(f["fusion"]):
        use_gps(c, e, o, step)
    if not _is_possible(e):  # before anybody flies by it
        begin_anew(c, e, o)
    _show(e, o)


@njit_part
def _is_possible(e: Any) -> bool:
    """Whether attitude, position and velocity are numbers."""
    x, q = e["x"], e["q"]
    size = 0.0
    for i in range(TURN):
        size += abs(x[i])
    square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]
    return bool(size <= _MOST_VARIANCE and 0.5 < square < 2.0)


@njit_part
def _use_nothing(c: Any, f: Any, e: Any) -> None:
    """Indoors it stays where it is; outdoors, GPS lost, only its speed is limited."""
    if not uses_gps(f["fusion"]):
        use_nothing(e, c["ekf_fake_r"][0], c["ekf_fake_r"][1])
    elif e["placed"] == 0:
        use_nothing(e, _MOST_VARIANCE, c["ekf_fake_r"][2])


@njit_part
def _check(c: Any, e: Any, o: Any) -> None:
    """Keep biases and variances within bounds; begin anew when they are no numbers."""
    x, p = e["x"], e["p"]
    healthy = True
    for i in range(3):
        x[GYRO_BIAS + i] = clamp(x[GYRO_BIAS + i], -_GYRO_BIAS_LIMIT, _GYRO_BIAS_LIMIT)
        x[ACCEL_BIAS + i] = clamp(x[ACCEL_BIAS + i], -_ACCEL_BIAS_LIMIT, _ACCEL_BIAS_LIMIT)
    for i in range(SIZE):
        if not 0.0 <= p[i, i] <= _MOST_VARIANCE or not abs(x[i]) <= _MOST_VARIANCE:
            healthy = False
    if healthy:
        keep_state(e)
    else:
        begin_anew(c, e, o)
    for row, block in enumerate((POSITION, VELOCITY, TURN, GYRO_BIAS)):
        for i in range(3):
            o["estimate_variance"][row, i] = p[block + i, block + i]
    check_place(e, o)
    show_heading(c, e, o)


@njit_part
def _show(e: Any, o: Any) -> None:
    x = e["x"]
    for i in range(4):
        o["quaternion"][i] = e["q"][i]
    for i in range(3):
        o["position"][i] = x[POSITION + i]
        o["velocity"][i] = x[VELOCITY + i]
        o["gyro_bias"][i] = math.degrees(x[GYRO_BIAS + i])
        o["accel_bias"][i] = x[ACCEL_BIAS + i]
