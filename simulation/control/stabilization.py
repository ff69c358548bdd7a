"""Inner loops at the IMU's rate: attitude to rate to actuator, per axis."""

import math
from typing import Any

from simulation.estimation.attitude_filter import DT
from simulation.interface import (
    AXIS_ATTITUDE,
    AXIS_LOCK,
    AXIS_MANUAL,
    AXIS_WEAK_LEVELING,
    HORIZONTAL_NONE,
)
from simulation.rotation import clamp, rotation_between, set_euler
from telemetry.compiled import njit_part

_ROLL, _PITCH, _YAW = range(3)


@njit_part
def _mode(m: Any, axis: int) -> int:
    """The axis mode in force; horizontal control takes roll and pitch over."""
    if axis != _YAW and m["horizontal_mode"] != HORIZONTAL_NONE:
        return AXIS_ATTITUDE
    return int(m["axis_mode"][axis])


@njit_part
def _set_attitude_desired(m: Any, k: Any, o: Any) -> None:
    for axis in range(3):
        o["attitude_desired"][axis] = m["axis_setpoint"][axis]
    if m["horizontal_mode"] != HORIZONTAL_NONE:
        o["attitude_desired"][_ROLL] = k["tilt_command"][0]
        o["attitude_desired"][_PITCH] = k["tilt_command"][1]


@njit_part
def _attitude_error(m: Any, o: Any, target: Any) -> tuple[float, float, float]:
    """Rotation still to be made, deg per body axis; axes not in attitude mode stay as they are."""
    for axis in range(3):
        held = _mode(m, axis) == AXIS_ATTITUDE
        angle = o["attitude_desired"][axis] if held else o["attitude_deg"][axis]
        target[axis] = math.radians(angle)
    set_euler(target, target[0], target[1], target[2])
    x, y, z = rotation_between(o["quaternion"], target)
    return math.degrees(x), math.degrees(y), math.degrees(z)


@njit_part
def _attitude_rate(c: Any, k: Any, axis: int, error: float) -> float:
    """Rate in deg/s that takes the angle error out."""
    kp, ki, limit = c["attitude_pi"][axis]
    integral = clamp(k["attitude_integral"][axis] + error * ki * DT, -limit, limit)
    k["attitude_integral"][axis] = integral
    most = c["maximum_rate"][axis]
    return clamp(error * kp + integral, -most, most)


@njit_part
def _lock_rate(c: Any, k: Any, o: Any, axis: int, wish: float) -> float:
    """The rate wished for, or, without a wish, the one that keeps the angle."""
    if abs(wish) > c["max_axis_lock_rate"]:
        k["lock_angle"][axis] = 0.0
        return wish
    most = c["max_axis_lock"]
    angle = k["lock_angle"][axis] + (wish - o["rates"][axis]) * DT
    k["lock_angle"][axis] = clamp(angle, -most, most)
    most = c["maximum_rate"][axis]
    return clamp(c["axis_lock_kp"] * k["lock_angle"][axis], -most, most)


@njit_part
def _leveling_rate(c: Any, o: Any, axis: int, wish: float) -> float:
    most = c["max_weak_leveling_rate"]
    level = clamp(-c["weak_leveling_kp"] * o["attitude_deg"][axis], -most, most)
    return wish + (0.0 if axis == _YAW else level)


@njit_part
def _rate_actuator(c: Any, k: Any, o: Any, axis: int) -> float:
    """The rate PID: actuator -1..1."""
    kp, ki, kd, limit = c["rate_pid"][axis]
    wish, rate = o["rate_desired"][axis], o["rates"][axis]
    integral = clamp(k["rate_integral"][axis] + (wish - rate) * ki * DT, -limit, limit)
    k["rate_integral"][axis] = integral
    followed = -rate
    if c["measure_based_derivative"] == 0:
        followed += c["derivative_gamma"] * wish
    slope = kd * (followed - k["rate_last"][axis]) / DT
    k["rate_last"][axis] = followed
    tau = 1.0 / (2.0 * math.pi * max(c["derivative_cutoff"], 1.0))
    k["rate_derivative"][axis] += DT / (DT + tau) * (slope - k["rate_derivative"][axis])
    return clamp((wish - rate) * kp + integral + k["rate_derivative"][axis], -1.0, 1.0)


@njit_part
def _clear(k: Any, o: Any, axis: int) -> None:
    k["rate_integral"][axis] = 0.0
    k["rate_derivative"][axis] = 0.0
    k["rate_last"][axis] = -o["rates"][axis]
    k["attitude_integral"][axis] = 0.0
    k["lock_angle"][axis] = 0.0


@njit_part
def stabilize(c: Any, m: Any, k: Any, o: Any, target: Any) -> None:
    """Set rates and actuators desired. `c` settings, `m` command, `k` memory, `target` scratch."""
    _set_attitude_desired(m, k, o)
    error = _attitude_error(m, o, target)
    idle = m["armed"] == 0 or (c["low_throttle_zero_integral"] != 0 and k["thrust"] <= 0.0)
    for axis in range(3):
        mode = _mode(m, axis)
        wish = m["axis_setpoint"][axis]
        if mode == AXIS_ATTITUDE:
            wish = _attitude_rate(c, k, axis, error[axis])
        elif mode == AXIS_LOCK:
            wish = _lock_rate(c, k, o, axis, wish)
        elif mode == AXIS_WEAK_LEVELING:
            wish = _leveling_rate(c, o, axis, wish)
        if mode == AXIS_MANUAL:
            o["rate_desired"][axis] = 0.0
            _clear(k, o, axis)
            o["actuator_desired"][axis] = clamp(wish, -1.0, 1.0)
        else:
            o["rate_desired"][axis] = wish
            if idle:
                _clear(k, o, axis)
            o["actuator_desired"][axis] = _rate_actuator(c, k, o, axis)
    o["actuator_desired"][3] = k["thrust"]
