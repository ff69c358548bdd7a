"""Mission progress: how far a mission is at one instant of a recording, live or in a log."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from telemetry.missions.board.plan_definitions import PlanDefinitions
from telemetry.missions.legs import CIRCLES, MissionLeg, NorthEastUp, next_of
from telemetry.missions.mission import Mission
from telemetry.recording.flight_state import POSITION, newest
from telemetry.recording.recording import Recording

_MODES_ALONG = ("FollowVector", *CIRCLES)


@dataclass(frozen=True, slots=True)
class MissionProgress:
    """`waypoint`: the one that is flown to, the first being 0. `is_flying`: whether the aircraft
    flies its plan now; else these are the last values.

    `cross_track_m`: metres right of the line, or outside of the circle; None where there is no
    path. `height_error_m`: above it. `to_go_m`: to the end of the leg; `fraction`: done of it, 0
    to 1. `mission_to_go_m`: to the end of the mission, None if that is not known.
    """

    waypoint: int
    is_flying: bool
    cross_track_m: float | None
    height_error_m: float
    to_go_m: float
    fraction: float
    mission_to_go_m: float | None = None


def mission_progress(
    recording: Recording,
    t: float,
    mission: Mission | None = None,
    legs: Sequence[MissionLeg] = (),
) -> MissionProgress | None:
    """The progress at `t`, by what the aircraft says of its path (PathDesired, WaypointActive) and
    place. `mission` and `legs` add what comes after this leg. None while it says nothing."""
    active = recording.latest("WaypointActive", t)
    path = recording.latest("PathDesired", t)
    here = _place(recording, t)
    if active is None or path is None or here is None:
        return None
    index = int(active["Index"])
    start, end = _up(path["Start"]), _up(path["End"])
    mode = PlanDefinitions.mode_of_ours(str(path["Mode"]))
    cross, height, to_go, fraction = _on_path(mode, start, end, here)
    rest = _rest_m(index, mission, legs)
    return MissionProgress(
        index,
        _is_flying(recording, t),
        cross,
        height,
        to_go,
        fraction,
        None if rest is None else to_go + rest,
    )


def _is_flying(recording: Recording, t: float) -> bool:
    status = recording.latest("FlightStatus", t)
    return (
        status is not None and status["FlightMode"] == "PathPlanner" and status["Armed"] == "Armed"
    )


def _place(recording: Recording, t: float) -> NorthEastUp | None:
    found = newest(recording, POSITION, t)
    if found is None:
        return None
    return float(found["North"]), float(found["East"]), -float(found["Down"])


def _up(ned: Sequence[float]) -> NorthEastUp:
    return ned[0], ned[1], -ned[2]


def _on_path(
    mode: str, start: NorthEastUp, end: NorthEastUp, here: NorthEastUp
) -> tuple[float | None, float, float, float]:
    """Cross-track and height error, distance to go and share done."""
    if mode in CIRCLES:
        return _on_circle(CIRCLES[mode], start, end, here)
    length = math.dist(start[:2], end[:2])
    if mode in _MODES_ALONG and length > 1e-3:
        north, east = (end[0] - start[0]) / length, (end[1] - start[1]) / length
        along = (here[0] - start[0]) * north + (here[1] - start[1]) * east
        aside = (here[1] - start[1]) * north - (here[0] - start[0]) * east
        share = along / length
        height = start[2] + min(max(share, 0.0), 1.0) * (end[2] - start[2])
        return aside, here[2] - height, max(length - along, 0.0), min(max(share, 0.0), 1.0)
    left = math.dist(here, end)
    whole = max(math.dist(start, end), 1.0)
    return None, here[2] - end[2], left, min(max(1.0 - left / whole, 0.0), 1.0)


def _on_circle(
    sense: float, start: NorthEastUp, centre: NorthEastUp, here: NorthEastUp
) -> tuple[float, float, float, float]:
    """Once round from where the leg begins."""
    radius = math.dist(start[:2], centre[:2])
    began = math.atan2(start[1] - centre[1], start[0] - centre[0])
    angle = math.atan2(here[1] - centre[1], here[0] - centre[0])
    share = (sense * (angle - began)) % (2.0 * math.pi) / (2.0 * math.pi)
    to_go = (1.0 - share) * 2.0 * math.pi * radius
    return math.dist(here[:2], centre[:2]) - radius, here[2] - centre[2], to_go, share


def _rest_m(index: int, mission: Mission | None, legs: Sequence[MissionLeg]) -> float | None:
    """The way after this leg, until it stays, lands, or comes back to where it was."""
    by_index = {leg.index: leg for leg in legs}
    if mission is None or not 0 <= index < len(mission.waypoints):
        return None
    rest, seen = 0.0, {index}
    following = next_of(mission, index)
    while following is not None and following not in seen and following in by_index:
        seen.add(following)
        rest += by_index[following].length_m
        following = next_of(mission, following)
    return rest
