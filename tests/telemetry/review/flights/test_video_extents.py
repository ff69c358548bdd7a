"""What a video covers of a flight, by sums done by hand."""

import math
from pathlib import Path

import pytest

from telemetry.review.flights.flight import FlightContent, FlightVideo
from telemetry.review.flights.sync import Piece, Sync
from telemetry.review.flights.video_extents import video_extents


def video(duration_s: float | None, *pieces: Piece) -> FlightVideo:
    sync = Sync(pieces) if pieces else None
    return FlightVideo("cam", (Path("cam.avi"),), sync, duration_s=duration_s)


def test_a_video_covers_its_length_in_the_flight() -> None:
    ((start, end),) = video_extents(video(60.0, Piece(-100.0, 1.25)))
    assert (start, end) == pytest.approx((80.0, 128.0))


def test_the_gaps_of_a_loop_recording_are_left_out_and_mere_anchors_are_not() -> None:
    files = (Piece(0.0, 1.0, -math.inf, 300.0), Piece(-0.3, 1.0, 300.0, math.inf))
    assert video_extents(video(500.0, *files)) == (
        pytest.approx((0.0, 300.0)), pytest.approx((300.3, 500.3)),
    )  # fmt: skip
    lines = (Piece(0.0, 1.0, -math.inf, 300.0), Piece(0.0, 1.0, 300.0, math.inf))
    assert video_extents(video(500.0, *lines)) == ((0.0, 500.0),)
    assert video_extents(video(250.0, *files)) == ((0.0, 250.0),)


def test_clips_that_were_joined_in_another_order_are_told_in_the_flights() -> None:
    """The later one first; a third one, of 5 s, shows again what the second does."""
    clips = (
        Piece(-180.0, 1.0, 0.0, 50.0),
        Piece(10.0, 1.0, 50.0, 110.0),
        Piece(60.0, 1.0, 110.0, 115.0),
    )
    assert video_extents(video(115.0, *clips)) == ((40.0, 100.0), (180.0, 230.0))


def test_nothing_is_covered_while_length_or_synchronisation_are_unknown() -> None:
    assert video_extents(video(None, Piece(0.0))) == ()
    assert video_extents(video(60.0)) == ()


def test_to_know_the_length_of_a_video_is_no_change_of_the_flight() -> None:
    before = FlightContent(videos=(video(None, Piece(0.0)),))
    after = FlightContent(videos=(video(60.0, Piece(0.0)),))
    assert before.without_files() == after.without_files()
