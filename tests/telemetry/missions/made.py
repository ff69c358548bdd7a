"""Missions to test with: metres from one home."""

from dataclasses import replace
from typing import Any

from telemetry.missions.local_coordinates import MissionHome, to_latitude_longitude
from telemetry.missions.mission import LegAction, Mission, MissionWaypoint

HOME = MissionHome(48.946, 9.43, 270.0)
"""That of the shipped presets."""


def waypoint(
    north: float, east: float, up: float = 30.0, velocity: float = 4.0, **action: Any
) -> MissionWaypoint:
    """A waypoint, by default a line to its end."""
    place = to_latitude_longitude(HOME, north, east)
    return MissionWaypoint(*place, up, velocity, action=LegAction(**action))


def mission(*waypoints: MissionWaypoint, **members: Any) -> Mission:
    """A mission from HOME."""
    return Mission(tuple(waypoints), HOME, **members)


def square(up: float = 30.0, side: float = 60.0) -> Mission:
    """Four corners; it stays at the last."""
    corners = ((side, 0.0), (side, side), (0.0, side), (0.0, 0.0))
    points = [waypoint(*corner, up) for corner in corners]
    stays = LegAction("GoToEndpoint", end_condition="None")
    points[-1] = replace(points[-1], action=stays, velocity_mps=0.0)
    return mission(*points)
