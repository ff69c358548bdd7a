"""Outer loops at 50 Hz: position to velocity to tilt and thrust, take-off and landing."""

import math
from typing import Any

from simulation.compiler.decorators import njit_part
from simulation.mathematics.rotation import clamp
from simulation.records.interface import (
    HORIZONTAL_BRAKE,
    HORIZONTAL_NONE,
    HORIZONTAL_POSITION,
    HORIZONTAL_VELOCITY,
    STEP_S,
    VERTICAL_HOLD,
    VERTICAL_LAND,
    VERTICAL_MANUAL,
    VERTICAL_PATH,
    VERTICAL_TAKEOFF,
    VERTICAL_VARIO,
)

PERIOD = 20
"""Steps between runs."""
DT = PERIOD * STEP_S

_NORTH, _EAST, _DOWN = range(3)
_INTEGRAL, _DERIVATIVE, _LAST = range(3)
_STILL_SPEED = 0.2  # m/s
_TOUCHDOWN_STEPS = 20  # 0.4 s of standing still with little thrust
_LITTLE_THRUST = 0.7  # share of neutral


@njit_part
def _weighted_pid(gains: Any, memory: Any, sample: Any, limits: Any) -> float:
    """PID with weighted setpoint and derivative on the measurement, output within `limits`.

    `gains` is [Kp, Ki, Kd, Beta], `memory` [integral, derivative, last measurement], `sample`
    (setpoint, measurement, dt). The integral stops where the output would leave its limits.
    """
    target, measured, dt = sample
    slope = -gains[2] * (measured - memory[_LAST]) / dt
    memory[_LAST] = measured
    memory[_DERIVATIVE] += 0.3 * (slope - memory[_DERIVATIVE])
    free = gains[0] * (gains[3] * target - measured) + memory[_DERIVATIVE]
    memory[_INTEGRAL] += gains[1] * dt * (target - measured)
    if gains[1] > 0.0:
        memory[_INTEGRAL] = clamp(memory[_INTEGRAL], limits[0] - free, limits[1] - free)
    return clamp(free + memory[_INTEGRAL], limits[0], limits[1])


@njit_part
def _prime(gains: Any, memory: Any, sample: Any, output: float) -> None:
    """Start the controller so that its first output is `output`: a bumpless transfer."""
    target, measured, _ = sample
    memory[_LAST] = measured
    memory[_DERIVATIVE] = 0.0
    memory[_INTEGRAL] = output - gains[0] * (gains[3] * target - measured)


@njit_part
def _way(m: Any, o: Any, axis: int, ahead_s: float) -> float:
    """From where it will be to the target, along one axis of NED."""
    target = m["north_m"] if axis == _NORTH else m["east_m"] if axis == _EAST else m["down_m"]
    return float(target - o["position"][axis] - ahead_s * o["velocity"][axis])


@njit_part
def _ahead_s(c: Any, m: Any) -> float:
    """Towards an end point in space it goes by where it will be."""
    is_in_space = (
        m["vertical_mode"] == VERTICAL_PATH and m["horizontal_mode"] == HORIZONTAL_POSITION
    )
    return float(c["course_feedforward_s"]) if is_in_space else 0.0


@njit_part
def _onward(c: Any, m: Any, o: Any) -> float:
    """What the speed at the target makes of the way there, 1/s (path_endpoint of LibrePilot's
    paths.c)."""
    if m["end_speed"] == 0.0:
        return 0.0
    ahead_s = _ahead_s(c, m)
    north, east, down = _way(m, o, 0, ahead_s), _way(m, o, 1, ahead_s), _way(m, o, 2, ahead_s)
    distance = math.sqrt(north * north + east * east + down * down)
    return float(m["end_speed"] / distance) if distance > 1e-6 else 0.0


@njit_part
def _vertical_velocity(c: Any, m: Any, o: Any) -> float:
    """The velocity down to fly, m/s."""
    mode = m["vertical_mode"]
    if mode in (VERTICAL_VARIO, VERTICAL_LAND):
        return float(m["velocity_down"])
    gain, most = c["vertical_position_p"], c["vertical_velocity_max"]
    if mode == VERTICAL_HOLD:
        gain, most = c["altitude_hold_position_p"], c["altitude_hold_rate"]
    elif mode == VERTICAL_TAKEOFF:
        most = abs(m["velocity_down"])
    if mode == VERTICAL_PATH and m["horizontal_mode"] == HORIZONTAL_POSITION:
        gain += _onward(c, m, o)
    desired = gain * _way(m, o, _DOWN, _ahead_s(c, m))
    if mode == VERTICAL_PATH:
        desired += m["velocity_down"]
    return clamp(desired, -most, most)


@njit_part
def _guide_vertical(c: Any, m: Any, k: Any, o: Any) -> None:
    """Set the thrust from vertical velocity; more thrust means less velocity down."""
    mode = m["vertical_mode"]
    desired = _vertical_velocity(c, m, o)
    o["velocity_desired"][_DOWN] = desired
    gains = c["altitude_hold_velocity_pid"]
    if mode == VERTICAL_PATH:
        gains = c["vertical_velocity_pid"]
    elif mode == VERTICAL_TAKEOFF:
        gains = c["takeoff_velocity_pid"]
    elif mode == VERTICAL_LAND:
        gains = c["land_velocity_pid"]
    hold = mode in (VERTICAL_VARIO, VERTICAL_HOLD)
    low, neutral, high = c["altitude_hold_thrust"] if hold else c["vertical_thrust"]
    limits = (neutral - high, neutral - low)
    sample = (desired, o["velocity"][_DOWN], DT)
    memory = k["velocity_pid"][_DOWN]
    if mode != k["was_vertical"]:
        _prime(gains, memory, sample, neutral - clamp(k["thrust"], low, high))
    k["thrust"] = neutral - _weighted_pid(gains, memory, sample, limits)


@njit_part
def _detect_touchdown(c: Any, m: Any, k: Any, o: Any) -> None:
    """Landed once it has not moved for a while although little thrust carries it."""
    if o["landed"] == 0:
        still = abs(o["velocity"][_DOWN]) < _STILL_SPEED
        little = k["thrust"] < _LITTLE_THRUST * c["vertical_thrust"][1]
        k["still_steps"] = k["still_steps"] + 1 if still and little else 0
    else:
        k["still_steps"] += 1
    if k["still_steps"] >= _TOUCHDOWN_STEPS:
        o["landed"] = 1
        k["thrust"] = -1.0


@njit_part
def _horizontal_velocity(c: Any, m: Any, o: Any) -> tuple[float, float]:
    if m["horizontal_mode"] != HORIZONTAL_POSITION:
        return m["velocity_north"], m["velocity_east"]
    most, ahead_s = c["horizontal_velocity_max"], _ahead_s(c, m)
    gain = c["horizontal_position_p"] + _onward(c, m, o)
    north = gain * _way(m, o, _NORTH, ahead_s)
    east = gain * _way(m, o, _EAST, ahead_s)
    size = math.sqrt(north * north + east * east)
    scale = most / size if size > most else 1.0
    return north * scale, east * scale


@njit_part
def _guide_horizontal(c: Any, m: Any, k: Any, o: Any) -> None:
    """Set the roll and pitch that accelerate towards the desired velocity, degrees."""
    gains, most = c["horizontal_velocity_pid"], c["max_roll_pitch"]
    ahead = c["velocity_feedforward"]
    if m["horizontal_mode"] == HORIZONTAL_VELOCITY:
        gains, most = c["roam_velocity_pid"], c["roam_max_roll_pitch"]
    elif m["horizontal_mode"] == HORIZONTAL_BRAKE:
        gains, most = c["brake_velocity_pid"], c["brake_max_roll_pitch"]
        ahead = c["brake_velocity_feedforward"]
    desired = _horizontal_velocity(c, m, o)
    tilt = k["tilt_command"]
    for axis in range(2):
        tilt[axis] = _tilt(k, o, gains, (axis, desired[axis], most, ahead))
    north, east = tilt[0], tilt[1]
    size = math.sqrt(north * north + east * east)
    if size > most:
        north *= most / size
        east *= most / size
    yaw = math.radians(o["attitude_deg"][2])
    tilt[0] = -math.sin(yaw) * north + math.cos(yaw) * east
    tilt[1] = -math.cos(yaw) * north - math.sin(yaw) * east


@njit_part
def _tilt(k: Any, o: Any, gains: Any, demand: Any) -> float:
    """Tilt towards one axis of NED, deg; `demand` is (axis, desired velocity, limit, deg that a
    desired velocity is worth)."""
    axis, desired, most, ahead = demand
    o["velocity_desired"][axis] = desired
    memory = k["velocity_pid"][axis]
    step = (desired, o["velocity"][axis], DT)
    if k["was_horizontal"] == HORIZONTAL_NONE:
        _prime(gains, memory, step, _present_tilt(o, axis))
    tilt = _weighted_pid(gains, memory, step, (-most, most))
    return clamp(tilt + ahead * desired, -most, most)


@njit_part
def _present_tilt(o: Any, axis: int) -> float:
    """How far it leans towards north or east now, deg: where horizontal control begins."""
    yaw = math.radians(o["attitude_deg"][2])
    roll, pitch = o["attitude_deg"][0], o["attitude_deg"][1]
    if axis == _NORTH:
        return float(-math.cos(yaw) * pitch - math.sin(yaw) * roll)
    return float(-math.sin(yaw) * pitch + math.cos(yaw) * roll)


@njit_part
def guide(c: Any, m: Any, k: Any, o: Any) -> None:
    """One run of the outer loops. `c` settings, `m` command, `k` memory."""
    if m["armed"] == 0:
        k["thrust"] = -1.0
        k["was_vertical"] = VERTICAL_MANUAL
        k["was_horizontal"] = HORIZONTAL_NONE
    for i in range(3):
        o["velocity_desired"][i] = 0.0
    if m["vertical_mode"] != VERTICAL_LAND or m["armed"] == 0:
        o["landed"] = 0
        k["still_steps"] = 0
    if m["armed"] == 0:
        return
    if m["vertical_mode"] != VERTICAL_MANUAL and o["landed"] == 0:
        _guide_vertical(c, m, k, o)
    if m["vertical_mode"] == VERTICAL_LAND:
        _detect_touchdown(c, m, k, o)
    k["was_vertical"] = m["vertical_mode"]
    if m["horizontal_mode"] != HORIZONTAL_NONE:
        if o["position_valid"] != 0 and o["landed"] == 0:
            _guide_horizontal(c, m, k, o)
            k["was_horizontal"] = m["horizontal_mode"]
        else:
            k["tilt_command"][0] = k["tilt_command"][1] = 0.0
            k["was_horizontal"] = HORIZONTAL_NONE
    else:
        k["was_horizontal"] = HORIZONTAL_NONE


@njit_part
def take_manual_thrust(m: Any, k: Any) -> None:
    """At the inner loops' rate: the stick is thrust."""
    if m["armed"] != 0 and m["vertical_mode"] == VERTICAL_MANUAL:
        k["thrust"] = clamp(m["thrust"], -1.0, 1.0)
