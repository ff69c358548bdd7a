"""Attitude loop, at every fourth IMU sample: setpoints to wanted rates, per axis and mode.

The modes are those of StabilizationDesired.StabilizationMode: attitude, rattitude, rate trainer,
weak leveling; the law is that of LibrePilot's outerloop.c. What other modes ask for goes through.
"""

import math
from typing import Any

from simulation.compiler.decorators import njit_part
from simulation.mathematics.rotation import attitude_deg_of, clamp, euler_between, set_euler
from simulation.records.interface import (
    AXIS_ATTITUDE,
    AXIS_RATE_TRAINER,
    AXIS_RATTITUDE,
    AXIS_WEAK_LEVELING,
    HORIZONTAL_NONE,
    IMU_PERIOD,
    IMU_S,
)

OUTER_PERIOD = 4 * IMU_PERIOD
"""Steps between two runs (OUTERLOOP_SKIPCOUNT of stabilization.h)."""
_OUTER_S = 4 * IMU_S
_ROLL, _PITCH, _YAW = range(3)
_GOLDEN = 0.618033989
"""Where attitude and rate contribute alike in rattitude: x = (1 - x) / x, as in the firmware."""


@njit_part
def axis_mode(m: Any, axis: int) -> int:
    """The axis mode in force; horizontal control takes roll and pitch over."""
    if axis != _YAW and m["horizontal_mode"] != HORIZONTAL_NONE:
        return AXIS_ATTITUDE
    return int(m["axis_mode"][axis])


@njit_part
def set_attitude_desired(m: Any, k: Any, o: Any) -> None:
    """Setpoints, of roll and pitch those of horizontal control if it is on and not levelled."""
    for axis in range(3):
        o["attitude_desired"][axis] = m["axis_setpoint"][axis]
    if m["horizontal_mode"] != HORIZONTAL_NONE:
        share = 0.0 if m["levels"] != 0 else 1.0
        o["attitude_desired"][_ROLL] = share * k["tilt_command"][0]
        o["attitude_desired"][_PITCH] = share * k["tilt_command"][1]


@njit_part
def _holds_angle(m: Any, axis: int) -> bool:
    """Whether the setpoint of this axis is an angle."""
    mode = axis_mode(m, axis)
    return mode in (AXIS_ATTITUDE, AXIS_RATTITUDE, AXIS_WEAK_LEVELING)


@njit_part
def attitude_error(c: Any, m: Any, k: Any, o: Any) -> tuple[float, float, float]:
    """What is still to be turned, deg: the differences of the angles
    (ForceRollPitchDuringYawTransition), or the angles of the turn between both attitudes."""
    attitude_deg_of(o["quaternion"], o["attitude_deg"])
    desired, angles = o["attitude_desired"], o["attitude_deg"]
    if c["error_by_angles"] != 0:
        yaw = desired[_YAW] - angles[_YAW]
        yaw -= 360.0 * math.floor((yaw + 180.0) / 360.0)
        return desired[_ROLL] - angles[_ROLL], desired[_PITCH] - angles[_PITCH], yaw
    roll = math.radians(desired[_ROLL] if _holds_angle(m, _ROLL) else angles[_ROLL])
    pitch = math.radians(desired[_PITCH] if _holds_angle(m, _PITCH) else angles[_PITCH])
    yaw = math.radians(desired[_YAW] if _holds_angle(m, _YAW) else angles[_YAW])
    set_euler(k["target"], roll, pitch, yaw)
    x, y, z = euler_between(o["quaternion"], k["target"])
    return math.degrees(x), math.degrees(y), math.degrees(z)


@njit_part
def wanted_rate(c: Any, m: Any, k: Any, o: Any, axis: int, error: float) -> float:
    """What the mode of this axis asks for: a rate in deg/s, or the stick itself."""
    mode = axis_mode(m, axis)
    error -= k["gyro_ahead"][axis] * c["attitude_feedforward"][axis]
    if mode == AXIS_ATTITUDE:
        return _attitude_rate(c, k, axis, error)
    if mode == AXIS_RATTITUDE:
        return _rattitude_rate(c, m, k, axis, error)
    if mode == AXIS_WEAK_LEVELING:
        return _leveling_rate(c, m, axis, error)
    if mode == AXIS_RATE_TRAINER:
        return _trainer_rate(c, o, axis, m["axis_setpoint"][axis])
    return float(m["axis_setpoint"][axis])


@njit_part
def _attitude_rate(c: Any, k: Any, axis: int, error: float) -> float:
    """Rate in deg/s that takes the angle error out."""
    kp, ki, limit = c["attitude_pi"][axis]
    integral = clamp(k["attitude_integral"][axis] + error * ki * _OUTER_S, -limit, limit)
    k["attitude_integral"][axis] = integral
    return float(error * kp + integral)


@njit_part
def _stick(c: Any, m: Any, axis: int) -> float:
    """The stick position -1..1 behind a setpoint that is an angle."""
    return clamp(m["axis_setpoint"][axis] / max(c["maximum_angle"][axis], 1.0), -1.0, 1.0)


@njit_part
def _rattitude_rate(c: Any, m: Any, k: Any, axis: int, error: float) -> float:
    """Attitude about the middle of the stick, rate at its ends, weighed by the farther of the
    roll and pitch sticks; RattitudeModeTransition is where both weigh alike."""
    far = max(abs(_stick(c, m, _ROLL)), abs(_stick(c, m, _PITCH)))
    middle = clamp(c["rattitude_transition"], 0.1, 0.99)
    if far <= middle:
        weight = far * _GOLDEN / middle
    else:
        weight = _GOLDEN + (far - middle) * (1.0 - _GOLDEN) / (1.0 - middle)
    most = c["manual_rate"][axis]
    level = clamp(_attitude_rate(c, k, axis, error), -most, most)
    return float((1.0 - weight) * level + weight * _stick(c, m, axis) * most)


@njit_part
def _leveling_rate(c: Any, m: Any, axis: int, error: float) -> float:
    """The stick's rate, drawn towards the stick's angle."""
    most = c["max_weak_leveling_rate"]
    level = clamp(c["weak_leveling_kp"] * error, -most, most)
    return float(_stick(c, m, axis) * c["manual_rate"][axis] + level)


@njit_part
def _trainer_rate(c: Any, o: Any, axis: int, desired: float) -> float:
    """The desired rate, but none that leads beyond the largest angle of attitude mode."""
    if axis == _YAW:
        return desired
    kp, angle, most = c["attitude_pi"][axis][0], o["attitude_deg"][axis], c["maximum_angle"][axis]
    return clamp(desired, kp * (-most - angle), kp * (most - angle))
