"""Geodesics by GeographicLib, as a judge of all that reckons with them."""

from geographiclib.geodesic import Geodesic


def geodesic_end(
    latitude_deg: float, longitude_deg: float, azimuth_deg: float, distance_m: float
) -> tuple[float, float, float]:
    """Where a geodesic ends and by which azimuth, degrees (Karney, J. Geodesy 87, 2013)."""
    end = Geodesic.WGS84.Direct(latitude_deg, longitude_deg, azimuth_deg, distance_m)
    return end["lat2"], end["lon2"], end["azi2"]
