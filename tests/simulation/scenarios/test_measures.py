"""Measures over columns against cases whose answers are known."""

import math

import numpy as np
import pytest

from simulation.scenarios.measures import (
    distances,
    distances_to_line,
    overshoot,
    peak_frequency,
    power_density,
    rms,
    settling_time,
    touchdown_speed,
)

T = np.arange(0.0, 60.0, 0.01)


def test_rms_and_distances() -> None:
    assert rms(np.array([3.0, -3.0])) == pytest.approx(3.0)
    assert distances(np.array([[3.0, 4.0], [0.0, 0.0]]), (0.0, 0.0)).tolist() == [5.0, 0.0]


def test_a_second_order_response_has_its_textbook_overshoot_and_settling_time() -> None:
    damping, natural = 0.5, 4.0
    turning = natural * math.sqrt(1.0 - damping**2)
    swing = np.cos(turning * T) + damping * natural / turning * np.sin(turning * T)
    values = 1.0 - np.exp(-damping * natural * T) * swing
    expected = math.exp(-math.pi * damping / math.sqrt(1.0 - damping**2))
    assert overshoot(values, 0.0, 1.0) == pytest.approx(expected, rel=1e-3)
    assert overshoot(2.0 - values, 2.0, 1.0) == pytest.approx(expected, rel=1e-3)
    assert settling_time(T, values, 1.0, 0.02) == pytest.approx(4.0 / (damping * natural), abs=0.2)
    assert settling_time(T, values, 1.0, 2.0) == 0.0
    assert math.isnan(settling_time(T, values, 5.0, 0.02))


def test_the_spectrum_of_a_sine_has_its_frequency_and_its_power() -> None:
    values = 3.0 * np.sin(2.0 * np.pi * 2.93 * T) + 0.5
    frequencies, density = power_density(values, 100.0, 1024)
    assert peak_frequency(frequencies, density, 0.5) == pytest.approx(2.93, abs=0.02)
    power = float(np.sum(density)) * float(frequencies[1])
    assert power == pytest.approx(4.5, rel=0.02)  # the mean square, by Parseval


def test_white_noise_has_a_flat_spectrum() -> None:
    values = np.random.default_rng(1).normal(size=100_000)
    _, density = power_density(values, 100.0, 512)
    assert density[5:-5].mean() == pytest.approx(1.0 / 50.0, rel=0.02)


def test_touchdown_is_the_last_contact_after_being_airborne() -> None:
    height = np.array([0.0, 0.4, 0.0, 1.0, 0.2, 0.0, 0.0])
    sink = np.array([0.0, 9.0, 9.0, 0.1, 0.7, 0.0, 9.0])
    touches = np.array([1, 0, 1, 0, 0, 1, 1])
    assert touchdown_speed(height, sink, touches, 0.5) == 0.7
    assert math.isnan(touchdown_speed(height * 0.1, sink, touches, 0.5))


def test_nothing_measured_is_not_a_number() -> None:
    none = np.zeros(0)
    assert math.isnan(rms(none))
    assert math.isnan(overshoot(none, 0.0, 1.0))
    assert math.isnan(settling_time(none, none, 0.0, 1.0))
    assert math.isnan(peak_frequency(none, none))


def test_a_point_is_as_far_from_a_line_as_from_its_nearest_side() -> None:
    points = np.array([[5.0, 1.0], [-3.0, 4.0], [12.0, 6.0]])
    corners = ((0.0, 0.0), (10.0, 0.0), (10.0, 10.0))
    assert distances_to_line(points, corners) == pytest.approx([1.0, 5.0, 2.0])
