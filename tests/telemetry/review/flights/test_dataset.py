"""Frames, poses and intrinsics for SLAM: which frame stands at which time, by its bar code."""

import csv
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from scipy.spatial.transform import Rotation

from app.cli import main
from plugins.testing import add
from telemetry.recording.export.request import ExportCancelled, ExportError, ExportRequest
from telemetry.recording.recorded_streams import attach_streams, streams_beside
from telemetry.recording.recording import Recording
from telemetry.recording.video_files.frame_source import VideoFrame
from telemetry.review.cameras.camera_settings import CameraSettings
from telemetry.review.cameras.lens import lens_of
from telemetry.review.flights.dataset import export_dataset
from telemetry.review.flights.flight import Flight, FlightContent, FlightVideo
from telemetry.review.flights.lapwing_file import write_flight
from telemetry.review.flights.streams import take_streams
from telemetry.review.flights.sync import Piece, Sync
from tests.telemetry.protocol.streams.samples import CAMERA
from tests.telemetry.recording.logs.books import attitudes, saved
from tests.telemetry.recording.video_files.barcode import SIZE, number_in, write_numbered
from tests.telemetry.review.flights.recorded_streams import record_streams

OFFSET_S = 0.5
"""The first frame was taken half a second before the log began."""


@pytest.fixture(scope="module")
def video(tmp_path_factory: pytest.TempPathFactory) -> FlightVideo:
    path = write_numbered(tmp_path_factory.mktemp("dataset") / "v.avi", 60)
    camera = CameraSettings(field_of_view_deg=90.0, mount_pitch_deg=-90.0)
    return FlightVideo("v.avi", (path,), Sync((Piece(OFFSET_S),)), camera)


@pytest.fixture(scope="module")
def flown() -> Recording:
    """Two seconds to the north at 10 m/s, with gyro and accelerometer."""
    recording = Recording(source="a.opl")
    for step in range(21):
        t = step / 10
        add(recording, t, "PositionState", North=10.0 * t)
        add(recording, t, "AttitudeState", q1=1.0)
        add(recording, t, "GyroState", z=1.0)
        add(recording, t, "AccelState", z=-9.81)
    return recording


def decoded(path: Path) -> int | None:
    import cv2

    return number_in(VideoFrame(cv2.imread(str(path)), 0.0, 0))


def test_each_frame_stands_at_its_time_of_the_flight(
    flown: Recording, video: FlightVideo, tmp_path: Path
) -> None:
    """Frame 30 was shown at 1 s of the video, so at 0.5 s of the log, 5 m north of home."""
    out = tmp_path / "set"
    summary = export_dataset(flown, video, "euroc", out)
    assert (summary.frames, summary.with_pose, summary.damaged) == (45, 45, 0)
    data = out / "mav0" / "cam0"
    assert decoded(data / "data" / "500000000.png") == 30
    lines = (data / "data.csv").read_text().splitlines()
    assert lines[0] == "#timestamp [ns],filename"
    assert lines[1] == "0,0.png"
    with (out / "frames.csv").open() as file:
        row = next(row for row in csv.DictReader(file) if row["file"] == "500000000.png")
    assert float(row["north_m"]) == pytest.approx(5.0)
    assert float(row["video_s"]) == pytest.approx(1.0)
    assert (out / "mav0" / "imu0" / "data.csv").is_file()
    assert (out / "mav0" / "state_groundtruth_estimate0" / "data.csv").is_file()


def test_the_camera_is_described_as_it_is_mounted(
    flown: Recording, video: FlightVideo, tmp_path: Path
) -> None:
    """A camera that looks straight down: ahead in the picture (z) is down in the body, and the
    top of the picture (-y) ahead; a field of view of 90 degrees has a focal length of half the
    width.
    """
    export_dataset(flown, video, "euroc", tmp_path / "set", ExportRequest(rate_hz=10.0))
    values = camera_of(tmp_path / "set")
    turned, place = rotation_of(values)
    np.testing.assert_allclose(turned @ [0, 0, 1], [0, 0, 1], atol=1e-9)
    np.testing.assert_allclose(turned @ [0, -1, 0], [1, 0, 0], atol=1e-9)
    assert np.linalg.det(turned) == pytest.approx(1.0)
    assert place == ["unknown"] * 3  # nobody has said where on the aircraft it is
    focal = values["intrinsics"][0]
    assert focal == pytest.approx(SIZE[0] / 2 / math.tan(math.radians(45)))
    assert values["rate_hz"] == pytest.approx(10.0)


def camera_of(folder: Path) -> dict[str, Any]:
    """As a reader of YAML has it."""
    text = (folder / "mav0" / "cam0" / "sensor.yaml").read_text()
    values: dict[str, Any] = yaml.safe_load(text)
    return values


def rotation_of(values: dict[str, Any]) -> tuple[np.ndarray[Any, np.dtype[np.float64]], list[Any]]:
    """The rotation (3, 3) in T_BS, and its last column."""
    table = values["T_BS"]
    assert (table["rows"], table["cols"], table["data"][12:]) == (4, 4, [0, 0, 0, 1])
    rows = [table["data"][4 * row : 4 * row + 4] for row in range(3)]
    assert all(isinstance(value, int | float) for row in rows for value in row[:3])
    return np.array([row[:3] for row in rows], np.float64), [row[3] for row in rows]


def test_the_mount_turns_the_picture_into_the_body_and_not_the_other_way(
    flown: Recording, video: FlightVideo, tmp_path: Path
) -> None:
    """By hand: a camera that looks 30 degrees down and 40 to the right. What is in its middle lies
    there; what is at the right edge lies further right, as high, and back."""
    camera = replace(video.camera, mount_pitch_deg=-30.0, mount_yaw_deg=40.0)
    export_dataset(
        flown, replace(video, camera=camera), "euroc", tmp_path, ExportRequest(rate_hz=1)
    )
    turned, _ = rotation_of(camera_of(tmp_path))
    down, right = math.radians(30), math.radians(40)
    middle = [*(math.cos(down) * np.array([math.cos(right), math.sin(right)])), math.sin(down)]
    np.testing.assert_allclose(turned @ [0, 0, 1], middle, atol=1e-9)
    aside = [-math.sin(right), math.cos(right), 0.0]
    np.testing.assert_allclose(turned @ [1, 0, 0], aside, atol=1e-9)
    assert not np.allclose(turned.T @ [0, 0, 1], middle)


def test_what_nobody_has_measured_or_set_is_unknown(
    flown: Recording, video: FlightVideo, tmp_path: Path
) -> None:
    untouched = replace(video, camera=CameraSettings())
    export_dataset(flown, untouched, "euroc", tmp_path, ExportRequest(rate_hz=1))
    values = camera_of(tmp_path)
    assert set(values["T_BS"]["data"][:12]) == {"unknown"}
    for key in ("intrinsics", "distortion_coefficients", "shutter_s", "time_sigma_s"):
        assert values[key] == "unknown"


def test_a_camera_that_was_recorded_as_a_stream_tells_where_it_is(tmp_path: Path) -> None:
    log = tmp_path / "flight.opl"
    record_streams(log, 0.1)
    recording = Recording(source=str(log))
    attach_streams(recording, streams_beside(log))
    for step in range(9):
        add(recording, step / 10, "PositionState", North=step)
        add(recording, step / 10, "AttitudeState", q1=1.0)
    flight = Flight()
    take_streams(flight, recording)
    (video,) = flight.videos
    export_dataset(recording, video, "euroc", tmp_path / "set")
    values = camera_of(tmp_path / "set")
    turned, place = rotation_of(values)
    assert tuple(place) == CAMERA.position_m
    ahead = Rotation.from_quat(CAMERA.attitude_q_wxyz, scalar_first=True).apply([1.0, 0.0, 0.0])
    np.testing.assert_allclose(turned @ [0, 0, 1], ahead, atol=1e-6)


def test_what_a_film_told_of_its_camera_has_its_sigmas(
    flown: Recording, video: FlightVideo, tmp_path: Path
) -> None:
    """A mount of zeros that was measured is known; the distortion was not."""
    camera = CameraSettings(
        61.0, field_of_view_sigma_deg=0.2, mount_sigma_deg=(0.1, 0.2, 0.3), shutter_s=0.02
    )
    sync = Sync((Piece(OFFSET_S, sigma_s=0.004),), offset_sigma_s=0.9)
    known = replace(video, camera=camera, sync=sync)
    export_dataset(flown, known, "euroc", tmp_path, ExportRequest(rate_hz=1))
    values = camera_of(tmp_path)
    np.testing.assert_array_equal(rotation_of(values)[0] @ [0, 0, 1], [1, 0, 0])
    assert values["field_of_view_sigma_deg"] == 0.2
    assert values["mount_sigma_deg"] == [0.1, 0.2, 0.3]
    assert values["time_sigma_s"] == 0.004
    assert values["shutter_s"] == 0.02
    assert values["distortion_coefficients"] == "unknown"


def test_at_the_rate_of_the_film_no_frame_is_lost(
    flown: Recording, video: FlightVideo, tmp_path: Path
) -> None:
    """Times that went through an offset and a rate have rounding errors."""
    drifting = replace(video, sync=Sync((Piece(OFFSET_S, 1.004),)))
    counts = [
        export_dataset(flown, drifting, "tum", tmp_path / f"{hz}", ExportRequest(rate_hz=hz)).frames
        for hz in (30 * 1.004, 15 * 1.004, 1000.0)
    ]
    assert counts == [45, 23, 45]


def test_a_lens_with_five_terms_is_written_with_the_four_that_readers_take(
    flown: Recording, video: FlightVideo, tmp_path: Path
) -> None:
    """Kalibr ("distortion model requires 4 coefficients") refuses others, OpenVINS reads the first
    four. OpenCV says where both lenses show the same directions."""
    import cv2

    camera = replace(video.camera, distortion=(-0.12, 0.05, 0.0, 0.0, -0.01))
    calibrated = replace(video, camera=camera)
    export_dataset(flown, calibrated, "euroc", tmp_path / "set", ExportRequest(rate_hz=1.0))
    text = (tmp_path / "set" / "mav0" / "cam0" / "sensor.yaml").read_text()
    values = {line.split(":")[0]: line.partition(": ")[2] for line in text.splitlines()}

    def numbers(name: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        return np.array([float(one) for one in values[name].strip("[]").split(",")])

    fx, fy, cx, cy = numbers("intrinsics")
    terms = numbers("distortion_coefficients")
    assert len(terms) == 4
    lens = lens_of(camera, SIZE)
    across, down = np.meshgrid(np.arange(0, SIZE[0], 8.0), np.arange(0, SIZE[1], 8.0))
    grid = np.stack([across, down], axis=-1).reshape(-1, 2)
    rays = np.column_stack([lens.directions(grid), np.ones(len(grid))])
    matrix = np.array([[fx, 0, cx], [0, fy, cy], [0, 0, 1]])
    shown, _ = cv2.projectPoints(rays, np.zeros(3), np.zeros(3), matrix, terms)
    assert np.abs(shown.reshape(-1, 2) - grid).max() < 0.2
    cut, _ = cv2.projectPoints(
        rays, np.zeros(3), np.zeros(3), lens.matrix(), np.array(camera.distortion[:4])
    )
    assert np.abs(cut.reshape(-1, 2) - grid).max() > 0.5, "leaving k3 out is no way"
    assert "# distortion_coefficients: [-0.12, 0.05, 0, 0, -0.01]" in text


def test_tum_lists_files_by_seconds_and_thins_them(
    flown: Recording, video: FlightVideo, tmp_path: Path
) -> None:
    out = tmp_path / "set"
    summary = export_dataset(flown, video, "tum", out, ExportRequest((), 0.0, 1.0, 10.0))
    assert summary.frames == 11
    lines = (out / "rgb.txt").read_text().splitlines()
    assert lines[1].split() == ["0.000000", "rgb/0.000000.png"]
    assert decoded(out / "rgb" / "0.500000.png") == 30
    assert np.loadtxt(out / "estimate.tum").shape == (11, 8)


def test_refusals_leave_nothing_behind(
    flown: Recording, video: FlightVideo, tmp_path: Path
) -> None:
    out = tmp_path / "set"

    def cancel(done: int, _total: int) -> None:
        if done == 3:
            raise ExportCancelled

    with pytest.raises(ExportError, match="not synchronised"):
        export_dataset(flown, replace(video, sync=None), "tum", out)
    with pytest.raises(ExportError, match="no poses"):
        export_dataset(Recording(), video, "tum", out)
    with pytest.raises(ExportError, match=r"gone\.avi"):
        export_dataset(flown, replace(video, files=(tmp_path / "gone.avi",)), "tum", out)
    with pytest.raises(ExportCancelled):
        export_dataset(flown, video, "tum", out, ExportRequest(progress=cancel))
    assert not out.exists()
    out.mkdir()
    (out / "mine").write_text("kept")
    with pytest.raises(ExportError, match="is not empty"):
        export_dataset(flown, video, "tum", out)
    assert (out / "mine").read_text() == "kept"


def test_the_command_takes_a_flight(
    tmp_path: Path, video: FlightVideo, capsys: pytest.CaptureFixture[str]
) -> None:
    flight = tmp_path / "a.lapwing"
    log = saved(tmp_path, *attitudes(21))
    write_flight(flight, log, FlightContent(videos=(video,)))
    words = ["flight", "export", str(flight), "--out", str(tmp_path / "set")]
    assert main([*words, "--video", "w.avi"]) == 1
    assert "has no video 'w.avi'; it has v.avi" in capsys.readouterr().err
    assert main(words) == 1
    assert "PositionState was not recorded" in capsys.readouterr().err
