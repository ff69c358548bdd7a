"""Guidance of an aeroplane at 50 Hz: course to roll, airspeed to pitch, climb to throttle.

The three loops of Price's thesis, 4.4.5.2, with the meaning FixedWingPathFollowerSettings gives
them. The desired velocity is one over ground; the estimated wind says which course and airspeed
that takes. Speed errors also change the
throttle and climb errors the pitch (the cross feeds), which keeps potential and kinetic energy
from swinging into each other. Landing with a flare is the thesis's too; firmware's Land has none,
see `simulation.autopilot.fixed_wing_guidance`.
"""

import math
from typing import Any

from simulation.compiler.decorators import njit_part, njit_shared
from simulation.mathematics.rotation import clamp, wrap_pi
from simulation.records.interface import VERTICAL_LAND, VERTICAL_PATH, VERTICAL_TAKEOFF

DT = 0.02
"""Seconds between runs."""

_COURSE, _SPEED, _POWER = range(3)
_GLIDE_DEG = 7.0  # how much lower the nose is without thrust
_FLARE_DEG = 9.0  # of pitch, at most
_FLARE_S = 2.2
"""The flare sinks with height / this, so that it begins where that is the glide's. A height that is
wrong by 2 m, as barometer and GPS make it within minutes, is then 0.9 m/s more at touchdown."""
_TOUCHDOWN_MPS = 0.4  # what it ends with
_FLARE_GAIN = 5.0  # deg of pitch per m/s of sink
_FLARE_INTEGRAL = 8.0  # deg/s per m/s
_STILL_MPS = 0.3
_STILL_RUNS = 50  # 1 s
_LOST_BANK = 0.33  # share of the roll limit flown without a position: it circles


@njit_part
def _pi(gains: Any, k: Any, o: Any, loop: int, error: float) -> float:
    """[Kp, Ki, ILimit] on `error`; ILimit bounds what the integral adds."""
    integral = k["wing_integral"][loop] + gains[1] * error * DT
    k["wing_integral"][loop] = clamp(integral, -gains[2], gains[2])
    o["wing_error"][loop] = error
    o["wing_integral"][loop] = k["wing_integral"][loop]
    return float(gains[0] * error + k["wing_integral"][loop])


@njit_part
def _air_to_fly(c: Any, m: Any, o: Any) -> tuple[float, float]:
    """Course through the air in rad and airspeed in m/s that give the desired velocity. Where
    the wind is too strong for that, as much of it as it can."""
    wind_north, wind_east = o["wind"]
    north, east = m["velocity_north"], m["velocity_east"]
    size = math.sqrt(north * north + east * east)
    low, high = c["wing_speed"]
    through_north, through_east = north - wind_north, east - wind_east
    through = math.sqrt(through_north * through_north + through_east * through_east)
    fly = clamp(through, low, high)
    course = math.radians(o["attitude_deg"][2])
    if size > 0.1:
        # At the speed that can be flown: lean so that the wind's cross part is made good.
        cross = clamp((wind_east * north - wind_north * east) / (size * fly), -1.0, 1.0)
        course = math.atan2(east, north) - math.asin(cross)
    return course, fly


@njit_part
def _roll(c: Any, k: Any, o: Any, course: float) -> float:
    """Roll in degrees that turns to this course in rad."""
    low, neutral, high = c["wing_roll_limit"]
    if o["position_valid"] == 0:
        return float(neutral + _LOST_BANK * high)
    error = math.degrees(wrap_pi(course - math.radians(o["attitude_deg"][2])))
    # Straight behind, a turn once begun is not turned round.
    if error > 180.0 - 0.5 * c["wing_overlap"] and o["attitude_deg"][0] < 0.0:
        error -= 360.0
    elif error < 0.5 * c["wing_overlap"] - 180.0 and o["attitude_deg"][0] > 0.0:
        error += 360.0
    command = _pi(c["wing_course_pi"], k, o, _COURSE, error)
    return clamp(neutral + command, low, high)


@njit_part
def _thrust_and_pitch(c: Any, m: Any, k: Any, o: Any, speed: float) -> None:
    """Level flight, climb and descent at an airspeed."""
    desired = m["velocity_down"] + c["wing_vertical_p"] * (m["down_m"] - o["position"][2])
    most = c["wing_vertical_max"]
    desired = clamp(desired, -most, most)
    o["velocity_desired"][2] = desired
    sinking = desired - o["velocity"][2]  # positive: shall sink faster
    slow = speed - o["airspeed_true"]
    gain, limit = c["wing_power_cross"]
    low, neutral, high = c["wing_thrust_limit"]
    power = _pi(c["wing_power_pi"], k, o, _POWER, -sinking)
    power += clamp(gain * slow / c["wing_speed"][0], -limit, limit)
    k["thrust"] = clamp(neutral + power, low, high)
    gain, limit = c["wing_pitch_cross"]
    low, neutral, high = c["wing_pitch_limit"]
    pitch = clamp(-gain * sinking, -limit, limit) - _pi(c["wing_speed_pi"], k, o, _SPEED, slow)
    k["tilt_command"][1] = clamp(neutral + pitch, low, high)
    o["wing_command"][_POWER] = power
    o["wing_command"][_SPEED] = pitch


@njit_part
def _take_off(c: Any, k: Any, o: Any) -> None:
    """Full throttle at TakeOffPitch."""
    k["thrust"] = c["wing_thrust_limit"][2]
    k["tilt_command"][1] = c["wing_takeoff_pitch"]
    o["wing_command"][_POWER] = k["thrust"] - c["wing_thrust_limit"][1]
    o["wing_command"][_SPEED] = c["wing_takeoff_pitch"] - c["wing_pitch_limit"][1]


@njit_part
def _land(c: Any, m: Any, k: Any, o: Any) -> None:
    """Glide with the motor off at the desired airspeed, then flare: less and less sink. `down_m` is
    where the ground is."""
    k["thrust"] = -1.0
    low, neutral, _ = c["wing_pitch_limit"]
    sink = o["velocity"][2]
    height = max(m["down_m"] - o["position"][2], 0.0)
    soft = _TOUCHDOWN_MPS + height / _FLARE_S
    if k["wing_flare"] == 0 and soft >= sink:
        north, east = m["velocity_north"], m["velocity_east"]
        speed = math.sqrt(north * north + east * east)
        desired = clamp(speed, c["wing_speed"][0], c["wing_speed"][1])
        slow = desired - o["airspeed_true"]
        pitch = neutral - _GLIDE_DEG - _pi(c["wing_speed_pi"], k, o, _SPEED, slow)
        k["tilt_command"][1] = clamp(pitch, low, _FLARE_DEG)
        k["wing_integral"][_POWER] = k["tilt_command"][1]
        return
    k["wing_flare"] = 1
    o["velocity_desired"][2] = soft
    error = sink - soft
    k["wing_integral"][_POWER] += _FLARE_INTEGRAL * error * DT
    k["wing_integral"][_POWER] = clamp(k["wing_integral"][_POWER], low, _FLARE_DEG)
    pitch = k["wing_integral"][_POWER] + _FLARE_GAIN * error
    k["tilt_command"][1] = clamp(pitch, low, _FLARE_DEG)


@njit_part
def _detect_rest(k: Any, o: Any) -> None:
    """After a landing: whether it lies still."""
    v = o["velocity"]
    still = math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) < _STILL_MPS
    k["still_steps"] = k["still_steps"] + 1 if still else 0
    if k["still_steps"] >= _STILL_RUNS:
        o["landed"] = 1


@njit_shared
def guide_wing(c: Any, m: Any, k: Any, o: Any) -> None:
    """One run. `c` settings, `m` command, `k` memory. Sets desired roll, pitch and thrust."""
    mode = m["vertical_mode"]
    for i in range(3):
        o["velocity_desired"][i] = 0.0
    if m["armed"] == 0 or mode != k["was_vertical"]:
        o["landed"] = 0
        k["still_steps"] = 0
        k["wing_flare"] = 0
        for i in range(3):
            k["wing_integral"][i] = 0.0
        k["was_vertical"] = mode
    if m["armed"] == 0:
        return
    course, speed = _air_to_fly(c, m, o)
    o["velocity_desired"][0] = m["velocity_north"]
    o["velocity_desired"][1] = m["velocity_east"]
    if mode == VERTICAL_PATH:
        k["tilt_command"][0] = _roll(c, k, o, course)
        _thrust_and_pitch(c, m, k, o, speed)
    else:
        level = k["wing_flare"] != 0 or o["airspeed_true"] < 0.5 * c["wing_speed"][0]
        level = level or o["position_valid"] == 0
        k["tilt_command"][0] = 0.0 if level else _roll(c, k, o, course)
        if mode == VERTICAL_TAKEOFF:
            _take_off(c, k, o)
        elif mode == VERTICAL_LAND:
            _land(c, m, k, o)
            _detect_rest(k, o)
    o["wing_command"][_COURSE] = k["tilt_command"][0]
