"""Distances to fences."""

import math

import pytest

from telemetry.missions.geofences import (
    Fence,
    FenceKind,
    fence_places,
    flat_fence,
)
from telemetry.missions.local_coordinates import to_latitude_longitude
from tests.telemetry.missions.made import HOME

SQUARE = tuple(
    to_latitude_longitude(HOME, *c)
    for c in ((0.0, 0.0), (100.0, 0.0), (100.0, 100.0), (0.0, 100.0))
)


@pytest.mark.parametrize(
    ("place", "margin"),
    [
        ((50.0, 50.0, 10.0), 10.0),
        ((50.0, 50.0, 40.0), 20.0),
        ((50.0, 95.0, 40.0), 5.0),
        ((50.0, 108.0, 40.0), -8.0),
        ((-3.0, -4.0, 30.0), -5.0),
        ((50.0, 50.0, 67.0), -7.0),
    ],
)
def test_the_margin_is_to_the_nearest_border_or_face(
    place: tuple[float, float, float], margin: float
) -> None:
    inside = flat_fence(Fence(SQUARE, lowest_m=0.0, highest_m=60.0), HOME)
    assert inside.margin_m(*place) == pytest.approx(margin, abs=0.01)
    outside = flat_fence(Fence(SQUARE, FenceKind.STAY_OUTSIDE, lowest_m=0.0, highest_m=60.0), HOME)
    assert outside.margin_m(*place) == pytest.approx(-margin, abs=0.01)


def test_a_hollow_shape() -> None:
    u_shape = ((0, 0), (90, 0), (90, 20), (30, 20), (30, 40), (90, 40), (90, 60), (0, 60))
    corners = tuple(to_latitude_longitude(HOME, *c) for c in u_shape)
    flat = flat_fence(Fence(corners), HOME)
    assert flat.margin_m(80.0, 30.0, 0.0) == pytest.approx(-10.0, abs=0.01)
    assert flat.margin_m(80.0, 10.0, 0.0) == pytest.approx(10.0, abs=0.01)


def test_a_circle_warns_before_it_is_left() -> None:
    centre = ((HOME.latitude_deg, HOME.longitude_deg),)
    flat = [flat_fence(Fence(centre, radius_m=250.0, warning_m=50.0), HOME)]
    for distance, near, broken in (
        (199.0, False, False),
        (201.0, True, False),
        (251.0, True, True),
    ):
        (place,) = fence_places(flat, distance, 0.0, 500.0)
        assert (place.is_near, place.is_broken) == (near, broken)
    assert math.isinf(flat[0].fence.highest_m)
