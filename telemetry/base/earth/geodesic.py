"""Geodesics on the WGS84 ellipsoid: distance and bearing between two places."""

from functools import lru_cache

from geographiclib.geodesic import Geodesic


@lru_cache(maxsize=32)
def geodesic(
    latitude_deg: float, longitude_deg: float, to_latitude_deg: float, to_longitude_deg: float
) -> tuple[float, float]:
    """Metres from one place to another, and the bearing to set out by, 0 to 360 degrees clockwise
    from north."""
    way = Geodesic.WGS84.Inverse(latitude_deg, longitude_deg, to_latitude_deg, to_longitude_deg)
    return way["s12"], way["azi1"] % 360.0
