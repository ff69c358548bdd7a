"""Mission comparison, such as a plan with what is on board, waypoint by waypoint."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from telemetry.missions.flown_plan import flown_plan
from telemetry.missions.legs import NorthEastUp, point_of
from telemetry.missions.local_coordinates import MissionHome
from telemetry.missions.mission import LegAction, Mission, MissionWaypoint
from telemetry.missions.terrain.elevation import FLAT_GROUND, GroundHeights
from telemetry.missions.waypoint_options import (
    COMMAND_BY_NAME,
    END_CONDITION_BY_NAME,
    MODE_BY_NAME,
    EndCondition,
    PathCommand,
    PathMode,
)

_SAME_M: Final = 0.05
"""A board counts metres from home as floats; a kilometre away that is less than a millimetre."""


@dataclass(frozen=True, slots=True)
class WaypointDifference:
    """What differs at one waypoint (the first being 0), as a sentence: in `ours` and `theirs`."""

    waypoint: int
    text: str


def mission_differences(
    ours: Mission, theirs: Mission, home: MissionHome, ground: GroundHeights = FLAT_GROUND
) -> tuple[WaypointDifference, ...]:
    """What differs as a board flies it: names, locks, fences and the take-off do not count."""
    ours, theirs = (flown_plan(mission, home, ground) for mission in (ours, theirs))
    found = []
    for i in range(max(len(ours.waypoints), len(theirs.waypoints))):
        if i >= len(theirs.waypoints):
            found.append(WaypointDifference(i, "is not on board"))
        elif i >= len(ours.waypoints):
            found.append(WaypointDifference(i, "is on board only"))
        else:
            a, b = ours.waypoints[i], theirs.waypoints[i]
            places = point_of(a, home, ground), point_of(b, home, ground)
            text = "; ".join((*_place(*places), *_rest(a, b)))
            if text:
                found.append(WaypointDifference(i, text))
    return tuple(found)


def _place(a: NorthEastUp, b: NorthEastUp) -> Iterator[str]:
    apart = math.dist(a[:2], b[:2])
    if apart > _SAME_M:
        yield f"{apart:.1f} m away"
    if abs(a[2] - b[2]) > _SAME_M:
        yield f"height {a[2]:.1f} m above home, on board {b[2]:.1f} m"


def _rest(a: MissionWaypoint, b: MissionWaypoint) -> Iterator[str]:
    if abs(a.velocity_mps - b.velocity_mps) > 1e-3:
        yield f"velocity {a.velocity_mps:g} m/s, on board {b.velocity_mps:g} m/s"
    yield from _actions(a.action, b.action)


def _actions(a: LegAction, b: LegAction) -> Iterator[str]:
    for what, table, ours, theirs in (
        ("flown by", MODE_BY_NAME, a.mode, b.mode),
        ("ends", END_CONDITION_BY_NAME, a.end_condition, b.end_condition),
        ("goes on", COMMAND_BY_NAME, a.command, b.command),
    ):
        if ours != theirs:
            yield f"{what} '{_title(table, ours)}', on board '{_title(table, theirs)}'"
    for what, values, others in (
        ("mode parameters", a.mode_parameters, b.mode_parameters),
        ("condition parameters", a.condition_parameters, b.condition_parameters),
    ):
        if not _is_near(values, others):
            yield f"{what} {_listed(values)}, on board {_listed(others)}"
    if a.jump_destination != b.jump_destination:
        yield f"jumps to {_to(a.jump_destination)}, on board to {_to(b.jump_destination)}"
    if a.error_destination != b.error_destination:
        here, there = _error(a.error_destination), _error(b.error_destination)
        yield f"after an error to {here}, on board to {there}"


def _title(table: Mapping[str, PathMode | EndCondition | PathCommand], name: str) -> str:
    return table[name].title if name in table else name


def _to(jump: int) -> str:
    return str(jump + 1) if jump >= 0 else f"{-jump} ahead"


def _error(destination: int) -> str:
    return str(destination + 1) if destination >= 0 else "none"


def _is_near(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    """Whether they are the same as floats of a board."""
    return all(math.isclose(x, y, rel_tol=1e-5, abs_tol=1e-6) for x, y in zip(a, b, strict=True))


def _listed(values: tuple[float, ...]) -> str:
    return " ".join(f"{value:g}" for value in values)
