"""Swings of known frequency and size, and errors that are none."""

import numpy as np
import pytest

from telemetry.review.analysis.oscillation import Oscillation, find_oscillation
from telemetry.review.analysis.series import Inconclusive, Series
from tests.telemetry.review.analysis.axes import FINE_S, answer, sampled, smooth_stick

RNG = np.random.default_rng


def _found(desired: Series, actual: Series, smallest: float = 0.5) -> Oscillation:
    found = find_oscillation(desired, actual, smallest)
    assert isinstance(found, Oscillation), found
    return found


def _flown(
    swing: float, hz: float, noise: float = 0.3, seconds: float = 20.0
) -> tuple[Series, Series]:
    rng = RNG(1)
    asked = smooth_stick(seconds, rng)
    times = np.arange(len(asked)) * FINE_S
    actual = answer(asked, 25.0, 0.8) + swing * np.sin(2.0 * np.pi * hz * times)
    return sampled(asked, 80.0, rng), sampled(actual, 80.0, rng, noise)


@pytest.mark.slow
@pytest.mark.parametrize("hz", [3.7, 8.0, 14.0])
def test_a_swing_is_found_with_its_frequency_and_size(hz: float) -> None:
    found = _found(*_flown(4.0, hz))
    assert found.is_oscillating
    assert found.frequency_hz == pytest.approx(hz, abs=0.1)
    assert found.amplitude == pytest.approx(4.0, rel=0.1)
    assert f"{hz:.1f} Hz" in found.verdict
    assert found.highest_hz == pytest.approx(40.0, rel=0.05)


@pytest.mark.slow
def test_following_a_stick_is_no_oscillation_nor_is_noise_nor_a_tiny_swing() -> None:
    assert not _found(*_flown(0.0, 5.0)).is_oscillating
    times = np.arange(0.0, 20.0, 0.0125)
    still = Series(times, np.zeros(len(times)))
    loud = Series(times, RNG(2).normal(size=len(times)) * 5.0)
    noise = _found(still, loud)
    assert not noise.is_oscillating
    assert noise.verdict == "No steady oscillation."
    tiny = _found(still, Series(times, 0.2 * np.sin(30.0 * times)))
    assert not tiny.is_oscillating
    assert tiny.amplitude == pytest.approx(0.2, rel=0.05)


def test_too_short_or_too_slow_is_said() -> None:
    short = find_oscillation(*_flown(4.0, 5.0, seconds=3.0), smallest=0.5)
    assert isinstance(short, Inconclusive)
    assert "too short" in short.text
    times = np.arange(0.0, 60.0, 0.5)
    slow = Series(times, np.sin(times))
    found = find_oscillation(slow, slow, 0.5)
    assert isinstance(found, Inconclusive)
    assert "too slow" in found.text


def test_exact_following_is_no_oscillation() -> None:
    times = np.arange(0.0, 20.0, 0.02)
    still = Series(times, np.zeros(len(times)))
    assert not _found(still, still).is_oscillating
