"""Bytes of a connection into the media tracks of a recording."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from telemetry.protocol.streams.framing import (
    Buffers,
    ClockMessage,
    encode_clock,
    encode_sample,
    encode_streams,
)
from telemetry.protocol.streams.samples import StreamDescription, StreamError
from telemetry.recording.recording import Recording
from telemetry.recording.stream_intake import StreamIntake
from tests.telemetry.protocol.streams.samples import CAMERA, LIDAR, picture, scan


def _joined(buffers: Buffers) -> bytes:
    return b"".join(bytes(buffer) for buffer in buffers)


def _streams(*descriptions: StreamDescription) -> bytes:
    return _joined(encode_streams(descriptions))


def _clock(now_us: int, dropped: int = 0, speed: float = 1.0) -> bytes:
    return _joined(encode_clock(ClockMessage(now_us, speed, {"front": dropped})))


def _pictures(numbers: Sequence[int]) -> bytes:
    return b"".join(_joined(encode_sample("front", picture(number))) for number in numbers)


def test_stamps_become_seconds_of_the_flight_by_the_simulators_clock() -> None:
    recording = Recording()
    intake = StreamIntake(recording)
    intake.take(_streams(CAMERA, LIDAR) + _clock(1_000_000), 7.0)
    intake.take(_pictures([27, 28, 29]), 7.25)
    camera, lidar = recording.media("front"), recording.media("lidar")
    assert camera is not None
    assert lidar is not None
    assert camera.times == pytest.approx([6.899991, 6.933324, 6.966657], abs=1e-9)
    assert camera.stamps_us.tolist() == [899_991, 933_324, 966_657]
    assert camera.is_live
    assert lidar.count == 0
    intake.end()
    assert not camera.is_live


def test_before_the_clock_was_told_a_sample_counts_as_taken_when_it_came() -> None:
    recording = Recording()
    StreamIntake(recording).take(_streams(CAMERA) + _pictures([500]), 3.5)
    camera = recording.media("front")
    assert camera is not None
    assert camera.times.tolist() == [3.5]


@pytest.mark.parametrize("offset", [10**6, -(10**6)])
def test_a_sensor_with_a_clock_of_its_own_is_not_put_elsewhere_in_the_flight(offset: int) -> None:
    """Its stamps are kept; `picture` stamps every 33333 us."""
    recording = Recording()
    intake = StreamIntake(recording)
    intake.take(_streams(CAMERA) + _clock(33_333 * 2 * 10**6), 7.0)
    intake.take(_pictures([2 * 10**6 + offset, 2 * 10**6 + offset + 1]), 7.25)
    camera = recording.media("front")
    assert camera is not None
    assert camera.times.tolist() == [7.25, 7.25]
    assert camera.numbers.tolist() == [2 * 10**6 + offset, 2 * 10**6 + offset + 1]


def test_what_the_sender_left_out_is_counted_over_all_connections() -> None:
    recording = Recording()
    first, second = StreamIntake(recording), StreamIntake(recording)
    first.take(_streams(CAMERA) + _clock(0, dropped=4) + _clock(0, dropped=5), 0.0)
    first.end()
    second.take(_streams(CAMERA) + _clock(0, dropped=2) + _pictures([1]), 9.0)
    (camera,) = recording.media_tracks()
    assert camera.dropped == 7
    assert camera.is_live


def test_which_sensors_have_stopped_is_known_until_they_begin_anew() -> None:
    recording = Recording()
    intake = StreamIntake(recording)
    intake.take(_streams(CAMERA) + _pictures([1]), 1.0)
    other = replace(CAMERA, rate_hz=60.0)  # becomes "front-2"
    why = {"front": "It has stopped.", "down": "It cannot draw."}
    stopped = _joined(encode_clock(ClockMessage(0, 1.0, {}, why)))
    intake.take(_streams(other) + stopped, 2.0)
    assert recording.stopped_sensors == {"front-2": "It has stopped.", "down": "It cannot draw."}
    intake.take(_streams(other) + _clock(0), 3.0)
    assert recording.stopped_sensors == {}


def test_a_stream_that_is_announced_again_goes_on_in_its_track() -> None:
    recording = Recording()
    intake = StreamIntake(recording)
    intake.take(_streams(CAMERA) + _clock(0) + _pictures([1]), 1.0)
    intake.take(_streams(CAMERA, LIDAR) + _clock(0) + _pictures([2]), 2.0)
    camera = recording.media("front")
    assert camera is not None
    assert camera.numbers.tolist() == [1, 2]


def test_another_stream_of_the_same_name_loses_nothing_of_the_first() -> None:
    recording = Recording()
    intake = StreamIntake(recording)
    intake.take(_streams(CAMERA) + _pictures([1]), 1.0)
    other = replace(CAMERA, rate_hz=60.0)
    intake.take(_streams(other) + _pictures([2]), 2.0)
    StreamIntake(recording).take(_streams(other) + _pictures([3]), 3.0)
    found = {one.description.name: one.numbers.tolist() for one in recording.media_tracks()}
    assert found == {"front": [1], "front-2": [2, 3]}


def test_what_is_no_stream_is_refused_and_what_came_before_stays() -> None:
    recording = Recording()
    intake = StreamIntake(recording)
    lidar = _joined(encode_sample("lidar", scan(1)))
    with pytest.raises(StreamError, match="no message"):
        intake.take(_streams(LIDAR) + lidar + b"something else entirely", 1.0)
    track = recording.media("lidar")
    assert track is not None
    assert track.count == 1


def test_all_streams_share_a_bounded_memory() -> None:
    recording = Recording()
    streams = [replace(CAMERA, name=f"eye-{number}") for number in range(4)]
    intake = StreamIntake(recording, memory_bytes=4 * 10 * 144)
    intake.take(_streams(*streams), 0.0)
    for stream in streams:
        for number in range(30):
            intake.take(_joined(encode_sample(stream.name, picture(number))), 1.0)
    held = [
        [track.held(index) is not None for index in (19, 20, 29)]
        for track in recording.media_tracks()
    ]
    assert held == [[False, True, True]] * 4
