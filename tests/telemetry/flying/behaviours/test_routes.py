"""Where a route wants to go from a pose, and the sticks for that."""

import math

import pytest

from telemetry.base.earth.tangent_plane import plane_at
from telemetry.flying.behaviours.pose import PilotPose, read_pose
from telemetry.flying.behaviours.routes import Orbit, Waypoints, WorldPoint, hold
from telemetry.flying.behaviours.steering import Course, Steering, StickFeel, towards, turn
from tests.telemetry.flying.fakes import Ground

HOME = (49.0, 9.5)


def at(north: float, east: float, height: float = 10.0, yaw: float = 0.0) -> PilotPose:
    """It stands there."""
    return PilotPose(north, east, height, 0.0, 0.0, yaw, HOME)


def point(north: float, east: float, height: float = 10.0) -> WorldPoint:
    return WorldPoint(*plane_at(*HOME).latitude_longitude(north, east), height)


def test_it_flies_to_a_point_and_slows_down_before_it() -> None:
    """Half of what is left a second, no faster than allowed."""
    assert towards(at(0.0, 0.0), 30.0, 40.0, 5.0) == pytest.approx((3.0, 4.0))
    assert towards(at(28.5, 38.0), 30.0, 40.0, 5.0) == pytest.approx((0.75, 1.0))
    assert towards(at(30.0, 40.0), 30.0, 40.0, 5.0) == (0.0, 0.0)


def test_waypoints_go_on_where_place_and_height_are_reached() -> None:
    route = Waypoints((point(50.0, 0.0), point(50.0, 50.0, 20.0)), 4.0)
    for pose, index, height in (
        (at(47.9, 0.0), 0, 10.0),
        (at(48.1, 0.0, 7.9), 0, 10.0),
        (at(48.1, 0.0, 8.1), 1, 10.0),  # from the next step on
        (at(48.1, 0.0), 1, 20.0),
        (at(50.0, 50.0, 20.0), 1, 20.0),
    ):
        course = route.course(pose)
        assert course is not None
        assert (route.index, course.height_m) == (index, height)
    assert Waypoints((), 4.0).course(at(0.0, 0.0)) is None
    nowhere = PilotPose(0.0, 0.0, 9.0, 0.0, 0.0, 0.0)
    assert route.course(nowhere) is None


@pytest.mark.parametrize(
    ("place", "velocity", "heading"),
    [
        ((20.0, 0.0), (0.0, 3.0), 180.0),
        ((0.0, 20.0), (-3.0, 0.0), 270.0),
        ((24.0, 0.0), (-1.5, 3.0), 180.0),  # half of 3 m/s, which is the most
        ((18.0, 0.0), (1.0, 3.0), 180.0),
    ],
)
def test_it_circles_to_the_right_and_looks_at_the_middle(
    place: tuple[float, float], velocity: tuple[float, float], heading: float
) -> None:
    course = Orbit(point(0.0, 0.0, 12.0), 20.0, 3.0).course(at(*place))
    assert course is not None
    assert (course.north_mps, course.east_mps) == pytest.approx(velocity, abs=1e-6)
    assert course.height_m == 12.0
    assert course.heading_deg is not None
    assert course.heading_deg % 360.0 == pytest.approx(heading)


def test_in_the_middle_of_a_circle_it_flies_out() -> None:
    course = Orbit(point(0.0, 0.0), 20.0, 3.0).course(at(0.0, 0.0))
    assert course is not None
    assert math.hypot(course.north_mps, course.east_mps) > 3.0
    assert Orbit(point(0.0, 0.0), 20.0, 3.0).course(PilotPose(0, 0, 9, 0, 0, 0)) is None


def test_holding_is_a_waypoint_where_it_is() -> None:
    route = hold(at(3.0, 4.0, 7.0))
    assert route is not None
    assert route.name == "hold"
    course = route.course(at(3.0, 4.0))
    assert course is not None
    assert (course.north_mps, course.east_mps) == pytest.approx((0.0, 0.0), abs=1e-6)
    assert course.height_m == 7.0
    assert hold(PilotPose(0, 0, 9, 0, 0, 0)) is None


@pytest.mark.parametrize(
    ("yaw", "roll", "pitch"), [(0.0, 0.25, 0.0), (90.0, 0.0, -0.25), (180.0, -0.25, 0.0)]
)
def test_the_bank_is_towards_the_velocity_that_lacks(yaw: float, roll: float, pitch: float) -> None:
    """5 degrees for a metre per second, of 40 at full stick; the nose goes down to go ahead."""
    sticks = Steering().sticks(
        Course(0.0, 2.0, 10.0), at(0.0, 0.0, yaw=yaw), StickFeel((40.0, 40.0)), 0.0
    )
    assert (sticks.roll, sticks.pitch) == pytest.approx((roll, pitch), abs=1e-9)
    assert sticks.throttle == 0.5


def test_banks_climbs_and_turns_have_their_limits() -> None:
    fast = Steering().sticks(
        Course(0.0, 90.0, 99.0, 179.0), at(0.0, 0.0), StickFeel((40.0, 40.0)), 0.0
    )
    assert fast.roll == pytest.approx(20.0 / 40.0)
    assert fast.throttle == pytest.approx(0.5 + 0.3)
    assert fast.yaw == pytest.approx(0.4)
    assert Steering().sticks(
        Course(0.0, 0.0, 9.0), at(0.0, 0.0), StickFeel(), 0.0
    ).throttle == pytest.approx(0.5 - 0.15)
    assert turn(12.0, 0.0) == pytest.approx(0.2)
    assert turn(0.0, 12.0) == pytest.approx(-0.2)


def test_wind_is_leaned_against_by_and_by() -> None:
    """A metre per second that stays lacking adds a degree a second, up to eight."""
    steering, course = Steering(), Course(0.0, 1.0, 10.0)
    rolls = [
        steering.sticks(course, at(0.0, 0.0), StickFeel((100.0, 100.0)), 1.0).roll
        for _ in range(12)
    ]
    assert rolls[0] == pytest.approx(0.06)
    assert rolls[3] == pytest.approx(0.09)
    assert rolls[-1] == pytest.approx(0.13)


def test_a_pose_is_known_while_it_is_told() -> None:
    ground = Ground()
    ground.say(0.0, "HomeLocation", {"Latitude": 490_000_000, "Longitude": 95_000_000})
    ground.say(1.0, "PositionState", {"North": 1.0, "East": 2.0, "Down": -3.0})
    ground.say(1.0, "VelocityState", {"North": 4.0, "East": 5.0, "Down": 6.0})
    assert read_pose(ground.vehicle) is None
    ground.say(1.0, "AttitudeState", {"Yaw": 30.0})
    assert read_pose(ground.vehicle) == PilotPose(1.0, 2.0, 3.0, 4.0, 5.0, 30.0, HOME)
    ground.say(1.9, "AttitudeState", {"Yaw": 40.0})
    assert read_pose(ground.vehicle) is not None
    ground.say(2.1, "AttitudeState", {"Yaw": 50.0})
    assert read_pose(ground.vehicle) is None, "the place is more than a second old"


@pytest.mark.parametrize("name", ["PositionState", "VelocityState"])
def test_what_is_no_number_is_no_pose(name: str) -> None:
    ground = Ground()
    for one in ("PositionState", "VelocityState"):
        ground.say(1.0, one, {"North": math.nan if one == name else 0.0})
    ground.say(1.0, "AttitudeState", {"Yaw": 30.0})
    assert read_pose(ground.vehicle) is None
