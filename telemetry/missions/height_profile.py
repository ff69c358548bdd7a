"""Height profile: the way along a mission with its height and that of the ground."""

import math
from dataclasses import dataclass
from itertools import pairwise

from telemetry.missions.legs import MissionLeg, flown_order, points_along
from telemetry.missions.local_coordinates import MissionHome, to_latitude_longitude
from telemetry.missions.mission import Mission
from telemetry.missions.terrain.elevation import GroundHeights


@dataclass(frozen=True, slots=True)
class ProfilePoint:
    """`distance_m` along the way over ground, heights in metres above home. `is_known`: whether a
    map tells the ground; else it is taken for flat. `waypoint` is that of the leg."""

    distance_m: float
    height_m: float
    ground_m: float
    is_known: bool
    waypoint: int


def height_profile(
    mission: Mission,
    legs: tuple[MissionLeg, ...],
    home: MissionHome,
    ground: GroundHeights,
    step_m: float = 10.0,
) -> tuple[ProfilePoint, ...]:
    """Points along the legs in the order in which they are flown, at most `step_m` apart."""
    by_index = {leg.index: leg for leg in legs}
    above = ground.above(home)
    points: list[ProfilePoint] = []
    distance = 0.0
    for index in flown_order(mission):
        along = points_along(by_index[index], step_m)
        steps = [0.0, *(math.dist(a[:2], b[:2]) for a, b in pairwise(along))]
        for (north, east, up), step in zip(along, steps, strict=True):
            distance += step
            below = None
            if ground.maps:
                below = above.known_m(*to_latitude_longitude(home, north, east))
            points.append(ProfilePoint(distance, up, below or 0.0, below is not None, index))
    return tuple(points)
