"""Position and velocity: acceleration integrated, corrected by GPS and barometer.

GPS arrives late, so it is compared with what the filter believed when it was taken. The barometer
drives height alone (zero where the filter started); GPS height is not used.
"""

from typing import Any

from simulation.compiler.decorators import njit_part, njit_shared
from simulation.environment.earth import GRAVITY
from simulation.estimation.flat_earth import fix_from_home
from simulation.mathematics.rotation import to_ned
from simulation.records.filters import HISTORY
from simulation.records.interface import (
    GPS_FIX_3D,
    IMU_S,
    STEP_S,
)

_HISTORY_PERIOD = 10  # steps
_HEIGHT_POSITION, _HEIGHT_SPEED, _HEIGHT_BIAS = 1.5, 0.8, 0.1  # 1/s, 1/s2, 1/s3
_GPS_POSITION = 0.15  # share of a position innovation taken over
_GPS_POSITION_SPEED = 0.03  # 1/s
_GPS_SPEED = 0.3
_JUMP_M = 50.0
_TILT_SHARE = 0.3  # low-pass of the tilt error from GPS


@njit_part
def predict(f: Any, o: Any, step: int) -> None:
    """Integrate the accelerometer over one IMU sample."""
    a = o["accel"]
    north, east, down = to_ned(o["quaternion"], a[0], a[1], a[2])
    down += GRAVITY - f["accel_down_bias"]
    position, velocity = o["position"], o["velocity"]
    f["integral"][0] += north * IMU_S
    f["integral"][1] += east * IMU_S
    if o["position_valid"] != 0:
        position[0] += velocity[0] * IMU_S + 0.5 * north * IMU_S * IMU_S
        position[1] += velocity[1] * IMU_S + 0.5 * east * IMU_S * IMU_S
        velocity[0] += north * IMU_S
        velocity[1] += east * IMU_S
    position[2] += velocity[2] * IMU_S + 0.5 * down * IMU_S * IMU_S
    velocity[2] += down * IMU_S
    if step % _HISTORY_PERIOD == 0:
        slot = f["history_count"] % HISTORY
        f["history_count"] += 1
        f["history_step"][slot] = step
        for i in range(2):
            f["history"][slot, i] = position[i]
            f["history"][slot, 2 + i] = velocity[i]
            f["history_integral"][slot, i] = f["integral"][i]


@njit_part
def correct_height(c: Any, f: Any, o: Any) -> None:
    """Use a barometer sample not yet seen. `c` are the settings."""
    dt = c["sensors"]["baro_period_s"]
    if o["baro_count"] == f["baro_seen"]:
        return
    if f["baro_seen"] == 0:
        f["baro_zero"] = o["baro_altitude_m"] + o["position"][2]
    f["baro_seen"] = o["baro_count"]
    innovation = f["baro_zero"] - o["baro_altitude_m"] - o["position"][2]
    o["position"][2] += _HEIGHT_POSITION * innovation * dt
    o["velocity"][2] += _HEIGHT_SPEED * innovation * dt
    f["accel_down_bias"] -= _HEIGHT_BIAS * innovation * dt


@njit_shared
def correct_horizontal(c: Any, f: Any, o: Any, step: int) -> None:
    """Use a GPS measurement not yet seen. `c` are the settings (home)."""
    if o["gps_count"] == f["gps_seen"]:
        return
    f["gps_seen"] = o["gps_count"]
    if o["gps_status"] < GPS_FIX_3D or c["home_set"] == 0:
        o["position_valid"] = 0
        f["gps_differences"] = 0
        return
    place = fix_from_home(c, o)
    then = _slot_at(f, step - c["sensors"]["gps_delay"])
    if o["position_valid"] == 0:
        _restart(o, place)
    else:
        _correct(f, o, place, then)
    _compare_velocity(f, o, then)


@njit_part
def _slot_at(f: Any, step: int) -> int:
    """The newest history slot not after `step`."""
    newest = f["history_count"] - 1
    back = (f["history_step"][newest % HISTORY] - step + _HISTORY_PERIOD - 1) // _HISTORY_PERIOD
    return int((newest - max(min(back, HISTORY - 1, newest), 0)) % HISTORY)


@njit_part
def _restart(o: Any, place: Any) -> None:
    """Begin where GPS says."""
    for i in range(2):
        o["position"][i] = place[i]
        o["velocity"][i] = o["gps_velocity"][i]
    o["position_valid"] = 1


@njit_part
def _correct(f: Any, o: Any, place: Any, then: int) -> None:
    for i in range(2):
        offset = place[i] - f["history"][then, i]
        slip = o["gps_velocity"][i] - f["history"][then, 2 + i]
        shift = offset if abs(offset) > _JUMP_M else _GPS_POSITION * offset
        change = _GPS_SPEED * slip
        if abs(offset) <= _JUMP_M:
            change += _GPS_POSITION_SPEED * offset
        o["position"][i] += shift
        o["velocity"][i] += change
        # The past is corrected too, or the next late measurement would count this error again.
        for k in range(HISTORY):
            f["history"][k, i] += shift
            f["history"][k, 2 + i] += change


@njit_part
def _missed(f: Any, o: Any, then: int, i: int) -> float:
    """Velocity change along axis `i` that GPS saw and the accelerometer did not imply."""
    seen = o["gps_velocity"][i] - f["last_gps_velocity"][i]
    return float(seen - (f["history_integral"][then, i] - f["last_gps_integral"][i]))


@njit_part
def _compare_velocity(f: Any, o: Any, then: int) -> None:
    """Tilt error from how differently GPS and accelerometer saw the velocity change.

    An attitude wrong by the small rotation e (NED) turns the specific force about (0, 0, -g) into
    a false acceleration (g e_east, -g e_north); the truth is that much less.
    """
    dt = (f["history_step"][then] - f["last_gps_step"]) * STEP_S
    if f["gps_differences"] > 0 and 0.0 < dt < 1.0:
        for i in range(2):
            missed = _missed(f, o, then, i) / (dt * GRAVITY)
            turned = -missed if i == 0 else missed
            f["tilt_error"][1 - i] += _TILT_SHARE * (turned - f["tilt_error"][1 - i])
    f["gps_differences"] += 1
    f["last_gps_step"] = f["history_step"][then]
    for i in range(2):
        f["last_gps_velocity"][i] = o["gps_velocity"][i]
        f["last_gps_integral"][i] = f["history_integral"][then, i]
