"""A map grows by a recording: samples in the order of time, each with the pose of its time."""

import math

import numpy as np
import pytest

from telemetry.protocol.streams.samples import PictureSample, ScanSample, StreamKind, ValueSample
from telemetry.recording.recording import Recording
from telemetry.review.mapping.builder import MapBuilder
from telemetry.review.mapping.grown_map import GrownMap
from telemetry.review.mapping.recorded_poses import PoseSource, RecordedPoses
from tests.telemetry.review.mapping.mapped import add_pose, add_true_pose, range_stream, stream


def flight(seconds: float = 10.0) -> Recording:
    """Ten seconds north at 1 m/s, 2 m above the ground, told twice a second."""
    recording = Recording("test")
    for step in range(int(2 * seconds) + 1):
        add_pose(recording, step / 2, (step / 2, 0.05, -2.0))
    return recording


def distance(number: int, metres: float) -> ValueSample:
    return ValueSample(0, number, np.array([metres]))


def built(recording: Recording, until_s: float = math.inf, begin_s: float = 0.0) -> MapBuilder:
    builder = MapBuilder(recording, GrownMap(0.1), RecordedPoses(recording), begin_s)
    while builder.advance(until_s, 3):
        pass
    return builder


def test_the_pose_of_a_sample_is_that_of_its_time() -> None:
    recording = flight()
    track = range_stream(recording)
    for number, t in enumerate((0.25, 1.35, 7.73)):
        track.append(t, distance(number, 1.5))
    builder = built(recording)
    assert (builder.taken, builder.useless, builder.missed) == (3, 0, 0)
    for t in (0.25, 1.35, 7.73):
        assert builder.grown.height_at(t, 0.05) == pytest.approx(0.5, abs=1e-6)
    assert builder.grown.is_known.sum() == 3


def test_turning_through_north_is_the_short_way() -> None:
    recording = Recording("test")
    for t, yaw in ((0.0, 170.0), (1.0, -170.0)):
        add_pose(recording, t, (0.0, 0.0, -2.0), (0.0, 0.0, yaw))
    pose = RecordedPoses(recording).at(0.5)
    assert pose is not None
    assert pose.rotation @ [1.0, 0.0, 0.0] == pytest.approx([-1.0, 0.0, 0.0], abs=1e-9)


def test_what_the_aircraft_has_not_told_yet_is_waited_for_and_what_it_never_told_left_out() -> None:
    recording = Recording("test")
    track = range_stream(recording)
    track.append(2.2, distance(0, 2.0))
    add_pose(recording, 2.0, (0.0, 0.0, -2.0))
    builder = MapBuilder(recording, GrownMap(), RecordedPoses(recording))
    assert not builder.advance(9.0)
    assert (builder.taken, builder.useless) == (0, 0), "the pose may still come"
    add_pose(recording, 2.5, (0.0, 0.0, -2.0))
    builder.advance(9.0)
    assert (builder.taken, builder.useless) == (1, 0)
    track.append(4.0, distance(1, 2.0))
    add_pose(recording, 6.0, (9.0, 0.0, -2.0))
    builder.advance(9.0)
    assert (builder.taken, builder.useless) == (1, 1), "3.5 s of silence"


def test_it_goes_no_further_than_asked_and_begins_where_asked() -> None:
    recording = flight()
    track = range_stream(recording)
    for number in range(9):
        track.append(float(number), distance(number, 2.0))
    builder = built(recording, until_s=4.0, begin_s=2.0)
    assert builder.taken == 3
    assert builder.built_s == 4.0
    while builder.advance(6.0):
        pass
    assert builder.taken == 5
    assert builder.grown.height_at(1.0, 0.05) is None


def test_the_truth_of_a_simulator_is_told_apart() -> None:
    recording = Recording("test")
    for t in (0.0, 1.0, 2.0):
        add_pose(recording, t, (t, 0.05, -2.0))
        add_true_pose(recording, t, (20.0 + t, 0.05, -3.0))
    range_stream(recording).append(1.53, distance(0, 2.0))
    poses = RecordedPoses(recording, PoseSource.TRUTH)
    builder = MapBuilder(recording, GrownMap(), poses)
    builder.advance(9.0)
    assert builder.grown.height_at(21.53, 0.05) == pytest.approx(1.0, abs=1e-5)
    assert builder.grown.height_at(1.53, 0.05) is None


@pytest.mark.parametrize("metres", [6.0, 5.999, 0.2, 0.1, math.nan, math.inf, -1.0])
def test_a_sonar_that_hears_nothing_says_so(metres: float) -> None:
    recording = flight()
    track = range_stream(recording, least_m=0.2, longest_m=6.0, half_angle_deg=10.0)
    track.append(1.0, distance(0, metres))
    assert built(recording).useless == 1


def test_samples_that_tell_nothing_are_counted() -> None:
    recording = flight()
    scans = stream(recording, StreamKind.SCANS, {"directions": [[1, 0, 0], [0.8, 0.6, 0]]})
    scans.append(1.0, ScanSample(0, 0, np.array([2.0, np.nan], np.float32)))
    scans.append(1.1, ScanSample(0, 1, np.array([np.nan, np.nan], np.float32)))
    pictures = stream(recording, StreamKind.PICTURES, {})
    black = np.zeros((6, 8, 3), np.uint8)
    pictures.append(1.2, PictureSample(0, 0, black, "torn"))
    pictures.append(2.0, PictureSample(0, 1, black))
    pictures.append(2.1, PictureSample(0, 2, black))
    builder = built(recording)
    assert (builder.taken, builder.useless) == (2, 2), "the picture just after shows nothing new"
    assert builder.has_sensors


@pytest.mark.parametrize(
    "details", [{"directions": "no"}, {"directions": [[9, 9, 9]]}, {"directions": []}, {}]
)
def test_a_scanner_without_rays_is_none(details: dict[str, object]) -> None:
    recording = flight()
    stream(recording, StreamKind.SCANS, details)
    assert not built(recording).has_sensors


@pytest.mark.parametrize("after", ["x", [math.nan], [-5.0], [[1]], [0.0, 1.0, 2.0]])
def test_rays_whose_times_are_no_times_are_sent_at_once(after: object) -> None:
    recording = flight()
    details = {"directions": [[1.0, 0.0, 0.0]], "after_us": after}
    stream(recording, StreamKind.SCANS, details).append(
        1.03, ScanSample(0, 0, np.array([2.0], np.float32))
    )
    assert built(recording).grown.height_at(1.03, 0.05) == pytest.approx(0.0, abs=1e-6)


def test_the_rays_of_a_long_sweep_have_the_pose_of_their_time() -> None:
    """Half a second of flight between two rays straight down."""
    recording = flight()
    details = {"directions": [[1.0, 0.0, 0.0]] * 2, "after_us": [0.0, 500_000.0]}
    stream(recording, StreamKind.SCANS, details).append(
        1.03, ScanSample(0, 0, np.array([2.0, 1.0], np.float32))
    )
    grown = built(recording).grown
    assert grown.height_at(1.035, 0.05) == pytest.approx(0.0, abs=1e-6)
    assert grown.height_at(1.535, 0.05) == pytest.approx(1.0, abs=1e-6)
