"""What an aircraft did between its samples, worked out by hand; and what nobody knows."""

import math

import pytest

from plugins.testing import add
from telemetry.recording.flight_state import read_flight_state
from telemetry.recording.interpolated_state import InterpolatedFlight, attitude_at
from telemetry.recording.recording import Recording


def attitudes(apart_s: float, *angles: tuple[float, float, float]) -> Recording:
    recording = Recording()
    for number, (roll, pitch, yaw) in enumerate(angles):
        add(recording, number * apart_s, "AttitudeState", Roll=roll, Pitch=pitch, Yaw=yaw)
    return recording


def test_half_way_of_a_turn_about_a_diagonal() -> None:
    """From level north to roll 90, yaw 90 is a turn by 120 degrees about (1, 1, 1): after half of
    it the matrix is [[2, -1, 2], [2, 2, -1], [-1, 2, 2]] / 3. Angles on their own would keep the
    pitch at 0."""
    found = attitude_at(attitudes(0.4, (0, 0, 0), (90, 0, 90)), 0.2)
    assert found == pytest.approx((45.0, math.degrees(math.asin(1 / 3)), 45.0), abs=1e-4)


def test_it_turns_at_an_even_rate_the_shorter_way() -> None:
    recording = attitudes(0.4, (0, 0, 350), (0, 0, 20))
    found = attitude_at(recording, 0.1)
    assert found is not None
    assert found[2] % 360 == pytest.approx(357.5, abs=1e-4)


def test_over_a_gap_the_last_attitude_stays_for_a_second_and_is_then_unknown() -> None:
    recording = attitudes(2.0, (10, 0, 0), (50, 0, 0))
    assert attitude_at(recording, -0.1) is None
    assert attitude_at(recording, 0.9) == pytest.approx((10, 0, 0))
    assert attitude_at(recording, 1.1) is None
    assert InterpolatedFlight(recording).at(1.1).roll_deg is None
    assert attitude_at(attitudes(0.4, (10, 0, 0), (50, 0, 0)), 0.1) == pytest.approx((20, 0, 0))


@pytest.fixture
def flown() -> Recording:
    """A second of flight, five of silence, another second."""
    recording = Recording()
    for t, value in ((0.0, 0.0), (1.0, 10.0), (6.0, 100.0), (7.0, 120.0)):
        add(recording, t, "PositionState", North=3.0 * value, East=4.0 * value, Down=-value)
        add(recording, t, "VelocityState", North=value, East=0.0, Down=-value)
        add(recording, t, "FlightBatteryState", Voltage=20.0 - 0.1 * value)
        mode = "Manual" if t < 1 else "Stabilized1"
        add(recording, t, "FlightStatus", FlightMode=mode)
        add(recording, t, "ManualControlCommand", Throttle=value / 200, Roll=value / 200)
    return recording


def test_what_is_continuous_is_on_the_way_and_a_mode_is_not(flown: Recording) -> None:
    state = InterpolatedFlight(flown).at(0.25)
    assert state.height_m == pytest.approx(2.5)
    assert state.distance_home_m == pytest.approx(12.5)
    assert state.groundspeed_mps == pytest.approx(2.5)
    assert state.climb_mps == pytest.approx(2.5)
    assert state.battery_v == pytest.approx(19.75)
    assert state.flight_mode == "Manual"
    assert read_flight_state(flown, 0.25).height_m == 0.0, "what views show is what was heard"


def test_over_a_gap_nothing_is_on_the_way(flown: Recording) -> None:
    flight = InterpolatedFlight(flown)
    held, unknown = flight.at(3.9), flight.at(4.1)
    assert (held.height_m, held.groundspeed_mps) == (10.0, 10.0)
    assert held.battery_v == pytest.approx(19.0)
    assert (unknown.height_m, unknown.groundspeed_mps, unknown.climb_mps) == (None, None, None)
    assert (unknown.battery_v, unknown.distance_home_m) == (None, None)
    assert flight.at(6.5).height_m == pytest.approx(110.0)
    assert flight.at(10.5).height_m is None, "and after the end"


def test_sticks_are_not_on_the_way_for_longer_than_half_a_second(flown: Recording) -> None:
    flight = InterpolatedFlight(flown)
    held = flight.sticks_at(0.5)
    assert held is not None
    assert held.throttle == 0.0, "samples a second apart"
    add(flown, 7.4, "ManualControlCommand", Throttle=1.0, Roll=-0.6)
    between = flight.sticks_at(7.1)
    assert between is not None
    assert (between.throttle, between.roll) == pytest.approx((0.7, 0.3))
    assert flight.sticks_at(4.5) is None


def test_a_mode_is_not_known_after_everything_has_stayed_away(flown: Recording) -> None:
    """Most of what comes regularly has stayed away for longer than 3 s by then."""
    flight = InterpolatedFlight(flown)
    assert flight.at(8.0).flight_mode == "Stabilized1"
    assert flight.at(100.0).flight_mode is None
