import pytest

from telemetry.vehicle.sticks import Sticks, channels_us


def test_rest_is_neutral_without_throttle_and_not_armed() -> None:
    assert channels_us(Sticks()) == (1000, 1500, 1500, 1500, 1167, 1500, 1000, 1500)


def test_order_and_ends() -> None:
    sticks = Sticks(roll=1.0, pitch=-1.0, yaw=0.5, throttle=1.0, arm=True)
    assert channels_us(sticks)[:4] == (2000, 2000, 1000, 1750)
    assert channels_us(sticks)[6] == 2000


def test_values_beyond_the_ends_are_limited() -> None:
    assert channels_us(Sticks(roll=9.0, throttle=-3.0))[:2] == (1000, 2000)


@pytest.mark.parametrize("positions", [1, 2, 3, 6])
def test_a_mode_position_comes_out_as_the_aircraft_divides_the_range(positions: int) -> None:
    for position in range(positions):
        pulse = channels_us(Sticks(flight_mode_position=position), positions)[4]
        assert int((pulse - 1000) / 1000 * positions) == position


def test_older_aircraft_have_six_channels() -> None:
    assert len(channels_us(Sticks(), channel_count=6)) == 6
