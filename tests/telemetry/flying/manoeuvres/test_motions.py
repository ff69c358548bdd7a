"""The velocity that a motion asks for: along the body, to a height, around a place."""

import math

import pytest

from telemetry.flying.manoeuvres.aircraft_view import AircraftView
from telemetry.flying.manoeuvres.climb_throttle import climb_throttle
from telemetry.flying.manoeuvres.motions import (
    Circling,
    FlownCircle,
    Motion,
    Renewed,
    for_seconds,
)
from telemetry.flying.manoeuvres.nose import KEPT, Facing
from telemetry.recording.flight_state import FlightState
from tests.telemetry.flying.fakes import Ground

LEAD_S = 0.5
"""How far what is flown lags behind what is asked for (seed 033)."""


def at(north: float, east: float, t: float = 0.0) -> AircraftView:
    """An aircraft that stands in the air, at 10 m."""
    ground = Ground()
    ground.say(t, "PositionState", {"North": north, "East": east, "Down": -10.0})
    ground.say(t, "VelocityState", {"North": 0.0, "East": 0.0, "Down": 0.0})
    return AircraftView(ground.vehicle)


@pytest.mark.parametrize(
    ("yaw", "north", "east"), [(0.0, 3.0, 1.0), (90.0, -1.0, 3.0), (180.0, -3.0, -1.0)]
)
def test_ahead_and_right_turn_with_the_nose(yaw: float, north: float, east: float) -> None:
    motion = Motion((3.0, 1.0), is_body=True)
    assert motion.over_ground(FlightState(0.0, yaw_deg=yaw)) == pytest.approx((north, east))
    assert Motion((3.0, 1.0)).over_ground(FlightState(0.0, yaw_deg=yaw)) == (3.0, 1.0)


def test_it_climbs_by_a_rate_or_to_a_height() -> None:
    assert Motion(up_mps=1.5).climb_mps(FlightState(0.0, height_m=9.0)) == 1.5
    assert Motion(height_m=12.0).climb_mps(FlightState(0.0, height_m=9.0)) == 3.0
    assert Motion(up_mps=0.5, height_m=12.0).climb_mps(FlightState(0.0)) == 0.5


def test_a_motion_lasts_its_seconds() -> None:
    aim = for_seconds(Motion((1.0, 0.0)), 2.0)
    assert aim(at(0.0, 0.0), 1.9) == Motion((1.0, 0.0))
    assert aim(at(0.0, 0.0), 2.0) is None


def test_a_motion_that_nobody_renews_ends_but_not_before_it_is_flown() -> None:
    here = at(0.0, 0.0, 10.0)
    aim = Renewed(Motion((1.0, 0.0)), 1.0, 8.0)
    assert aim(here, 0.9) == Motion((1.0, 0.0))
    assert aim(here, 1.1) is None
    aim.renew(Motion((2.0, 0.0)), 1.0, 9.5)
    assert aim(here, 5.0) == Motion((2.0, 0.0))


@pytest.mark.parametrize("speed", [4.0, -4.0])
def test_on_a_circle_it_flies_along_the_tangent_of_where_it_will_be(speed: float) -> None:
    """North of the middle, to the right is east; LEAD_S later it is speed / radius further."""
    motion = Circling(FlownCircle(0.0, 0.0, 20.0, speed, 15.0), 1.0)(at(20.0, 0.0), 0.0)
    assert motion is not None
    angle = math.radians(90.0) + speed / 20.0 * LEAD_S
    assert motion.velocity_mps == pytest.approx(
        (speed * math.cos(angle), speed * math.sin(angle)), abs=1e-9
    )
    assert motion.height_m == 15.0
    assert motion.nose == Facing(0.0, 0.0)


def test_off_the_circle_it_flies_towards_it_as_well() -> None:
    """4 m too far out: half of that inwards a second, the rest of the speed along."""
    circle = FlownCircle(0.0, 0.0, 20.0, 4.0, 15.0, faces_centre=False)
    motion = Circling(circle, 1.0)(at(24.0, 0.0), 0.0)
    assert motion is not None
    lead = 4.0 / 20.0 * LEAD_S
    north, east = motion.velocity_mps
    back = complex(north, east) / complex(math.cos(lead), math.sin(lead))
    assert (back.real, back.imag) == pytest.approx((-2.0, math.sqrt(12.0)))
    assert motion.nose == KEPT
    far = Circling(circle, 1.0)(at(90.0, 0.0), 0.0)
    assert far is not None
    assert math.hypot(*far.velocity_mps) == pytest.approx(4.0), "all of it inwards"
    inside = Circling(circle, 1.0)(at(18.0, 0.0), 0.0)
    assert inside is not None
    back = complex(*inside.velocity_mps) / complex(math.cos(lead), math.sin(lead))
    assert (back.real, back.imag) == pytest.approx((1.0, math.sqrt(15.0)))


def test_a_circle_ends_after_its_turns_counted_where_it_is_on_it() -> None:
    aim = Circling(FlownCircle(0.0, 0.0, 20.0, 4.0, 15.0), 0.5)
    places = [(20.0 * math.cos(a), 20.0 * math.sin(a)) for a in map(math.radians, (0, 60, 120))]
    for north, east in places:
        assert aim(at(north, east), 0.0) is not None
    assert aim(at(-5.0, 0.0), 0.0) is not None, "off the circle nothing counts"
    assert aim(at(-20.0, -1.0), 0.0) is not None
    assert aim(at(-9.0, -17.9), 0.0) is None


def test_where_it_is_unknown_it_stays_at_its_height() -> None:
    unknown = AircraftView(Ground().vehicle)
    circle = FlownCircle(3.0, 4.0, 20.0, 4.0, 15.0)
    assert Circling(circle, 1.0)(unknown, 0.0) == Motion(height_m=15.0, nose=Facing(3.0, 4.0))


@pytest.mark.parametrize("climb", [-5.0, -2.0, -0.1, 0.1, 2.0, 5.0])
@pytest.mark.parametrize("bend", [0.0, 128.0, 255.0])
def test_the_throttle_asks_altitude_vario_for_the_climb(climb: float, bend: float) -> None:
    """altitudeloop.cpp: beyond 10 % of the middle, ThrustRate (k x^3 + (255 - k) x) / 255."""
    throttle = climb_throttle(climb, 5.0, bend)
    x = (abs(throttle - 0.5) - 0.1) / 0.4
    asked = 5.0 * (bend * x**3 + (255.0 - bend) * x) / 255.0
    assert math.copysign(asked, throttle - 0.5) == pytest.approx(climb)


def test_no_climb_is_the_middle_of_the_throttle() -> None:
    assert climb_throttle(0.0, 5.0, 128.0) == 0.5
    assert climb_throttle(2.0, 0.0, 128.0) == 0.5
    assert climb_throttle(9.0, 5.0, 128.0) == 1.0


def test_here_is_a_place_below_home_by_what_is_above_it() -> None:
    aircraft = at(3.0, 4.0)
    here = aircraft.here()
    assert here is not None
    assert (here.north_m, here.east_m, here.down_m) == (3.0, 4.0, -10.0)
    assert at(3.0, 8.0).distance_m(here) == 4.0
    assert AircraftView(Ground().vehicle).here() is None
    assert AircraftView(Ground().vehicle).distance_m(here) == math.inf
