"""Flights as MCAP files and ROS 2 bags, read back by other programs' readers, against sums by hand.

A latitude is an angle, a turn rate radians a second, 500 mG are 5e-5 T, 1 kPa is 1000 Pa.
"""

import errno
import math
import sqlite3
import struct
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
import yaml

from plugins.testing import add
from telemetry.recording.export.formats import FORMATS
from telemetry.recording.export.request import ExportCancelled, ExportError, ExportRequest
from telemetry.recording.export.ros.bag import export_mcap, export_rosbag2
from telemetry.recording.logs.reader import read_log
from telemetry.recording.recording import Recording
from tests.telemetry.recording.export.ros.reading import (
    Bag,
    numbers,
    plain,
    read_mcap,
    read_rosbag2,
)
from tests.telemetry.recording.logs.books import CATALOGUE

HALF = math.sqrt(0.5)
NOON_S = 1_795_348_800
"""Of 2026-11-22 UTC, since 1970; GPSTime says it at 1.2 s."""
FLIGHT_S = np.arange(6.0)
PLACE = {"Latitude": 489_466_000, "Longitude": 94_300_000}


@pytest.fixture(scope="module")
def flown() -> Recording:
    """Six seconds facing north and level, 10 m/s to the north and 1 m/s up from (0, 2, 0), while it
    turns to the right by 90 degrees a second."""
    recording = Recording(source="field.opl")
    add(recording, 0.0, "FlightBatterySettings", Capacity=2000, Type="LiPo")
    for t in FLIGHT_S.tolist():
        add(recording, t, "PositionState", North=10.0 * t, East=2.0, Down=-t)
        add(recording, t, "VelocityState", North=10.0, Down=-1.0)
        add(recording, t, "AttitudeState", q1=1.0)
        add(recording, t, "GyroState", x=10.0, y=20.0, z=90.0)
        add(recording, t, "AccelState", x=0.5, y=1.0, z=-9.81)
        add(recording, t, "MagState", x=500.0, y=-20.0, z=430.0)
        add(recording, t, "BaroSensor", Pressure=97_000.0)
        fix = {"Status": ("NoFix", "Fix2D", "Fix3D", "Fix3DDGNSS")[min(int(t), 3)]}
        add(recording, t, "GPSPositionSensor", Altitude=270.0, GeoidSeparation=48.0, **fix, **PLACE)
        add(recording, t, "FlightBatteryState", Voltage=11.1, Current=8.0, ConsumedEnergy=500 * t)
        add(recording, t, "SonarAltitude", Altitude=t)
        truth = {"PositionNED.1": 3.0, "VelocityNED.0": 10.0, "RPY.2": 90.0, "AngularRates.2": 90.0}
        add(recording, t, "GroundTruth", **truth)
        if t == 1.0:
            noon = {"Year": 2026, "Month": 11, "Day": 22, "Hour": 12, "Minute": 0, "Second": 0}
            add(recording, 1.2, "GPSTime", **noon)
    return recording


@pytest.fixture(scope="module")
def bag(flown: Recording, tmp_path_factory: pytest.TempPathFactory) -> Bag:
    (path,) = export_mcap(flown, tmp_path_factory.mktemp("mcap"))
    assert path.name == "field.mcap"
    return read_mcap(path)


def test_each_object_has_its_topic_with_as_many_messages(bag: Bag) -> None:
    assert {topic: {one.type for one in logged} for topic, logged in bag.items()} == {
        "/imu": {"sensor_msgs/msg/Imu"},
        "/gps/fix": {"sensor_msgs/msg/NavSatFix"},
        "/magnetic_field": {"sensor_msgs/msg/MagneticField"},
        "/pressure": {"sensor_msgs/msg/FluidPressure"},
        "/battery": {"sensor_msgs/msg/BatteryState"},
        "/sonar_altitude": {"sensor_msgs/msg/Range"},
        "/odometry": {"nav_msgs/msg/Odometry"},
        "/ground_truth/odometry": {"nav_msgs/msg/Odometry"},
        "/tf": {"tf2_msgs/msg/TFMessage"},
    }
    assert {len(logged) for logged in bag.values()} == {len(FLIGHT_S)}


def test_a_message_is_logged_by_the_calendar_at_the_time_in_its_header(bag: Bag) -> None:
    for logged in (*bag["/imu"], *bag["/odometry"], *bag["/gps/fix"]):
        stamp = logged.message.header.stamp
        assert stamp.sec * 10**9 + stamp.nanosec == logged.stamp_ns
    stamps_s = [logged.stamp_ns / 1e9 - NOON_S for logged in bag["/imu"]]
    assert stamps_s == pytest.approx(FLIGHT_S - 1.2, abs=1e-6)


def test_without_the_calendar_stamps_are_seconds_of_the_flight(tmp_path: Path) -> None:
    recording = Recording(source="a.opl")
    add(recording, 2.5, "SonarAltitude", Altitude=1.0)
    add(recording, 2.5, "GPSTime", Year=2500, Month=1, Day=1)
    (path,) = export_mcap(recording, tmp_path)
    assert read_mcap(path)["/sonar_altitude"][0].stamp_ns == 2_500_000_000


def test_what_no_stamp_can_say_is_left_out(tmp_path: Path) -> None:
    recording = Recording(source="a.opl")
    for t in (1.0, 2.0**31 - 0.5, 2.0**31):
        add(recording, t, "SonarAltitude", Altitude=1.0)
    (path,) = export_mcap(recording, tmp_path)
    stamps_s = [logged.stamp_ns / 1e9 for logged in read_mcap(path)["/sonar_altitude"]]
    assert stamps_s == [1.0, 2.0**31 - 0.5]


def test_odometry_is_east_north_up_and_its_twist_forward_left_up(bag: Bag) -> None:
    odometry = bag["/odometry"][3].message
    assert (odometry.header.frame_id, odometry.child_frame_id) == ("map", "base_link")
    assert numbers(odometry.pose.pose.position) == pytest.approx([2.0, 30.0, 3.0])
    assert numbers(odometry.pose.pose.orientation) == pytest.approx([0.0, 0.0, HALF, HALF])
    assert numbers(odometry.twist.twist.linear) == pytest.approx([10.0, 0.0, 1.0])
    turning = [math.radians(10.0), -math.radians(20.0), -math.pi / 2]
    assert numbers(odometry.twist.twist.angular) == pytest.approx(turning)
    assert not any(odometry.pose.covariance)


def test_the_truth_of_a_simulated_flight_has_a_topic_that_says_so(bag: Bag) -> None:
    """It faces east there, so that to the north is to its left."""
    truth = bag["/ground_truth/odometry"][0].message
    assert truth.child_frame_id == "base_link_truth"
    assert numbers(truth.pose.pose.position) == pytest.approx([3.0, 0.0, 0.0])
    assert numbers(truth.pose.pose.orientation) == pytest.approx([0.0, 0.0, 0.0, 1.0], abs=1e-7)
    assert numbers(truth.twist.twist.linear) == pytest.approx([0.0, 10.0, 0.0], abs=1e-5)
    assert numbers(truth.twist.twist.angular) == pytest.approx([0.0, 0.0, -math.pi / 2])


def test_the_truth_may_be_told_by_the_other_object_which_boards_send_empty(tmp_path: Path) -> None:
    empty, told = Recording(source="a.opl"), Recording(source="b.opl")
    for t in (1.0, 2.0):
        for recording in (empty, told):
            add(recording, t, "SonarAltitude")
        add(empty, t, "AttitudeSimulated")
        moving = {"q1": 1.0, "Position.North": 4.0, "Velocity.Down": 2.0}
        add(told, t, "AttitudeSimulated", **moving)
    topic = "/ground_truth/odometry"
    assert topic not in read_mcap(export_mcap(empty, tmp_path)[0])
    truth = read_mcap(export_mcap(told, tmp_path)[0])[topic][1].message
    assert numbers(truth.pose.pose.position) == [0.0, 4.0, 0.0]
    assert numbers(truth.twist.twist.linear) == pytest.approx([0.0, 0.0, -2.0])
    assert math.isnan(truth.twist.twist.angular.x)


@pytest.mark.slow
def test_poses_are_of_the_objects_that_are_asked_for(tmp_path: Path) -> None:
    recording = Recording(source="a.opl")
    for t in (1.0, 2.0):
        add(recording, t, "GroundTruth", **{"PositionNED.0": 7.0})
        add(recording, t, "AttitudeSimulated", **{"q1": 1.0, "Position.North": 4.0})
        add(recording, t, "PositionState", North=5.0)
        add(recording, t, "PositionActual", North=6.0)
        add(recording, t, "AttitudeState", q1=1.0)

    def norths(*names: str) -> list[float]:
        (path,) = export_mcap(recording, tmp_path / "-".join(names), ExportRequest(names))
        bag = read_mcap(path)
        topics = (topic for topic in bag if topic.endswith("/odometry"))
        return [bag[topic][0].message.pose.pose.position.y for topic in topics]

    assert norths("AttitudeSimulated") == [4.0]
    assert norths("GroundTruth") == [7.0]
    assert norths("PositionActual", "AttitudeState") == [6.0]
    assert norths("PositionState", "AttitudeState") == [5.0]


def test_the_transform_is_the_pose_of_the_estimate(bag: Bag) -> None:
    (transform,) = bag["/tf"][3].message.transforms
    pose = bag["/odometry"][3].message.pose.pose
    assert (transform.header.frame_id, transform.child_frame_id) == ("map", "base_link")
    assert numbers(transform.transform.translation) == numbers(pose.position)
    assert numbers(transform.transform.rotation) == numbers(pose.orientation)


def test_a_transform_has_each_stamp_once(tmp_path: Path) -> None:
    recording = Recording(source="a.opl")
    for north, t in enumerate((1.0, 2.0, 2.0, 3.0)):
        add(recording, t, "PositionState", North=north)
        add(recording, t, "AttitudeState", q1=1.0)
    (path,) = export_mcap(recording, tmp_path)
    bag = read_mcap(path)
    assert len(bag["/odometry"]) == 4
    assert [logged.stamp_ns for logged in bag["/tf"]] == [10**9, 2 * 10**9, 3 * 10**9]
    assert bag["/tf"][2].message.transforms[0].transform.translation.y == 3.0


def test_an_imu_at_rest_feels_gravity_upwards(bag: Bag) -> None:
    """REP-145: specific force, forward, left, up; attitude in ENU."""
    imu = bag["/imu"][2].message
    assert imu.header.frame_id == "base_link"
    assert numbers(imu.linear_acceleration) == pytest.approx([0.5, -1.0, 9.81])
    turning = [math.radians(10.0), -math.radians(20.0), -math.pi / 2]
    assert numbers(imu.angular_velocity) == pytest.approx(turning)
    assert numbers(imu.orientation) == pytest.approx([0.0, 0.0, HALF, HALF])
    assert not any((*imu.orientation_covariance, *imu.linear_acceleration_covariance))


def test_sensors_have_si_units(bag: Bag) -> None:
    field = bag["/magnetic_field"][0].message.magnetic_field
    assert numbers(field) == pytest.approx([5e-5, 2e-6, -4.3e-5])
    assert bag["/pressure"][0].message.fluid_pressure == 97_000.0
    assert bag["/sonar_altitude"][4].message.range == 4.0


def test_a_fix_says_what_it_knows(bag: Bag) -> None:
    lost, flat, whole, corrected = (logged.message for logged in bag["/gps/fix"][:4])
    assert [fix.status.status for fix in (lost, flat, whole, corrected)] == [-1, 0, 0, 0]
    assert math.isnan(lost.latitude)
    assert (flat.latitude, flat.longitude) == pytest.approx((48.9466, 9.43))
    assert math.isnan(flat.altitude)
    assert whole.altitude == corrected.altitude == 318.0, "above the ellipsoid"
    assert whole.position_covariance_type == 0


def test_a_battery_discharges_with_a_negative_current(bag: Bag) -> None:
    full, quarter_used = bag["/battery"][0].message, bag["/battery"][1].message
    assert quarter_used.voltage == pytest.approx(11.1)
    assert quarter_used.current == -8.0
    assert quarter_used.percentage == pytest.approx(0.75)
    assert quarter_used.design_capacity == 2.0
    assert math.isnan(quarter_used.temperature)
    assert math.isnan(full.percentage), "as it stays without a current sensor"


def test_what_was_not_measured_says_so(tmp_path: Path) -> None:
    recording = Recording(source="a.opl")
    add(recording, 1.0, "AccelState", z=-9.81)
    add(recording, 1.0, "FlightBatteryState")
    add(recording, 1.0, "BaroSensor")
    (path,) = export_mcap(recording, tmp_path)
    bag = read_mcap(path)
    imu = bag["/imu"][0].message
    assert imu.linear_acceleration_covariance[0] == 0.0
    assert imu.orientation_covariance[0] == imu.angular_velocity_covariance[0] == -1.0
    battery = bag["/battery"][0].message
    assert math.isnan(battery.voltage)
    assert not battery.present
    assert math.isnan(bag["/pressure"][0].message.fluid_pressure)


def test_without_a_velocity_poses_stay(tmp_path: Path) -> None:
    recording = Recording(source="a.opl")
    for t in (1.0, 2.0):
        add(recording, t, "PositionState", North=3.0)
        add(recording, t, "AttitudeState", q1=1.0)
    (path,) = export_mcap(recording, tmp_path)
    odometry = read_mcap(path)["/odometry"][0].message
    assert odometry.pose.pose.position.y == 3.0
    assert math.isnan(odometry.twist.twist.linear.x)


def test_a_part_and_a_rate_and_objects_are_honoured(flown: Recording, tmp_path: Path) -> None:
    (path,) = export_mcap(flown, tmp_path, ExportRequest(("SonarAltitude",), 1.0, 3.0))
    (topic,) = read_mcap(path).values()
    assert [logged.message.range for logged in topic] == [1.0, 2.0, 3.0]
    (path,) = export_mcap(flown, tmp_path / "rate", ExportRequest((), 1.0, 2.0, 4.0))
    bag = read_mcap(path)
    assert {len(logged) for logged in bag.values()} == {5}
    assert [one.message.range for one in bag["/sonar_altitude"]] == [1.0, 1.0, 1.0, 1.0, 2.0]
    places = [one.message.pose.pose.position.y for one in bag["/odometry"]]
    assert places == pytest.approx([10.0, 12.5, 15.0, 17.5, 20.0])


def test_a_ros_2_bag_says_the_same(flown: Recording, bag: Bag, tmp_path: Path) -> None:
    database, metadata = export_rosbag2(flown, tmp_path)
    assert (database.name, metadata.name) == ("field.db3", "metadata.yaml")
    found = read_rosbag2(database)
    assert plain(list(found.items())) == plain(list(bag.items()))
    described = yaml.safe_load(metadata.read_text())["rosbag2_bagfile_information"]
    assert (described["version"], described["storage_identifier"]) == (8, "sqlite3")
    assert described["message_count"] == sum(map(len, found.values()))
    topics = described["topics_with_message_count"]
    assert {one["topic_metadata"]["name"]: one["message_count"] for one in topics} == {
        topic: len(logged) for topic, logged in found.items()
    }


def test_a_message_is_cdr_as_the_standard_has_it(flown: Recording, tmp_path: Path) -> None:
    """By hand: little endian, a string with its length and its zero, doubles at multiples of 8."""
    database, _ = export_rosbag2(flown, tmp_path, ExportRequest(("BaroSensor",), 2.0, 2.0))
    with closing(sqlite3.connect(database)) as file:
        ((stamp_ns, data),) = file.execute("SELECT timestamp, data FROM messages")
    second, nanosecond = divmod(stamp_ns, 10**9)
    wanted = struct.pack("<iII10s2x", second, nanosecond, 10, b"base_link\0")
    assert data == b"\0\1\0\0" + wanted + struct.pack("<dd", 97_000.0, 0.0)


@pytest.mark.slow
def test_the_flight_of_2014_is_where_and_as_the_earth_has_it(
    shared_logs: Path, tmp_path: Path
) -> None:
    """Its place is in San Diego at about 159 m above the sea, which is 125 m above the ellipsoid;
    the field there is 46 microtesla and points down, gravity is felt upwards."""
    log = shared_logs / "openpilot-14.06-quad-2014-07-17.opl"
    recording = read_log(log, CATALOGUE).recording
    (path,) = export_mcap(recording, tmp_path)
    bag = read_mcap(path)
    fix = bag["/gps/fix"][3].message
    assert (fix.latitude, fix.longitude) == pytest.approx((32.966, -117.066), abs=0.002)
    assert fix.altitude == pytest.approx(125.0, abs=10.0)
    fields = np.array([numbers(one.message.magnetic_field) for one in bag["/magnetic_field"]])
    assert np.median(np.linalg.norm(fields, axis=1)) == pytest.approx(46e-6, rel=0.2)
    assert np.median(fields[:, 2]) < -3e-5
    felt = (one.message for one in bag["/imu"])
    forces = [
        imu.linear_acceleration.z for imu in felt if not any(imu.linear_acceleration_covariance)
    ]
    assert np.median(forces) == pytest.approx(9.8, abs=0.3)
    for topic, name in (("/odometry", "PositionState"), ("/gps/fix", "GPSPositionSensor")):
        track = recording.track(name)
        assert track is not None
        assert len(bag[topic]) == track.count


@pytest.mark.parametrize("name", ["mcap", "rosbag2"])
def test_what_is_there_already_stays(flown: Recording, tmp_path: Path, name: str) -> None:
    before = {path: path.read_bytes() for path in FORMATS[name].export(flown, tmp_path, ONE)}
    with pytest.raises(ExportError, match=r"is there already\. Give another folder"):
        FORMATS[name].export(flown, tmp_path, ONE)
    assert {path: path.read_bytes() for path in before} == before


def test_a_link_to_nowhere_stays(flown: Recording, tmp_path: Path) -> None:
    (tmp_path / "field.mcap").symlink_to(tmp_path / "nowhere")
    with pytest.raises(ExportError, match="is there already"):
        export_mcap(flown, tmp_path, ONE)


ONE = ExportRequest(("SonarAltitude",))


@pytest.mark.parametrize("name", ["mcap", "rosbag2"])
def test_what_was_called_off_is_removed(flown: Recording, tmp_path: Path, name: str) -> None:
    def call_off(_done: int, _total: int) -> None:
        raise ExportCancelled

    with pytest.raises(ExportCancelled):
        FORMATS[name].export(flown, tmp_path, ExportRequest(progress=call_off))
    assert list(tmp_path.iterdir()) == []


def _full(*_: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def _full_database(*_: object) -> None:
    raise sqlite3.OperationalError("database or disk is full")


@pytest.mark.parametrize(
    ("name", "write", "reason"),
    [
        ("mcap", "storage_mcap.McapWriter", _full),
        ("rosbag2", "storage_sqlite3.Sqlite3Writer", _full_database),
    ],
)
def test_a_full_disk_is_a_sentence(
    flown: Recording,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    write: str,
    reason: Callable[..., None],
) -> None:
    monkeypatch.setattr(f"rosbags.rosbag2.{write}.write", reason)
    with pytest.raises(ExportError, match=r"Cannot write to .*(No space left|disk is full)"):
        FORMATS[name].export(flown, tmp_path, ONE)
    assert list(tmp_path.iterdir()) == []


def test_without_rosbags_the_remedy_is_told(
    flown: Recording, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "rosbags.typesys", None)
    with pytest.raises(ExportError, match=r"pip install 'lapwing\[studies\]'"):
        export_mcap(flown, tmp_path)


def test_what_cannot_be_written_is_refused_with_a_remedy(flown: Recording, tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="did you mean SonarAltitude"):
        export_mcap(flown, tmp_path, ExportRequest(("SonarAltitud",)))
    with pytest.raises(ExportError, match="Export it as csv"):
        export_mcap(flown, tmp_path, ExportRequest(("GPSTime",)))
    with pytest.raises(ExportError, match="SQLite does not take"):
        export_rosbag2(flown, tmp_path / "50%", ONE)
    assert list(tmp_path.iterdir()) == []
