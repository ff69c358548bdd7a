"""Places of a plane against the way from the Earth's centre (ECEF), and on the ground against
geographiclib's geodesics, near the poles and the date line too."""

import math
from dataclasses import replace

import numpy as np
import pytest
from geographiclib.geodesic import Geodesic

from telemetry.base.earth.tangent_plane import FARTHEST_M, TangentPlane, plane_at

AZIMUTHS_DEG = range(0, 360, 45)
PLACES = (
    (48.946, 9.43, 270.0),
    (-0.3, 179.95, 4000.0),
    (86.0, -179.9, 0.0),
    (-89.2, 60.0, 2800.0),
)


def _from_centre(latitude_deg: float, longitude_deg: float, height_m: float) -> np.ndarray:
    """ECEF of WGS84, metres."""
    latitude, longitude = math.radians(latitude_deg), math.radians(longitude_deg)
    flattening = 1.0 / 298.257223563
    square = flattening * (2.0 - flattening)
    across = 6378137.0 / math.sqrt(1.0 - square * math.sin(latitude) ** 2)
    level = (across + height_m) * math.cos(latitude)
    up = (across * (1.0 - square) + height_m) * math.sin(latitude)
    return np.array([level * math.cos(longitude), level * math.sin(longitude), up])


def _missed_m(plane: TangentPlane, azimuth_deg: float) -> float:
    """By how much the place FARTHEST_M away lies beside there by the axes of the plane."""
    way = math.radians(azimuth_deg)
    wanted = FARTHEST_M * np.array([math.cos(way), math.sin(way)])
    home = plane.latitude_deg, plane.longitude_deg
    there = _from_centre(*plane.latitude_longitude(*wanted), plane.altitude_m)
    away = there - _from_centre(*home, plane.altitude_m)
    latitude, longitude = map(math.radians, home)
    outward = np.array([math.cos(longitude), math.sin(longitude), 0.0])
    north = math.cos(latitude) * np.array([0.0, 0.0, 1.0]) - math.sin(latitude) * outward
    east = np.array([-math.sin(longitude), math.cos(longitude), 0.0])
    return float(np.linalg.norm((north @ away, east @ away) - wanted))


@pytest.mark.parametrize("place", PLACES)
def test_a_place_of_the_plane_is_below_it(place: tuple[float, float, float]) -> None:
    assert max(_missed_m(plane_at(*place), way) for way in AZIMUTHS_DEG) < 0.01


def test_by_the_vertical_of_the_other_hemisphere_it_is_not() -> None:
    """Negative control."""
    plane = plane_at(*PLACES[0])
    assert _missed_m(replace(plane, sine=-plane.sine), 45.0) > 10_000.0


@pytest.mark.parametrize("place", PLACES)
def test_distance_and_azimuth_on_the_ground_are_those_of_geodesics(
    place: tuple[float, float, float],
) -> None:
    """Within 0.1 m to 100 km."""
    for azimuth_deg in AZIMUTHS_DEG:
        way = math.radians(azimuth_deg)
        north, east = (FARTHEST_M * np.array([part]) for part in (math.cos(way), math.sin(way)))
        (found,) = plane_at(*place[:2]).ground_places(north, east).tolist()
        there = Geodesic.WGS84.Direct(*place[:2], azimuth_deg, FARTHEST_M)
        assert Geodesic.WGS84.Inverse(there["lat2"], there["lon2"], *found)["s12"] < 0.1
