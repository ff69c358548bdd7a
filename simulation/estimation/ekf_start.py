"""EKF initialisation: at power-up, after another filter, and anew in flight.

It takes what is known and says how well: from the alignment at rest the attitude and the gyros'
bias; the height from the estimate before, from GPS, or, only where it wakes up standing, from home.
Begun anew it goes on from its last healthy state, every variance widened by what may be wrong with
it, because whatever made it fail was not in its account. The barometer then is tied to the height,
however uncertain that is: it tells of changes, never of the height that was begun with.
"""

import math
from typing import Any

from simulation.compiler.decorators import njit_part, njit_shared
from simulation.estimation.ekf_measurements import fix_down, remember_now
from simulation.estimation.ekf_motion import learn_gps, set_rotation
from simulation.estimation.ekf_state import (
    ACCEL_BIAS,
    BARO,
    GPS_DOWN_WEIGHT,
    GPS_PLACE,
    GPS_SPEED,
    GYRO_BIAS,
    MAG_BIAS,
    POSITION,
    SIZE,
    TURN,
    VELOCITY,
)
from simulation.estimation.ekf_update import forget
from simulation.mathematics.rotation import set_euler
from simulation.records.interface import GPS_FIX_3D, STEP_S

# Deviations the attitude starts with, [at rest, in motion]. Those at rest are far above what
# the alignment achieves: standing still then shows which tilt goes with which bias.
_TILT_SIGMA = (math.radians(5.0), math.radians(30.0))
_HEADING_SIGMA = (math.radians(10.0), math.radians(60.0))
_MOVING_GYRO_VARIANCE = math.radians(1.0) * math.radians(1.0)
_HOME_SIGMA = 0.3  # m: powered up at rest it stands at home
_FORMER_SIGMA = 0.3  # m, of the height by another filter, but for the weather it has followed
_UNKNOWN_SIGMA = 100.0  # m
_BARO_VARIANCE = 0.04  # m2, of the barometer at the height begun with
_MOST = 1e6
"""A number or a variance above it was none."""
_DOUBT_POSITION, _DOUBT_VELOCITY = 16.0, 1.0
"""m2, (m/s)2: what a filter begun anew adds to the variances it had."""


@njit_shared
def begin_ekf(c: Any, f: Any, o: Any) -> None:
    """Start from the attitude in OUTPUT; at rest also from the gyro bias."""
    e, moving = f["ekf"], f["moves"]
    x, q = e["x"], e["q"]
    for i in range(SIZE):
        x[i] = 0.0
    for i in range(4):
        q[i] = o["quaternion"][i]
    if not 0.5 < q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] < 2.0:
        set_euler(q, 0.0, 0.0, 0.0)
    for i in range(3):
        bias = o["gyro_bias"][i]
        x[GYRO_BIAS + i] = math.radians(bias) if moving == 0 and abs(bias) < _MOST else 0.0
    e["placed"] = 0
    e["dilution"] = 1.0
    e["gps_seen"] = o["gps_count"]
    e["mag_seen"] = o["mag_count"]
    e["mag_refused"] = e["mag_taken"] = 0
    e["baro_seen"] = 0
    _begin_following(c, e, o)
    _begin_covariance(c["ekf_p"], c["sensors"], e, moving)
    _begin_height(c, f, o)
    keep_state(e)


@njit_part
def _begin_following(c: Any, e: Any, o: Any) -> None:
    """Let the integration of the IMU begin with this sample."""
    for i in range(3):
        e["gyro_last"][i] = e["gyro_before"][i] = o["gyro"][i]
        e["accel_last"][i] = e["accel_before"][i] = o["accel"][i]
        e["velocity_change"][i] = 0.0
        e["gained"][i] = 0.0
        e["moved"][i] = 0.0
    e["imu_noise"][0] = e["imu_noise"][1] = 0.0
    e["samples"] = 0
    e["history_count"] = 0
    remember_now(e, int(o["step"]))
    set_rotation(e)
    learn_gps(c["sensors"], e)


@njit_part
def _begin_covariance(first: Any, known: Any, e: Any, moving: int) -> None:
    """`first` is EKFConfiguration.P: variances of position, velocity, quaternion, gyro drift;
    `known` are SETTINGS.sensors."""
    for i in range(3):
        angle = _HEADING_SIGMA[moving] if i == 2 else _TILT_SIGMA[moving]
        drift = first[10 + i] if moving == 0 else _MOVING_GYRO_VARIANCE
        forget(e, POSITION + i, first[i])
        forget(e, VELOCITY + i, first[3 + i])
        forget(e, TURN + i, max(angle * angle, 4.0 * first[7 + i]))
        forget(e, GYRO_BIAS + i, drift)
    _begin_sensors(known, e)


@njit_part
def _begin_sensors(known: Any, e: Any) -> None:
    """The errors of the sensors are as their data sheets say."""
    accel, mag = known["accel_bias_sigma"], known["mag_bias_sigma"]
    shared = known["gps_speed_place"]
    for i in range(3):
        weight = GPS_DOWN_WEIGHT if i == 2 else 1.0
        speed = known["gps_speed_sigma"] * weight
        place = known["gps_place_sigma"] * weight
        forget(e, ACCEL_BIAS + i, accel * accel)
        forget(e, MAG_BIAS + i, mag * mag)
        forget(e, GPS_SPEED + i, speed * speed)
        forget(e, GPS_PLACE + i, place * place)
        e["p"][GPS_SPEED + i, GPS_PLACE + i] = weight * weight * shared
        e["p"][GPS_PLACE + i, GPS_SPEED + i] = weight * weight * shared


@njit_part
def _begin_height(c: Any, f: Any, o: Any) -> None:
    """Start at the height that is known best, with a variance to match."""
    e, known = f["ekf"], c["sensors"]
    x = e["x"]
    before = o["position"][2]  # by another filter; 0 if there was none
    x[POSITION + 2] = before if abs(before) < _MOST else 0.0
    has_fix = o["gps_status"] >= GPS_FIX_3D and c["home_set"] != 0
    if f["had_estimate"] == 0 and f["moves"] == 0:
        forget(e, POSITION + 2, _HOME_SIGMA * _HOME_SIGMA)
        forget(e, BARO, _BARO_VARIANCE)
    elif f["had_estimate"] != 0:
        walk = known["baro_walk"]
        weather = walk * walk * o["step"] * STEP_S
        _tie_barometer(e, _FORMER_SIGMA * _FORMER_SIGMA + weather)
    elif has_fix:
        x[POSITION + 2] = fix_down(c, o)
        sigma = GPS_DOWN_WEIGHT * known["gps_place_sigma"]
        _tie_barometer(e, sigma * sigma + c["ekf_r"][2])
    else:
        _tie_barometer(e, _UNKNOWN_SIGMA * _UNKNOWN_SIGMA)


@njit_part
def _tie_barometer(e: Any, variance: float) -> None:
    """Let height have this variance, and the barometer's error be as wrong the other way: what it
    shows is the sum of both, and is known."""
    p, down = e["p"], POSITION + 2
    forget(e, down, variance)
    forget(e, BARO, variance + _BARO_VARIANCE)
    p[down, BARO] = -variance
    p[BARO, down] = -variance


@njit_part
def keep_state(e: Any) -> None:
    """Note the state, which is healthy, for a start anew."""
    for i in range(SIZE):
        e["kept"][i] = e["x"][i]
        e["kept_variance"][i] = e["p"][i, i]
    for i in range(4):
        e["kept_q"][i] = e["q"][i]


@njit_shared
def begin_anew(c: Any, e: Any, o: Any) -> None:
    """Go on from the last healthy state, knowing no correlations and less than before."""
    o["estimate_resets"] += 1
    x, was = e["x"], e["kept_variance"]
    for i in range(SIZE):
        x[i] = e["kept"][i]
        was[i] = was[i] if 0.0 <= was[i] <= _MOST else _MOST
    for i in range(4):
        e["q"][i] = e["kept_q"][i]
    _begin_following(c, e, o)
    for i in range(3):
        angle = _HEADING_SIGMA[0] if i == 2 else _TILT_SIGMA[0]
        forget(e, POSITION + i, was[POSITION + i] + _DOUBT_POSITION)
        forget(e, VELOCITY + i, was[VELOCITY + i] + _DOUBT_VELOCITY)
        forget(e, TURN + i, was[TURN + i] + angle * angle)
        forget(e, GYRO_BIAS + i, was[GYRO_BIAS + i] + _MOVING_GYRO_VARIANCE)
        x[GPS_SPEED + i] = 0.0
        x[GPS_PLACE + i] = 0.0
    _begin_sensors(c["sensors"], e)
    _tie_barometer(e, was[POSITION + 2] + _DOUBT_POSITION)
    down = e["baro_zero"] - o["baro_altitude_m"]
    if e["baro_seen"] != 0 and abs(down) < _MOST:
        x[BARO] = down - x[POSITION + 2]
