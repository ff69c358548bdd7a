"""Legs and the order in which they are flown: updatePathDesired, setWaypoint and pathPlannerTask of
LibrePilot's flight/modules/PathPlanner/pathplanner.c."""

import math
from dataclasses import replace
from itertools import pairwise

import pytest

from telemetry.base.rotations import Floats
from telemetry.missions.legs import (
    flown_order,
    height_above_home_m,
    legs_of,
    next_of,
    path_points,
    points_along,
)
from telemetry.missions.mission import HeightReference
from telemetry.missions.terrain.elevation import GroundHeights
from tests.telemetry.missions.made import HOME, mission, square, waypoint

IF_ELSE = "IfConditionJumpWaypointElseNextWaypoint"


def test_a_leg_begins_at_the_waypoint_before() -> None:
    legs = legs_of(square(), HOME)
    assert legs[0].start == (0.0, 0.0, 0.0)
    assert legs[1].start == legs[0].end
    assert legs[1].length_m == pytest.approx(60.0, abs=0.01)


def test_a_circle_is_once_round_from_the_waypoint_before() -> None:
    made = mission(waypoint(50.0, 0.0), waypoint(20.0, 0.0, mode="CircleRight"))
    circle = legs_of(made, HOME)[1]
    assert circle.length_m == pytest.approx(2.0 * math.pi * 30.0, rel=1e-4)
    quarter = circle.points[len(circle.points) // 4]
    assert quarter == pytest.approx((20.0, 30.0, 30.0), abs=0.05), "clockwise: by the east"


def test_landing_ends_below_where_it_begins() -> None:
    made = mission(waypoint(50.0, 20.0), waypoint(0.0, 0.0, mode="Land"))
    assert legs_of(made, HOME)[1].end == pytest.approx((50.0, 20.0, 0.0), abs=0.01)


def test_taking_off_climbs_where_it_is_as_high_as_the_settings_say() -> None:
    made = mission(waypoint(50.0, 20.0, 0.0, mode="AutoTakeoff"), waypoint(60.0, 20.0))
    first, second = legs_of(made, HOME, take_off_m=6.0)
    assert first.end == (0.0, 0.0, 6.0)
    assert second.start == pytest.approx((50.0, 20.0, 0.0), abs=0.01), "a line goes by the table"


def test_heights_above_the_sea_count_from_home() -> None:
    at_sea = replace(waypoint(0.0, 0.0, 300.0), height_reference=HeightReference.SEA)
    assert legs_of(mission(at_sea), HOME)[0].end[2] == pytest.approx(30.0)


def test_the_order_follows_jumps_and_ends_where_it_repeats_itself() -> None:
    jump = {"command": "OnConditionJumpWaypoint", "jump_destination": 3}
    points = [waypoint(10.0 * i, 0.0) for i in range(4)]
    points[1] = waypoint(10.0, 0.0, **jump)
    assert list(flown_order(mission(*points))) == [0, 1, 3]
    assert list(flown_order(square())) == [0, 1, 2, 3]
    assert next_of(square(), 3) is None, "it stays"
    assert list(flown_order(mission())) == []


@pytest.mark.parametrize(
    ("condition", "command", "following"),
    [
        ("LegRemaining", "OnConditionNextWaypoint", 2),
        ("None", "OnConditionNextWaypoint", None),
        ("None", "OnNotConditionNextWaypoint", 2),
        ("LegRemaining", "OnConditionJumpWaypoint", 0),
        ("None", "OnNotConditionJumpWaypoint", 0),
        ("Immediate", IF_ELSE, 0),
        ("LegRemaining", IF_ELSE, 2),
    ],
)
def test_what_comes_next(condition: str, command: str, following: int | None) -> None:
    middle = waypoint(10.0, 0.0, end_condition=condition, command=command, jump_destination=0)
    assert next_of(mission(waypoint(0.0, 0.0), middle, waypoint(20.0, 0.0)), 1) == following


def test_points_along_a_leg_are_near_to_each_other() -> None:
    leg = legs_of(mission(waypoint(0.0, 0.0), waypoint(95.0, 0.0, 40.0)), HOME)[1]
    points = points_along(leg, 10.0)
    assert points[0] == leg.start
    assert points[-1] == pytest.approx(leg.end)
    steps = [math.dist(a, b) for a, b in pairwise(points)]
    assert max(steps) <= 10.0


class _Slope:
    """Ground that rises by 1 m every 10 m to the north, from 250 m at home's latitude."""

    name = "slope"

    def height_m(self, latitude_deg: float, longitude_deg: float) -> float | None:
        return 250.0 + (latitude_deg - HOME.latitude_deg) * 111_200.0 / 10.0

    def heights_m(self, latitude_deg: Floats, longitude_deg: Floats) -> Floats:
        return 250.0 + (latitude_deg - HOME.latitude_deg) * 111_200.0 / 10.0


def test_heights_above_the_ground_count_from_the_ground_below_the_waypoint() -> None:
    above = replace(waypoint(100.0, 0.0, 20.0), height_reference=HeightReference.GROUND)
    slope = GroundHeights((_Slope(),))
    assert height_above_home_m(above, HOME, slope) == pytest.approx(30.0, abs=0.05)
    assert height_above_home_m(above, HOME) == 20.0, "ground that nobody knows is flat"


@pytest.mark.parametrize(("step", "count"), [(10.1, 7), (9.9, 8), (61.0, 2), (100.0, 2)])
def test_a_path_has_both_ends_and_no_step_too_long(step: float, count: int) -> None:
    leg = legs_of(square(), HOME)[1]
    points = path_points(leg, step)
    assert len(points) == count
    assert (points[0], points[-1]) == (pytest.approx(leg.start), pytest.approx(leg.end))
    assert points_along(leg, step) == [tuple(point) for point in points.tolist()]
