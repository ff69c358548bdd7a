"""Geodesics on the WGS84 ellipsoid: distance and bearing between two places.

Vincenty's inverse formula (Survey Review 23, 1975), exact to a millimetre. It does not converge for
places nearly opposite each other: of these the great circle of a sphere is told, half a per cent
off at most.
"""

import math

from telemetry.base.earth.wgs84 import EQUATOR_M, FLATTENING

_POLE_M = EQUATOR_M * (1.0 - FLATTENING)
_ROUNDS = 50
_SAME = 1e-14  # rad: nothing changes any more


def geodesic(
    latitude_deg: float, longitude_deg: float, to_latitude_deg: float, to_longitude_deg: float
) -> tuple[float, float]:
    """Metres from one place to another, and the bearing to set out by, 0 to 360 degrees clockwise
    from north; 0 of a place to itself."""
    first, second = _reduced(latitude_deg), _reduced(to_latitude_deg)
    apart = math.remainder(math.radians(to_longitude_deg - longitude_deg), math.tau)
    on_sphere = apart
    for _ in range(_ROUNDS):
        sine, cosine, north, east = _great_circle(first, second, on_sphere)
        around = math.atan2(sine, cosine)
        if sine == 0.0:
            break
        tilt = first[1] * second[1] * math.sin(on_sphere) / sine  # sine of the azimuth at equator
        square = 1.0 - tilt * tilt
        middle = cosine - 2.0 * first[0] * second[0] / square if square > 0.0 else 0.0
        c = FLATTENING / 16.0 * square * (4.0 + FLATTENING * (4.0 - 3.0 * square))
        bent = around + c * sine * (middle + c * cosine * (2.0 * middle * middle - 1.0))
        before, on_sphere = on_sphere, apart + (1.0 - c) * FLATTENING * tilt * bent
        if abs(on_sphere - before) < _SAME:
            length = _length_m(around, sine, cosine, square, middle)
            return length, math.degrees(math.atan2(east, north)) % 360.0
    sine, cosine, north, east = _great_circle(first, second, apart)
    bearing_deg = math.degrees(math.atan2(east, north)) % 360.0
    return EQUATOR_M * math.atan2(sine, cosine), bearing_deg


def _reduced(latitude_deg: float) -> tuple[float, float]:
    """Sine and cosine of the reduced latitude."""
    latitude = math.radians(latitude_deg)
    up, out = (1.0 - FLATTENING) * math.sin(latitude), math.cos(latitude)
    length = math.hypot(up, out)
    return up / length, out / length


def _great_circle(
    first: tuple[float, float], second: tuple[float, float], apart: float
) -> tuple[float, float, float, float]:
    """Sine and cosine of the angle between two places of a sphere, and the way to set out by."""
    east = second[1] * math.sin(apart)
    north = first[1] * second[0] - first[0] * second[1] * math.cos(apart)
    cosine = first[0] * second[0] + first[1] * second[1] * math.cos(apart)
    return math.hypot(east, north), cosine, north, east


def _length_m(around: float, sine: float, cosine: float, square: float, middle: float) -> float:
    """Vincenty's series for an arc of the auxiliary sphere."""
    u = square * (EQUATOR_M**2 / _POLE_M**2 - 1.0)
    a = 1.0 + u / 16384.0 * (4096.0 + u * (-768.0 + u * (320.0 - 175.0 * u)))
    b = u / 1024.0 * (256.0 + u * (-128.0 + u * (74.0 - 47.0 * u)))
    first = cosine * (2.0 * middle * middle - 1.0)
    second = middle / 6.0 * (4.0 * sine * sine - 3.0) * (4.0 * middle * middle - 3.0)
    return _POLE_M * a * (around - b * sine * (middle + b / 4.0 * (first - b * second)))
