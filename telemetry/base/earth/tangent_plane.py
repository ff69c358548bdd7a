"""Planes at a place on Earth: metres north and east of it, as a plane touches it and as maps count.

`north_east` and `latitude_longitude` reckon as an aircraft itself does (LLA2Base in
flight/libraries/CoordinateConversions.c, used by flight/modules/StateEstimation/filterlla.c): by
the plane that touches the WGS84 ellipsoid there. Both are of places as high as the origin: 100 m
more or less are 1.6 m in 100 km.

`ground_places` has distance and azimuth on the ground exact (the azimuthal equidistant projection),
within 0.1 m to 100 km and more: the arc s along a normal section of curvature k lies
s (1 - (k s)^2 / 6 + ...) away in the plane.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from telemetry.base.earth.wgs84 import ECCENTRICITY2, EQUATOR_M, FLATTENING, curvature_radii_m

Floats = NDArray[np.float64]

FARTHEST_M = 100_000.0
"""From the origin; beyond it a plane is no picture of the Earth any more, and no link reaches."""
_HIGHEST_M = 1e5
_POLE_M = EQUATOR_M * (1.0 - FLATTENING)


@dataclass(frozen=True, slots=True)
class TangentPlane:
    """What reckoning from one place needs of it: where it is from the Earth's centre, and `out_m`
    from its axis, sines, and the squares of the half axes, m2, of an ellipsoid as high as it.
    `upright` times the tangent of the angle at the centre is that of the latitude."""

    latitude_deg: float
    longitude_deg: float
    altitude_m: float
    centre: tuple[float, float, float]
    sine: float
    cosine: float
    sine_east: float
    cosine_east: float
    out_m: float
    squared_axes: tuple[float, float]
    upright: float

    def north_east(self, latitude_deg: float, longitude_deg: float) -> tuple[float, float]:
        """Metres north and east of a place."""
        north, east = self._on(math, latitude_deg, longitude_deg)
        return north, east

    def latitude_longitude(self, north_m: float, east_m: float) -> tuple[float, float]:
        """The place that `north_east` takes there; degrees. At most FARTHEST_M away."""
        latitude, longitude = self._place(math, north_m, east_m)
        return latitude, (longitude + 180.0) % 360.0 - 180.0

    def north_east_many(self, latitudes_deg: Floats, longitudes_deg: Floats) -> Floats:
        """Metres of many places, (n, 2)."""
        return np.stack(self._on(np, latitudes_deg, longitudes_deg), axis=-1)

    def latitude_longitude_many(self, north_m: Floats, east_m: Floats) -> Floats:
        """The places of many metres, (n, 2), longitudes on from the origin's."""
        return np.stack(self._place(np, north_m, east_m), axis=-1)

    def ground_places(self, north_m: Floats, east_m: Floats) -> Floats:
        """The places, (n, 2), at these distances and azimuths of geodesics on the ground."""
        meridian, across = curvature_radii_m(self.latitude_deg)
        square = (north_m**2 + east_m**2) / (meridian * across)
        shrunk = 1.0 - square / 6.0 * (1.0 - square / 20.0)
        return self.latitude_longitude_many(north_m * shrunk, east_m * shrunk)

    def _place(self, m: Any, north_m: Any, east_m: Any) -> tuple[Any, Any]:
        """Degrees, of numbers (`m` is math) or arrays (numpy)."""
        north, east = self._on(m, *self._below(m, north_m, east_m))
        return self._below(m, 2.0 * north_m - north, 2.0 * east_m - east)

    def _below(self, m: Any, north_m: Any, east_m: Any) -> tuple[Any, Any]:
        """The place below the plane, where a line down from it meets the ellipsoid: within a
        millimetre or so the one that is as high as the origin. At the poles too, where degrees of
        longitude have no length."""
        equator2, pole2 = self.squared_axes
        out, up = self.out_m - self.sine * north_m, self.centre[2] + self.cosine * north_m
        above = (out * out + east_m * east_m) / equator2 + up * up / pole2 - 1.0
        slope = self.cosine * out / equator2 + self.sine * up / pole2
        bend = self.cosine * self.cosine / equator2 + self.sine * self.sine / pole2
        down = above / (slope + m.sqrt(abs(slope * slope - bend * above)))
        out, up = out - self.cosine * down, up - self.sine * down
        angle = math.atan2 if m is math else np.arctan2
        latitude = angle(up * self.upright, m.sqrt(out * out + east_m * east_m))
        return m.degrees(latitude), self.longitude_deg + m.degrees(angle(east_m, out))

    def _on(self, m: Any, latitude_deg: Any, longitude_deg: Any) -> tuple[Any, Any]:
        x, y, z = _to_centre(m, latitude_deg, longitude_deg, self.altitude_m)
        dx, dy, dz = x - self.centre[0], y - self.centre[1], z - self.centre[2]
        outward = self.cosine_east * dx + self.sine_east * dy
        north = -self.sine * outward + self.cosine * dz
        return north, -self.sine_east * dx + self.cosine_east * dy


@lru_cache(maxsize=256)
def plane_at(latitude_deg: float, longitude_deg: float, altitude_m: float = 0.0) -> TangentPlane:
    """The one at a place, its altitude above the ellipsoid (or the sea, as firmware takes it); one
    that no aircraft starts from counts as 0."""
    if not abs(altitude_m) < _HIGHEST_M:
        altitude_m = 0.0
    latitude, longitude = math.radians(latitude_deg), math.radians(longitude_deg)
    _, across = curvature_radii_m(latitude_deg)
    return TangentPlane(
        latitude_deg,
        longitude_deg,
        altitude_m,
        _to_centre(math, latitude_deg, longitude_deg, altitude_m),
        math.sin(latitude),
        math.cos(latitude),
        math.sin(longitude),
        math.cos(longitude),
        (across + altitude_m) * math.cos(latitude),
        ((EQUATOR_M + altitude_m) ** 2, (_POLE_M + altitude_m) ** 2),
        (across + altitude_m) / (across * (1.0 - ECCENTRICITY2) + altitude_m),
    )


def steps_m_of(latitudes_deg: Floats, longitudes_deg: Floats) -> Floats:
    """How far each place lies from the one before, straight through the ground; (n - 1,)."""
    places = np.stack(_to_centre(np, latitudes_deg, longitudes_deg, 0.0), axis=-1)
    steps_m: Floats = np.linalg.norm(np.diff(places, axis=0), axis=1)
    return steps_m


def _to_centre(m: Any, latitude_deg: Any, longitude_deg: Any, altitude_m: float) -> Any:
    latitude, longitude = m.radians(latitude_deg), m.radians(longitude_deg)
    sine, cosine = m.sin(latitude), m.cos(latitude)
    across = EQUATOR_M / m.sqrt(1.0 - ECCENTRICITY2 * sine * sine)
    outward = (across + altitude_m) * cosine
    up = (across * (1.0 - ECCENTRICITY2) + altitude_m) * sine
    return outward * m.cos(longitude), outward * m.sin(longitude), up
