"""Shapes to draw on the map besides waypoints, as data: survey patterns and fences."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from plugins.plan.places_on_map import World, fence_outline, place_of_waypoint
from telemetry.missions.edits import inserted
from telemetry.missions.geofences import Fence, FenceAction, FenceKind, LatitudeLongitude
from telemetry.missions.local_coordinates import MissionHome
from telemetry.missions.mission import Mission, MissionWaypoint
from telemetry.missions.patterns import PatternError, PatternFlight, corridor, orbit, survey
from widgets.map.projection import project

Values = Mapping[str, float]
Drawn = tuple[MissionWaypoint, ...] | Fence


@dataclass(frozen=True, slots=True)
class ShapeField:
    """A number that is asked for, or with `options` one of several words."""

    name: str
    title: str
    unit: str = ""
    low: float = 0.0
    high: float = 1000.0
    default: float = 0.0
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MapShape:
    """One thing to draw: `most` points at most, then `make` says what they stand for; it raises
    PatternError. `least` are too few before that."""

    name: str
    title: str
    hint: str
    fields: tuple[ShapeField, ...]
    make: Callable[[Sequence[LatitudeLongitude], Values], Drawn]
    least: int = 1
    most: int = 500
    is_closed: bool = False


_HEIGHT = ShapeField("height", "Above home", "m", 1.0, 1000.0, 30.0)
_SPEED = ShapeField("speed", "Speed", "m/s", 0.1, 50.0, 4.0)
_ACTIONS: Final = tuple(FenceAction)
_KINDS: Final = tuple(FenceKind)
_LOWEST_M, _HIGHEST_M = -500.0, 5000.0
_FENCE_FIELDS = (
    ShapeField("action", "When crossed", options=("Warn", "Hold", "Return", "Land")),
    ShapeField("warning", "Warn from", "m", 0.0, 500.0, 20.0),
    ShapeField("lowest", "Lowest above home", "m", _LOWEST_M, _HIGHEST_M, _LOWEST_M),
    ShapeField("highest", "Highest above home", "m", _LOWEST_M, _HIGHEST_M, _HIGHEST_M),
    ShapeField("radius", "Radius of one point", "m", 1.0, 10_000.0, 50.0),
)
FENCE_KINDS: Final = (
    ShapeField("kind", "", options=("Stay inside", "Stay outside")),
    *_FENCE_FIELDS,
)
"""What of a fence can be changed once it is drawn."""


def _flight(values: Values) -> PatternFlight:
    return PatternFlight(values["height"], values["speed"])


def _survey(points: Sequence[LatitudeLongitude], values: Values) -> Drawn:
    return survey(points, _flight(values), values["spacing"], values["angle"], values["overshoot"])


def _corridor(points: Sequence[LatitudeLongitude], values: Values) -> Drawn:
    return corridor(points, _flight(values), values["width"], round(values["passes"]))


def _orbit(points: Sequence[LatitudeLongitude], values: Values) -> Drawn:
    return orbit(
        points[0],
        _flight(values),
        values["radius"],
        to_the_right=not values["turn"],
        seconds=values["seconds"],
    )


def _fence(kind: FenceKind) -> Callable[[Sequence[LatitudeLongitude], Values], Drawn]:
    def make(points: Sequence[LatitudeLongitude], values: Values) -> Drawn:
        if len(points) == 2:
            raise PatternError("Click a third corner, or take one back for a circle.")
        return fence_with(Fence(tuple(points), kind), values)

    return make


def fence_values(fence: Fence) -> dict[str, float]:
    """What FENCE_KINDS ask for, as it is; heights without a limit as the farthest there is."""
    return {
        "kind": float(_KINDS.index(fence.kind)),
        "action": float(_ACTIONS.index(fence.action)),
        "warning": fence.warning_m,
        "lowest": max(fence.lowest_m, _LOWEST_M),
        "highest": min(fence.highest_m, _HIGHEST_M),
        "radius": fence.radius_m,
    }


def fence_with(fence: Fence, values: Values) -> Fence:
    """A fence with other values, by the names of FENCE_KINDS. Raises PatternError."""
    if values["lowest"] >= values["highest"]:
        raise PatternError("The lowest height must be below the highest.")
    kind = _KINDS[round(values["kind"])] if "kind" in values else fence.kind
    return replace(
        fence,
        kind=kind,
        radius_m=values["radius"] if len(fence.corners) == 1 else 0.0,
        lowest_m=values["lowest"] if values["lowest"] > _LOWEST_M else -math.inf,
        highest_m=values["highest"] if values["highest"] < _HIGHEST_M else math.inf,
        action=_ACTIONS[round(values["action"])],
        warning_m=values["warning"],
    )


SHAPES: Final = (
    MapShape(
        "survey",
        "Survey",
        "Click the corners of an area: lines over it, there and back.",
        (
            _HEIGHT,
            _SPEED,
            ShapeField("spacing", "Lines apart", "m", 1.0, 1000.0, 20.0),
            ShapeField("angle", "Direction", "°", 0.0, 360.0, 0.0),
            ShapeField("overshoot", "Beyond", "m", 0.0, 500.0, 5.0),
        ),
        _survey,
        least=3,
        is_closed=True,
    ),
    MapShape(
        "corridor",
        "Corridor",
        "Click points along a line: passes beside each other, there and back.",
        (
            _HEIGHT,
            _SPEED,
            ShapeField("width", "Width", "m", 0.0, 1000.0, 20.0),
            ShapeField("passes", "Passes", "", 1.0, 100.0, 2.0),
        ),
        _corridor,
        least=2,
    ),
    MapShape(
        "orbit",
        "Orbit",
        "Click the centre: a circle around it, for a time or until you end it (0 s).",
        (
            _HEIGHT,
            _SPEED,
            ShapeField("radius", "Radius", "m", 1.0, 5000.0, 30.0),
            ShapeField("seconds", "Time", "s", 0.0, 25.0, 0.0),
            ShapeField("turn", "Turn", options=("right", "left")),
        ),
        _orbit,
        most=1,
    ),
    MapShape(
        "stay_inside",
        "Fence",
        "Click the corners that the aircraft shall stay inside of; one point is a circle.",
        _FENCE_FIELDS,
        _fence(FenceKind.STAY_INSIDE),
        is_closed=True,
    ),
    MapShape(
        "stay_outside",
        "No-fly",
        "Click the corners that the aircraft shall stay outside of; one point is a circle.",
        _FENCE_FIELDS,
        _fence(FenceKind.STAY_OUTSIDE),
        is_closed=True,
    ),
)


def with_drawn(mission: Mission, drawn: Drawn, index: int) -> Mission:
    """With a fence, or with waypoints before the one that is `index` now."""
    if isinstance(drawn, Fence):
        home = mission.home or MissionHome(*drawn.corners[0])
        return replace(mission, fences=(*mission.fences, drawn), home=home)
    first = drawn[0]
    home = mission.home or MissionHome(first.latitude_deg, first.longitude_deg)
    return replace(inserted(mission, index, drawn), home=home)


def preview_of(drawn: Drawn) -> tuple[World, ...]:
    """The line that shows it before it is added."""
    if isinstance(drawn, Fence):
        return fence_outline(drawn)
    return tuple(project(place_of_waypoint(waypoint)) for waypoint in drawn)
