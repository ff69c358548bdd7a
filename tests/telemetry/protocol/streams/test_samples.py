"""What a picture, a scan, values and a stream of them can be."""

from typing import Any

import numpy as np
import pytest

from telemetry.protocol.streams.samples import (
    PictureSample,
    ScanSample,
    StreamDescription,
    StreamError,
    StreamKind,
    ValueSample,
    check_sample,
    ray_directions,
    value_names,
)

GREY = np.zeros((4, 6), np.uint8)
AHEAD, RIGHT = [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]


def _stream(kind: StreamKind = StreamKind.SCANS, **members: Any) -> StreamDescription:
    return StreamDescription(**{"name": "eye", "kind": kind, "title": "An eye", **members})


@pytest.mark.parametrize(
    ("pixels", "words"),
    [
        (GREY.astype(np.float32), "uint8"),
        (np.zeros((4, 6, 4), np.uint8), "height, width, 3"),
        (np.zeros(24, np.uint8), "height, width, 3"),
        (np.zeros((0, 6), np.uint8), "sides of 1"),
        (np.zeros((1, 8193), np.uint8), "sides of 1"),
    ],
)
def test_a_picture_that_is_none_is_refused(pixels: Any, words: str) -> None:
    with pytest.raises(StreamError, match=words):
        PictureSample(0, 0, pixels)


@pytest.mark.parametrize(
    ("time_us", "number"), [(0.5, 0), (np.int64(7), 0), (1 << 63, 0), (0, -1), (0, 1.0)]
)
def test_a_stamp_is_whole_microseconds_and_a_number_counts(time_us: Any, number: Any) -> None:
    with pytest.raises(StreamError, match=r"whole microseconds|counts from 0"):
        PictureSample(time_us, number, GREY)


def test_a_sensors_clock_may_have_begun_after_the_flights() -> None:
    assert PictureSample(-1_500_000, 3, GREY).time_us == -1_500_000


@pytest.mark.parametrize(
    ("ranges", "intensities", "words"),
    [
        (np.zeros(3), None, "float32"),
        (np.zeros((3, 1), np.float32), None, "float32"),
        (np.empty(0, np.float32), None, "1 to"),
        (np.zeros(3, np.float32), np.zeros(2, np.float32), "as many"),
    ],
)
def test_a_scan_that_is_none_is_refused(ranges: Any, intensities: Any, words: str) -> None:
    with pytest.raises(StreamError, match=words):
        ScanSample(0, 0, ranges, intensities)


@pytest.mark.parametrize(
    ("members", "words"),
    [
        ({"name": "../etc"}, "cannot name a stream"),
        ({"name": ""}, "cannot name a stream"),
        ({"rate_hz": float("nan")}, "rate of eye"),
        ({"position_m": (0.0, float("inf"), 0.0)}, "position of eye"),
        ({"position_m": (0.0, 0.0)}, "position of eye"),
        ({"attitude_q_wxyz": (1.0, 1.0, 0.0, 0.0)}, "length 1"),
        ({"title": "x" * 201}, "title of eye"),
    ],
)
def test_a_stream_that_cannot_be_is_refused(members: dict[str, Any], words: str) -> None:
    with pytest.raises(StreamError, match=words):
        _stream(**members)


def test_a_sample_of_another_kind_or_length_is_none_of_the_stream() -> None:
    scans = _stream(details={"directions": [AHEAD, RIGHT]})
    check_sample(scans, ScanSample(0, 0, np.zeros(2, np.float32)))
    with pytest.raises(StreamError, match="2 directions, a sample of it 3"):
        check_sample(scans, ScanSample(0, 0, np.zeros(3, np.float32)))
    with pytest.raises(StreamError, match="not a PictureSample"):
        check_sample(scans, PictureSample(0, 0, GREY))
    values = _stream(StreamKind.VALUES, details={"names": ["flow"], "units": ["rad/s"]})
    with pytest.raises(StreamError, match="1 names, a sample of it 2"):
        check_sample(values, ValueSample(0, 0, np.zeros(2)))


def test_rays_are_directions_of_length_1() -> None:
    assert ray_directions(_stream(details={"directions": [AHEAD, RIGHT]})).tolist() == [
        AHEAD,
        RIGHT,
    ]


@pytest.mark.parametrize(
    "directions", [None, [], [[1, 0]], [["a", 0, 0]], [[2, 0, 0]], [[float("nan"), 0, 0]], 7]
)
def test_rays_that_are_none_are_refused(directions: Any) -> None:
    with pytest.raises(StreamError, match="directions of eye"):
        ray_directions(_stream(details={"directions": directions}))


def test_values_have_names_and_units() -> None:
    details = {"names": ["flow_x", "flow_y"], "units": ["rad/s", "rad/s"]}
    stream = _stream(StreamKind.VALUES, details=details)
    assert value_names(stream) == (("flow_x", "rad/s"), ("flow_y", "rad/s"))


@pytest.mark.parametrize(
    "details", [{}, {"names": ["a"], "units": []}, {"names": "ab", "units": ["m", "m"]}]
)
def test_values_without_names_and_units_are_refused(details: dict[str, Any]) -> None:
    with pytest.raises(StreamError, match=r"of eye|eye has"):
        value_names(_stream(StreamKind.VALUES, details=details))
