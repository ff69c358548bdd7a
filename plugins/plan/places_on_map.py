"""Plan coordinates: a plan in the coordinates of a map."""

import math
from dataclasses import dataclass
from functools import reduce

from PySide6.QtCore import QPointF
from PySide6.QtGui import QPolygonF

from telemetry.missions.flown_plan import flown_plan
from telemetry.missions.geofences import Fence
from telemetry.missions.legs import CIRCLES, legs_of
from telemetry.missions.local_coordinates import MissionHome, to_latitude_longitude
from telemetry.missions.mission import Mission, MissionWaypoint
from telemetry.missions.waypoint_options import MODE_BY_NAME
from widgets.map.projection import Bounds, GeoPoint, Viewport, project, unproject
from widgets.map.scene import point_bounds

World = tuple[float, float]
_CIRCLE_CORNERS = 48


@dataclass(frozen=True, slots=True)
class LegPath:
    """The way to waypoint `index` in world coordinates. `is_line`: another waypoint can stand in
    its middle. `is_between`: two waypoints of the plan."""

    index: int
    points: tuple[World, ...]
    is_line: bool
    is_between: bool

    @property
    def middle(self) -> GeoPoint:
        """Half way along a straight one."""
        (x0, y0), (x1, y1) = self.points[0], self.points[-1]
        return unproject((x0 + x1) / 2.0, (y0 + y1) / 2.0)


def place_of_waypoint(waypoint: MissionWaypoint) -> GeoPoint:
    """Where it is."""
    return GeoPoint(waypoint.latitude_deg, waypoint.longitude_deg)


def leg_paths(mission: Mission, home: MissionHome | None) -> tuple[LegPath, ...]:
    """The ways between the waypoints, the one to the first left out while home is not known."""
    if home is None:
        return ()
    paths = []
    for leg in legs_of(flown_plan(mission, home), home):
        points = tuple(_world(home, *point[:2]) for point in leg.points)
        mode = MODE_BY_NAME.get(leg.mode)
        is_line = leg.mode not in CIRCLES and mode is not None and mode.has_place
        if points[0] != points[-1] or leg.mode in CIRCLES:
            is_own = leg.index < len(mission.waypoints)
            paths.append(LegPath(leg.index, points, is_line and is_own, is_own and leg.index > 0))
    return tuple(paths)


def circle(centre: GeoPoint, radius_m: float) -> tuple[World, ...]:
    """A circle on the ground."""
    home = MissionHome(centre.latitude_deg, centre.longitude_deg)
    angles = (2.0 * math.pi * i / _CIRCLE_CORNERS for i in range(_CIRCLE_CORNERS + 1))
    return tuple(_world(home, radius_m * math.cos(a), radius_m * math.sin(a)) for a in angles)


def fence_outline(fence: Fence) -> tuple[World, ...]:
    """The border of a fence, closed."""
    corners = [GeoPoint(*corner) for corner in fence.corners]
    if len(corners) == 1:
        return circle(corners[0], fence.radius_m)
    return tuple(project(corner) for corner in (*corners, *corners[:1]))


def on_screen(view: Viewport, points: tuple[World, ...]) -> QPolygonF:
    """Pixels of the window."""
    return QPolygonF([QPointF(*view.to_px(*point)) for point in points])


def mission_bounds(mission: Mission) -> Bounds | None:
    """The rectangle around all waypoints and fences."""
    boxes = [point_bounds(place_of_waypoint(waypoint)) for waypoint in mission.waypoints]
    outlines = [fence_outline(fence) for fence in mission.fences]
    boxes += [Bounds(x, y, x, y) for outline in outlines for x, y in outline]
    return reduce(Bounds.united, boxes) if boxes else None


def _world(home: MissionHome, north_m: float, east_m: float) -> World:
    return project(GeoPoint(*to_latitude_longitude(home, north_m, east_m)))
