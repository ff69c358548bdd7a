"""Tracks reduced to what can be seen."""

import numpy as np

from widgets.map.decimation import visible_segments

SIZE = (800, 500)


def test_a_hovering_hour_costs_little() -> None:
    noise = np.random.default_rng(1).normal(0, 3, (36_000, 2))
    segments = visible_segments(400 + noise[:, 0], 250 + noise[:, 1], SIZE)
    assert 0 < len(segments) < 8_000


def test_a_straight_line_is_few_segments() -> None:
    x = np.linspace(0, 800, 20_000)
    assert len(visible_segments(x, x * 0.5, SIZE)) < 60


def test_a_corner_stays() -> None:
    x = np.concatenate((np.linspace(100, 300, 500), np.full(500, 300.0)))
    y = np.concatenate((np.full(500, 100.0), np.linspace(100, 400, 500)))
    segments = visible_segments(x, y, SIZE)
    corner = np.hypot(segments[:, 2] - 300, segments[:, 3] - 100).min()
    assert corner < 2.5
    assert tuple(segments[0, :2]) == (100, 100)
    assert tuple(segments[-1, 2:]) == (300, 400)


def test_a_circle_stays_round() -> None:
    angle = np.linspace(0, 2 * np.pi, 20_000)
    segments = visible_segments(400 + 200 * np.cos(angle), 250 + 200 * np.sin(angle), SIZE)
    middles = (segments[:, :2] + segments[:, 2:]) / 2
    radius = np.hypot(middles[:, 0] - 400, middles[:, 1] - 250)
    assert np.abs(radius - 200).max() < 1.5


def test_what_lies_beside_the_window_goes() -> None:
    x = np.linspace(-5000, -100, 1000)
    assert len(visible_segments(x, np.full(1000, 50.0), SIZE)) == 0


def test_a_line_across_the_window_stays_though_both_ends_are_outside() -> None:
    segments = visible_segments(np.array([-900.0, 1700.0]), np.array([250.0, 260.0]), SIZE)
    assert len(segments) == 1


def test_a_gap_is_not_bridged() -> None:
    x = np.array([10.0, 20.0, np.nan, 500.0, 510.0])
    y = np.array([10.0, 10.0, np.nan, 10.0, 10.0])
    segments = visible_segments(x, y, SIZE)
    assert np.abs(segments[:, 2] - segments[:, 0]).max() < 20
    whole = visible_segments(x[[0, 1, 3, 4]], y[[0, 1, 3, 4]], SIZE)
    assert np.abs(whole[:, 2] - whole[:, 0]).max() > 400


def test_one_point_is_no_line() -> None:
    assert visible_segments(np.array([1.0]), np.array([1.0]), SIZE).shape == (0, 4)
