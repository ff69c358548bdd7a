"""White noise of a sensor at rest: a density N has the deviation N / sqrt(step) at every sample."""

import numpy as np
import pytest

from telemetry.recording.export.rest_noise import RestNoise


def white(rate_hz: float, seconds: float, density: float) -> tuple[np.ndarray, np.ndarray]:
    """Times, and three axes of that noise."""
    times = np.arange(round(rate_hz * seconds)) / rate_hz
    draws = np.random.default_rng(3).standard_normal((len(times), 3))
    return times, draws * density * np.sqrt(rate_hz)


def test_the_density_is_found_and_the_edges_are_left_out() -> None:
    times, values = white(100.0, 60.0, 0.02)
    found = RestNoise.of(times, values, [(10.0, 50.0)])
    assert found is not None
    assert found.density == pytest.approx(0.02, rel=0.05)
    assert found.share == pytest.approx(np.sqrt(0.75 / (3800 * 3)))
    assert (found.start_s, found.end_s) == (11.0, 49.0)


def test_the_longest_rest_counts_and_twenty_seconds_are_the_least() -> None:
    times, values = white(100.0, 90.0, 0.02)
    found = RestNoise.of(times, values, [(0.0, 30.0), (40.0, 80.0)])
    assert found is not None
    assert found.start_s == 41.0
    assert RestNoise.of(times, values, [(0.0, 21.0)]) is None, "19 s without its edges"
    assert RestNoise.of(times, values, []) is None


def test_a_movement_ends_a_rest() -> None:
    times, values = white(100.0, 80.0, 0.02)
    values[(times >= 30.0) & (times < 30.5)] *= 20.0
    found = RestNoise.of(times, values, [(0.0, 80.0)])
    assert found is not None
    assert (found.start_s, found.end_s) == (32.0, 79.0)


def test_too_few_samples_a_second_and_other_noise_tell_nothing() -> None:
    assert RestNoise.of(*white(3.0, 90.0, 0.02), [(0.0, 90.0)]) is None
    assert RestNoise.of(*white(5.0, 90.0, 0.02), [(0.0, 90.0)]) is not None
    times, values = white(100.0, 60.0, 0.02)
    assert RestNoise.of(times, np.cumsum(values, axis=0), [(0.0, 60.0)]) is None
    assert RestNoise.of(times, np.zeros_like(values), [(0.0, 60.0)]) is None
