"""INS13, the filter of firmware: attitude, position and velocity by its equations and its rules.

LibrePilot's flight/modules/StateEstimation/filterekf.c, and filtervelocity.c behind it. It is no
better than there: GPS counts as if it were of now, a height that GPS has wrong at the start stays
wrong, gyros' noise is what EKFConfiguration says, and a filter that is too sure of itself stays so.
Its settings are read where it begins, at power-up and when another home or algorithm is chosen.

Estimates that are no numbers firmware would hand on; here it begins anew from its sensors.
"""

import math
from typing import Any

from simulation.compiler.decorators import njit_part, njit_shared
from simulation.estimation.attitude_filter import smooth_imu
from simulation.estimation.field_alarm import forget_field, judge_field
from simulation.estimation.flat_earth import set_home_frame
from simulation.estimation.ins13_motion import predict_covariance, predict_state
from simulation.estimation.ins13_sensors import FULL_BARO_SAMPLES, take_sensors
from simulation.estimation.ins13_state import (
    FIELD,
    GYRO_BIAS,
    HAS_BARO,
    HAS_MAG,
    HAS_PLACE,
    HEIGHT,
    MEASUREMENTS,
    POSITION,
    SIZE,
    TURN,
    VELOCITY,
)
from simulation.estimation.ins13_update import correct_state, is_measured
from simulation.mathematics.rotation import clamp, set_euler
from simulation.records.interface import FUSION_INS13, FUSION_INS13_CF, IMU_S

_LEAST_VARIANCE = 1e-15
_LEAST_FIELD2 = 1e-5  # mGauss2
_DRY_STEPS = 10
"""IMU samples predicted without corrections at the start."""
_STEP_SHARE = 1e-3  # of the newest interval in the mean (pios_deltatime.c, DT_ALPHA), and
_QUICK_SHARE = 0.02  # until it is ready, if it does not start as slowly as firmware
_SHORTEST_S, _LONGEST_S = 1e-6, 1.0
_SENSORS = 5
_MOST = 1e12
"""m, m/s: nothing is known of what is beyond."""


@njit_shared
def update_ins13(c: Any, f: Any, o: Any) -> None:
    """What has been measured until now; it is worked out where there is a new IMU sample. `c` are
    the settings, `f` the filter's memory."""
    n = f["ins"]
    uses_gps = f["fusion"] == FUSION_INS13 or f["fusion"] == FUSION_INS13_CF
    smooth_imu(c, f, o)
    if n["begun"] == 0 and not _begin(c, f, o):
        return
    judge_field(f, o, n["field_mgauss"], n["mag_deviation"])
    take_sensors(c, n, o, uses_gps)
    if o["imu_count"] == n["imu_seen"]:
        return
    n["imu_seen"] = o["imu_count"]
    _take_imu(c, n, o)
    if n["ready"] == 0:
        if n["has"][HAS_MAG] != 0 and n["has"][HAS_BARO] != 0 and n["has"][HAS_PLACE] != 0:
            _start(n, o, uses_gps)
        return
    if not _is_followed(n, o):
        return
    predict_covariance(n, n["interval_s"])
    if is_measured(n):
        correct_state(n, uses_gps)
    _check(n, o)


@njit_shared
def _begin(c: Any, f: Any, o: Any) -> bool:
    """Read the settings and forget what was measured before; False if a filter cannot begin with
    them: firmware then has none (Attitude alarm Error) and tries again."""
    n = f["ins"]
    n["refused"] = int(not _is_sound(c))
    if n["refused"] != 0:
        return False
    n["begun"] = 1
    n["stage"] = n["ready"] = 0
    n["stood_us"] = n["imu_us"] = o["time_us"]
    n["interval_s"] = IMU_S
    n["baro_done"] = 0
    n["first_down"] = n["baro_offset"] = 0.0
    n["moved_before"] = 0
    forget_field(f)
    for i in range(_SENSORS):
        n["has"][i] = 0
    for i in range(3):
        n["velocity_bias"][i] = 0.0
        o["gyro_bias"][i] = 0.0
    _take_field(c, n)
    _take_settings(c, n)
    set_home_frame(c, n)
    return True


@njit_part
def _is_sound(c: Any) -> bool:
    """filterekf.c, `init`: no variance of P, Q and R may be nothing, and home has a field."""
    field, sound = c["home_field_mgauss"], True
    for i in range(SIZE):
        sound = sound and c["ekf_p"][i] >= _LEAST_VARIANCE
    for i in range(9):
        sound = sound and c["ekf_q"][i] >= _LEAST_VARIANCE
    for i in range(MEASUREMENTS):
        sound = sound and c["ekf_r"][i] >= _LEAST_VARIANCE
    square = field[0] * field[0] + field[1] * field[1] + field[2] * field[2]
    return bool(sound and square >= _LEAST_FIELD2)


@njit_part
def _take_field(c: Any, n: Any) -> None:
    b = c["home_field_mgauss"]
    across = math.sqrt(b[0] * b[0] + b[1] * b[1])
    n["field_mgauss"] = math.sqrt(across * across + b[2] * b[2])
    n["dip"] = math.atan2(across, b[2])
    for i in range(3):
        n["field"][i] = b[i] / n["field_mgauss"]


@njit_part
def _take_settings(c: Any, n: Any) -> None:
    """The magnetometer's variances are in mGauss2, the filter's field is of length one."""
    square = n["field_mgauss"] * n["field_mgauss"]
    for i in range(SIZE):
        n["first_p"][i] = c["ekf_p"][i]
    for i in range(9):
        n["q"][i] = c["ekf_q"][i]
    for i in range(MEASUREMENTS):
        n["r"][i] = c["ekf_r"][i]
        n["variance"][i] = c["ekf_r"][i] / square if FIELD <= i < HEIGHT else c["ekf_r"][i]
    for i in range(3):
        n["fake_r"][i] = c["ekf_fake_r"][i]
    for i in range(2):
        n["mag_deviation"][i] = c["mag_deviation"][i]
    n["map_magnetometer"] = c["map_magnetometer"]
    n["baro_keep"] = c["baro_gps_keep"]
    n["velocity_keep"] = c["velocity_keep"]
    n["gps_pdop"] = c["gps_max_pdop"]
    n["gps_satellites"] = c["gps_min_satellites"]


@njit_part
def _take_imu(c: Any, n: Any, o: Any) -> None:
    """Take the sample over, and how long after the one before it comes, on average: of firmware
    that begins with 500 Hz and takes ten seconds of a slow link's samples to notice."""
    is_quick = c["baro_samples"] < FULL_BARO_SAMPLES and n["ready"] == 0
    share = _QUICK_SHARE if is_quick else _STEP_SHARE
    since_s = (o["time_us"] - n["imu_us"]) * 1e-6
    n["imu_us"] = o["time_us"]
    since_s = clamp(since_s, _SHORTEST_S, _LONGEST_S)
    n["interval_s"] = (1.0 - share) * n["interval_s"] + share * since_s
    for i in range(3):
        n["rate"][i] = math.radians(o["gyro"][i])
        n["force"][i] = o["accel"][i]


@njit_part
def _start(n: Any, o: Any, uses_gps: bool) -> None:
    """Begin with the newest samples, then predict for some steps before anything corrects."""
    if n["stage"] == 0:
        _set_first_state(n)
    elif not _is_followed(n, o):
        return
    n["stage"] += 1
    if n["stage"] > _DRY_STEPS:
        n["ready"] = 1
        o["attitude_valid"] = 1
        o["position_valid"] = int(uses_gps)


@njit_part
def _set_first_state(n: Any) -> None:
    """Where GPS says, at rest; level by one sample of the accelerometer and turned by one of the
    magnetometer, to magnetic north: HomeLocation's declination comes in by the corrections."""
    x, a, m = n["x"], n["force"], n["mag"]
    roll = math.atan2(-a[1], -a[2])
    sine, cosine = math.sin(roll), math.cos(roll)
    below, aside = cosine * m[2] + sine * m[1], cosine * m[1] - sine * m[2]
    pitch = math.atan2(a[0], -(cosine * a[2] + sine * a[1]))
    ahead = math.cos(pitch) * m[0] + math.sin(pitch) * below
    q = n["first_q"]
    set_euler(q, roll, pitch, math.atan2(-aside, ahead))
    sign = -1.0 if q[0] < 0.0 else 1.0
    for i in range(4):
        x[TURN + i] = sign * q[i]
    for i in range(3):
        x[POSITION + i] = n["place"][i]
        x[VELOCITY + i] = 0.0
        x[GYRO_BIAS + i] = 0.0
    _set_first_covariance(n)


@njit_part
def _set_first_covariance(n: Any) -> None:
    for i in range(SIZE):
        for j in range(SIZE):
            n["p"][i, j] = 0.0
        n["p"][i, i] = n["first_p"][i]


@njit_part
def _is_followed(n: Any, o: Any) -> bool:
    """Predict the state and show it, before it is corrected; False if it is no state."""
    predict_state(n, n["interval_s"])
    if not _is_possible(n["x"]):
        n["begun"] = 0
        o["attitude_valid"] = 0
        o["estimate_resets"] += 1
        return False
    _show(n, o)
    return True


@njit_part
def _is_possible(x: Any) -> bool:
    """Whether all of it are numbers, and the attitude a rotation."""
    size, square = 0.0, 0.0
    for i in range(SIZE):
        size += abs(x[i])
    for i in range(4):
        square += x[TURN + i] * x[TURN + i]
    return bool(size < _MOST and square > 0.5)


@njit_part
def _show(n: Any, o: Any) -> None:
    x = n["x"]
    for i in range(4):
        o["quaternion"][i] = x[TURN + i]
    for i in range(3):
        o["position"][i] = x[POSITION + i]
        o["gyro_bias"][i] = math.degrees(x[GYRO_BIAS + i])
    _show_velocity(n, o)


@njit_part
def _show_velocity(n: Any, o: Any) -> None:
    """filtervelocity.c: what the position moves by is taken for the better velocity in the long
    run, and the difference is added, low-passed."""
    x, keep, bias = n["x"], n["velocity_keep"], n["velocity_bias"]
    for i in range(3):
        if n["moved_before"] != 0:
            moves = (x[POSITION + i] - n["place_before"][i]) / n["interval_s"]
            bias[i] = keep * bias[i] + (1.0 - keep) * (moves - x[VELOCITY + i])
        n["place_before"][i] = x[POSITION + i]
        o["velocity"][i] = x[VELOCITY + i] + bias[i]
    n["moved_before"] = 1


@njit_part
def _check(n: Any, o: Any) -> None:
    """Begin with the first covariance again where one of its variances is none; the state stays,
    and so does the warning (filterekf.c, init_stage -1)."""
    healthy = True
    for i in range(SIZE):
        healthy = healthy and 0.0 < n["p"][i, i] < math.inf
    if not healthy:
        _set_first_covariance(n)
        n["stage"] = -1
        o["estimate_resets"] += 1
    for i in range(SIZE):
        o["ekf_variance"][i] = n["p"][i, i]
    o["estimate_warning"] = int(n["stage"] < 0)
