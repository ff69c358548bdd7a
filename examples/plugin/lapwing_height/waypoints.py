"""A mission format: a waypoint per line, latitude, longitude and height over home."""

import csv
from pathlib import Path

from plugins.types import Mission, MissionFileError, MissionHome, MissionWaypoint


def read_waypoints(path: Path, data: bytes, home: MissionHome | None) -> Mission:
    """Called in a job. Raises MissionFileError, one sentence with the line for the user."""
    waypoints = []
    for number, row in enumerate(csv.reader(data.decode("utf-8", "replace").splitlines()), 1):
        try:
            latitude, longitude, height = map(float, row)
        except ValueError:
            what = "a waypoint is latitude,longitude,height."
            raise MissionFileError(path, what, number) from None
        waypoints.append(MissionWaypoint(latitude, longitude, height))
    return Mission(tuple(waypoints), home)


def write_waypoints(mission: Mission) -> bytes:
    """Called in a job. Raises ValueError with a reason."""
    if not mission.waypoints:
        raise ValueError("it has no waypoints")
    rows = (f"{w.latitude_deg:.7f},{w.longitude_deg:.7f},{w.height_m:g}" for w in mission.waypoints)
    return ("\n".join(rows) + "\n").encode()
