"""Stabilization: attitude to rate to actuator, per axis, and thrust.

The rate loop runs at every IMU sample, by the rates that the attitude loop wanted after the sample
before (callback priorities of LibrePilot's innerloop.c and outerloop.c). A change of an axis's mode
clears its integral; so does every sample while it is idle.
"""

from typing import Any

from simulation.compiler.decorators import njit_part
from simulation.control.altitude_loop import hold_height
from simulation.control.cruise_control import raised_thrust, set_cruise_factor
from simulation.control.guidance import holds_height
from simulation.control.inner_loop import (
    acro_actuator,
    bar_actuator,
    lock_rate,
    rate_actuator,
    turn_with_body,
)
from simulation.control.outer_loop import (
    OUTER_PERIOD,
    attitude_error,
    axis_mode,
    set_attitude_desired,
    wanted_rate,
)
from simulation.mathematics.rotation import clamp
from simulation.records.interface import (
    AXIS_ACRO,
    AXIS_LOCK,
    AXIS_MANUAL,
    AXIS_RATE,
    AXIS_VIRTUAL_BAR,
    VERTICAL_MANUAL,
)

_ROLL, _PITCH, _YAW = range(3)
_NO_MODE = -1
_LEAST_LIMIT = 1e-3


@njit_part
def _smooth_gyro(c: Any, k: Any, o: Any) -> None:
    """Low-pass by GyroTau, for control, and by AttitudeFeedForward, for that."""
    for i in range(3):
        keep, ahead = c["gyro_keep"], c["gyro_ahead_keep"][i]
        k["gyro_smooth"][i] = keep * k["gyro_smooth"][i] + (1.0 - keep) * o["rates"][i]
        k["gyro_ahead"][i] = ahead * k["gyro_ahead"][i] + (1.0 - ahead) * o["rates"][i]


@njit_part
def _inner_mode(m: Any, axis: int) -> int:
    """Which rate loop serves the mode of this axis, as one of those modes."""
    mode = axis_mode(m, axis)
    is_own = mode in (AXIS_MANUAL, AXIS_LOCK, AXIS_ACRO, AXIS_VIRTUAL_BAR)
    return mode if is_own else AXIS_RATE


@njit_part
def _is_direct(m: Any, axis: int) -> bool:
    """Whether the attitude loop leaves this axis alone."""
    return axis_mode(m, axis) == AXIS_RATE or _inner_mode(m, axis) != AXIS_RATE


@njit_part
def _actuator(c: Any, m: Any, k: Any, o: Any, axis: int) -> float:
    mode, wanted = _inner_mode(m, axis), o["rate_desired"][axis]
    if mode == AXIS_MANUAL:
        return float(wanted)
    if mode == AXIS_VIRTUAL_BAR:
        return bar_actuator(c, k, axis, clamp(wanted, -1.0, 1.0))
    if mode == AXIS_ACRO:
        return acro_actuator(c, m, k, o, axis)
    if mode == AXIS_LOCK:
        wanted = lock_rate(c, k, axis, wanted)
    return rate_actuator(c, m, k, o, (axis, wanted, 0.0))


@njit_part
def _run_rate_loop(c: Any, m: Any, k: Any, o: Any) -> None:
    for axis in range(3):
        mode = _inner_mode(m, axis)
        if mode != k["was_inner"][axis]:
            k["rate_integral"][axis] = 0.0
            k["lock_angle"][axis] = 0.0
            k["vbar_angle"][axis] = 0.0
        k["was_inner"][axis] = mode
        value = _actuator(c, m, k, o, axis)
        if c["is_multirotor"] == 0:  # others are limited once their motors are mixed
            value = clamp(value, -1.0, 1.0)
        o["actuator_desired"][axis] = value
    raises = m["vertical_mode"] != VERTICAL_MANUAL or m["cruise"] != 0
    thrust = k["thrust_wanted"]
    o["actuator_desired"][3] = raised_thrust(c, k, thrust) if raises else thrust


@njit_part
def _turn_integrals(c: Any, m: Any, k: Any) -> None:
    """What roll and pitch have accumulated stays where it is in the world while the body yaws
    (EnablePiroComp), unless one of them levels itself."""
    roll, pitch = c["rate_pid"][_ROLL][3], c["rate_pid"][_PITCH][3]
    can = roll > _LEAST_LIMIT and pitch > _LEAST_LIMIT
    if c["piro_compensation"] == 0 or not (can and _is_direct(m, _ROLL) and _is_direct(m, _PITCH)):
        return
    k["rate_integral"][_ROLL] /= roll
    k["rate_integral"][_PITCH] /= pitch
    turn_with_body(k["rate_integral"], k["gyro_smooth"][_YAW])
    k["rate_integral"][_ROLL] *= roll
    k["rate_integral"][_PITCH] *= pitch


@njit_part
def _run_attitude_loop(c: Any, m: Any, k: Any, o: Any) -> None:
    set_attitude_desired(m, k, o)
    error = attitude_error(c, m, k, o)
    for axis in range(3):
        mode = axis_mode(m, axis)
        if mode != k["was_outer"][axis]:
            k["attitude_integral"][axis] = 0.0
        k["was_outer"][axis] = mode
        o["rate_desired"][axis] = wanted_rate(c, m, k, o, axis, error[axis])
    k["thrust_wanted"] = -1.0 if m["armed"] == 0 else k["thrust"]
    set_cruise_factor(c, k, o)


@njit_part
def stabilize(c: Any, m: Any, k: Any, o: Any, step: int) -> None:
    """One IMU sample. `c` settings, `m` command, `k` memory."""
    low = c["low_throttle_zero_integral"] != 0 and m["throttle_stick"] < 0.0
    idle = m["armed"] == 0 or low
    _smooth_gyro(c, k, o)
    if c["vbar_piro_compensation"] != 0:
        turn_with_body(k["vbar_angle"], k["gyro_smooth"][_YAW])
    _run_rate_loop(c, m, k, o)
    _turn_integrals(c, m, k)
    if step % OUTER_PERIOD == 0:
        _run_attitude_loop(c, m, k, o)
    if holds_height(m):
        hold_height(c, m, k, o, idle)
    else:
        k["was_height_held"] = 0
    if idle:
        for axis in range(3):
            k["was_inner"][axis] = k["was_outer"][axis] = _NO_MODE
