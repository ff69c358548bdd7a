"""Flat earth of firmware: where a fix lies from home, as filterlla.c of LibrePilot has it.

Both places are turned into Cartesian coordinates about the centre of the Earth, and these are held
in single precision (flight/libraries/CoordinateConversions.c): at millions of metres that is steps
of 0.25 or 0.5 m, of the fix and, once and for all, of home. The difference is turned into NED at
home. Heights are taken in whole tenths of a millimetre.
"""

import math
from typing import Any

from simulation.compiler.decorators import njit_part
from simulation.mathematics.rotation import Triple
from simulation.mathematics.single_precision import to_single

_EQUATOR_M = 6378137.0
_ECCENTRICITY2 = 8.1819190842622e-2 * 8.1819190842622e-2
_PER_METRE = 1e4
_MOST_M = 2e5  # what fits into the 32 bits of a height


@njit_part
def _centred(latitude_deg: float, longitude_deg: float, altitude_m: float) -> Triple:
    """Metres from the centre of the Earth, towards 0 N 0 E, 0 N 90 E and the pole."""
    latitude, longitude = math.radians(latitude_deg), math.radians(longitude_deg)
    sine, cosine = math.sin(latitude), math.cos(latitude)
    across = _EQUATOR_M / math.sqrt(1.0 - _ECCENTRICITY2 * sine * sine)
    return (
        (across + altitude_m) * cosine * math.cos(longitude),
        (across + altitude_m) * cosine * math.sin(longitude),
        ((1.0 - _ECCENTRICITY2) * across + altitude_m) * sine,
    )


@njit_part
def _held(latitude_deg: float, longitude_deg: float, altitude_m: float) -> Triple:
    """The same as firmware holds it."""
    height = max(min(altitude_m, _MOST_M), -_MOST_M)
    height = float(int(to_single(to_single(height) * _PER_METRE))) / _PER_METRE
    x, y, z = _centred(latitude_deg, longitude_deg, height)
    return to_single(x), to_single(y), to_single(z)


@njit_part
def set_home_frame(c: Any, n: Any) -> None:
    """Take home over from the settings into the INS record."""
    latitude, longitude = (
        math.radians(c["home_latitude_deg"]),
        math.radians(c["home_longitude_deg"]),
    )
    home = _held(c["home_latitude_deg"], c["home_longitude_deg"], c["home_altitude_m"])
    n["home"][0], n["home"][1], n["home"][2] = home
    north, up = math.sin(latitude), math.cos(latitude)
    east, ahead = math.sin(longitude), math.cos(longitude)
    r = n["home_rotation"]
    r[0, 0], r[0, 1], r[0, 2] = -north * ahead, -north * east, up
    r[1, 0], r[1, 1], r[1, 2] = -east, ahead, 0.0
    r[2, 0], r[2, 1], r[2, 2] = -up * ahead, -up * east, -north


@njit_part
def place_from_home(n: Any, latitude_deg: float, longitude_deg: float, altitude_m: float) -> Triple:
    """Metres north, east and down from home, of the INS record."""
    x, y, z = _held(latitude_deg, longitude_deg, altitude_m)
    x, y, z = x - n["home"][0], y - n["home"][1], z - n["home"][2]
    r = n["home_rotation"]
    return (
        float(r[0, 0] * x + r[0, 1] * y + r[0, 2] * z),
        float(r[1, 0] * x + r[1, 1] * y + r[1, 2] * z),
        float(r[2, 0] * x + r[2, 1] * y + r[2, 2] * z),
    )


@njit_part
def fix_from_home(c: Any, o: Any) -> tuple[float, float]:
    """Metres north and east from home of the newest fix in the same plane, which is what a station
    takes PositionState for; in double precision, for the filters that are not firmware's."""
    x, y, z = _centred(o["gps_latitude_deg"], o["gps_longitude_deg"], o["gps_altitude_m"])
    a, b, d = _centred(c["home_latitude_deg"], c["home_longitude_deg"], c["home_altitude_m"])
    latitude = math.radians(c["home_latitude_deg"])
    longitude = math.radians(c["home_longitude_deg"])
    sine, cosine = math.sin(longitude), math.cos(longitude)
    outward = cosine * (x - a) + sine * (y - b)
    return (
        math.cos(latitude) * (z - d) - math.sin(latitude) * outward,
        cosine * (y - b) - sine * (x - a),
    )
