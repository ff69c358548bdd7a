"""Inner loops at the IMU's rate: attitude to rate to actuator, per axis, and thrust."""

from typing import Any

from simulation.compiler.decorators import njit_part
from simulation.control.cruise_control import raised_thrust
from simulation.control.inner_loop import (
    acro_actuator,
    bar_actuator,
    rate_actuator,
    turn_with_body,
)
from simulation.control.outer_loop import (
    attitude_error,
    axis_mode,
    set_attitude_desired,
    wanted_rate,
)
from simulation.mathematics.rotation import clamp
from simulation.records.interface import AXIS_ACRO, AXIS_MANUAL, AXIS_VIRTUAL_BAR

_YAW = 2


@njit_part
def _clear(k: Any, o: Any, axis: int) -> None:
    k["rate_integral"][axis] = 0.0
    k["rate_derivative"][axis] = 0.0
    k["rate_last"][axis] = -o["rates"][axis]
    k["attitude_integral"][axis] = 0.0
    k["lock_angle"][axis] = 0.0
    k["vbar_angle"][axis] = 0.0


@njit_part
def _actuator(c: Any, m: Any, k: Any, o: Any, axis: int) -> float:
    mode = axis_mode(m, axis)
    if mode == AXIS_VIRTUAL_BAR:
        return bar_actuator(c, k, o, axis, clamp(m["axis_setpoint"][axis], -1.0, 1.0))
    if mode == AXIS_ACRO:
        return acro_actuator(c, m, k, o, axis)
    return rate_actuator(c, m, k, o, axis, 0.0)


@njit_part
def stabilize(c: Any, m: Any, k: Any, o: Any) -> None:
    """Set rates and actuators desired. `c` settings, `m` command, `k` memory."""
    set_attitude_desired(m, k, o)
    error = attitude_error(m, k, o)
    idle = m["armed"] == 0 or (c["low_throttle_zero_integral"] != 0 and k["thrust"] <= 0.0)
    if c["piro_compensation"] != 0:
        turn_with_body(k["rate_integral"], o["rates"][_YAW])
    if c["vbar_piro_compensation"] != 0:
        turn_with_body(k["vbar_angle"], o["rates"][_YAW])
    for axis in range(3):
        desired = wanted_rate(c, m, k, o, axis, error[axis])
        manual = axis_mode(m, axis) == AXIS_MANUAL
        if manual or idle:
            _clear(k, o, axis)
        if manual:
            o["rate_desired"][axis] = 0.0
            o["actuator_desired"][axis] = clamp(m["axis_setpoint"][axis], -1.0, 1.0)
        else:
            o["rate_desired"][axis] = desired
            o["actuator_desired"][axis] = _actuator(c, m, k, o, axis)
    o["actuator_desired"][3] = raised_thrust(c, m, k, o)
