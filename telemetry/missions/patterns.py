"""Waypoint patterns: a survey of an area, a corridor along a line, an orbit."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from telemetry.missions.geofences import LatitudeLongitude, NorthEast
from telemetry.missions.local_coordinates import MissionHome, to_latitude_longitude, to_north_east
from telemetry.missions.mission import HeightReference, LegAction, MissionWaypoint

_MOST_LINES: Final = 500
_ARRIVE_M: Final = 3.0


class PatternError(ValueError):
    """What is asked for makes no pattern: one sentence with the remedy."""


@dataclass(frozen=True, slots=True)
class PatternFlight:
    """How the waypoints of a pattern are flown."""

    height_m: float = 30.0
    velocity_mps: float = 4.0
    height_reference: HeightReference = HeightReference.HOME

    def waypoint(self, latitude_deg: float, longitude_deg: float) -> MissionWaypoint:
        """A waypoint on a line."""
        return MissionWaypoint(
            latitude_deg, longitude_deg, self.height_m, self.velocity_mps, self.height_reference
        )


def survey(
    corners: Sequence[LatitudeLongitude],
    flight: PatternFlight,
    spacing_m: float,
    angle_deg: float = 0.0,
    overshoot_m: float = 0.0,
) -> tuple[MissionWaypoint, ...]:
    """Lines over an area, there and back, `spacing_m` apart, in the direction `angle_deg` (0 north,
    90 east). Each goes `overshoot_m` beyond the border, to turn there. Raises PatternError."""
    from shapely import affinity

    area, centre = _area(corners)
    if not spacing_m > 0.0:
        raise PatternError("The spacing of the lines must be above 0 m.")
    turned = affinity.rotate(area, angle_deg, origin=(0.0, 0.0))  # lines then lead along y
    return _placed(_back(_lines(turned, spacing_m, overshoot_m), angle_deg), centre, flight)


def _area(corners: Sequence[LatitudeLongitude]) -> tuple[Any, MissionHome]:
    """The area in metres, x to the east, y to the north, and what they count from."""
    from shapely.geometry import Polygon

    if len(corners) < 3:
        raise PatternError("An area needs at least three corners.")
    centre = MissionHome(*corners[0])
    flat = [to_north_east(centre, *corner) for corner in corners]
    area = Polygon([(east, north) for north, east in flat])
    if not area.is_valid:
        raise PatternError("The border of the area crosses itself; move a corner.")
    if area.area < 1.0:
        raise PatternError("The area has no size; move its corners apart.")
    return area, centre


def _lines(area: Any, spacing_m: float, overshoot_m: float) -> list[NorthEast]:
    """The ends of the lines in the order they are flown, as (y, x). A line reaches as far as the
    area does anywhere in its strip, so that nothing is missed at slanted borders."""
    from shapely.geometry import box

    west, south, east, north = area.bounds
    count = max(1, math.ceil((east - west) / spacing_m - 1e-9))
    if count > _MOST_LINES:
        raise PatternError(f"That is {count} lines; choose a wider spacing.")
    first = (west + east) / 2.0 - (count - 1) * spacing_m / 2.0
    ends: list[NorthEast] = []
    for i in range(count):
        x = first + i * spacing_m
        strip = area.intersection(box(x - spacing_m / 2, south, x + spacing_m / 2, north))
        found = [p for p in getattr(strip, "geoms", [strip]) if p.area > 0.0]
        pieces = sorted((p.bounds[1], p.bounds[3]) for p in found)
        line = [y for low, high in pieces for y in (low - overshoot_m, high + overshoot_m)]
        ends += [(y, x) for y in (line[::-1] if i % 2 else line)]
    return ends


def _back(points: list[NorthEast], angle_deg: float) -> list[NorthEast]:
    cosine, sine = math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))
    return [(y * cosine - x * sine, y * sine + x * cosine) for y, x in points]


def corridor(
    line: Sequence[LatitudeLongitude], flight: PatternFlight, width_m: float, passes: int = 2
) -> tuple[MissionWaypoint, ...]:
    """Passes along a line, there and back, evenly over `width_m`. Raises PatternError."""
    from shapely.geometry import LineString

    if len(line) < 2:
        raise PatternError("A corridor needs a line of at least two points.")
    if not 1 <= passes <= _MOST_LINES or (passes > 1 and not width_m > 0.0):
        raise PatternError(f"Give 1 to {_MOST_LINES} passes, and a width above 0 m.")
    centre = MissionHome(*line[0])
    flat = [to_north_east(centre, *point) for point in line]
    middle = LineString([(east, north) for north, east in flat])
    if middle.length < 1.0:
        raise PatternError("The line has no length; move its points apart.")
    points: list[NorthEast] = []
    for i in range(passes):
        aside = 0.0 if passes == 1 else width_m * (i / (passes - 1) - 0.5)
        shifted = middle.offset_curve(-aside) if aside else middle
        pieces = [p for p in getattr(shifted, "geoms", [shifted]) if not p.is_empty]
        along = [(y, x) for piece in pieces for x, y in piece.coords]
        if along and math.dist(along[0], _nearest_end(flat, aside)) > math.dist(
            along[-1], _nearest_end(flat, aside)
        ):
            along.reverse()
        points += along[::-1] if i % 2 else along
    return _placed(points, centre, flight)


def _nearest_end(flat: Sequence[NorthEast], aside: float) -> NorthEast:
    """Where a pass begins that goes the same way as the line."""
    (n0, e0), (n1, e1) = flat[0], flat[1]
    length = max(math.dist(flat[0], flat[1]), 1e-9)
    return n0 - aside * (e1 - e0) / length, e0 + aside * (n1 - n0) / length


def orbit(
    centre: LatitudeLongitude,
    flight: PatternFlight,
    radius_m: float,
    *,
    to_the_right: bool = True,
    seconds: float = 0.0,
) -> tuple[MissionWaypoint, ...]:
    """Fly to the circle's northern point, then around its centre: for some time (up to 25 s, what
    firmware can count), or with 0 until somebody ends it. Raises PatternError."""
    if not radius_m >= 1.0:
        raise PatternError("An orbit needs a radius of at least 1 m.")
    home = MissionHome(*centre)
    to_circle = replace(
        flight.waypoint(*to_latitude_longitude(home, radius_m, 0.0)),
        action=LegAction("GoToEndpoint", end_condition="DistanceToTarget",
                         condition_parameters=(_ARRIVE_M, 0.0, 0.0, 0.0)),
    )  # fmt: skip
    around = LegAction(
        "CircleRight" if to_the_right else "CircleLeft",
        end_condition="TimeOut" if seconds > 0.0 else "None",
        condition_parameters=(max(seconds, 0.0), 0.0, 0.0, 0.0),
    )
    return to_circle, replace(flight.waypoint(*centre), action=around)


def _placed(
    points: Sequence[NorthEast], centre: MissionHome, flight: PatternFlight
) -> tuple[MissionWaypoint, ...]:
    return tuple(flight.waypoint(*to_latitude_longitude(centre, *point)) for point in points)
