"""Streams on disk beside the log: found again as they were, whatever fails."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from telemetry.protocol.streams.samples import PictureSample, StreamDescription
from telemetry.recording.media_track import MediaTrack
from telemetry.recording.recording import Recording
from telemetry.recording.video_files.recorded_stream import RecordedStream
from telemetry.vehicle.stream_recorder import StreamRecorder
from tests.telemetry.protocol.streams.samples import CAMERA, LIDAR, scan

ROOM = 1 << 40
RATE_HZ = 30.0


def _grey(number: int, size: tuple[int, int] = (48, 64)) -> PictureSample:
    """A picture whose brightness tells its number, to two steps after coding."""
    return PictureSample(5_000_000 + 33_333 * number, number, np.full(size, 8 * number, np.uint8))


class _Flight:
    """A recording of streams that is recorded beside a log."""

    def __init__(self, folder: Path, *descriptions: StreamDescription, **track: Any) -> None:
        self.log = str(folder / "flight.opl")
        self.free_bytes = ROOM
        self.recording = Recording()
        self.tracks = [MediaTrack(one, **track) for one in descriptions]
        for one in self.tracks:
            self.recording.add_media(one)
        self.recorder = StreamRecorder(
            self.recording, lambda: self.log, lambda folder: self.free_bytes
        )

    def pictures(self, numbers: range, size: tuple[int, int] = (48, 64)) -> None:
        for number in numbers:
            self.tracks[0].append(number / RATE_HZ, _grey(number, size))


def _brightness(track: MediaTrack, index: int) -> float:
    sample = track.sample(index)
    assert isinstance(sample, PictureSample)
    assert sample.number == track.numbers[index]
    return float(sample.pixels.mean())


@pytest.mark.parametrize(("is_lossless", "is_same"), [(True, True), (False, False)])
def test_pictures_are_kept_to_the_bit_if_that_is_wanted(
    tmp_path: Path, is_lossless: bool, is_same: bool
) -> None:
    noise = np.random.default_rng(1).integers(0, 256, (3, 24, 33, 3), np.uint8)
    recording, track = Recording(), MediaTrack(CAMERA)
    recording.add_media(track)
    log = str(tmp_path / "flight.opl")
    recorder = StreamRecorder(recording, lambda: log, lambda folder: ROOM, is_lossless)
    for number, pixels in enumerate(noise):
        track.append(number / RATE_HZ, PictureSample(33_333 * number, number, pixels))
    recorder.close()
    found = RecordedStream(tmp_path / "flight_front.npz")
    kept = [found.sample(row) for row in range(3)]
    found.close()
    for sent, sample in zip(noise, kept, strict=True):
        assert isinstance(sample, PictureSample)
        assert np.array_equal(sample.pixels[:, :33], sent) is is_same


def test_pictures_are_a_video_with_exact_stamps_beside_it(tmp_path: Path) -> None:
    flight = _Flight(tmp_path, CAMERA, memory_bytes=10_000)
    for first in range(0, 30, 3):
        flight.pictures(range(first, first + 3))
        flight.recorder.catch_up()
    flight.recorder.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "flight_front.mkv",
        "flight_front.npz",
    ]
    track = flight.tracks[0]
    assert track.unrecorded == ""
    found = RecordedStream(tmp_path / "flight_front.npz")
    np.testing.assert_array_equal(found.file.times_s, track.times)
    np.testing.assert_array_equal(found.file.stamps_us, track.stamps_us)
    assert track.held(4) is None
    for index in (4, 5, 0, 29):
        assert _brightness(track, index) == pytest.approx(8 * index, abs=3.0)
    found.close()


def test_pictures_that_arrive_at_once_are_all_found_in_their_video(tmp_path: Path) -> None:
    """A busy station reads a connection late: then they are a millisecond apart in the video."""
    flight = _Flight(tmp_path, CAMERA)
    for number in range(60):
        flight.tracks[0].append(0.7 * (number // 10), _grey(number % 30))
    flight.recorder.close()
    found = RecordedStream(tmp_path / "flight_front.npz")
    assert list(found.losses()) == []
    found.close()
    video = tmp_path / "flight_front.mkv"
    video.write_bytes(video.read_bytes()[: video.stat().st_size // 2])
    found = RecordedStream(tmp_path / "flight_front.npz")
    assert "was cut short" in next(found.losses())
    found.close()


def test_scans_are_read_back_while_they_are_recorded(tmp_path: Path) -> None:
    flight = _Flight(tmp_path, LIDAR, memory_bytes=1000)
    (track,) = flight.tracks
    for number in range(100):
        track.append(number / 40.0, scan(number))
        flight.recorder.catch_up()
    assert track.held(3) is None
    old = track.sample(3)
    assert old is not None
    assert (old.number, old.time_us) == (3, 75_000)
    flight.recorder.close()
    assert [path.name for path in tmp_path.iterdir()] == ["flight_lidar.npz"]


def test_what_has_left_memory_before_is_lost_told_and_never_another_one(tmp_path: Path) -> None:
    flight = _Flight(tmp_path, LIDAR, memory_bytes=24 * 10)
    (track,) = flight.tracks
    for number in range(60):
        track.append(number / 40.0, scan(number))
        if number in (5, 59):
            flight.recorder.catch_up()
    flight.recorder.close()
    assert track.unrecorded == "44 samples were not recorded."
    there = [index for index in range(50) if track.sample(index) is not None]
    assert there == [0, 1, 2, 3, 4, 5]
    found = track.sample(55)
    assert found is not None
    assert found.number == 55


def test_a_flight_that_is_not_recorded_says_so_and_begins_when_it_is(tmp_path: Path) -> None:
    flight = _Flight(tmp_path, LIDAR)
    (track,) = flight.tracks
    log, flight.log = flight.log, ""
    track.append(0.0, scan(0))
    flight.recorder.catch_up()
    assert "the flight is not" in track.unrecorded
    assert not list(tmp_path.iterdir())
    flight.log = log
    track.append(0.025, scan(1))
    flight.recorder.close()
    assert track.unrecorded == ""
    found = RecordedStream(tmp_path / "flight_lidar.npz")
    assert found.file.numbers.tolist() == [0, 1]
    found.close()


def test_a_full_disk_is_told_and_tried_again(tmp_path: Path) -> None:
    flight = _Flight(tmp_path, LIDAR)
    (track,) = flight.tracks
    flight.free_bytes = 0
    for number in range(480):
        if number == 300:
            flight.free_bytes = ROOM
        track.append(number / 40.0, scan(number))
        flight.recorder.catch_up()
        if number == 290:
            assert "is full" in track.unrecorded
    flight.recorder.close()
    assert track.unrecorded == ""
    assert track.sample(479) is not None


def test_a_disk_that_becomes_full_is_left_to_the_log(tmp_path: Path) -> None:
    """Pictures and scans end, whole, while there is room; they go on when there is more."""
    flight = _Flight(tmp_path, LIDAR)
    (track,) = flight.tracks
    for number in range(480):
        flight.free_bytes = ROOM if number < 40 or number >= 100 else 1 << 20
        track.append(number / 40.0, scan(number))
        flight.recorder.catch_up()
        if number == 90:
            assert track.unrecorded == f"Not recorded: {tmp_path} is full."
            (path,) = tmp_path.iterdir()
            found = RecordedStream(path)
            assert (found.file.count, found.file.has_end()) == (40, True)
            found.close()
    flight.recorder.close()
    assert track.unrecorded == ""
    assert [path.name for path in sorted(tmp_path.iterdir())] == [
        "flight_lidar.npz",
        "flight_lidar_2.npz",
    ]


def test_another_size_of_picture_without_a_log_is_told(tmp_path: Path) -> None:
    flight = _Flight(tmp_path, CAMERA)
    flight.pictures(range(3))
    flight.recorder.catch_up()
    flight.log = ""
    flight.pictures(range(3, 6), (24, 32))
    flight.recorder.catch_up()
    assert flight.tracks[0].unrecorded == "Not recorded: the flight is not."
    flight.recorder.close()


def test_an_earlier_recording_is_never_written_over(tmp_path: Path) -> None:
    (tmp_path / "flight_front.mkv").write_bytes(b"mine")
    flight = _Flight(tmp_path, CAMERA)
    flight.pictures(range(3))
    flight.recorder.close()
    assert (tmp_path / "flight_front.mkv").read_bytes() == b"mine"
    assert (tmp_path / "flight_front_2.npz").exists()


def test_another_size_of_picture_begins_another_video(tmp_path: Path) -> None:
    flight = _Flight(tmp_path, CAMERA)
    flight.pictures(range(5))
    flight.pictures(range(5, 10), size=(21, 33))
    flight.recorder.close()
    assert {path.name for path in tmp_path.glob("*.npz")} == {
        "flight_front.npz",
        "flight_front_2.npz",
    }
    second = RecordedStream(tmp_path / "flight_front_2.npz")
    sample = second.sample(2)
    assert isinstance(sample, PictureSample)
    assert sample.number == 7
    assert sample.pixels.shape == (22, 34, 3)
    second.close()


def test_two_streams_are_recorded_side_by_side(tmp_path: Path) -> None:
    flight = _Flight(tmp_path, CAMERA, LIDAR, replace(LIDAR, name="sonar"))
    flight.pictures(range(3))
    for track in flight.tracks[1:]:
        track.append(0.0, scan(0))
    flight.recorder.close()
    names = sorted(path.name for path in tmp_path.glob("*.npz"))
    assert names == ["flight_front.npz", "flight_lidar.npz", "flight_sonar.npz"]
