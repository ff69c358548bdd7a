"""EKF measurement updates: GPS, barometer, and standing still; the compass is `ekf_compass`.

GPS is late. Its measurement is compared with the state of then: the state of now less what the
IMU has integrated since, which needs no stored copies of the state and holds after corrections.
"""

import math
from typing import Any

from simulation.compiler.decorators import njit_part, njit_shared
from simulation.environment.earth import GRAVITY
from simulation.estimation.ekf_state import (
    ACCEL_BIAS,
    BARO,
    GPS_DOWN_WEIGHT,
    GPS_HDOP,
    GPS_PLACE,
    GPS_SPEED,
    POSITION,
    TURN,
    VELOCITY,
)
from simulation.estimation.ekf_update import correct, forget
from simulation.estimation.flat_earth import fix_from_home
from simulation.mathematics.rotation import clamp
from simulation.records.filters import HISTORY
from simulation.records.interface import (
    GPS_FIX_3D,
    STEP_S,
)

_HISTORY_PERIOD = 10  # steps
# After so many refusals in a row the measurement is believed and the state is not.
_GPS_PATIENCE = 10
_BARO_PATIENCE = 50
_LOST_M2 = 50.0  # horizontal variance beyond which there is no position
_NEW_VARIANCE = (1.0, 25.0)  # of velocity and position taken over from GPS
# Error of second order per rad2 of tilt variance: of the velocity gained between two fixes, g t/2.
# It counts only while the attitude is poor, where a filter without it becomes too sure and never
# finds out.
_BEND_MPS = 0.5 * GRAVITY * 0.2
_DOUBT = math.radians(1.0) * math.radians(1.0)
_REST_VARIANCE = 1e-4  # (m/s)2


@njit_part
def remember(e: Any, step: int) -> None:
    """Keep what the IMU has integrated until now; call before the sample of `step` is used."""
    if step % _HISTORY_PERIOD == 0:
        remember_now(e, step)


@njit_part
def remember_now(e: Any, step: int) -> None:
    """The same at any step: after a start there is no other past."""
    slot = e["history_count"] % HISTORY
    e["history_count"] += 1
    e["history_step"][slot] = step
    for i in range(3):
        e["history_gained"][slot, i] = e["gained"][i]
        e["history_moved"][slot, i] = e["moved"][i]


@njit_part
def _look_back(e: Any, now: int, step: int) -> float:
    """Write into e["since"] what the IMU has integrated from about `step` until now: velocity,
    place (above uniform motion), specific force; return that time in seconds."""
    newest = e["history_count"] - 1
    back = (e["history_step"][newest % HISTORY] - step + _HISTORY_PERIOD - 1) // _HISTORY_PERIOD
    then = (newest - max(min(back, HISTORY - 1, newest), 0)) % HISTORY
    t = (now - e["history_step"][then]) * STEP_S
    for i in range(3):
        gained = e["history_gained"][then, i]
        e["since"][0, i] = e["gained"][i] - gained
        e["since"][1, i] = e["moved"][i] - e["history_moved"][then, i] - gained * t
        e["since"][2, i] = e["since"][0, i]
    e["since"][2, 2] -= GRAVITY * t
    return float(t)


@njit_part
def _set_turn_gradient(e: Any, i: int, turn: float, bias: float) -> None:
    """Gradient by attitude and accelerometer bias of a velocity or place of axis `i` of then:
    `turn` [u]x and `bias` R, u being the specific force integrated since."""
    h, u = e["h"], e["since"][2]
    after, before = (i + 1) % 3, (i + 2) % 3
    h[TURN + before] = turn * u[after]
    h[TURN + after] = -turn * u[before]
    for k in range(3):
        h[ACCEL_BIAS + k] = bias * e["rotation"][i, k]


@njit_shared
def use_gps(c: Any, e: Any, o: Any, step: int) -> None:
    """Use a GPS measurement not yet seen. `c` are the settings."""
    if o["gps_count"] == e["gps_seen"]:
        return
    e["gps_seen"] = o["gps_count"]
    if o["gps_status"] < GPS_FIX_3D or c["home_set"] == 0:
        return
    fix = e["fix"]
    fix[0], fix[1] = fix_from_home(c, o)
    fix[2] = fix_down(c, o)
    e["dilution"] = _dilution(o["gps_hdop"])
    t = _look_back(e, step, step - c["sensors"]["gps_delay"])
    if e["placed"] == 0:
        e["placed"] = 1
        for i in range(2):
            _believe_speed(e, o, i)
            _believe_place(e, i, t)
    for i in range(3):
        _use_speed(c, e, o, i, t)
    for i in range(3):
        _use_place(c, e, i, t)


@njit_part
def fix_down(c: Any, o: Any) -> float:
    """Down from home by the newest fix, m."""
    return float(c["home_altitude_m"] - o["gps_altitude_m"])


@njit_part
def _dilution(hdop: float) -> float:
    """How much larger the errors of GPS are than with GPS_HDOP; as large if it is not told."""
    return clamp(hdop / GPS_HDOP, 0.5, 20.0) if hdop > 0.0 else 1.0


@njit_part
def _believe_speed(e: Any, o: Any, i: int) -> None:
    e["x"][VELOCITY + i] = o["gps_velocity"][i] + e["since"][0, i]
    forget(e, VELOCITY + i, _NEW_VARIANCE[0])
    e["refused"][i] = 0


@njit_part
def _believe_place(e: Any, i: int, t: float) -> None:
    x = e["x"]
    then = e["fix"][i] - x[GPS_PLACE + i]
    x[POSITION + i] = then + (x[VELOCITY + i] - e["since"][0, i]) * t + e["since"][1, i]
    forget(e, POSITION + i, _NEW_VARIANCE[1])
    e["refused"][3 + i] = 0


@njit_part
def tilt_variance(e: Any) -> float:
    """Variance of roll and pitch, rad2: the size of what is neglected by a linear gradient."""
    return float(e["p"][TURN, TURN] + e["p"][TURN + 1, TURN + 1])


@njit_part
def _use_speed(c: Any, e: Any, o: Any, i: int, t: float) -> None:
    x, h = e["x"], e["h"]
    h[VELOCITY + i] = 1.0
    h[GPS_SPEED + i] = 1.0
    _set_turn_gradient(e, i, 1.0, t)
    then = x[VELOCITY + i] - e["since"][0, i]
    innovation = o["gps_velocity"][i] - then - x[GPS_SPEED + i]
    bend = _BEND_MPS * tilt_variance(e)
    variance = c["ekf_r"][3 + i] * e["dilution"] * e["dilution"] + bend * bend
    if correct(e, innovation, variance, True):
        e["refused"][i] = 0
        return
    e["refused"][i] += 1
    if e["refused"][i] > _GPS_PATIENCE:
        _believe_speed(e, o, i)
        for k in range(3):  # what the speed came from is no better
            e["p"][TURN + k, TURN + k] += _DOUBT


@njit_part
def _use_place(c: Any, e: Any, i: int, t: float) -> None:
    x, h = e["x"], e["h"]
    h[POSITION + i] = 1.0
    h[VELOCITY + i] = -t
    h[GPS_PLACE + i] = 1.0
    _set_turn_gradient(e, i, -0.5 * t, -0.5 * t * t)
    then = x[POSITION + i] - (x[VELOCITY + i] - e["since"][0, i]) * t - e["since"][1, i]
    innovation = e["fix"][i] - then - x[GPS_PLACE + i]
    if correct(e, innovation, c["ekf_r"][i], True):
        e["refused"][3 + i] = 0
        return
    e["refused"][3 + i] += 1
    if e["refused"][3 + i] > _GPS_PATIENCE:
        sigma = (GPS_DOWN_WEIGHT if i == 2 else 1.0) * e["dilution"]
        sigma *= c["sensors"]["gps_place_sigma"]
        x[GPS_PLACE + i] = 0.0
        forget(e, GPS_PLACE + i, sigma * sigma)
        _believe_place(e, i, t)


@njit_part
def check_place(e: Any, o: Any) -> None:
    """Say whether there is a position; begin anew with GPS when it has become too uncertain."""
    p = e["p"]
    if p[POSITION, POSITION] + p[POSITION + 1, POSITION + 1] > _LOST_M2:
        e["placed"] = 0
    o["position_valid"] = e["placed"]


@njit_shared
def use_baro(c: Any, e: Any, o: Any) -> None:
    """Use a barometer sample not yet seen; its first one stands for the height at the start."""
    if o["baro_count"] == e["baro_seen"]:
        return
    x, h = e["x"], e["h"]
    if e["baro_seen"] == 0:
        e["baro_zero"] = o["baro_altitude_m"] + x[POSITION + 2]
    e["baro_seen"] = o["baro_count"]
    down = e["baro_zero"] - o["baro_altitude_m"]
    h[POSITION + 2] = 1.0
    h[BARO] = 1.0
    if correct(e, down - x[POSITION + 2] - x[BARO], c["ekf_r"][9], True):
        e["baro_refused"] = 0
        return
    e["baro_refused"] += 1
    if e["baro_refused"] > _BARO_PATIENCE:
        x[BARO] = down - x[POSITION + 2]
        forget(e, BARO, _NEW_VARIANCE[1])
        e["baro_refused"] = 0


@njit_part
def use_rest(e: Any) -> None:
    """Standing still on the ground before the flight, velocity is zero."""
    for i in range(3):
        e["h"][VELOCITY + i] = 1.0
        correct(e, -e["x"][VELOCITY + i], _REST_VARIANCE, True)


@njit_part
def use_nothing(e: Any, place: float, speed: float) -> None:
    """Without GPS, keep position and velocity about zero with these variances, so that tilt
    stays observable and nothing grows without bounds (FakeR of EKFConfiguration)."""
    for i in range(2):
        e["h"][VELOCITY + i] = 1.0
        correct(e, -e["x"][VELOCITY + i], speed, True)
        e["h"][POSITION + i] = 1.0
        correct(e, -e["x"][POSITION + i], place, True)
