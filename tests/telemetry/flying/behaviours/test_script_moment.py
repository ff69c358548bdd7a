"""What a behaviour script is told, written and read again."""

import numpy as np

from telemetry.flying.behaviours.script_moment import (
    MomentWriter,
    ScriptMoment,
    read_moments,
    sticks_line,
)
from telemetry.protocol.streams.samples import (
    PictureSample,
    ScanSample,
    StreamDescription,
    StreamKind,
    StreamSample,
    ValueSample,
)

LIDAR = StreamDescription(
    "lidar",
    StreamKind.SCANS,
    "Lidar",
    details={"directions": [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, -1.0, 0.0]]},
)
CAMERA = StreamDescription("bottom", StreamKind.PICTURES, "Camera")
NAVDATA = StreamDescription(
    "navdata", StreamKind.VALUES, "Navdata", details={"names": ["yaw"], "units": ["deg"]}
)


def scan(*ranges_m: float) -> ScanSample:
    return ScanSample(25_000, 1, np.array(ranges_m, np.float32), np.ones(3, np.float32))


def told(*lines: bytes) -> list[ScriptMoment]:
    return list(read_moments(line.decode() for line in lines))


def test_samples_arrive_as_they_were() -> None:
    pixels = np.arange(4 * 6 * 3, dtype=np.uint8).reshape(4, 6, 3)
    picture = PictureSample(33_333, 1, pixels, "torn")
    values = ValueSample(5000, 7, np.array([1.0 / 3.0]))
    lidar = scan(1.5, np.nan, 2.0)
    writer = MomentWriter()
    samples: list[tuple[StreamDescription, StreamSample]] = [
        (LIDAR, lidar),
        (CAMERA, picture),
        (NAVDATA, values),
    ]
    first, second = told(writer.line({"north_m": 2.0}, samples), writer.line({"north_m": 3.0}))
    assert first.pose == {"north_m": 2.0}
    assert second == ScriptMoment({"north_m": 3.0}, {}, first.descriptions)
    assert first.descriptions == {"lidar": LIDAR, "bottom": CAMERA, "navdata": NAVDATA}
    for sample, name in ((lidar, "lidar"), (picture, "bottom"), (values, "navdata")):
        again = first.samples[name]
        assert (again.time_us, again.number) == (sample.time_us, sample.number)
    read = first.samples
    assert isinstance(read["lidar"], ScanSample)
    assert isinstance(read["bottom"], PictureSample)
    assert isinstance(read["navdata"], ValueSample)
    np.testing.assert_array_equal(read["lidar"].ranges_m, lidar.ranges_m)
    np.testing.assert_array_equal(read["bottom"].pixels, pixels)
    assert read["navdata"].values[0] == 1.0 / 3.0


def test_a_picture_that_is_too_large_is_not_told() -> None:
    large = PictureSample(0, 0, np.zeros((480, 640, 3), np.uint8))
    (moment,) = told(MomentWriter().line({}, [(CAMERA, large)]))
    assert moment.samples == {}


def test_sticks_stay_within_their_limits() -> None:
    assert sticks_line(roll=3.0, pitch=-0.5) == '{"axes": [1.0, -0.5, 0.0, 0.0]}'
