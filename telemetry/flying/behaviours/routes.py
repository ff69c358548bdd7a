"""Routes of behaviours: stay, fly waypoints, orbit.

Each says where it wants to go from a pose; places are latitude and longitude in degrees, heights
metres above home. Points may be added to a route while it is flown.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from telemetry.flying.behaviours.pose import PilotPose
from telemetry.flying.behaviours.steering import Course, towards

ARRIVED_M: Final = 2.0
_CIRCLE_PER_S: Final = 0.5


@dataclass(frozen=True, slots=True)
class WorldPoint:
    """A place on earth in degrees, and a height above home in metres."""

    latitude_deg: float
    longitude_deg: float
    height_m: float

    @property
    def place(self) -> tuple[float, float]:
        """Latitude and longitude."""
        return self.latitude_deg, self.longitude_deg


class Route(Protocol):
    """Says where to go. Called from the transmitter's thread."""

    name: str

    def course(self, pose: PilotPose) -> Course | None:
        """Where to go from here; None if that cannot be said, and nothing is flown."""


class Waypoints:
    """Flies points one after the other, and stays at the last."""

    name = "waypoints"

    def __init__(self, points: Sequence[WorldPoint], speed_mps: float) -> None:
        self.points = tuple(points)
        """May be replaced while it flies, by a longer one."""
        self.index = 0
        """The point it flies to."""
        self._speed_mps = speed_mps

    def course(self, pose: PilotPose) -> Course | None:
        points = self.points
        if not points:
            return None
        self.index = min(self.index, len(points) - 1)
        there = pose.offset_to(points[self.index].place)
        if there is None:
            return None
        height_m = points[self.index].height_m
        is_near = math.dist(there, (pose.north_m, pose.east_m)) < ARRIVED_M
        if is_near and abs(height_m - pose.height_m) < ARRIVED_M and self.index + 1 < len(points):
            self.index += 1
        return Course(*towards(pose, *there, self._speed_mps), height_m)


class Orbit:
    """Circles a point to the right, its nose to the middle."""

    name = "orbit"

    def __init__(self, centre: WorldPoint, radius_m: float, speed_mps: float) -> None:
        self._centre = centre
        self._radius_m = radius_m
        self._speed_mps = speed_mps

    def course(self, pose: PilotPose) -> Course | None:
        centre = pose.offset_to(self._centre.place)
        if centre is None:
            return None
        out = (pose.north_m - centre[0], pose.east_m - centre[1])
        away_m = math.hypot(*out)
        north, east = (out[0] / away_m, out[1] / away_m) if away_m > 1e-3 else (1.0, 0.0)
        inwards = max(-self._speed_mps, min(self._speed_mps, away_m - self._radius_m))
        inwards *= _CIRCLE_PER_S
        # Bent inwards by what the circle curves away while the bank follows.
        velocity = (
            -east * self._speed_mps - north * inwards,
            north * self._speed_mps - east * inwards,
        )
        heading = math.degrees(math.atan2(-east, -north))
        return Course(*velocity, self._centre.height_m, heading)


def hold(pose: PilotPose) -> "Waypoints | None":
    """Staying where it is; None while that is not known on earth."""
    place = pose.place
    if place is None:
        return None
    route = Waypoints((WorldPoint(*place, pose.height_m),), 3.0)
    route.name = "hold"
    return route
