"""Attitude loop: setpoints to wanted rates, per axis and mode.

The modes are those of StabilizationDesired.StabilizationMode: attitude, rattitude, rate trainer,
axis lock, weak leveling.
"""

import math
from typing import Any

from simulation.compiler.decorators import njit_part
from simulation.mathematics.rotation import clamp, rotation_between, set_euler
from simulation.records.interface import (
    AXIS_ATTITUDE,
    AXIS_LOCK,
    AXIS_RATE_TRAINER,
    AXIS_RATTITUDE,
    AXIS_VIRTUAL_BAR,
    AXIS_WEAK_LEVELING,
    HORIZONTAL_NONE,
    IMU_S,
)

_ROLL, _PITCH, _YAW = range(3)
_GOLDEN = 0.618033989
"""Where attitude and rate contribute alike in rattitude: x = (1 - x) / x, as in the firmware."""
_FEEDFORWARD_TAU = 0.05  # s: sticks come in steps of 20 to 40 ms


@njit_part
def axis_mode(m: Any, axis: int) -> int:
    """The axis mode in force; horizontal control takes roll and pitch over."""
    if axis != _YAW and m["horizontal_mode"] != HORIZONTAL_NONE:
        return AXIS_ATTITUDE
    return int(m["axis_mode"][axis])


@njit_part
def set_attitude_desired(m: Any, k: Any, o: Any) -> None:
    """Setpoints, of roll and pitch those of horizontal control if it is on."""
    for axis in range(3):
        o["attitude_desired"][axis] = m["axis_setpoint"][axis]
    if m["horizontal_mode"] != HORIZONTAL_NONE:
        o["attitude_desired"][_ROLL] = k["tilt_command"][0]
        o["attitude_desired"][_PITCH] = k["tilt_command"][1]


@njit_part
def _holds_angle(m: Any, axis: int) -> bool:
    """Whether the mode of this axis holds a desired angle."""
    return axis_mode(m, axis) in (AXIS_ATTITUDE, AXIS_RATTITUDE)


@njit_part
def needs_angles(m: Any) -> bool:
    """Whether the modes in force read the attitude's angles: those that hold none."""
    return not (_holds_angle(m, _ROLL) and _holds_angle(m, _PITCH) and _holds_angle(m, _YAW))


@njit_part
def attitude_error(m: Any, k: Any, o: Any) -> tuple[float, float, float]:
    """Rotation still to be made, deg per body axis; axes not in attitude mode stay as they are.

    The desired attitude is remembered: setpoints change at a fraction of the IMU's rate.
    """
    angles, target = k["target_angles"], k["target"]
    is_new = target[0] == 0.0
    for axis in range(3):
        angle = o["attitude_desired"][axis] if _holds_angle(m, axis) else o["attitude_deg"][axis]
        is_new = is_new or angle != angles[axis]
        angles[axis] = angle
    if is_new:
        set_euler(target, math.radians(angles[0]), math.radians(angles[1]), math.radians(angles[2]))
    x, y, z = rotation_between(o["quaternion"], target)
    return math.degrees(x), math.degrees(y), math.degrees(z)


@njit_part
def setpoint_lead(c: Any, k: Any, o: Any, axis: int) -> float:
    """AttitudeFeedForward seconds of the setpoint's rate of change, deg: the stick anticipated."""
    ahead = o["attitude_desired"][axis] - k["setpoint_slow"][axis]
    ahead -= 360.0 * math.floor((ahead + 180.0) / 360.0)
    k["setpoint_slow"][axis] += ahead * IMU_S / _FEEDFORWARD_TAU
    return float(c["attitude_feedforward"][axis] * ahead / _FEEDFORWARD_TAU)


@njit_part
def wanted_rate(c: Any, m: Any, k: Any, o: Any, axis: int, error: float) -> float:
    """The rate in deg/s that the mode of this axis asks for; for the virtual bar the stick."""
    mode = axis_mode(m, axis)
    desired = m["axis_setpoint"][axis]
    most = c["maximum_rate"][axis]
    lead = setpoint_lead(c, k, o, axis)
    if mode == AXIS_VIRTUAL_BAR:
        return float(desired)
    if mode == AXIS_ATTITUDE:
        desired = _attitude_rate(c, k, axis, error + lead)
    elif mode == AXIS_RATTITUDE:
        desired = _rattitude_rate(c, m, k, axis, error + lead)
    elif mode == AXIS_LOCK:
        desired = _lock_rate(c, k, o, axis, desired)
    elif mode == AXIS_WEAK_LEVELING:
        desired = _leveling_rate(c, o, axis, desired)
    elif mode == AXIS_RATE_TRAINER:
        desired = _trainer_rate(c, o, axis, desired)
    return clamp(desired, -most, most)


@njit_part
def _attitude_rate(c: Any, k: Any, axis: int, error: float) -> float:
    """Rate in deg/s that takes the angle error out."""
    kp, ki, limit = c["attitude_pi"][axis]
    integral = clamp(k["attitude_integral"][axis] + error * ki * IMU_S, -limit, limit)
    k["attitude_integral"][axis] = integral
    most = c["maximum_rate"][axis]
    return clamp(error * kp + integral, -most, most)


@njit_part
def _stick(c: Any, m: Any, axis: int) -> float:
    """The stick position -1..1 behind a setpoint that is an angle."""
    return clamp(m["axis_setpoint"][axis] / max(c["maximum_angle"][axis], 1.0), -1.0, 1.0)


@njit_part
def _rattitude_rate(c: Any, m: Any, k: Any, axis: int, error: float) -> float:
    """Attitude about the middle of the stick, rate at its ends, weighed by the farther of the
    roll and pitch sticks; RattitudeModeTransition is where both weigh alike."""
    far = max(abs(_stick(c, m, _ROLL)), abs(_stick(c, m, _PITCH)))
    middle = clamp(c["rattitude_transition"], 0.01, 0.99)
    if far <= middle:
        weight = far * _GOLDEN / middle
    else:
        weight = _GOLDEN + (far - middle) * (1.0 - _GOLDEN) / (1.0 - middle)
    level = _attitude_rate(c, k, axis, error)
    return float((1.0 - weight) * level + weight * _stick(c, m, axis) * c["manual_rate"][axis])


@njit_part
def _lock_rate(c: Any, k: Any, o: Any, axis: int, desired: float) -> float:
    """The desired rate, or, if that is about zero, the one that keeps the angle."""
    if abs(desired) > c["max_axis_lock_rate"]:
        k["lock_angle"][axis] = 0.0
        return desired
    most = c["max_axis_lock"]
    angle = k["lock_angle"][axis] + (desired - o["rates"][axis]) * IMU_S
    k["lock_angle"][axis] = clamp(angle, -most, most)
    return float(c["axis_lock_kp"] * k["lock_angle"][axis])


@njit_part
def _leveling_rate(c: Any, o: Any, axis: int, desired: float) -> float:
    most = c["max_weak_leveling_rate"]
    level = clamp(-c["weak_leveling_kp"] * o["attitude_deg"][axis], -most, most)
    return desired + (0.0 if axis == _YAW else level)


@njit_part
def _trainer_rate(c: Any, o: Any, axis: int, desired: float) -> float:
    """The desired rate, but none that leads beyond the largest angle of attitude mode."""
    if axis == _YAW:
        return desired
    kp, angle, most = c["attitude_pi"][axis][0], o["attitude_deg"][axis], c["maximum_angle"][axis]
    return clamp(desired, kp * (-most - angle), kp * (most - angle))
