"""Anchors set by hand: lines through them, and which of them is wrong."""

import math

import pytest

from telemetry.review.flights.anchors import check_anchors, nudged, sync_with_anchors
from telemetry.review.flights.sync import Anchor, Piece, Sync, sync_through


def on_line(*flight_s: float, offset_s: float = 5.0, rate: float = 1.002) -> list[Anchor]:
    return [Anchor(t, offset_s + rate * t) for t in flight_s]


def test_anchors_on_a_line_agree() -> None:
    check = check_anchors(on_line(10.0, 60.0, 200.0, 210.0))
    assert check.residuals_s == pytest.approx((0.0,) * 4, abs=1e-9)
    assert check.worst is None


@pytest.mark.parametrize("wrong", range(4))
def test_the_anchor_that_contradicts_is_named(wrong: int) -> None:
    anchors = on_line(10.0, 60.0, 130.0, 210.0)
    anchors[wrong] = Anchor(anchors[wrong].flight_s, anchors[wrong].medium_s + 0.8)
    assert check_anchors(anchors).worst == wrong


def test_of_three_the_one_with_the_least_likely_clock_is_named() -> None:
    anchors = on_line(10.0, 60.0, 130.0, rate=1.0)
    anchors[2] = Anchor(130.0, anchors[2].medium_s + 5.0)
    assert check_anchors(anchors).worst == 2


def test_what_a_hand_misses_by_is_no_contradiction() -> None:
    anchors = on_line(10.0, 60.0, 130.0)
    anchors[1] = Anchor(60.0, anchors[1].medium_s + 1 / 30)
    assert check_anchors(anchors).worst is None


def test_one_anchor_moves_and_keeps_the_rate() -> None:
    found = Sync((Piece(3.0, 1.004),), method="horizon")
    moved = sync_with_anchors(found, [Anchor(100.0, 104.0)])
    assert moved is not None
    assert moved.medium_s(100.0) == pytest.approx(104.0)
    assert moved.rate == 1.004


def test_in_a_loop_recording_an_anchor_moves_its_own_file() -> None:
    """Otherwise the jumps between the files, found by itself, would be lost."""
    found = Sync((Piece(3.0, 1.0, -math.inf, 300.0), Piece(2.6, 1.0, 300.0)), method="horizon")
    moved = sync_with_anchors(found, [Anchor(400.0, 402.0)])
    assert moved is not None
    assert moved.medium_s(100.0) == pytest.approx(103.0)
    assert moved.medium_s(400.0) == pytest.approx(402.0)
    again = sync_with_anchors(moved, [*moved.anchors, Anchor(500.0, 502.5)])
    assert again is not None
    assert again.medium_s(100.0) == pytest.approx(103.0)
    assert again.pieces[1].rate == pytest.approx(1.005)


def test_without_anchors_it_runs_on_as_it_did() -> None:
    through = sync_through(on_line(10.0, 100.0))
    left = sync_with_anchors(through, [])
    assert left is not None
    assert (left.pieces, left.anchors) == (through.pieces, ())
    assert sync_with_anchors(None, []) is None


def test_a_nudge_shifts_every_instant_across_the_borders_of_lines() -> None:
    through = sync_through([Anchor(0.0, 0.0), Anchor(10.0, 11.0), Anchor(20.0, 20.0)])
    later = nudged(through, 0.5)
    for t in (-5.0, 9.99, 10.0, 10.01, 19.0):
        before, after = through.medium_s(t), later.medium_s(t)
        assert before is not None
        assert after == pytest.approx(before + 0.5)
