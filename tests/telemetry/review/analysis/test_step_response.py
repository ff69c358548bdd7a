"""The step response of axes whose answer is known, from restless sticks and uneven readings."""

import numpy as np
import pytest

from telemetry.review.analysis.series import Inconclusive, Series
from telemetry.review.analysis.step_response import StepResponse, estimate_step_response
from tests.telemetry.review.analysis.axes import answer, sampled, smooth_stick, stick, truth

RNG = np.random.default_rng


def _flown(
    frequency: float,
    damping: float,
    delay_s: float = 0.0,
    *,
    rate_hz: float = 50.0,
    noise: float = 0.3,
    seconds: float = 40.0,
    seed: int = 1,
    by_hand: bool = False,
) -> tuple[Series, Series]:
    rng = RNG(seed)
    asked = (smooth_stick if by_hand else stick)(seconds, rng)
    found = answer(asked, frequency, damping, delay_s)
    return sampled(asked, rate_hz, rng), sampled(found, rate_hz, rng, noise)


def _estimated(desired: Series, actual: Series) -> StepResponse:
    found = estimate_step_response(desired, actual, 5.0)
    assert isinstance(found, StepResponse), found
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("frequency", "damping", "delay_s", "rate_hz", "by_hand"),
    [
        (10.0, 0.5, 0.0, 50.0, False),
        (10.0, 0.5, 0.05, 50.0, False),
        (10.0, 0.5, 0.0, 50.0, True),
        (8.0, 0.3, 0.0, 50.0, False),
        (6.0, 1.0, 0.0, 25.0, False),
        (20.0, 0.7, 0.02, 100.0, False),
        (40.0, 0.5, 0.02, 200.0, False),
    ],
)
def test_rise_and_overshoot_are_found_within_five_percent(
    frequency: float, damping: float, delay_s: float, rate_hz: float, by_hand: bool
) -> None:
    flown = _flown(frequency, damping, delay_s, rate_hz=rate_hz, by_hand=by_hand)
    found = _estimated(*flown)
    rise_s, half_s, overshoot = truth(frequency, damping, delay_s)
    assert found.rise_s == pytest.approx(rise_s, rel=0.05)
    assert found.delay_s == pytest.approx(half_s, rel=0.06)
    assert found.overshoot_percent == pytest.approx(overshoot, rel=0.05, abs=0.8)
    assert found.gain == pytest.approx(1.0, abs=0.02)
    assert found.is_reliable
    assert found.explained > 0.95
    assert found.response[0] == 0.0
    assert len(found.times) == len(found.response) == len(found.errors)


@pytest.mark.slow
def test_noise_widens_the_errors_and_they_hold() -> None:
    rise_s, _, overshoot = truth(10.0, 0.5)
    quiet = _estimated(*_flown(10.0, 0.5, noise=0.1))
    loud = _estimated(*_flown(10.0, 0.5, noise=3.0))
    assert loud.rise_error_s > 2.0 * quiet.rise_error_s
    assert abs(loud.rise_s - rise_s) < 4.0 * loud.rise_error_s
    assert abs(loud.overshoot_percent - overshoot) < 4.0 * loud.overshoot_error_percent + 1.0
    assert loud.explained < quiet.explained


@pytest.mark.slow
def test_settling_comes_later_where_damping_is_weak() -> None:
    firm = _estimated(*_flown(10.0, 0.7))
    weak = _estimated(*_flown(10.0, 0.3))
    assert firm.settling_s is not None
    assert weak.settling_s is not None
    assert firm.settling_s == pytest.approx(0.3, abs=0.06)  # once within 5 %
    assert weak.settling_s == pytest.approx(1.0, abs=0.2)


@pytest.mark.slow
def test_a_gap_in_the_readings_does_not_bend_it() -> None:
    desired, actual = _flown(10.0, 0.5)
    kept = (actual.times < 12.0) | (actual.times > 14.0)
    found = _estimated(desired, Series(actual.times[kept], actual.values[kept]))
    assert found.rise_s == pytest.approx(truth(10.0, 0.5)[0], rel=0.05)


@pytest.mark.slow
def test_headings_may_cross_north() -> None:
    desired, actual = _flown(10.0, 0.5)
    wrapped = [Series(s.times, (s.values + 180.0) % 360.0 - 180.0 + 0.0) for s in (desired, actual)]
    turned = [Series(s.times, (s.values + 360.0) % 360.0) for s in (desired, actual)]
    for pair in (wrapped, turned):
        found = estimate_step_response(pair[0], pair[1], 5.0, wraps_at=360.0)
        assert isinstance(found, StepResponse)
        assert found.rise_s == pytest.approx(truth(10.0, 0.5)[0], rel=0.05)


def _refused(desired: Series, actual: Series) -> str:
    found = estimate_step_response(desired, actual, 5.0)
    assert isinstance(found, Inconclusive), found
    return found.text


def test_a_resting_stick_tells_nothing() -> None:
    times = np.arange(0.0, 30.0, 0.02)
    noise = RNG(1).normal(size=len(times))
    still = Series(times, np.zeros(len(times)))
    assert "moved 0 times" in _refused(still, Series(times, noise))
    slight = Series(times, np.sin(times))
    assert "moved 0 times" in _refused(slight, Series(times, np.sin(times - 0.1)))


@pytest.mark.slow
def test_an_axis_that_does_not_follow_is_no_answer() -> None:
    desired, _ = _flown(10.0, 0.5)
    own = Series(desired.times, RNG(2).normal(size=len(desired.times)) * 10.0)
    assert "of the movement follows" in _refused(desired, own)


@pytest.mark.slow
def test_too_short_too_slow_or_empty_is_said() -> None:
    assert "too short" in _refused(*_flown(10.0, 0.5, seconds=5.0))
    assert "too slow" in _refused(*_flown(10.0, 0.5, rate_hz=4.0))
    empty = Series(np.empty(0), np.empty(0))
    assert "too few readings" in _refused(empty, empty)
    desired, actual = _flown(10.0, 0.5)
    later = Series(actual.times + 100.0, actual.values)
    assert "same time" in _refused(desired, later)


@pytest.mark.slow
def test_values_that_are_no_numbers_are_left_out() -> None:
    desired, actual = _flown(10.0, 0.5)
    holed = actual.values.copy()
    holed[::17] = np.nan
    found = _estimated(desired, Series(actual.times, holed))
    assert found.rise_s == pytest.approx(truth(10.0, 0.5)[0], rel=0.05)


@pytest.mark.slow
def test_readings_too_slow_for_the_rise_are_not_called_reliable() -> None:
    found = _estimated(*_flown(60.0, 0.5, rate_hz=25.0, noise=0.1))
    assert not found.is_reliable
    assert "raise the telemetry rate" in found.verdict
