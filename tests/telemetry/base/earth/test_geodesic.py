"""Geodesics against published values and against their differential equations."""

import math

import pytest

from telemetry.base.earth.geodesic import geodesic
from tests.geodesics import geodesic_end


def _degrees(degrees: int, minutes: int, seconds: float) -> float:
    return degrees + minutes / 60 + seconds / 3600


def test_flinders_peak_to_buninyong() -> None:
    """GDA94 Technical Manual, 4.1: 54 972.271 m by 306 deg 52' 05.37''. Its ellipsoid's flattening
    differs by one in ten thousand millions."""
    start = -_degrees(37, 57, 3.72030), _degrees(144, 25, 29.52440)
    end = -_degrees(37, 39, 10.15610), _degrees(143, 55, 35.38390)
    length_m, bearing = geodesic(*start, *end)
    assert length_m == pytest.approx(54_972.271, abs=1e-3)
    assert bearing == pytest.approx(_degrees(306, 52, 5.37), abs=0.01 / 3600)


def test_new_york_to_london() -> None:
    """GeodSolve of GeographicLib, its manual's example: 5551759.400 m by 51.19888285 deg."""
    length_m, bearing = geodesic(40.6, -73.8, 51.6, -0.5)
    assert length_m == pytest.approx(5_551_759.400, abs=1e-3)
    assert bearing == pytest.approx(51.19888285, abs=1e-8)


@pytest.mark.parametrize("azimuth_deg", [0.0, 33.0, 90.0, 251.0])
def test_it_undoes_the_way_there(azimuth_deg: float) -> None:
    there = geodesic_end(48.946, 179.9, azimuth_deg, 100_000.0)
    length_m, bearing = geodesic(48.946, 179.9, *there[:2])
    assert length_m == pytest.approx(100_000.0, abs=1e-3)
    assert math.remainder(bearing - azimuth_deg, 360.0) == pytest.approx(0.0, abs=1e-6)


def test_places_that_are_one_or_opposite_have_a_distance() -> None:
    assert geodesic(10.0, 20.0, 10.0, 20.0)[0] == 0.0
    assert geodesic(0.0, 0.0, 0.1, 179.9)[0] == pytest.approx(2.0e7, rel=0.005)
