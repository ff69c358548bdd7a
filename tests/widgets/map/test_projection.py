"""Web-Mercator mathematics."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from widgets.map.projection import (
    MAX_LATITUDE_DEG,
    Bounds,
    GeoPoint,
    Viewport,
    bearing_deg,
    distance_m,
    project,
    project_many,
    unproject,
)

BACKNANG = GeoPoint(48.9466, 9.4300)
latitudes = st.floats(-85.0, 85.0)
longitudes = st.floats(-180.0, 180.0)


@given(latitudes, longitudes)
def test_projecting_there_and_back(latitude: float, longitude: float) -> None:
    back = unproject(*project(GeoPoint(latitude, longitude)))
    assert back.latitude_deg == pytest.approx(latitude, abs=1e-9)
    assert back.longitude_deg == pytest.approx(longitude, abs=1e-9)


@pytest.mark.parametrize(
    ("place", "world"),
    [
        (GeoPoint(0, 0), (0.5, 0.5)),
        (GeoPoint(MAX_LATITUDE_DEG, -180), (0, 0)),
        (GeoPoint(-MAX_LATITUDE_DEG, 180), (1, 1)),
        (GeoPoint(90, 0), (0.5, 0)),
    ],
)
def test_corners_of_the_world(place: GeoPoint, world: tuple[float, float]) -> None:
    assert project(place) == pytest.approx(world, abs=1e-12)


def test_a_known_tile() -> None:
    """Tile 14/8621/5652 holds this place (computed with the formula of the OSM wiki)."""
    x, y = project(BACKNANG)
    count = 2**14
    n = math.log(math.tan(math.radians(48.9466)) + 1 / math.cos(math.radians(48.9466)))
    assert int(x * count) == int((9.43 + 180) / 360 * count)
    assert int(y * count) == int((1 - n / math.pi) / 2 * count)


def test_many_equal_one_by_one() -> None:
    latitude, longitude = np.array([48.0, -33.0, np.nan]), np.array([9.0, 151.0, 3.0])
    x, y = project_many(latitude, longitude)
    for index in range(2):
        assert (x[index], y[index]) == pytest.approx(
            project(GeoPoint(latitude[index], longitude[index]))
        )
    assert np.isnan(y[2])


def test_distance_and_bearing() -> None:
    north = GeoPoint(BACKNANG.latitude_deg + 0.001, BACKNANG.longitude_deg)
    assert distance_m(BACKNANG, north) == pytest.approx(111.209, abs=0.001)
    assert bearing_deg(BACKNANG, north) == pytest.approx(0.0, abs=1e-6)
    assert bearing_deg(GeoPoint(0, 0), GeoPoint(0, 1)) == pytest.approx(90.0)
    assert bearing_deg(GeoPoint(0, 0), GeoPoint(-1, -1)) == pytest.approx(225.188, abs=0.001)
    assert distance_m(BACKNANG, BACKNANG) == 0


def test_from_flinders_peak_to_buninyong() -> None:
    """GDA94 Technical Manual, 4.1: 54 972.271 m by 306 deg 52' 05.37''. Its ellipsoid's flattening
    differs by one in ten thousand millions."""
    start = GeoPoint(-37.951033417, 144.424867889)
    end = GeoPoint(-37.652821139, 143.926495528)
    assert distance_m(start, end) == pytest.approx(54_972.271, abs=1e-3)
    assert bearing_deg(start, end) == pytest.approx(306.8681583, abs=3e-6)


@pytest.mark.slow
@given(
    latitudes, longitudes, st.floats(2, 20), st.floats(2, 20), st.floats(0, 800), st.floats(0, 500)
)
def test_the_place_under_the_pointer_stays_when_zooming(
    latitude: float, longitude: float, zoom: float, new_zoom: float, px: float, py: float
) -> None:
    view = Viewport(0.5, 0.5, 10, 800, 500).centred(
        *project(GeoPoint(latitude * 0.5, longitude * 0.5))
    )
    view = view.zoomed(zoom, 400, 250)
    before = view.to_world(px, py)
    after = view.zoomed(new_zoom, px, py)
    if 0 < after.x < 1 and 0 < after.y < 1:
        assert after.to_px(*before) == pytest.approx((px, py), abs=1e-3)


def test_panning_moves_the_ground_with_the_hand() -> None:
    view = Viewport(0.5, 0.5, 12, 800, 500)
    held = view.to_world(100, 100)
    assert view.panned(30, -20).to_px(*held) == pytest.approx((130, 80))


def test_fitting_shows_all_of_it() -> None:
    bounds = Bounds(0.51, 0.32, 0.5101, 0.3203)
    view = Viewport(width=800, height=500).fitted(bounds, margin_px=40, closest=30)
    left, top = view.to_px(bounds.x0, bounds.y0)
    right, bottom = view.to_px(bounds.x1, bounds.y1)
    assert left >= 39.9
    assert right <= 760.1
    assert (top, bottom) == pytest.approx((40, 460))


def test_fitting_one_point_comes_no_closer_than_allowed() -> None:
    view = Viewport(width=800, height=500).fitted(Bounds(0.5, 0.5, 0.5, 0.5), closest=18)
    assert view.zoom == 18


def test_scale_on_the_ground() -> None:
    """At zoom 0 the equator is 256 pixels long, and so is a parallel: at 60 deg a degree is 55.8 km
    on the ellipsoid, 55.66 km on a sphere."""
    assert Viewport(zoom=1).metres_per_px == pytest.approx(40_075_016.7 / 512, rel=1e-6)
    at_60 = Viewport(zoom=1).centred(*project(GeoPoint(60, 0)))
    assert at_60.metres_per_px == pytest.approx(360 * 55_800.0 / 512, rel=2e-5)
