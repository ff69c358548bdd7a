"""Streams and samples that tests send."""

from typing import Any

import numpy as np

from telemetry.protocol.streams.samples import (
    PictureSample,
    ScanSample,
    StreamDescription,
    StreamKind,
    StreamSample,
    ValueSample,
)

CAMERA = StreamDescription(
    "front",
    StreamKind.PICTURES,
    "Front camera",
    30.0,
    (0.1, 0.0, -0.02),
    details={"size_px": [8, 6], "lens": {"field_of_view_deg": 60.0}},
)
LIDAR = StreamDescription(
    "lidar",
    StreamKind.SCANS,
    "Lidar",
    40.0,
    details={"directions": [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, -1.0, 0.0]]},
)
FLOW = StreamDescription(
    "flow",
    StreamKind.VALUES,
    "Optic flow",
    100.0,
    details={"names": ["x", "y"], "units": ["rad/s", "rad/s"]},
)
STREAMS = (CAMERA, LIDAR, FLOW)


def picture(number: int, time_us: int | None = None, **members: Any) -> PictureSample:
    """A small picture in colour that tells its number; 30 of them a second."""
    pixels = np.full((6, 8, 3), number % 251, np.uint8)
    return PictureSample(number * 33_333 if time_us is None else time_us, number, pixels, **members)


def scan(number: int, *, has_intensities: bool = True) -> ScanSample:
    """A scan of which one ray has not come back; 40 of them a second."""
    ranges = np.array([number + 0.5, np.nan, 2.0], np.float32)
    intensities = np.array([0.1, 0.0, 1.0], np.float32) if has_intensities else None
    return ScanSample(number * 25_000, number, ranges, intensities)


def values(number: int) -> ValueSample:
    """Two numbers; 100 of them a second."""
    return ValueSample(number * 10_000, number, np.array([number / 3.0, -1e-300]))


def same(one: StreamSample, other: StreamSample) -> bool:
    """Whether two samples say the same, to the bit."""
    if type(one) is not type(other) or (one.time_us, one.number) != (other.time_us, other.number):
        return False
    if isinstance(one, PictureSample) and isinstance(other, PictureSample):
        return one.flaw == other.flaw and np.array_equal(one.pixels, other.pixels)
    if isinstance(one, ScanSample) and isinstance(other, ScanSample):
        a, b = one.intensities, other.intensities
        are_same = a is b or (a is not None and b is not None and np.array_equal(a, b))
        return are_same and np.array_equal(one.ranges_m, other.ranges_m, equal_nan=True)
    assert isinstance(one, ValueSample)
    assert isinstance(other, ValueSample)
    return np.array_equal(one.values, other.values)
