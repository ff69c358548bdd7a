"""Patterns cover what they are to cover."""

import math

import pytest
from shapely.geometry import LineString, Polygon

from telemetry.missions.geofences import LatitudeLongitude
from telemetry.missions.local_coordinates import to_latitude_longitude
from telemetry.missions.mission import MissionWaypoint, place_of
from telemetry.missions.patterns import PatternError, PatternFlight, corridor, orbit, survey
from tests.telemetry.missions.made import HOME

FLIGHT = PatternFlight(40.0, 5.0)


def _degrees(*points: tuple[float, float]) -> list[LatitudeLongitude]:
    return [to_latitude_longitude(HOME, *point) for point in points]


def _metres(waypoints: tuple[MissionWaypoint, ...]) -> list[tuple[float, float]]:
    return [place_of(w, HOME) for w in waypoints]


AREA = ((0.0, 0.0), (100.0, 0.0), (100.0, 60.0), (40.0, 90.0), (0.0, 60.0))


@pytest.mark.parametrize("angle", [0.0, 37.0, 90.0, 200.0])
def test_a_survey_leaves_no_place_farther_than_half_a_spacing(angle: float) -> None:
    points = _metres(survey(_degrees(*AREA), FLIGHT, 10.0, angle))
    swept = LineString(points).buffer(5.3)
    missed = Polygon(AREA).difference(swept)
    assert missed.area < 1.0
    narrow = LineString(points).buffer(4.0)
    assert Polygon(AREA).difference(narrow).area > 100.0, "the lines are as far apart as asked"


def test_a_survey_flies_in_the_direction_and_beyond_the_border() -> None:
    points = _metres(survey(_degrees((0, 0), (100, 0), (100, 60), (0, 60)), FLIGHT, 20.0, 0.0, 7.0))
    assert len(points) == 6
    assert [round(north) for north, _ in points] == [-7, 107, 107, -7, -7, 107]
    assert [round(east) for _, east in points] == [10, 10, 30, 30, 50, 50]
    across = _metres(survey(_degrees((0, 0), (100, 0), (100, 60), (0, 60)), FLIGHT, 20.0, 90.0))
    assert len(across) == 10
    assert abs(across[0][0] - across[1][0]) < 0.1, "east and west"


def test_a_survey_of_two_arms_flies_over_both() -> None:
    u_shape = ((0, 0), (90, 0), (90, 20), (30, 20), (30, 40), (90, 40), (90, 60), (0, 60))
    points = _metres(survey(_degrees(*u_shape), FLIGHT, 5.0, 90.0))
    high = [east for north, east in points if north > 40]
    assert min(high) < 1.0
    assert max(high) > 59.0


@pytest.mark.parametrize(
    ("corners", "spacing", "message"),
    [
        (((0, 0), (10, 0)), 5.0, "three corners"),
        (((0, 0), (10, 0), (0, 10), (10, 10)), 5.0, "crosses itself"),
        (((0, 0), (10, 0), (20, 0)), 5.0, "crosses itself|no size"),
        (AREA, 0.0, "spacing"),
        (AREA, math.nan, "spacing"),
        (AREA, 0.001, "wider spacing"),
    ],
)
def test_what_makes_no_survey(
    corners: tuple[tuple[float, float], ...], spacing: float, message: str
) -> None:
    with pytest.raises(PatternError, match=message):
        survey(_degrees(*corners), FLIGHT, spacing)


def test_a_corridor_runs_along_its_line_there_and_back() -> None:
    line = _degrees((0, 0), (100, 0), (100, 80))
    points = _metres(corridor(line, FLIGHT, 20.0, 2))
    assert points[0] == pytest.approx((0.0, -10.0), abs=0.1), "left of the first leg"
    assert points[-1] == pytest.approx((0.0, 10.0), abs=0.1)
    single = _metres(corridor(line, FLIGHT, 0.0, 1))
    assert [(round(n), round(e)) for n, e in single] == [(0, 0), (100, 0), (100, 80)]
    with pytest.raises(PatternError, match="two points"):
        corridor(line[:1], FLIGHT, 10.0)


def test_an_orbit_has_its_radius_from_the_waypoint_before() -> None:
    first, around = orbit(_degrees((50, 50))[0], FLIGHT, 25.0, to_the_right=False, seconds=20.0)
    assert math.dist(place_of(first, HOME), place_of(around, HOME)) == pytest.approx(25.0, abs=0.01)
    assert around.action.mode == "CircleLeft"
    assert around.action.end_condition == "TimeOut"
    assert orbit((48.9, 9.4), FLIGHT, 25.0)[1].action.end_condition == "None"
    with pytest.raises(PatternError):
        orbit((48.9, 9.4), FLIGHT, 0.0)
