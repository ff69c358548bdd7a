"""Mission legs in metres from home, in the order in which they are flown.

What ends a waypoint is known only in flight. The order assumes that every end condition holds at
last, except `None`, which ends nothing, and that none that is asked once holds at once.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from telemetry.missions.local_coordinates import MissionHome
from telemetry.missions.mission import (
    HeightReference,
    LegAction,
    Mission,
    MissionWaypoint,
    jump_target,
    place_of,
)
from telemetry.missions.terrain.elevation import FLAT_GROUND, GroundHeights
from telemetry.missions.waypoint_options import COMMAND_BY_NAME, MODE_BY_NAME

NorthEastUp = tuple[float, float, float]
CIRCLES: Final = {"CircleRight": 1.0, "CircleLeft": -1.0}
_FROM_WAYPOINT: Final = ("FollowVector", *CIRCLES)
_LONGEST_WAY: Final = 2000
_CIRCLE_STEPS: Final = 36
STEP_M: Final = 10.0
_MOST_STEPS: Final = 500


@dataclass(frozen=True, slots=True)
class MissionLeg:
    """The way to waypoint `index`. Metres north, east and up of home."""

    index: int
    waypoint: MissionWaypoint
    start: NorthEastUp
    end: NorthEastUp

    @property
    def mode(self) -> str:
        """How it is flown."""
        return self.waypoint.action.mode

    @property
    def points(self) -> tuple[NorthEastUp, ...]:
        """The path; a circle as a polygon, once round from `start`."""
        if self.mode not in CIRCLES:
            return self.start, self.end
        radius = math.dist(self.start[:2], self.end[:2])
        began = math.atan2(self.start[1] - self.end[1], self.start[0] - self.end[0])
        angles = (
            began + CIRCLES[self.mode] * 2.0 * math.pi * i / _CIRCLE_STEPS
            for i in range(_CIRCLE_STEPS + 1)
        )
        return tuple(
            (self.end[0] + radius * math.cos(a), self.end[1] + radius * math.sin(a), self.end[2])
            for a in angles
        )

    @property
    def length_m(self) -> float:
        """Of the path in space; a circle's circumference."""
        if self.mode in CIRCLES:
            return 2.0 * math.pi * math.dist(self.start[:2], self.end[:2])
        return math.dist(self.start, self.end)


def path_points(leg: MissionLeg, step_m: float = STEP_M) -> NDArray[np.float64]:
    """Points of a leg's path, shape (n, 3), at most `step_m` apart, both ends included."""
    parts = [np.array([leg.points[0]])]
    for a, b in pairwise(leg.points):
        steps = min(max(1, math.ceil(math.dist(a, b) / step_m)), _MOST_STEPS)
        parts.append(np.linspace(a, b, steps + 1)[1:])
    return np.concatenate(parts)


def points_along(leg: MissionLeg, step_m: float = STEP_M) -> list[NorthEastUp]:
    """The same as a list."""
    return [(north, east, up) for north, east, up in path_points(leg, step_m).tolist()]


def height_above_home_m(
    waypoint: MissionWaypoint, home: MissionHome, ground: GroundHeights = FLAT_GROUND
) -> float:
    """The height of a waypoint as a board takes it."""
    match waypoint.height_reference:
        case HeightReference.HOME:
            return waypoint.height_m
        case HeightReference.SEA:
            return waypoint.height_m - home.altitude_m
        case HeightReference.GROUND:
            place = waypoint.latitude_deg, waypoint.longitude_deg
            return waypoint.height_m + ground.above(home).height_m(*place)


def point_of(
    waypoint: MissionWaypoint, home: MissionHome, ground: GroundHeights = FLAT_GROUND
) -> NorthEastUp:
    """Where a waypoint is, metres from home."""
    north, east = place_of(waypoint, home)
    return north, east, height_above_home_m(waypoint, home, ground)


def legs_of(
    mission: Mission,
    home: MissionHome,
    ground: GroundHeights = FLAT_GROUND,
    take_off_m: float = 0.0,
) -> tuple[MissionLeg, ...]:
    """A leg to each waypoint in the order of the table, the first from above home or where the
    take-off ends.

    A line or circle begins at the waypoint before in the table, from wherever a jump came and
    whether it was flown to or not (updatePathDesired in pathplanner.c). Modes without a place stay
    where the one before ended; `take_off_m` is how high AutoTakeoff climbs there.
    """
    legs: list[MissionLeg] = []
    begins_m = 0.0 if mission.take_off is None else mission.take_off.height_m
    here: NorthEastUp = (0.0, 0.0, begins_m)
    before = here
    for index, waypoint in enumerate(mission.waypoints):
        point = point_of(waypoint, home, ground)
        start = before if waypoint.action.mode in _FROM_WAYPOINT else here
        here = _end(waypoint.action, point, here, take_off_m)
        legs.append(MissionLeg(index, waypoint, start, here))
        before = point
    return tuple(legs)


def flown_order(mission: Mission) -> Iterator[int]:
    """The numbers of the waypoints as they are flown: to the one that does not end, or until the
    plan repeats itself."""
    index, seen = 0, set()
    count = len(mission.waypoints)
    for _ in range(min(_LONGEST_WAY, 2 * count)):
        if index in seen or index >= count:
            return
        seen.add(index)
        yield index
        following = next_of(mission, index)
        if following is None:
            return
        index = following


def next_of(mission: Mission, index: int) -> int | None:
    """The waypoint after this one if its end condition holds at last; None if it never ends."""
    action = mission.waypoints[index].action
    command = COMMAND_BY_NAME.get(action.command)
    holds = action.end_condition != "None"
    if command is None or is_last(action):
        return None
    asked_once = bool(command.jumps_if) and bool(command.continues_if)
    if asked_once:
        holds = action.end_condition in ("Immediate", "PythonScript")
    elif False in command.jumps_if or False in command.continues_if:
        holds = False  # it waits for the condition to end
    if holds in command.jumps_if:
        return jump_target(action, index, len(mission.waypoints))
    if holds in command.continues_if:
        return index + 1 if index + 1 < len(mission.waypoints) else 0
    return None


def jumps_of(mission: Mission) -> Iterator[tuple[int, int]]:
    """From which waypoint a jump may lead to which, as far as both exist."""
    count = len(mission.waypoints)
    for index, waypoint in enumerate(mission.waypoints):
        command = COMMAND_BY_NAME.get(waypoint.action.command)
        if command is not None and command.jumps_if:
            yield index, jump_target(waypoint.action, index, count)


def is_last(action: LegAction) -> bool:
    """Whether the flight ends here: it disarms."""
    return action.mode in ("Land", "DisarmAlarm") and action.end_condition == "None"


def _end(
    action: LegAction, point: NorthEastUp, before: NorthEastUp, take_off_m: float
) -> NorthEastUp:
    mode = MODE_BY_NAME.get(action.mode)
    match action.mode:
        case "Land":
            return before[0], before[1], 0.0
        case "AutoTakeoff":
            return before[0], before[1], max(point[2], take_off_m)
    return point if mode is None or mode.has_place else before
