"""Lengths of videos, read so that the time bar shows what they cover before any view opens them."""

from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from telemetry.review.flights.flight import Flight, FlightContent, FlightVideo
from telemetry.review.flights.lapwing_file import read_flight, write_flight
from telemetry.review.flights.sync import Piece, Sync
from telemetry.review.flights.video_extents import video_extents
from telemetry.review.flights.video_lengths import VideoLengths
from tests.immediate import ImmediateJobs
from tests.telemetry.recording.video_files.barcode import write_numbered


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_numbered(tmp_path_factory.mktemp("lengths") / "v.avi", 60)


def flight_with(*videos: FlightVideo) -> Flight:
    flight = Flight()
    flight.videos = videos
    return flight


def test_a_synchronised_video_covers_its_length_before_it_is_opened(film: Path) -> None:
    flight = flight_with(FlightVideo("v", (film,), Sync((Piece(0.5),))))
    lengths, jobs = VideoLengths(), ImmediateJobs()
    lengths.poll(flight, jobs)
    lengths.poll(flight, jobs)
    assert video_extents(flight.videos[0]) == ((-0.5, pytest.approx(1.5)),)


def test_what_nobody_can_place_is_not_read_and_what_is_broken_only_once(tmp_path: Path) -> None:
    broken = tmp_path / "broken.avi"
    broken.write_bytes(b"RIFF")
    sync = Sync((Piece(0.0),))
    unplaced = FlightVideo("unplaced", (broken,))
    missing = FlightVideo("missing", (tmp_path / "gone.avi",), sync, problem="It is not there.")
    flight = flight_with(unplaced, missing, FlightVideo("broken", (broken,), sync))
    jobs, lengths = CountingJobs(), VideoLengths()
    for _ in range(4):
        lengths.poll(flight, jobs)
    assert jobs.count == 1
    assert [video.duration_s for video in flight.videos] == [None, None, None]


class CountingJobs(ImmediateJobs):
    """How many jobs were begun."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        self.count += 1
        return super().submit(fn, *args, **kwargs)


def test_the_flight_file_knows_the_length(film: Path, tmp_path: Path) -> None:
    log = tmp_path / "a.opl"
    log.write_bytes(b"x")
    video = FlightVideo("v", (film,), Sync((Piece(0.5),)), duration_s=2.0)
    path = tmp_path / "f.lapwing"
    write_flight(path, log, FlightContent(videos=(video,)))
    (stored,) = read_flight(path).content.videos
    assert stored.duration_s == 2.0
