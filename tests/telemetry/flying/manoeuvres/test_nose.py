"""The yaw stick that has the nose look somewhere."""

import math

import pytest

from telemetry.flying.manoeuvres.aircraft_view import AircraftView
from telemetry.flying.manoeuvres.nose import Facing, Heading, TurnRate, off_deg, yaw_stick
from telemetry.recording.flight_state import FlightState
from tests.telemetry.flying.fakes import Ground

RATE, DEADBAND = "MaximumRate.Yaw", 0.02


@pytest.fixture
def aircraft() -> AircraftView:
    """A full stick turns it by 80 deg/s, and 2 % of it do nothing."""
    ground = Ground()
    ground.say(0.0, "StabilizationBank", {RATE: 80.0})
    ground.say(0.0, "ManualControlSettings", {"Deadband": 100.0 * DEADBAND})
    return AircraftView(ground.vehicle)


def turned_degps(stick: float) -> float:
    """What firmware makes of a stick: receiver.c, applyDeadband, then MaximumRate."""
    beyond = max(abs(stick) - DEADBAND, 0.0) / (1.0 - DEADBAND)
    return math.copysign(80.0 * beyond, stick)


@pytest.mark.parametrize("degps", [-80.0, -20.0, 0.0, 20.0, 80.0])
def test_a_rate_of_turn_is_what_firmware_makes_of_the_stick(
    degps: float, aircraft: AircraftView
) -> None:
    stick = yaw_stick(TurnRate(degps), aircraft, FlightState(0.0))
    assert turned_degps(stick) == pytest.approx(degps)


def test_no_stick_is_beyond_its_end(aircraft: AircraftView) -> None:
    assert yaw_stick(TurnRate(500.0), aircraft, FlightState(0.0)) == 1.0
    assert yaw_stick(TurnRate(-500.0), aircraft, FlightState(0.0)) == -1.0


def test_the_rate_of_another_bank_holds_until_that_in_use_is_told() -> None:
    ground = Ground()
    assert yaw_stick(TurnRate(50.0), AircraftView(ground.vehicle), FlightState(0.0)) == 0.5
    ground.say(0.0, "StabilizationSettingsBank1", {RATE: 200.0})
    assert yaw_stick(TurnRate(50.0), AircraftView(ground.vehicle), FlightState(0.0)) == 0.25


@pytest.mark.parametrize(
    ("heading", "yaw", "off"),
    [(10.0, 350.0, 20.0), (350.0, 10.0, -20.0), (90.0, 90.0, 0.0), (170.0, -20.0, -170.0)],
)
def test_it_turns_the_shorter_way_twice_as_fast_a_second_as_it_is_off(
    heading: float, yaw: float, off: float, aircraft: AircraftView
) -> None:
    flight = FlightState(0.0, yaw_deg=yaw)
    assert off_deg(Heading(heading), flight) == pytest.approx(off)
    stick = yaw_stick(Heading(heading), aircraft, flight)
    assert turned_degps(stick) == pytest.approx(max(min(2.0 * off, 80.0), -80.0))


def test_without_a_heading_nothing_is_off() -> None:
    assert off_deg(Heading(90.0), FlightState(0.0)) == 0.0
    assert off_deg(Facing(9.0, 9.0), FlightState(0.0, yaw_deg=9.0)) == 0.0


@pytest.mark.parametrize(
    ("place", "bearing"), [((30.0, 10.0), 0.0), ((20.0, 20.0), 90.0), ((10.0, 10.0), 180.0)]
)
def test_it_faces_a_place_from_where_it_is(place: tuple[float, float], bearing: float) -> None:
    flight = FlightState(0.0, yaw_deg=-30.0, north_m=20.0, east_m=10.0)
    assert off_deg(Facing(*place), flight) % 360.0 == pytest.approx((bearing + 30.0) % 360.0)


def test_flying_past_a_place_it_turns_as_the_place_does(aircraft: AircraftView) -> None:
    """North at 5 m/s, the place 20 m to the right: its bearing grows by 5 / 20 rad/s."""
    flight = FlightState(
        0.0, yaw_deg=90.0, north_m=0.0, east_m=0.0, velocity_north_mps=5.0, velocity_east_mps=0.0
    )
    right = turned_degps(yaw_stick(Facing(0.0, 20.0), aircraft, flight))
    assert right == pytest.approx(math.degrees(5.0 / 20.0))
    away = FlightState(
        0.0, yaw_deg=90.0, north_m=0.0, east_m=0.0, velocity_north_mps=0.0, velocity_east_mps=5.0
    )
    assert turned_degps(yaw_stick(Facing(0.0, 20.0), aircraft, away)) == 0.0


def test_a_place_it_stands_on_has_no_direction() -> None:
    flight = FlightState(0.0, yaw_deg=90.0, north_m=0.0, east_m=0.0)
    assert off_deg(Facing(0.4, 0.0), flight) == 0.0
    assert off_deg(Facing(0.6, 0.0), flight) == -90.0
