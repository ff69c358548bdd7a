"""Local coordinates: places on Earth as metres north and east of home, there and back.

As the aircraft itself reckons (LLA2Base in flight/libraries/CoordinateConversions.c, used by
flight/modules/StateEstimation/filterlla.c): the plane that touches the WGS84 ellipsoid at home.
"""

import math
from dataclasses import dataclass
from functools import lru_cache

from telemetry.base.earth.wgs84 import ECCENTRICITY2, EQUATOR_M

FARTHEST_M = 100_000.0
"""From home; beyond it a plane is no picture of the Earth any more, and no link reaches."""
_ROUNDS = 6
_NEAR_M = 1e-2
"""What is left after the next step is a thousandth of it."""


@dataclass(frozen=True, slots=True)
class MissionHome:
    """Where heights and metres are counted from; `altitude_m` above sea level."""

    latitude_deg: float
    longitude_deg: float
    altitude_m: float = 0.0


@dataclass(frozen=True, slots=True)
class _Plane:
    """What reckoning from one home needs of it: its place from the Earth's centre, and sines."""

    centre: tuple[float, float, float]
    sine: float
    cosine: float
    sine_east: float
    cosine_east: float
    meridian_m: float
    parallel_m: float
    """Metres of a radian of latitude and of longitude."""


@lru_cache(maxsize=256)
def _plane(latitude_deg: float, longitude_deg: float) -> _Plane:
    sine, cosine = _sine_cosine(latitude_deg)
    sine_east, cosine_east = _sine_cosine(longitude_deg)
    shrink = math.sqrt(1.0 - ECCENTRICITY2 * sine * sine)
    meridian_m = EQUATOR_M * (1.0 - ECCENTRICITY2) / shrink**3
    parallel_m = EQUATOR_M / shrink * max(cosine, 1e-6)
    centre = _to_centre(latitude_deg, longitude_deg)
    return _Plane(centre, sine, cosine, sine_east, cosine_east, meridian_m, parallel_m)


def to_north_east(
    home: MissionHome, latitude_deg: float, longitude_deg: float
) -> tuple[float, float]:
    """Metres north and east of home."""
    return _on(_plane(home.latitude_deg, home.longitude_deg), latitude_deg, longitude_deg)


def to_latitude_longitude(home: MissionHome, north_m: float, east_m: float) -> tuple[float, float]:
    """The place that `to_north_east` takes there; degrees. At most FARTHEST_M away."""
    plane = _plane(home.latitude_deg, home.longitude_deg)
    latitude, longitude = home.latitude_deg, home.longitude_deg
    north, east = north_m, east_m
    for _ in range(_ROUNDS):  # each makes the error a thousandth or less
        latitude += math.degrees(north / plane.meridian_m)
        longitude += math.degrees(east / plane.parallel_m)
        if abs(north) + abs(east) < _NEAR_M:
            break
        north, east = _on(plane, latitude, longitude)
        north, east = north_m - north, east_m - east
    return latitude, (longitude + 180.0) % 360.0 - 180.0


def moved(
    latitude_deg: float, longitude_deg: float, north_m: float, east_m: float
) -> tuple[float, float]:
    """The place some metres north and east of another."""
    return to_latitude_longitude(MissionHome(latitude_deg, longitude_deg), north_m, east_m)


def _on(plane: _Plane, latitude_deg: float, longitude_deg: float) -> tuple[float, float]:
    """Metres north and east on a plane."""
    x, y, z = _to_centre(latitude_deg, longitude_deg)
    dx, dy, dz = x - plane.centre[0], y - plane.centre[1], z - plane.centre[2]
    outward = plane.cosine_east * dx + plane.sine_east * dy
    north = -plane.sine * outward + plane.cosine * dz
    return north, -plane.sine_east * dx + plane.cosine_east * dy


def _to_centre(latitude_deg: float, longitude_deg: float) -> tuple[float, float, float]:
    """Metres from the Earth's centre, on the ellipsoid."""
    sine, cosine = _sine_cosine(latitude_deg)
    sine_east, cosine_east = _sine_cosine(longitude_deg)
    across = EQUATOR_M / math.sqrt(1.0 - ECCENTRICITY2 * sine * sine)
    outward = across * cosine
    return outward * cosine_east, outward * sine_east, across * (1.0 - ECCENTRICITY2) * sine


def _sine_cosine(angle_deg: float) -> tuple[float, float]:
    angle = math.radians(angle_deg)
    return math.sin(angle), math.cos(angle)
