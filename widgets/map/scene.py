"""Map scene: values handed over by whoever knows aircraft and recordings."""

from dataclasses import dataclass
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from widgets.map.projection import Bounds, Floats, GeoPoint, project

Shades = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class VehicleMark:
    """One aircraft on the map. `heading_deg` and `course_deg` are clockwise from true north."""

    name: str
    place: GeoPoint
    heading_deg: float | None = None
    course_deg: float | None = None
    groundspeed_mps: float | None = None
    is_active: bool = True
    age_s: float | None = None
    """How old the place is, when that is too old to be taken for the present one."""


SHADES = 12
"""How many steps of colour a shaded track has."""


@dataclass(frozen=True, slots=True, eq=False)
class Shading:
    """A quantity along a track, to be shown as colour from `low` to `high`.

    `values` has one number per point of the line, NaN where it is not known.
    """

    title: str
    unit: str
    values: Floats
    low: float
    high: float

    def levels(self, start: int, stop: int) -> Shades:
        """The step of colour of points start to stop, -1 where it is not known."""
        values = self.values[start:stop]
        share = (values - self.low) / max(self.high - self.low, 1e-9)
        levels = np.clip(np.nan_to_num(share) * SHADES, 0, SHADES - 1).astype(np.int64)
        return np.where(np.isfinite(values), levels, -1)

    @property
    def stamp(self) -> tuple[str, float, float]:
        """Equal stamps give equal values equal colours."""
        return self.title, self.low, self.high


@dataclass(frozen=True, slots=True, eq=False)
class TrackLine:
    """Where an aircraft went: world coordinates x, y in order of time.

    The first `past` points lie before the cursor and are drawn strongly, the rest faintly.
    `key` tells one line from another; points of an equal key are only ever appended. NaN points
    break the line.
    """

    key: str
    x: Floats
    y: Floats
    past: int
    color: str = "track"
    is_active: bool = True
    shading: Shading | None = None

    @property
    def look(self) -> tuple[object, ...]:
        """Lines of an equal look are drawn alike as far as both reach."""
        return self.color, self.is_active, self.shading.stamp if self.shading else None

    @property
    def stamp(self) -> tuple[object, ...]:
        """Equal stamps look the same."""
        return self.key, len(self.x), self.past, self.look

    @property
    def bounds(self) -> Bounds | None:
        """The rectangle around all points, or None without any."""
        if not len(self.x):
            return None
        x, y = self.x[self.x == self.x], self.y[self.y == self.y]
        if not len(x):
            return None
        return Bounds(float(x.min()), float(y.min()), float(x.max()), float(y.max()))


@dataclass(frozen=True, slots=True)
class Wind:
    """How the air moves over the ground; `from_deg` is where it comes from, clockwise from true
    north."""

    speed_mps: float
    from_deg: float


@dataclass(frozen=True, slots=True)
class CameraGround:
    """The border of the ground in a camera's picture, and what to call it."""

    corners: tuple[GeoPoint, ...]
    title: str


@dataclass(frozen=True, slots=True)
class MapScene:
    """Everything on the map besides the ground."""

    vehicles: tuple[VehicleMark, ...] = ()
    tracks: tuple[TrackLine, ...] = ()
    home: GeoPoint | None = None
    start: GeoPoint | None = None
    target: GeoPoint | None = None
    note: str = ""
    wind: Wind | None = None
    camera: CameraGround | None = None

    @property
    def active(self) -> VehicleMark | None:
        """The aircraft that is followed and whose distance home is shown."""
        return next((mark for mark in self.vehicles if mark.is_active), None)

    @property
    def shading(self) -> Shading | None:
        """What colours stand for, if they stand for anything."""
        return next((line.shading for line in self.tracks if line.shading), None)

    def bounds(self, *, of_all: bool = True) -> Bounds | None:
        """The rectangle around tracks and aircraft, all or only of the active flight."""
        marks = [mark for mark in self.vehicles if of_all or mark.is_active]
        lines = [line for line in self.tracks if of_all or line.is_active]
        boxes = [point_bounds(mark.place) for mark in marks]
        boxes += [box for line in lines if (box := line.bounds) is not None]
        return reduce(Bounds.united, boxes) if boxes else None


def point_bounds(place: GeoPoint) -> Bounds:
    """The rectangle that is one place."""
    x, y = project(place)
    return Bounds(x, y, x, y)
