"""Pictures and scans in a recording: found by time like samples, in bounded memory."""

import numpy as np

from telemetry.protocol.streams.samples import StreamSample
from telemetry.recording.media_track import MediaTrack
from telemetry.recording.recording import Recording
from tests.telemetry.protocol.streams.samples import CAMERA, LIDAR, picture, scan


class _Store:
    """Has every sample, and counts how often it was asked."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def sample(self, index: int) -> StreamSample | None:
        self.asked.append(index)
        return picture(index)


def _filled(count: int = 100, memory_bytes: int = 1440) -> MediaTrack:
    track = MediaTrack(CAMERA, _Store(), memory_bytes)
    for number in range(count):
        track.append(number / 10.0, picture(number))
    return track


def test_a_media_track_stands_in_its_recording_by_name() -> None:
    recording = Recording()
    camera, lidar = MediaTrack(CAMERA), MediaTrack(LIDAR)
    recording.add_media(camera)
    recording.add_media(lidar)
    assert recording.media_tracks() == (camera, lidar)
    assert recording.media("lidar") is lidar
    assert recording.media("back") is None
    assert recording.tracks() == ()


def test_it_is_found_by_the_cursor_as_samples_are() -> None:
    track = _filled(10)
    assert [track.index_at(t) for t in (-0.1, 0.0, 0.05, 0.1, 99.0)] == [-1, 0, 0, 1, 9]
    assert track.range(0.2, 0.4) == (2, 5)
    assert track.range(None, None) == (0, 10)
    assert track.range(0.41, 0.49) == (5, 5)
    assert (track.first_s, track.last_s) == (0.0, 0.9)
    assert track.stamps_us[3] == 99_999
    assert track.numbers.tolist() == list(range(10))
    assert track.sample_at(-1.0) is None
    found = track.sample_at(0.45)
    assert found is not None
    assert found.number == 4


def test_memory_holds_the_newest_and_the_rest_is_where_it_was_recorded() -> None:
    track = _filled()
    assert [track.held(index) is not None for index in (89, 90, 99)] == [False, True, True]
    store = track.store
    assert isinstance(store, _Store)
    assert track.sample(95) is track.held(95)
    assert store.asked == []
    old = track.sample(7)
    assert old is not None
    assert (old.number, store.asked) == (7, [7])
    assert track.sample(100) is None
    assert track.newest is track.held(99)


def test_one_picture_larger_than_the_memory_is_still_shown() -> None:
    track = _filled(3, memory_bytes=10)
    assert [track.held(index) is not None for index in range(3)] == [False, False, True]


def test_times_ascend_whatever_the_sensors_clock_does() -> None:
    track = MediaTrack(LIDAR)
    for t, number in ((1.0, 5), (0.5, 0), (1.5, 1)):
        track.append(t, scan(number))
    assert track.times.tolist() == [1.0, 1.0, 1.5]
    assert track.stamps_us.tolist() == [125_000, 0, 25_000]


def test_what_was_recorded_fills_the_index_alone() -> None:
    store = _Store()
    track = MediaTrack(CAMERA, store)
    times = np.arange(1000) / 30.0
    track.extend(times, np.arange(1000) * 33_333, np.arange(1000))
    assert track.count == 1000
    assert track.newest is None
    found = track.sample_at(10.0)
    assert found is not None
    assert found.number == 300


def test_what_is_missing_is_counted_by_the_sensors_numbers() -> None:
    track = MediaTrack(LIDAR)
    for number in (3, 4, 7, 0, 1, 5):  # it began anew at 0
        track.append(0.0, scan(number))
    assert track.missing == 5
    again = MediaTrack(LIDAR)
    again.extend(np.zeros(3), np.zeros(3, np.int64), np.array([3, 4, 7]))
    again.extend(np.zeros(3), np.zeros(3, np.int64), np.array([0, 1, 5]))
    assert again.missing == 5
