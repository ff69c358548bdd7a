"""Where an aircraft shall stay, or stay out of: polygons and circles with a band of heights.

Polygons are watched by the station; `board_fences` are what a board watches itself.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from telemetry.missions.places import MissionHome, to_north_east

LatitudeLongitude = tuple[float, float]
NorthEast = tuple[float, float]


class FenceKind(StrEnum):
    """Whether to stay inside or outside."""

    STAY_INSIDE = "inside"
    STAY_OUTSIDE = "outside"


class FenceAction(StrEnum):
    """What the station does when a fence is crossed."""

    WARN = "warn"
    HOLD = "hold"
    RETURN = "return"
    LAND = "land"


@dataclass(frozen=True, slots=True)
class Fence:
    """A border. `corners` are (latitude, longitude) in degrees, at least three of a polygon; one is
    the centre of a circle of `radius_m`. The band of heights counts from home; outside of it an
    area to stay out of does not matter, and one to stay inside is left.
    """

    corners: tuple[LatitudeLongitude, ...]
    kind: FenceKind = FenceKind.STAY_INSIDE
    radius_m: float = 0.0
    lowest_m: float = -math.inf
    highest_m: float = math.inf
    action: FenceAction = FenceAction.WARN
    warning_m: float = 20.0
    name: str = ""


@dataclass(frozen=True, slots=True)
class FencePlace:
    """Where an aircraft is to a fence: `margin_m` to the border, positive while it is allowed."""

    fence: Fence
    margin_m: float

    @property
    def is_broken(self) -> bool:
        """Whether it is where it must not be."""
        return self.margin_m < 0.0

    @property
    def is_near(self) -> bool:
        """Whether to warn."""
        return self.margin_m < self.fence.warning_m


@dataclass(frozen=True, slots=True)
class FlatFence:
    """A fence in metres north and east of home, made once and asked often."""

    fence: Fence
    corners: tuple[NorthEast, ...] = field(repr=False)

    def margin_m(self, north_m: float, east_m: float, height_m: float) -> float:
        """Metres to the border, to the sides or up and down, positive on the allowed side."""
        inside_m = self._inside_m((north_m, east_m))
        inside_m = min(
            inside_m, height_m - self.fence.lowest_m, self.fence.highest_m - height_m
        )  # of the body over the area, as far as its nearest face
        return inside_m if self.fence.kind is FenceKind.STAY_INSIDE else -inside_m

    def _inside_m(self, place: NorthEast) -> float:
        if len(self.corners) == 1:
            return self.fence.radius_m - math.dist(place, self.corners[0])
        borders = list(zip(self.corners, (*self.corners[1:], self.corners[0]), strict=True))
        distance = min(_distance_to_segment(place, a, b) for a, b in borders)
        crossings = sum(_is_crossed(place, a, b) for a, b in borders)
        return distance if crossings % 2 else -distance


def flat_fence(fence: Fence, home: MissionHome) -> FlatFence:
    """A fence in metres from home."""
    return FlatFence(fence, tuple(to_north_east(home, *corner) for corner in fence.corners))


def board_fences(
    home: MissionHome, warning_radius_m: float | None, error_radius_m: float | None
) -> tuple[Fence, ...]:
    """The fence of Tau Labs and dRonin, which raises their Geofence alarm: GeoFenceSettings'
    WarningRadius and ErrorRadius around home. LibrePilot and OpenPilot have none on board."""
    if error_radius_m is None:
        return ()
    centre = ((home.latitude_deg, home.longitude_deg),)
    warning_m = max(error_radius_m - (warning_radius_m or error_radius_m), 0.0)
    name = "the board's fence"
    return (Fence(centre, radius_m=error_radius_m, warning_m=warning_m, name=name),)


def fence_places(
    fences: Sequence[FlatFence], north_m: float, east_m: float, height_m: float
) -> tuple[FencePlace, ...]:
    """Where an aircraft is to each fence."""
    return tuple(FencePlace(f.fence, f.margin_m(north_m, east_m, height_m)) for f in fences)


def _distance_to_segment(place: NorthEast, a: NorthEast, b: NorthEast) -> float:
    along = (b[0] - a[0], b[1] - a[1])
    length2 = along[0] ** 2 + along[1] ** 2
    if length2 == 0.0:
        return math.dist(place, a)
    share = ((place[0] - a[0]) * along[0] + (place[1] - a[1]) * along[1]) / length2
    share = min(max(share, 0.0), 1.0)
    return math.dist(place, (a[0] + share * along[0], a[1] + share * along[1]))


def _is_crossed(place: NorthEast, a: NorthEast, b: NorthEast) -> bool:
    """Whether a ray to the east crosses the border from a to b."""
    if (a[0] > place[0]) == (b[0] > place[0]):
        return False
    return place[1] < a[1] + (place[0] - a[0]) / (b[0] - a[0]) * (b[1] - a[1])
