"""Web-Mercator projection: places on earth, world coordinates and the viewport upon them.

World coordinates run from 0 to 1, x east from the date line and y south from the northern edge of
the square Web-Mercator world. They suit float64 down to nanometres and make every zoom level a
plain factor. This module knows neither Qt nor tiles. Formulas: OpenStreetMap wiki, "Slippy map
tilenames"; distances: haversine on a sphere.
"""

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from telemetry.base.earth.geodesic import geodesic
from telemetry.base.earth.wgs84 import metres_per_degree

TILE_PX = 256
MAX_LATITUDE_DEG = 85.051_128_779_806_6
MIN_ZOOM = 1.0
MAX_ZOOM = 23.0
LEAST_FREE_PX = 64.0
"""Width and height below which a free part is too small to show anything in."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class GeoPoint:
    """A point on earth in degrees (WGS 84)."""

    latitude_deg: float
    longitude_deg: float


@dataclass(frozen=True, slots=True)
class Bounds:
    """A rectangle in world coordinates; y0 is the northern edge."""

    x0: float
    y0: float
    x1: float
    y1: float

    def united(self, other: "Bounds") -> "Bounds":
        """The smallest rectangle holding both."""
        return Bounds(
            min(self.x0, other.x0),
            min(self.y0, other.y0),
            max(self.x1, other.x1),
            max(self.y1, other.y1),
        )

    def holds(self, other: "Bounds") -> bool:
        """Whether all of the other lies in it."""
        is_across = self.x0 <= other.x0 and self.x1 >= other.x1
        return is_across and self.y0 <= other.y0 and self.y1 >= other.y1

    def widened(self, margin: float) -> "Bounds":
        """With so much more on each side."""
        return Bounds(self.x0 - margin, self.y0 - margin, self.x1 + margin, self.y1 + margin)


@dataclass(frozen=True, slots=True)
class PixelArea:
    """A rectangle of a window in logical pixels."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The x where it ends."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """The y where it ends."""
        return self.top + self.height

    @property
    def middle(self) -> tuple[float, float]:
        """The pixel position of its middle."""
        return self.left + self.width / 2.0, self.top + self.height / 2.0

    def shared(self, other: "PixelArea") -> "PixelArea":
        """The part that lies in both; of no size where they do not meet."""
        left, top = max(self.left, other.left), max(self.top, other.top)
        width, height = min(self.right, other.right) - left, min(self.bottom, other.bottom) - top
        return PixelArea(left, top, max(0.0, width), max(0.0, height))


def project(place: GeoPoint) -> tuple[float, float]:
    """World coordinates of a place; latitudes beyond the square world stand at its edge."""
    latitude = min(MAX_LATITUDE_DEG, max(-MAX_LATITUDE_DEG, place.latitude_deg))
    x = (place.longitude_deg + 180.0) / 360.0
    y = 0.5 - math.asinh(math.tan(math.radians(latitude))) / (2.0 * math.pi)
    return x, y


def unproject(x: float, y: float) -> GeoPoint:
    """The place at world coordinates."""
    latitude = math.degrees(math.atan(math.sinh(2.0 * math.pi * (0.5 - y))))
    return GeoPoint(latitude, x * 360.0 - 180.0)


def project_many(latitude_deg: Floats, longitude_deg: Floats) -> tuple[Floats, Floats]:
    """World coordinates of many places at once; NaN stays NaN."""
    latitude = np.clip(latitude_deg, -MAX_LATITUDE_DEG, MAX_LATITUDE_DEG)
    x = (np.asarray(longitude_deg, np.float64) + 180.0) / 360.0
    y = 0.5 - np.arcsinh(np.tan(np.radians(latitude))) / (2.0 * np.pi)
    return x, y


def distance_m(a: GeoPoint, b: GeoPoint) -> float:
    """Distance on the ground."""
    return geodesic(a.latitude_deg, a.longitude_deg, b.latitude_deg, b.longitude_deg)[0]


def bearing_deg(a: GeoPoint, b: GeoPoint) -> float:
    """Initial true bearing from `a` to `b`, 0 to 360 clockwise from north."""
    return geodesic(a.latitude_deg, a.longitude_deg, b.latitude_deg, b.longitude_deg)[1]


@dataclass(frozen=True, slots=True)
class Viewport:
    """A window of `width` x `height` pixels onto the world, centred on world x, y.

    Pixels are logical ones, (0, 0) at the top left. `zoom` may be fractional: at zoom z the
    world is 256 * 2**z pixels wide. `rotation_deg` is the direction that points up, clockwise from
    north. `free` is the part that no card covers, None for all of the window.
    """

    x: float = 0.5
    y: float = 0.5
    zoom: float = 2.0
    width: int = 1
    height: int = 1
    rotation_deg: float = 0.0
    free: PixelArea | None = None

    @property
    def area(self) -> PixelArea:
        """The part that is free, which is the whole window where too little of it would be."""
        whole = PixelArea(0.0, 0.0, self.width, self.height)
        if self.free is None:
            return whole
        free = self.free.shared(whole)
        return free if min(free.width, free.height) >= LEAST_FREE_PX else whole

    @property
    def scale(self) -> float:
        """Pixels per world unit."""
        return float(TILE_PX * 2.0**self.zoom)

    @property
    def bounds(self) -> Bounds:
        """The part of the world in the window."""
        width, height = self._room(self.width, self.height)
        half_w, half_h = width / 2.0 / self.scale, height / 2.0 / self.scale
        return Bounds(self.x - half_w, self.y - half_h, self.x + half_w, self.y + half_h)

    @property
    def centre(self) -> GeoPoint:
        """The place in the middle."""
        return unproject(self.x, self.y)

    @property
    def metres_per_px(self) -> float:
        """Ground distance of one pixel at the centre, to the east or west."""
        _, per_degree = metres_per_degree(self.centre.latitude_deg)
        return 360.0 * per_degree / self.scale

    def to_px(self, x: float, y: float) -> tuple[float, float]:
        """Pixel position of world coordinates."""
        scale, (cosine, sine) = self.scale, self._turn()
        east, south = (x - self.x) * scale, (y - self.y) * scale
        right, down = east * cosine + south * sine, south * cosine - east * sine
        return right + self.width / 2.0, down + self.height / 2.0

    def to_world(self, px: float, py: float) -> tuple[float, float]:
        """World coordinates of a pixel position."""
        east, south = self._moved(px - self.width / 2.0, py - self.height / 2.0)
        return self.x + east, self.y + south

    def place_px(self, place: GeoPoint) -> tuple[float, float]:
        """Pixel position of a place."""
        return self.to_px(*project(place))

    def place_at(self, px: float, py: float) -> GeoPoint:
        """The place under a pixel."""
        return unproject(*self.to_world(px, py))

    def centred(self, x: float, y: float) -> "Viewport":
        """The same window with its centre at world x, y (kept inside the world)."""
        return replace(self, x=min(1.0, max(0.0, x)), y=min(1.0, max(0.0, y)))

    def looking_at(self, x: float, y: float) -> "Viewport":
        """The window with world x, y (kept inside the world) in the middle of its free part."""
        px, py = self.area.middle
        east, south = self._moved(px - self.width / 2.0, py - self.height / 2.0)
        x, y = min(1.0, max(0.0, x)), min(1.0, max(0.0, y))
        return replace(self, x=x - east, y=y - south)

    def panned(self, dx_px: float, dy_px: float) -> "Viewport":
        """The window after its content was dragged by that many pixels."""
        return self.centred(*self.to_world(self.width / 2.0 - dx_px, self.height / 2.0 - dy_px))

    def zoomed(self, zoom: float, px: float, py: float) -> "Viewport":
        """The window at another zoom with the place under pixel (px, py) staying there."""
        zoom = min(MAX_ZOOM, max(MIN_ZOOM, zoom))
        x, y = self.to_world(px, py)
        closer = replace(self, zoom=zoom)
        off_x, off_y = closer.to_world(px, py)
        return closer.centred(self.x + x - off_x, self.y + y - off_y)

    def turned(self, rotation_deg: float) -> "Viewport":
        """The window with another direction up, turned about the middle of its free part."""
        rotation_deg %= 360.0
        if rotation_deg == self.rotation_deg:
            return self
        place = self.to_world(*self.area.middle)
        return replace(self, rotation_deg=rotation_deg).looking_at(*place)

    @property
    def north_up(self) -> "Viewport":
        """A window around the same place with north up that holds all of this one."""
        if not self.rotation_deg:
            return self
        side = math.ceil(math.hypot(self.width, self.height))
        return replace(self, width=side, height=side, rotation_deg=0.0, free=None)

    def _turn(self) -> tuple[float, float]:
        """Cosine and sine of the rotation."""
        angle = math.radians(self.rotation_deg)
        return (math.cos(angle), math.sin(angle)) if angle else (1.0, 0.0)

    def _moved(self, right: float, down: float) -> tuple[float, float]:
        """How far pixels lead to the east and south in world coordinates."""
        scale, (cosine, sine) = self.scale, self._turn()
        return (right * cosine - down * sine) / scale, (down * cosine + right * sine) / scale

    def _room(self, width: float, height: float) -> tuple[float, float]:
        """Size of the rectangle with north up around one of so many pixels in the window."""
        cosine, sine = (abs(part) for part in self._turn())
        return width * cosine + height * sine, width * sine + height * cosine

    def resized(self, width: int, height: int) -> "Viewport":
        """The same centre and zoom in a window of another size."""
        return replace(self, width=max(1, width), height=max(1, height))

    def fitted(self, bounds: Bounds, margin_px: int = 48, closest: float = 19.0) -> "Viewport":
        """The window showing all of `bounds` in its free part, as large as the margin and `closest`
        zoom allow."""
        area = self.area
        room_w = max(16.0, area.width - 2.0 * margin_px)
        room_h = max(16.0, area.height - 2.0 * margin_px)
        wide, high = self._room(bounds.x1 - bounds.x0, bounds.y1 - bounds.y0)
        span = max(wide / room_w, high / room_h, 1e-15)
        zoom = min(closest, max(MIN_ZOOM, math.log2(1.0 / (span * TILE_PX))))
        middle = ((bounds.x0 + bounds.x1) / 2.0, (bounds.y0 + bounds.y1) / 2.0)
        return replace(self, zoom=zoom).looking_at(*middle)
