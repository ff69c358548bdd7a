"""Simulated time against the time of a flight."""

import pytest

from telemetry.protocol.streams.clock_map import ClockMap


def test_nothing_is_known_before_the_clock_was_told() -> None:
    assert ClockMap().flight_s(0) is None


def test_what_arrived_soonest_counts() -> None:
    clock = ClockMap()
    for now_us, late_s in ((1_000_000, 0.02), (2_000_000, 0.001), (3_000_000, 0.03)):
        clock.take(now_us, 1.0, now_us / 1e6 + 10.0 + late_s)
    assert clock.flight_s(3_000_000) == pytest.approx(13.001)
    assert clock.flight_s(2_500_000) == pytest.approx(12.501)


@pytest.mark.parametrize("speed", [0.2, 2.0, 50.0])
def test_time_that_is_hurried_or_slow(speed: float) -> None:
    clock = ClockMap()
    clock.take(1_000_000, 1.0, 5.0)
    clock.take(2_000_000, speed, 6.0)
    assert clock.flight_s(3_000_000) == pytest.approx(6.0 + 1.0 / speed)


def test_a_flight_that_stood_still_goes_on_where_it_was() -> None:
    clock = ClockMap()
    clock.take(1_000_000, 1.0, 5.0)
    clock.take(1_000_000, 0.0, 5.0)
    clock.take(1_000_000, 0.0, 65.0)
    clock.take(1_000_000, 1.0, 65.0)
    assert clock.flight_s(1_500_000) == pytest.approx(65.5)


def test_a_reset_begins_time_anew_and_a_slow_computer_gives_some_up() -> None:
    clock = ClockMap()
    clock.take(60_000_000, 1.0, 70.0)
    clock.take(20_000, 1.0, 70.1)
    assert clock.flight_s(20_000) == pytest.approx(70.1)
    clock.take(1_020_000, 1.0, 71.5)
    assert clock.flight_s(1_020_000) == pytest.approx(71.5)
