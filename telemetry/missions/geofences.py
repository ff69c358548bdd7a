"""Geofences to stay in, or out of: polygons and circles with a band of heights."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from telemetry.missions.local_coordinates import MissionHome, to_north_east

Floats = NDArray[np.float64]
LatitudeLongitude = tuple[float, float]
NorthEast = tuple[float, float]
_AT_ONCE = 100_000
"""Points times borders, which bounds the memory that asking for many points takes."""


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
        return float(self.margins_m(np.array([[north_m, east_m, height_m]]))[0])

    def margins_m(self, points: Floats) -> Floats:
        """The same for many points, shape (n, 3): metres north, east and up of home."""
        pieces = np.array_split(points[:, :2], 1 + len(points) * len(self.corners) // _AT_ONCE)
        inside_m = np.concatenate([self._inside_m(piece) for piece in pieces])
        for face_m in (points[:, 2] - self.fence.lowest_m, self.fence.highest_m - points[:, 2]):
            inside_m = np.minimum(inside_m, face_m)  # of the body over the area
        return inside_m if self.fence.kind is FenceKind.STAY_INSIDE else -inside_m

    def _inside_m(self, places: Floats) -> Floats:
        corners = np.array(self.corners)
        if len(corners) == 1:
            distance: Floats = np.hypot(*(places - corners[0]).T)
            return self.fence.radius_m - distance
        # One array of shape (point, border) per axis: sums over a last axis of two are slow.
        (north_way, east_way) = ways = (np.roll(corners, -1, axis=0) - corners).T
        north_from, east_from = (places[:, axis, None] - corners[:, axis] for axis in (0, 1))
        lengths2 = np.maximum((ways**2).sum(axis=0), 1e-12)
        shares = np.clip((north_from * north_way + east_from * east_way) / lengths2, 0.0, 1.0)
        aside2 = (north_from - shares * north_way) ** 2 + (east_from - shares * east_way) ** 2
        nearest: Floats = np.sqrt(aside2.min(axis=1))
        # A ray to the east crosses the border an odd number of times from inside.
        spans = (north_from < 0.0) != (north_from < north_way)
        level = np.where(north_way == 0.0, 1.0, north_way)
        ahead = east_from < north_from / level * east_way
        is_inside = (spans & ahead).sum(axis=1) % 2 == 1
        return np.where(is_inside, nearest, -nearest)


def flat_fence(fence: Fence, home: MissionHome) -> FlatFence:
    """A fence in metres from home."""
    return FlatFence(fence, tuple(to_north_east(home, *corner) for corner in fence.corners))


def fence_places(
    fences: Sequence[FlatFence], north_m: float, east_m: float, height_m: float
) -> tuple[FencePlace, ...]:
    """Where an aircraft is to each fence."""
    return tuple(FencePlace(f.fence, f.margin_m(north_m, east_m, height_m)) for f in fences)
