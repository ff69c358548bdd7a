"""Leg times: how long each leg of a mission takes, by the velocities that the path follower allows.

A velocity is not changed at once: what is lost by that at the beginning of a leg is the difference
times a time constant (`MissionAircraft.change_s` and `begin_s`), as a first-order system has it.
"""

import math
from collections.abc import Sequence
from typing import Final

from telemetry.missions.aircraft_limits import MissionAircraft
from telemetry.missions.legs import CIRCLES, MissionLeg
from telemetry.missions.steps import TakeOffStep

ARRIVED_M: Final = 3.0
"""A place where it stays counts as reached so near to it."""
_SLOWEST_MPS: Final = 0.1
_PIECES: Final = 64
_STOP_M: Final = 1.0
_DEFAULT_LANDING_MPS: Final = 0.6
_LANDING_S: Final = 6.0
"""It holds for 3 s before it sinks; 1 s of ground effect and 2 s of lowering the thrust end it
(TIMEOUT_INIT_ALTHOLD, TIMEOUT_GROUNDEFFECT and TIMEOUT_THRUSTDOWN of vtollandfsm.cpp)."""
_TAKING_OFF_S: Final = 6.0
"""From arming until it holds at AutoTakeOffHeight, besides climbing: as the simulated board flies
the slow start and the lowering of the thrust of vtolautotakeofffsm.cpp."""
_DEFAULT_TAKE_OFF_M: Final = 2.5
_NEAR_HEIGHT_M: Final = 0.8

_LEVEL: Final = (0.0, 0.0)


def leg_times_s(
    legs: Sequence[MissionLeg], order: Sequence[int], aircraft: MissionAircraft
) -> dict[int, float]:
    """How long each leg takes, by its waypoint, in the order in which they are flown; of one that
    stays, until it is there."""
    by_index = {leg.index: leg for leg in legs}
    times: dict[int, float] = {}
    before: MissionLeg | None = None
    for index in order:
        leg = by_index[index]
        first = by_index.get(index - 1)
        first_mps = first.waypoint.velocity_mps if first is not None else None
        time_s = leg_time_s(leg, aircraft, first_mps)
        time_s = _arrival_s(leg, aircraft) if time_s is None else time_s
        if time_s and _ends_by_distance(leg):
            time_s = max(time_s + _lost_s(leg, before, aircraft, first_mps), 0.0)
        times[index] = time_s
        before = leg
    return times


def take_off_s(step: TakeOffStep, aircraft: MissionAircraft) -> float:
    """From arming until the plan begins."""
    by_itself_m = aircraft.take_off_height_m or _DEFAULT_TAKE_OFF_M
    speed = aircraft.take_off_mps or _DEFAULT_LANDING_MPS
    rest_m = max(step.height_m - _NEAR_HEIGHT_M - by_itself_m, 0.0)
    return _TAKING_OFF_S + by_itself_m / speed + rest_m / (aircraft.climb_mps or math.inf)


def stays(leg: MissionLeg) -> bool:
    """Whether nothing ends a leg before a pilot does."""
    return leg.waypoint.action.end_condition == "None" and leg.mode != "Land"


def _arrival_s(leg: MissionLeg, aircraft: MissionAircraft) -> float:
    """How long it takes to a place where it stays."""
    if leg.mode != "GoToEndpoint":
        return 0.0
    distance_m = math.dist(leg.start, leg.end)
    return _approach_s(distance_m, leg, aircraft) if distance_m > ARRIVED_M else 0.0


def leg_time_s(
    leg: MissionLeg, aircraft: MissionAircraft, before_mps: float | None = None
) -> float | None:
    """How long a leg takes once it flies as it shall; None if nothing ends it. `before_mps`: the
    velocity of the waypoint before, by default that of its own."""
    action = leg.waypoint.action
    if action.mode == "Land":
        return _landing_s(leg, aircraft)
    if stays(leg):
        return None
    if action.end_condition == "TimeOut":
        return max(action.condition_parameters[0], 0.0)
    if action.end_condition in ("Immediate", "PythonScript"):
        return 0.0
    if action.mode == "AutoTakeoff":
        speed = aircraft.take_off_mps or _DEFAULT_LANDING_MPS
        return max(leg.end[2] - leg.start[2], 0.0) / speed
    if action.mode == "GoToEndpoint":
        level_s = _approach_s(math.dist(leg.start[:2], leg.end[:2]), leg, aircraft)
    else:
        level_s = leg.length_m * share_round(leg) * _seconds_per_metre(leg, aircraft, before_mps)
    if _ends_over_ground(leg):
        return level_s
    climb_s = abs(leg.end[2] - leg.start[2]) / (aircraft.climb_mps or math.inf)
    return max(level_s, climb_s)


def share_round(leg: MissionLeg) -> float:
    """A circle is half complete where it begins, by which LegRemaining goes (path_circle)."""
    action = leg.waypoint.action
    if leg.mode not in CIRCLES or action.end_condition != "LegRemaining":
        return 1.0
    return max(0.5 - action.condition_parameters[0], 0.0)


def _landing_s(leg: MissionLeg, aircraft: MissionAircraft) -> float:
    sinking_s = max(leg.start[2] - leg.end[2], 0.0) / (aircraft.landing_mps or _DEFAULT_LANDING_MPS)
    return sinking_s + (_LANDING_S if aircraft.change_s is not None else 0.0)


def _ends_by_distance(leg: MissionLeg) -> bool:
    ends = leg.waypoint.action.end_condition in ("LegRemaining", "DistanceToTarget", "None")
    return ends and leg.mode in ("FollowVector", "GoToEndpoint")


def _ends_over_ground(leg: MissionLeg) -> bool:
    """Whether height does not count for where it ends."""
    action = leg.waypoint.action
    return action.end_condition == "DistanceToTarget" and action.condition_parameters[1] == 0.0


def _reach_m(leg: MissionLeg) -> float:
    """How near to its end a leg counts as flown."""
    action = leg.waypoint.action
    match action.end_condition:
        case "DistanceToTarget":
            return action.condition_parameters[0]
        case "None":
            return ARRIVED_M
        case "LegRemaining" if leg.mode == "GoToEndpoint":
            return max(action.condition_parameters[0] * leg.length_m, _STOP_M)
    return 0.0


def _lost_s(
    leg: MissionLeg,
    before: MissionLeg | None,
    aircraft: MissionAircraft,
    first_mps: float | None,
) -> float:
    """What turning and accelerating cost at its beginning; less than nothing where the leg before
    has brought speed along that way."""
    if aircraft.change_s is None or aircraft.begin_s is None:
        return 0.0
    north, east = _direction(leg)
    begins_mps = max(_begins_mps(leg, aircraft, first_mps), _SLOWEST_MPS)
    along_mps, short_m, is_same_mode = 0.0, 0.0, False
    if before is not None:
        before_north, before_east = _direction(before)
        cosine = north * before_north + east * before_east
        along_mps = cosine * _ends_mps(before, aircraft)
        short_m = cosine * _reach_m(before)
        is_same_mode = before.mode == leg.mode
    constant_s = aircraft.change_s if is_same_mode else aircraft.begin_s
    return ((begins_mps - along_mps) * constant_s + short_m) / begins_mps


def _direction(leg: MissionLeg) -> tuple[float, float]:
    """Over ground, of length 1; none of a leg that leads nowhere."""
    north, east = leg.end[0] - leg.start[0], leg.end[1] - leg.start[1]
    length = math.hypot(north, east)
    is_line = leg.mode in ("FollowVector", "GoToEndpoint") and length > 0.0
    return (north / length, east / length) if is_line else _LEVEL


def _begins_mps(leg: MissionLeg, aircraft: MissionAircraft, first_mps: float | None) -> float:
    if leg.mode == "GoToEndpoint":
        return _going_mps(math.dist(leg.start[:2], leg.end[:2]), leg, aircraft)
    return _capped(leg.waypoint.velocity_mps if first_mps is None else first_mps, aircraft)


def _ends_mps(leg: MissionLeg, aircraft: MissionAircraft) -> float:
    if leg.mode == "GoToEndpoint":
        return _going_mps(_reach_m(leg), leg, aircraft)
    return _capped(leg.waypoint.velocity_mps, aircraft)


def _going_mps(distance_m: float, leg: MissionLeg, aircraft: MissionAircraft) -> float:
    """GoToEndpoint so far from its end."""
    gain = aircraft.position_gain or 0.0
    wanted_mps = max(leg.waypoint.velocity_mps, 0.0) + gain * distance_m
    return min(wanted_mps, aircraft.fastest_mps or math.inf)


def _seconds_per_metre(
    leg: MissionLeg, aircraft: MissionAircraft, before_mps: float | None
) -> float:
    """Along a line the velocity changes evenly with the way (path_vector in paths.c)."""
    last = leg.waypoint.velocity_mps
    first = last if leg.mode != "FollowVector" or before_mps is None else before_mps
    shares = ((i + 0.5) / _PIECES for i in range(_PIECES))
    velocities = (first + share * (last - first) for share in shares)
    return sum(1.0 / _capped(velocity, aircraft) for velocity in velocities) / _PIECES


def _capped(speed: float, aircraft: MissionAircraft) -> float:
    speed = min(speed, aircraft.fastest_mps or math.inf)
    return max(speed, aircraft.slowest_mps or 0.0, _SLOWEST_MPS)


def _approach_s(distance_m: float, leg: MissionLeg, aircraft: MissionAircraft) -> float:
    """GoToEndpoint: velocity + gain x distance, up to HorizontalVelMax (path_endpoint in paths.c,
    ControlPositionWithPath in pidcontrolne.cpp)."""
    gain, velocity = aircraft.position_gain, max(leg.waypoint.velocity_mps, 0.0)
    reach_m = max(_reach_m(leg), _STOP_M)
    if not gain or aircraft.fastest_mps is None:
        return distance_m / _capped(velocity, aircraft)
    fastest = aircraft.fastest_mps
    near_m = max((fastest - velocity) / gain, reach_m)
    far_s = max(distance_m - near_m, 0.0) / max(fastest, _SLOWEST_MPS)
    begins, ends = velocity + gain * min(distance_m, near_m), velocity + gain * reach_m
    return far_s + max(math.log(begins / ends), 0.0) / gain if begins > 0.0 else far_s
