"""Places and metres; lengths of a degree from NIMA TR8350.2 (WGS84)."""

import math

import pytest

from telemetry.missions.local_coordinates import (
    MissionHome,
    moved,
    to_latitude_longitude,
    to_north_east,
)

HOME = MissionHome(45.0, 9.0, 270.0)


def test_a_thousandth_of_a_degree_is_as_long_as_the_ellipsoid_says() -> None:
    north, east = to_north_east(HOME, 45.001, 9.001)
    assert north == pytest.approx(111.132, abs=0.01)
    assert east == pytest.approx(78.846, abs=0.01)


@pytest.mark.parametrize("latitude", [-77.0, 0.0, 48.9, 83.0])
@pytest.mark.parametrize("longitude", [-179.9999, 9.4, 179.9999])
def test_there_and_back(latitude: float, longitude: float) -> None:
    home = MissionHome(latitude, longitude)
    for north, east in ((0.0, 0.0), (1234.5, -987.6), (-20_000.0, 20_000.0)):
        place = to_latitude_longitude(home, north, east)
        assert -180.0 <= place[1] < 180.0
        assert to_north_east(home, *place) == pytest.approx((north, east), abs=1e-3)


def test_moving_by_metres() -> None:
    latitude, longitude = moved(45.0, 9.0, 100.0, 0.0)
    assert longitude == pytest.approx(9.0, abs=1e-9)
    assert math.isclose(latitude - 45.0, 100.0 / 111_132, rel_tol=1e-4)
