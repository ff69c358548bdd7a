"""Streams as ROS messages: small ones by hand, and those of a simulated flight by the walls of the
room that it was in."""

import math
import weakref
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from plugins.testing import add
from simulation.aircraft.parameters.mounts import SensorMount
from simulation.autopilot.truth import ground_truth
from simulation.perception.given_path import GivenPath
from simulation.perception.mounted_sensor import SuiteSample
from simulation.perception.suite import PerceptionSuite
from telemetry.protocol.streams.samples import (
    PictureSample,
    ScanSample,
    StreamDescription,
    StreamKind,
    StreamSample,
    ValueSample,
)
from telemetry.recording.export.request import ExportError, ExportRequest
from telemetry.recording.export.ros.bag import export_mcap
from telemetry.recording.media_track import MediaTrack
from telemetry.recording.recording import Recording
from tests.simulation.perception.paths import yawed
from tests.simulation.perception.rooms import room
from tests.telemetry.protocol.streams.samples import CAMERA, FLOW, LIDAR, picture, scan, values
from tests.telemetry.recording.export.ros.reading import Bag, numbers, read_mcap

EXACT = {"noise_m": [[0.0, 0.0]], "resolution_m": 1e-6}
SONAR = StreamDescription(
    "sonar",
    StreamKind.VALUES,
    "Sonar",
    details={
        **{"names": ["range"], "units": ["m"], "half_angle_deg": 15.0},
        **{"least_m": 0.25, "longest_m": 4.0},
    },
)


def _track(description: StreamDescription, samples: Sequence[StreamSample]) -> MediaTrack:
    track = MediaTrack(description)
    for sample in samples:
        track.append(2.0 + sample.number, sample)
    return track


def _exported(folder: Path, *tracks: MediaTrack, request: ExportRequest | None = None) -> Bag:
    recording = Recording(source="flight.opl")
    for track in tracks:
        recording.add_media(track)
    (path,) = export_mcap(recording, folder, request or ExportRequest())
    return read_mcap(path)


def test_pictures_are_in_the_colours_and_the_optical_frame_of_their_camera(tmp_path: Path) -> None:
    grey = replace(CAMERA, name="grey")
    pixels = np.arange(6 * 8 * 3, dtype=np.uint8).reshape(6, 8, 3)
    bag = _exported(
        tmp_path,
        _track(CAMERA, [PictureSample(0, 0, pixels)]),
        _track(grey, [PictureSample(0, 0, pixels[..., 1])]),
    )
    colour, single = bag["/front/image_raw"][0].message, bag["/grey/image_raw"][0].message
    assert (colour.height, colour.width, colour.step) == (6, 8, 24)
    assert (colour.encoding, colour.data) == ("bgr8", pixels.tobytes())
    assert (single.encoding, single.step) == ("mono8", 8)
    assert single.data == pixels[..., 1].tobytes()
    assert colour.header.frame_id == "front_optical"
    body, optical = bag["/tf_static"][0].message.transforms[:2]
    assert (body.header.frame_id, body.child_frame_id) == ("base_link", "front")
    assert numbers(body.transform.translation) == pytest.approx([0.1, 0.0, 0.02])
    assert (optical.header.frame_id, optical.child_frame_id) == ("front", "front_optical")


def test_angles_of_a_scan_ascend_to_the_left(tmp_path: Path) -> None:
    """The rays of the sensor: ahead, right, left."""
    (logged,) = _exported(tmp_path, _track(LIDAR, [scan(3)]))["/lidar/scan"]
    message = logged.message
    angles = (message.angle_min, message.angle_max, message.angle_increment)
    assert angles == pytest.approx((-math.pi / 2, math.pi / 2, math.pi / 2))
    right, ahead, left = message.ranges
    assert math.isnan(right)
    assert (ahead, left) == (3.5, 2.0)
    assert message.intensities == pytest.approx([0.0, 0.1, 1.0])
    assert message.scan_time == pytest.approx(0.025)
    assert message.time_increment == 0.0


def test_nothing_came_back_is_too_far_where_the_longest_is_told(tmp_path: Path) -> None:
    """REP-117: +inf; NaN where nothing says that it could not be nearer."""
    lidar = replace(LIDAR, details={**LIDAR.details, "least_m": 0.1, "longest_m": 30.0})
    single_ray = {key: told for key, told in SONAR.details.items() if key != "half_angle_deg"}
    laser = replace(SONAR, name="laser", details=single_ray)
    unlimited = replace(laser, name="unlimited", details={"names": ["range"], "units": ["m"]})
    told = [ValueSample(0, n, np.array([value])) for n, value in enumerate([3.9, 4.0, math.nan])]
    tracks = [_track(lidar, [scan(3)])]
    bag = _exported(tmp_path, *tracks, *(_track(one, told) for one in (SONAR, laser, unlimited)))
    message = bag["/lidar/scan"][0].message
    assert list(message.ranges) == [math.inf, 3.5, 2.0]
    assert message.range_min == pytest.approx(0.1)
    ranges = {name: [one.message.range for one in bag[f"/{name}/range"]] for name in RANGES}
    assert ranges == {name: pytest.approx(wanted, nan_ok=True) for name, wanted in RANGES.items()}


RANGES = {
    "sonar": [3.9, math.inf, math.inf],
    "laser": [3.9, 4.0, math.inf],
    "unlimited": [3.9, 4.0, math.nan],
}


def test_scans_of_several_planes_are_points(tmp_path: Path) -> None:
    rays = {"directions": [[1.0, 0.0, 0.0], [0.6, 0.8, 0.0], [0.0, 0.6, -0.8]]}
    sample = ScanSample(0, 0, np.array([np.nan, 5.0, 10.0], np.float32))
    bag = _exported(tmp_path, _track(replace(LIDAR, details=rays), [sample]))
    message = bag["/lidar/points"][0].message
    assert [field.name for field in message.fields] == ["x", "y", "z"]
    points = np.frombuffer(message.data, "<f4").reshape(message.width, 3)
    assert points == pytest.approx(np.array([[3.0, -4.0, 0.0], [0.0, -6.0, 8.0]]), abs=1e-6)


def test_a_distance_is_a_range_and_other_values_have_a_topic_each(tmp_path: Path) -> None:
    distance = ValueSample(0, 0, np.array([1.5]))
    bag = _exported(tmp_path, _track(SONAR, [distance]), _track(FLOW, [values(0), values(3)]))
    message = bag["/sonar/range"][0].message
    assert (message.radiation_type, message.range) == (0, 1.5)
    assert (message.min_range, message.max_range) == (0.25, 4.0)
    assert message.field_of_view == pytest.approx(math.radians(30.0))
    assert [logged.message.data for logged in bag["/flow/x_rad_s"]] == [0.0, 1.0]
    assert len(bag["/flow/y_rad_s"]) == 2


def test_names_are_those_that_ros_takes(tmp_path: Path) -> None:
    names = ("2nd-cam", "map", "a-b", "a_b")
    tracks = (_track(replace(CAMERA, name=name), [picture(0)]) for name in names)
    topics = {topic.split("/")[1] for topic in _exported(tmp_path, *tracks)}
    assert topics == {"n2nd_cam", "map_2", "a_b", "a_b_2", "tf_static"}


def test_long_names_are_cut_and_stay_distinct(tmp_path: Path) -> None:
    """DDS takes 255 letters, of which ROS needs some for itself."""
    told = {"names": ["long" * 100] * 2, "units": ["m", "s"]}
    long = replace(FLOW, name="f" * 40, details=told)
    topics = {*_exported(tmp_path, _track(long, [values(0)]))} - {"/tf_static"}
    assert len(topics) == 2
    assert max(map(len, topics)) < 240


@pytest.mark.parametrize("camera_first", [True, False])
def test_a_frame_has_one_parent(tmp_path: Path, camera_first: bool) -> None:
    """A stream may be called as the optical frame of a camera."""
    cam = _track(replace(CAMERA, name="cam"), [picture(0)])
    tracks = (cam, _track(replace(LIDAR, name="cam_optical"), [scan(0)]))
    bag = _exported(tmp_path, *(tracks if camera_first else reversed(tracks)))
    parents = bag["/tf_static"][0].message.transforms
    frames = sorted(one.child_frame_id for one in parents)
    if camera_first:
        assert frames == ["cam", "cam_optical", "cam_optical_2"]
    else:
        assert frames == ["cam_2", "cam_2_optical", "cam_optical"]


def test_a_part_of_the_flight_and_fewer_pictures(tmp_path: Path) -> None:
    track = _track(CAMERA, [picture(number) for number in range(6)])
    recording = Recording(source="flight.opl")
    recording.add_media(track)
    for t in (0.0, 10.0):
        add(recording, t, "SonarAltitude")
    for number, (request, wanted) in enumerate(
        (
            (ExportRequest((), 3.0, 5.0), [3.0, 4.0, 5.0]),
            (ExportRequest((), 3.5, 7.5, 0.5), [5.0, 7.0]),
            (ExportRequest((), 3.0, 3.5, 10.0), [3.0]),
        )
    ):
        (path,) = export_mcap(recording, tmp_path / str(number), request)
        stamps = [logged.stamp_ns / 1e9 for logged in read_mcap(path)["/front/image_raw"]]
        assert stamps == wanted
    (path,) = export_mcap(recording, tmp_path / "named", ExportRequest(("SonarAltitude",)))
    assert list(read_mcap(path)) == ["/sonar_altitude"]


def test_what_is_nowhere_is_left_out_and_what_says_nothing_refused(tmp_path: Path) -> None:
    track = MediaTrack(LIDAR, memory_bytes=48)
    for number in range(5):
        track.append(float(number), scan(number))
    assert len(_exported(tmp_path, track)["/lidar/scan"]) == 2
    early = MediaTrack(LIDAR)
    early.append(-0.5, scan(0))
    early.append(0.5, scan(1))
    bag = _exported(tmp_path / "early", early)
    assert [logged.stamp_ns for logged in bag["/lidar/scan"]] == [500_000_000]
    assert [logged.stamp_ns for logged in bag["/tf_static"]] == [0]
    with pytest.raises(ExportError, match=r"directions of lidar.*Name objects"):
        _exported(tmp_path / "b", _track(replace(LIDAR, details={}), [scan(0)]))


@pytest.mark.parametrize(
    ("description", "key", "told"),
    [
        (LIDAR, "longest_m", None),
        (LIDAR, "least_m", "0.1"),
        (LIDAR, "longest_m", [30.0]),
        (LIDAR, "longest_m", math.nan),
        (LIDAR, "after_us", 5.0),
        (LIDAR, "after_us", [0.0, None, 1.0]),
        (LIDAR, "after_us", [[0.0], [1.0, 2.0]]),
        (LIDAR, "directions", [[10**400, 0, 0]]),
        (SONAR, "half_angle_deg", None),
        (SONAR, "least_m", -1.0),
    ],
)
def test_odd_details_are_a_sentence(
    tmp_path: Path, description: StreamDescription, key: str, told: object
) -> None:
    odd = replace(description, details={**description.details, key: told})
    sample = scan(0) if odd.kind is StreamKind.SCANS else ValueSample(0, 0, np.array([1.0]))
    with pytest.raises(ExportError, match=f"{key} of {odd.name}"):
        _exported(tmp_path, _track(odd, [sample]))


def test_what_float32_cannot_hold_is_clipped(tmp_path: Path) -> None:
    far = {"longest_m": 1e300, "half_angle_deg": 1e300}
    sonar = replace(SONAR, details={**SONAR.details, **far})
    unlimited = replace(SONAR, name="laser", details={"names": ["range"], "units": ["m"]})
    lidar = replace(LIDAR, rate_hz=1e-300, details={**LIDAR.details, "longest_m": 10**18})
    far_away = [ValueSample(0, 0, np.array([1e300]))]
    tracks = (_track(sonar, far_away), _track(unlimited, far_away), _track(lidar, [scan(0)]))
    bag = _exported(tmp_path, *tracks)
    largest = float(np.finfo(np.float32).max)
    assert bag["/sonar/range"][0].message.max_range == largest
    assert bag["/laser/range"][0].message.range == largest
    assert bag["/lidar/scan"][0].message.range_max == pytest.approx(1e18)


def test_samples_of_another_length_are_left_out(tmp_path: Path) -> None:
    short = ScanSample(0, 0, np.array([1.0], np.float32))
    track = _track(FLOW, [ValueSample(0, 0, np.array([1.0])), values(1)])
    bag = _exported(tmp_path, track, _track(LIDAR, [short, scan(1)]))
    topics = ("/flow/x_rad_s", "/flow/y_rad_s", "/lidar/scan")
    assert [len(bag[topic]) for topic in topics] == [1, 1, 1]


class _Pictures:
    """A store that counts how many of its pictures are in memory at once."""

    def __init__(self) -> None:
        self.most = 0
        self._held: weakref.WeakSet[Any] = weakref.WeakSet()

    def sample(self, index: int) -> PictureSample:
        pixels = np.full((6, 8, 3), index, np.uint8)
        self._held.add(_Marked(pixels))
        self.most = max(self.most, len(self._held))
        return PictureSample(index, index, pixels)


class _Marked:
    """Stays as long as the pixels do."""

    def __init__(self, pixels: Any) -> None:
        weakref.finalize(pixels, lambda kept: None, self)


def test_pictures_are_in_memory_one_after_the_other(tmp_path: Path) -> None:
    store = _Pictures()
    track = MediaTrack(CAMERA, store)
    track.extend(np.arange(50.0), np.arange(50), np.arange(50))
    assert len(_exported(tmp_path, track)["/front/image_raw"]) == 50
    assert store.most <= 3


@pytest.mark.slow
def test_the_walls_of_a_room_stand_where_they_are(tmp_path: Path) -> None:
    """A room 8 m long to the north and 6 m wide; the aircraft 1 m north and 0.5 m east of its
    middle, turning, its scanner mounted aside and upside down. What a ROS tool makes of scan,
    mount and true pose lies on the walls."""
    recording = _simulated()
    (path,) = export_mcap(recording, tmp_path)
    bag = read_mcap(path)
    for name in ("lidar/scan", "nose/image_raw"):
        track = recording.media(name.split("/")[0])
        assert track is not None
        assert len(bag[f"/{name}"]) == track.count > 1
    assert _off_the_walls_m(bag, 1.0) < 0.01
    assert _off_the_walls_m(bag, -1.0) > 0.3, "negative control: angles the wrong way round"


def _simulated() -> Recording:
    path = GivenPath(lambda t: ((1.0, 0.5, -1.5), yawed(0.4 + t)))
    mounts = [
        SensorMount("lidar", "utm-30lx", (0.1, 0.2, -0.05), (180.0, 0.0, 40.0), EXACT),
        SensorMount("nose", "price-camera", changes={"width_px": 32, "height_px": 24}),
    ]
    suite = PerceptionSuite(path, room(4.0, 3.0), mounts)
    recording = Recording(source="flight.opl")
    tracks = {one.name: MediaTrack(one) for one in suite.descriptions}
    for track in tracks.values():
        recording.add_media(track)

    def take(taken: SuiteSample) -> None:
        tracks[taken.description.name].append(taken.sample.time_us / 1e6, taken.sample)

    suite.subscribe(take)
    definition_names = ("PositionNED", "VelocityNED", "RPY")
    for step in range(120):
        told = np.array(ground_truth(path.output)[3:12]).reshape(3, 3)
        fields = {
            f"{name}.{axis}": float(told[row, axis])
            for row, name in enumerate(definition_names)
            for axis in range(3)
        }
        add(recording, step / 1000, "GroundTruth", **fields)
        path.advance(1)
    assert not suite.failures
    return recording


def _off_the_walls_m(bag: Bag, sense: float) -> float:
    """The median distance of a scan's points from the nearest wall."""
    logged = bag["/lidar/scan"][1]
    scan_message = logged.message
    truth = {one.stamp_ns: one.message.pose.pose for one in bag["/ground_truth/odometry"]}
    mount = next(
        one.transform
        for one in bag["/tf_static"][0].message.transforms
        if one.child_frame_id == "lidar"
    )
    ranges = np.array(scan_message.ranges)
    angles = scan_message.angle_min + scan_message.angle_increment * np.arange(len(ranges))
    zeros = np.zeros_like(ranges)
    points = np.stack([ranges * np.cos(angles), sense * ranges * np.sin(angles), zeros], axis=1)
    points = Rotation.from_quat(numbers(mount.rotation)).apply(points)
    points += numbers(mount.translation)
    pose = truth[logged.stamp_ns]
    points = Rotation.from_quat(numbers(pose.orientation)).apply(points) + numbers(pose.position)
    east, north, _ = points.T
    off = np.minimum(np.abs(np.abs(east) - 3.0), np.abs(np.abs(north) - 4.0))
    return float(np.nanmedian(off))
