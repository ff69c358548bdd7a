"""Path follower's loops at 50 Hz: position to velocity to tilt and thrust, take-off and landing.

The laws are those of LibrePilot's pidcontroldown.cpp and pidcontrolne.cpp. A controller is started
when its count in COMMAND moves, and only then: it goes on through the states of a landing or a
take-off, on the ground and disarmed too, where its integrals follow the estimate. Who counts
nothing (a bench) has it started by a change of its mode, or by arming.
"""

import math
from typing import Any

from simulation.compiler.decorators import njit_part, njit_shared
from simulation.control.velocity_pid import run_pid, start_pid
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
_STILL_SPEED = 0.2  # m/s
_TOUCHDOWN_STEPS = 20  # 0.4 s of standing still with little thrust
_LITTLE_THRUST = 0.7  # share of neutral


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
def holds_height(m: Any) -> bool:
    """Whether thrust is the altitude loop's, by AltitudeHoldSettings."""
    return bool(m["vertical_mode"] == VERTICAL_VARIO or m["vertical_mode"] == VERTICAL_HOLD)


@njit_part
def follows_path(m: Any) -> bool:
    """Whether thrust is the path follower's."""
    return bool(m["vertical_mode"] != VERTICAL_MANUAL and not holds_height(m))


@njit_part
def _vertical_velocity(c: Any, m: Any, o: Any) -> float:
    """The velocity down to fly, m/s."""
    mode = m["vertical_mode"]
    if mode == VERTICAL_LAND or m["keeps_velocity"] != 0:
        return float(m["velocity_down"])
    gain, most = c["vertical_position_p"], c["vertical_velocity_max"]
    if mode == VERTICAL_TAKEOFF:
        most = abs(m["velocity_down"])
    elif m["horizontal_mode"] == HORIZONTAL_POSITION:
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
    gains = c["vertical_velocity_pid"]
    if mode == VERTICAL_TAKEOFF:
        gains = c["takeoff_velocity_pid"]
    elif mode == VERTICAL_LAND:
        gains = c["land_velocity_pid"]
    low, neutral, high = c["vertical_thrust"]
    first = clamp(k["thrust"], low, high)
    if m["vertical_starts"] != 0:
        first = m["start_thrust"]
    if m["thrust_bounded"] != 0:
        low, high = m["thrust_bounds"]
    sample = (desired, o["velocity"][_DOWN], DT)
    memory, law = k["velocity_pid"][_DOWN], (neutral, -1.0)
    if _starts(m["vertical_starts"], k["vertical_starts"], mode != k["was_vertical"]):
        start_pid(gains, memory, sample, law, first)
        k["vertical_starts"] = m["vertical_starts"]
    k["thrust"] = run_pid(gains, memory, sample, law, (low, high))


@njit_part
def _starts(count: int, seen: int, is_other: bool) -> bool:
    """Whether a controller begins."""
    return count != seen if count != 0 else is_other


@njit_part
def _detect_touchdown(c: Any, m: Any, k: Any, o: Any) -> None:
    """For a bench, where no module says how far it has landed: once it has not moved for a while
    although little thrust carries it."""
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
    """Set the roll and pitch that accelerate towards the desired velocity, degrees; each of north,
    east, roll and pitch has the limit."""
    gains, most = c["horizontal_velocity_pid"], c["max_roll_pitch"]
    ahead = c["velocity_feedforward"]
    if m["horizontal_mode"] == HORIZONTAL_VELOCITY:
        gains, most = c["roam_velocity_pid"], c["roam_max_roll_pitch"]
    elif m["horizontal_mode"] == HORIZONTAL_BRAKE:
        gains, most = c["brake_velocity_pid"], c["brake_max_roll_pitch"]
        ahead = c["brake_velocity_feedforward"]
    desired = _horizontal_velocity(c, m, o)
    begins = _starts(
        m["horizontal_starts"], k["horizontal_starts"], k["was_horizontal"] == HORIZONTAL_NONE
    )
    k["horizontal_starts"] = m["horizontal_starts"]
    tilt = k["tilt_command"]
    for axis in range(2):
        tilt[axis] = _tilt(k, o, gains, (axis, desired[axis], most, ahead, begins))
    north, east = tilt[0], tilt[1]
    yaw = math.radians(o["attitude_deg"][2])
    tilt[0] = clamp(-math.sin(yaw) * north + math.cos(yaw) * east, -most, most)
    tilt[1] = clamp(-math.cos(yaw) * north - math.sin(yaw) * east, -most, most)


@njit_part
def _tilt(k: Any, o: Any, gains: Any, demand: Any) -> float:
    """Tilt towards one axis of NED, deg; `demand` is (axis, desired velocity, limit, deg that a
    desired velocity is worth, whether it begins: level, wherever it leans)."""
    axis, desired, most, ahead, begins = demand
    o["velocity_desired"][axis] = desired
    memory = k["velocity_pid"][axis]
    sample, law = (desired, o["velocity"][axis], DT), (ahead * desired, 1.0)
    if begins:
        start_pid(gains, memory, sample, law, 0.0)
    return run_pid(gains, memory, sample, law, (-most, most))


@njit_part
def _is_idle(m: Any) -> bool:
    """Whether nothing runs: it is disarmed, and nobody counts starts."""
    counts = m["vertical_starts"] != 0 or m["horizontal_starts"] != 0
    return bool(m["armed"] == 0 and not counts)


@njit_shared
def guide(c: Any, m: Any, k: Any, o: Any) -> None:
    """One run of the outer loops. `c` settings, `m` command, `k` memory."""
    for i in range(3):
        o["velocity_desired"][i] = 0.0
    idle = _is_idle(m)
    if idle:
        k["thrust"] = -1.0
        k["was_vertical"] = VERTICAL_MANUAL
        k["was_horizontal"] = HORIZONTAL_NONE
    if m["vertical_mode"] != VERTICAL_LAND or idle:
        o["landed"] = 0
        k["still_steps"] = 0
    if idle:
        return
    if follows_path(m) and o["landed"] == 0:
        _guide_vertical(c, m, k, o)
        o["thrust_desired"] = k["thrust"]
    if m["vertical_mode"] == VERTICAL_LAND and m["vertical_starts"] == 0:
        _detect_touchdown(c, m, k, o)
    k["was_vertical"] = m["vertical_mode"]
    if m["horizontal_mode"] == HORIZONTAL_NONE:
        k["was_horizontal"] = HORIZONTAL_NONE
    elif o["position_valid"] != 0 and o["landed"] == 0:
        _guide_horizontal(c, m, k, o)
        k["was_horizontal"] = m["horizontal_mode"]
    else:
        k["tilt_command"][0] = k["tilt_command"][1] = 0.0
        k["was_horizontal"] = HORIZONTAL_NONE
