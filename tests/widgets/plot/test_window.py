"""Windows of time and ranges of values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widgets.plot.window import (
    Span,
    decimals_for,
    fit_values,
    follow_cursor,
    ticks,
    time_label,
    time_ticks,
)

FLIGHT = Span(0.0, 600.0)


def test_live_the_window_ends_at_the_cursor() -> None:
    assert follow_cursor(None, 60.0, 600.0, FLIGHT, is_live=True) == Span(540.0, 600.0)
    assert follow_cursor(Span(0, 60), 60.0, 20.0, Span(0, 20), is_live=True) == Span(-40.0, 20.0)


def test_all_is_the_whole_flight() -> None:
    assert follow_cursor(None, None, 30.0, FLIGHT, is_live=False) == FLIGHT
    assert follow_cursor(None, None, 0.0, Span(0, 0), is_live=True).length > 0


def test_the_window_rests_while_the_cursor_moves_inside() -> None:
    shown = follow_cursor(None, 60.0, 300.0, FLIGHT, is_live=False)
    assert shown == Span(270.0, 330.0)
    for t in (300.0, 320.0, 280.0):
        assert follow_cursor(shown, 60.0, t, FLIGHT, is_live=False) == shown


@given(st.floats(0, 600), st.floats(-100, 700), st.floats(1, 500))
def test_the_cursor_is_always_in_sight(t: float, start: float, window_s: float) -> None:
    shown = follow_cursor(Span(start, start + window_s), window_s, t, FLIGHT, is_live=False)
    assert shown.start - 1e-6 <= t <= shown.stop + 1e-6
    assert shown.length == pytest.approx(window_s)


@given(st.floats(0.01, 100), st.floats(-50, 50))
def test_zooming_leaves_the_point_in_place(factor: float, at: float) -> None:
    before, after = Span(-50, 50), Span(-50, 50).zoomed(factor, at)
    share = (at - before.start) / before.length
    assert (at - after.start) / after.length == pytest.approx(share, abs=1e-9)


@given(st.floats(-1e6, 1e6), st.floats(0, 1e6))
def test_fitted_values_hold_the_data(low: float, length: float) -> None:
    span = fit_values(None, low, low + length)
    assert span.start <= low
    assert span.stop >= low + length


def test_the_scale_rests_while_a_signal_breathes() -> None:
    shown = fit_values(None, -10.0, 10.0)
    assert fit_values(shown, -9.0, 8.0) == shown
    assert fit_values(shown, -10.0, 30.0) != shown
    assert fit_values(shown, -1.0, 1.0).length < shown.length


def test_no_data_leaves_the_scale() -> None:
    nan = float("nan")
    assert fit_values(Span(2, 3), nan, nan) == Span(2, 3)
    assert fit_values(None, nan, nan) == Span(0, 1)


@given(st.floats(-1e5, 1e5), st.floats(1e-3, 1e5), st.integers(2, 12))
def test_ticks_are_round_and_inside(start: float, length: float, wanted: int) -> None:
    span = Span(start, start + length)
    values, step = ticks(span, wanted)
    assert len(values) <= wanted + 1
    assert all(span.start - step * 1e-6 <= value <= span.stop + step * 1e-6 for value in values)


def test_time_is_divided_as_clocks_do() -> None:
    assert time_ticks(Span(0, 60), 6) == ([0, 10, 20, 30, 40, 50, 60], 10)
    assert time_ticks(Span(0, 600), 5)[1] == 120
    assert time_ticks(Span(0, 40_000), 5)[1] == 10_800


@pytest.mark.parametrize(
    ("t", "step", "text"),
    [
        (75, 10, "1:15"),
        (75.5, 0.5, "1:15.5"),
        (3661, 60, "1:01:01"),
        (-5, 1, "\u22120:05"),
        (0.25, 0.05, "0:00.25"),
        (59.9999, 1, "1:00"),
    ],
)
def test_times_in_words(t: float, step: float, text: str) -> None:
    assert time_label(t, step) == text


def test_decimals() -> None:
    assert [decimals_for(step) for step in (100, 1, 0.5, 0.02, 0)] == [0, 0, 1, 2, 0]
