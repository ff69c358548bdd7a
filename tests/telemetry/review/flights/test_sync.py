"""A medium's time over a flight's, by sums done by hand."""

import math

import pytest

from telemetry.review.flights.sync import Anchor, Piece, Sync, sync_through


def test_a_line_goes_both_ways() -> None:
    sync = Sync((Piece(offset_s=-120.0, rate=1.002),))
    assert sync.medium_s(200.0) == pytest.approx(80.4)
    assert sync.flight_s(80.4) == pytest.approx(200.0)


def test_two_anchors_give_offset_and_rate() -> None:
    sync = sync_through([Anchor(310.0, 190.6), Anchor(10.0, -110.0)])
    assert sync.rate == pytest.approx(1.002)
    assert sync.offset_s == pytest.approx(-120.02)
    assert sync.method == "manual"


def test_more_anchors_are_met_each() -> None:
    anchors = [Anchor(0.0, 5.0), Anchor(100.0, 105.5), Anchor(200.0, 205.0)]
    sync = sync_through(anchors)
    for anchor in anchors:
        assert sync.medium_s(anchor.flight_s) == pytest.approx(anchor.medium_s)
        assert sync.flight_s(anchor.medium_s) == pytest.approx(anchor.flight_s)
    assert sync.medium_s(150.0) == pytest.approx(155.25)


def test_between_the_files_of_a_loop_recording_there_is_no_picture() -> None:
    """The second file begins 0.3 s after the first has ended: that time is in no file."""
    sync = Sync((Piece(0.0, 1.0, -math.inf, 300.0), Piece(-0.3, 1.0, 300.0, math.inf)))
    assert sync.medium_s(299.9) == pytest.approx(299.9)
    assert sync.medium_s(300.1) is None
    assert sync.medium_s(300.4) == pytest.approx(300.1)
    assert sync.flight_s(300.0) == pytest.approx(300.3)


def test_a_nudge_moves_the_medium_and_the_anchors() -> None:
    nudged = sync_through([Anchor(10.0, 4.0)]).shifted(1 / 30)
    assert nudged.medium_s(10.0) == pytest.approx(4.0 + 1 / 30)
    assert nudged.anchors[0].medium_s == pytest.approx(4.0 + 1 / 30)


def test_how_exact_a_nudge_is_nobody_has_estimated() -> None:
    found = Sync((Piece(4.0, sigma_s=0.005),), (), "rotation", 0.004, 2e-5, 0.97)
    nudged = found.shifted(0.5)
    assert (nudged.offset_sigma_s, nudged.sigma_s, nudged.confidence) == (None, None, None)
    assert nudged.rate_sigma == 2e-5


@pytest.mark.parametrize(
    "anchors",
    [[], [Anchor(1.0, 0.0), Anchor(1.2, 0.2)], [Anchor(0.0, 10.0), Anchor(10.0, 0.0)]],
    ids=["none", "too close", "backwards"],
)
def test_impossible_anchors_are_refused(anchors: list[Anchor]) -> None:
    with pytest.raises(ValueError, match=r"anchor|rate"):
        sync_through(anchors)


def test_overlapping_pieces_are_refused() -> None:
    with pytest.raises(ValueError, match="overlap"):
        Sync((Piece(0.0), Piece(1.0, 1.0, 5.0, 6.0)))
