"""Flown plan: a mission with its ending as waypoints, as a board holds and flies it, and back."""

import math
from dataclasses import replace
from typing import Final

from telemetry.missions.legs import height_above_home_m
from telemetry.missions.local_coordinates import MissionHome
from telemetry.missions.mission import LegAction, Mission, MissionWaypoint, place_of
from telemetry.missions.steps import LandStep, ReturnStep
from telemetry.missions.terrain.elevation import FLAT_GROUND, GroundHeights

_GOES_HOME: Final = LegAction(
    "GoToEndpoint", end_condition="DistanceToTarget", condition_parameters=(2.0, 0.0, 0.0, 0.0)
)
_LANDS: Final = LegAction("Land", end_condition="None")
_STAYS: Final = LegAction("GoToEndpoint", end_condition="None")
_SAME_M: Final = 0.05


def flown_plan(
    mission: Mission, home: MissionHome | None = None, ground: GroundHeights = FLAT_GROUND
) -> Mission:
    """The same with its ending as waypoints behind its own. A plan of no waypoints has none, and
    without a home one that returns lands where it is.

    Where a waypoint lands does not matter to a multirotor; an aeroplane glides in the direction
    from the waypoint before, so that it is the place of that one.
    """
    home = home or mission.home
    if mission.ending is None or not mission.waypoints:
        return mission
    added: tuple[MissionWaypoint, ...] = ()
    last = mission.waypoints[-1]
    if isinstance(mission.ending, ReturnStep) and home is not None:
        height_m = max(mission.ending.height_m, height_above_home_m(last, home, ground))
        last = MissionWaypoint(
            home.latitude_deg, home.longitude_deg, height_m, 0.0, action=_GOES_HOME
        )
        added = (last,)
    landing = replace(last, velocity_mps=0.0, action=_LANDS, name="", is_locked=False)
    return replace(mission, waypoints=(*mission.waypoints, *added, landing), home=home, ending=None)


def staying_at_the_end(flown: Mission) -> Mission:
    """A flown plan for a board that knows no landing in plans: it stays there instead."""
    last = flown.waypoints[-1]
    return flown.with_waypoints((*flown.waypoints[:-1], replace(last, action=_STAYS)))


def with_landing_recognized(flown: Mission, home: MissionHome) -> Mission:
    """The mission of a plan that was read from such a board."""
    if not flown.waypoints or flown.waypoints[-1].action != _STAYS:
        return flown
    lands = replace(flown.waypoints[-1], action=_LANDS)
    found = with_ending_recognized(flown.with_waypoints((*flown.waypoints[:-1], lands)), home)
    return flown if found.ending is None else found


def with_ending_recognized(flown: Mission, home: MissionHome) -> Mission:
    """The mission of a plan that was read from a board: waypoints that `flown_plan` would add are
    its ending."""
    count = len(flown.waypoints)
    if count < 2 or flown.waypoints[-1].action != _LANDS:
        return flown
    back = flown.waypoints[-2]
    endings = ((2, ReturnStep(back.height_m)), (1, LandStep()))
    for added, ending in endings:
        if count <= added:
            continue
        own = replace(flown, waypoints=flown.waypoints[:-added], ending=ending)
        if _is_same(flown_plan(own, home), flown, home):
            return own
    return flown


def _is_same(a: Mission, b: Mission, home: MissionHome) -> bool:
    return all(
        math.dist(place_of(x, home), place_of(y, home)) < _SAME_M
        and (x.height_m, x.height_reference) == (y.height_m, y.height_reference)
        and (x.velocity_mps, x.action) == (y.velocity_mps, y.action)
        for x, y in zip(a.waypoints, b.waypoints, strict=True)
    )


def waypoint_words(mission: Mission, index: int) -> str:
    """What to call waypoint `index` of the flown plan of a mission: "waypoint 3", "the return"."""
    beyond = index - len(mission.waypoints)
    if mission.ending is None or beyond < 0:
        return f"waypoint {index + 1}"
    returns = isinstance(mission.ending, ReturnStep) and beyond == 0
    return "the return" if returns else "the landing"
