"""Recorded streams as part of a flight: found with the log, kept by its file, seen in its video."""

import json
import math
import re
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from simulation.mathematics.rotation import set_euler
from telemetry.protocol.streams.samples import PictureSample
from telemetry.recording.recorded_streams import attach_streams, streams_beside
from telemetry.recording.recording import Recording
from telemetry.recording.video_files.reader import open_video
from telemetry.review.cameras.camera_settings import camera_of_stream
from telemetry.review.cameras.projection import horizon_line
from telemetry.review.flights.flight import Flight
from telemetry.review.flights.lapwing_file import read_flight, write_flight
from telemetry.review.flights.streams import take_streams
from telemetry.review.flights.sync import Piece, Sync
from tests.telemetry.protocol.streams.samples import CAMERA
from tests.telemetry.review.flights.recorded_streams import record_streams

FIRST_S = 12.25


def _names(flight: Flight) -> list[str]:
    return [stream.name for stream in flight.streams]


def test_what_was_recorded_is_there_again_when_the_log_is_opened(tmp_path: Path) -> None:
    log = tmp_path / "flight.opl"
    live = record_streams(log, FIRST_S)
    (tmp_path / "flight_notes.npz").write_bytes(b"something of the user's")
    (tmp_path / "other_front.npz").write_bytes(b"of another log")
    recording = Recording()
    problems = attach_streams(recording, streams_beside(log))
    assert problems == ("flight_notes.npz is left out: flight_notes.npz is no recorded stream.",)
    assert [track.description.name for track in recording.media_tracks()] == ["front", "lidar"]
    for before, after in zip(live.media_tracks(), recording.media_tracks(), strict=True):
        np.testing.assert_array_equal(after.times, before.times)
        np.testing.assert_array_equal(after.stamps_us, before.stamps_us)
        assert after.description == before.description
        assert not after.is_live
    camera, lidar = recording.media_tracks()
    seen = camera.sample_at(FIRST_S + 5.5 / 30.0)
    assert isinstance(seen, PictureSample)
    assert seen.number == 5
    assert seen.pixels.mean() == pytest.approx(100.0, abs=4.0)
    assert lidar.sample_at(FIRST_S) is not None


def test_the_streams_of_a_log_with_a_longer_name_are_not_its_own(tmp_path: Path) -> None:
    """As a flight has two logs once a disk was full meanwhile."""
    logs = tmp_path / "flight.opl", tmp_path / "flight_2.opl"
    for log in logs:
        record_streams(log, FIRST_S)
    logs[0].touch()
    logs[1].touch()
    names = [[path.name for path in streams_beside(log)] for log in logs]
    assert names[0] == ["flight_front.npz", "flight_lidar.npz"]
    assert names[1] == ["flight_2_front.npz", "flight_2_lidar.npz"]


@pytest.mark.parametrize("is_live", [True, False])
def test_its_pictures_are_a_video_that_runs_with_the_flight(tmp_path: Path, is_live: bool) -> None:
    log = tmp_path / "flight.opl"
    recording = record_streams(log, FIRST_S)
    if not is_live:
        recording = Recording()
        attach_streams(recording, streams_beside(log))
    flight = Flight()
    take_streams(flight, recording)
    (video,) = flight.videos
    assert video.name == "Front camera"
    assert video.files == (tmp_path / "flight_front.mkv",)
    assert video.sync is not None
    assert video.sync.medium_s(FIRST_S + 0.1) == pytest.approx(0.1)
    assert video.camera.field_of_view_deg == 60.0
    assert _names(flight) == ["flight_front", "flight_lidar"]
    assert not flight.is_unsaved
    version = flight.version
    take_streams(flight, recording)
    assert flight.version == version


def test_what_a_user_has_synchronised_stays(tmp_path: Path) -> None:
    recording = record_streams(tmp_path / "flight.opl", FIRST_S)
    flight = Flight()
    take_streams(flight, recording)
    (video,) = flight.videos
    own = Sync((Piece(-3.0),), method="manual")
    flight.replace_video(video.name, replace(video, sync=own))
    assert flight.is_unsaved
    take_streams(flight, recording)
    assert flight.videos[0].sync == own
    assert flight.is_unsaved


def test_the_times_of_its_pictures_are_exact_though_the_container_rounds_them(
    tmp_path: Path,
) -> None:
    log = tmp_path / "flight.opl"
    record_streams(log, FIRST_S)
    path = tmp_path / "flight_front.mkv"
    exact = np.arange(10) / 30.0
    with closing(open_video([path])) as video:
        np.testing.assert_allclose(video.times(), exact, rtol=0.0, atol=1e-9)
    sidecar, aside = tmp_path / "flight_front.npz", tmp_path / "flight_back.npz"
    sidecar.rename(aside)
    with closing(open_video([path])) as video:
        assert np.abs(video.times() - exact).max() > 1e-4
    record_streams(tmp_path / "other.opl", FIRST_S)
    (tmp_path / "other_front.npz").rename(sidecar)  # another video's
    with closing(open_video([path])) as video:
        assert np.abs(video.times() - exact).max() > 1e-4


def test_a_length_that_was_measured_while_it_grew_is_measured_anew(tmp_path: Path) -> None:
    recording = record_streams(tmp_path / "flight.opl", FIRST_S)
    flight = Flight()
    take_streams(flight, recording)
    (video,) = flight.videos
    lengths = []
    for length_s in (0.2, 0.34):
        flight.replace_video(video.name, replace(video, duration_s=length_s))
        take_streams(flight, recording)
        lengths.append(flight.videos[0].duration_s)
    assert lengths == [None, 0.34]


def test_a_stream_in_two_files_is_one_track_and_one_video(tmp_path: Path) -> None:
    log = tmp_path / "flight.opl"
    record_streams(log, FIRST_S)
    record_streams(log, FIRST_S + 60.0)
    recording = Recording()
    assert attach_streams(recording, reversed(streams_beside(log))) == ()
    camera = recording.media("front")
    assert camera is not None
    assert camera.count == 20
    seen = camera.sample_at(FIRST_S + 60.0 + 3.5 / 30.0)
    assert seen is not None
    assert (seen.number, seen.time_us) == (3, 99_999)
    flight = Flight()
    take_streams(flight, recording)
    (video,) = flight.videos
    assert [path.name for path in video.files] == ["flight_front.mkv", "flight_front_2.mkv"]
    assert video.sync is not None
    assert video.sync.medium_s(FIRST_S + 30.0) is None
    assert video.sync.medium_s(FIRST_S + 60.1) == pytest.approx(0.1 + 1 / 3, abs=0.05)


def test_the_flights_file_refers_to_them_and_moves_with_them(tmp_path: Path) -> None:
    log = tmp_path / "flight.opl"
    log.write_bytes(b"log")
    recording = record_streams(log, FIRST_S)
    flight = Flight()
    take_streams(flight, recording)
    write_flight(tmp_path / "flight.lapwing", log, flight.content)
    said = json.loads((tmp_path / "flight.lapwing").read_text())
    assert [one["file"]["path"] for one in said["streams"]] == [
        "flight_front.npz",
        "flight_lidar.npz",
    ]
    moved = tmp_path.with_name(f"{tmp_path.name}-moved")
    tmp_path.rename(moved)
    stored = read_flight(moved / "flight.lapwing")
    assert [one.path for one in stored.content.streams] == [
        moved / "flight_front.npz",
        moved / "flight_lidar.npz",
    ]
    (moved / "flight_lidar.npz").unlink()
    missing = read_flight(moved / "flight.lapwing").content.streams
    assert [bool(one.problem) for one in missing] == [False, True]


def test_a_missing_video_is_told_and_the_stamps_stay(tmp_path: Path) -> None:
    log = tmp_path / "flight.opl"
    record_streams(log, FIRST_S)
    (tmp_path / "flight_front.mkv").unlink()
    recording = Recording()
    (problem,) = attach_streams(recording, streams_beside(log))
    assert "flight_front.mkv is missing" in problem
    camera = recording.media("front")
    assert camera is not None
    assert camera.count == 10
    assert camera.sample(3) is None
    flight = Flight()
    take_streams(flight, recording)
    assert flight.videos == ()


def _cut(path: Path, share: float) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[: round(share * len(whole))])


def test_a_video_that_was_cut_short_is_told_with_what_is_left(tmp_path: Path) -> None:
    log = tmp_path / "flight.opl"
    record_streams(log, FIRST_S, pictures=200)
    _cut(tmp_path / "flight_front.mkv", 0.7)
    recording = Recording()
    (problem,) = attach_streams(recording, streams_beside(log))
    said = re.search(r"flight_front\.mkv .* holds (\d+) of the 200 pictures", problem)
    assert said is not None
    camera = recording.media("front")
    assert camera is not None
    shown = [row for row in range(camera.count) if camera.sample(row) is not None]
    assert shown == list(range(int(said[1])))
    assert 100 < len(shown) < 200


def test_a_video_of_which_nothing_can_be_read_is_told(tmp_path: Path) -> None:
    log = tmp_path / "flight.opl"
    record_streams(log, FIRST_S)
    (tmp_path / "flight_front.mkv").write_bytes(b"no video")
    (problem,) = attach_streams(Recording(), streams_beside(log))
    assert "flight_front.mkv is not a video" in problem


@pytest.mark.parametrize("stream", ["front", "lidar"])
def test_a_list_of_samples_that_was_cut_short_is_told(tmp_path: Path, stream: str) -> None:
    log = tmp_path / "flight.opl"
    record_streams(log, FIRST_S, pictures=200)
    _cut(tmp_path / f"flight_{stream}.npz", 0.5)
    recording = Recording()
    (problem,) = attach_streams(recording, streams_beside(log))
    track = recording.media(stream)
    assert track is not None
    assert 50 < track.count < 200
    assert f"flight_{stream}.npz was cut short" in problem
    assert f"{track.count} samples are left" in problem


@pytest.mark.parametrize(
    "angles_deg", [(0.0, -90.0, 0.0), (0.0, -90.0, 30.0), (5.0, -20.0, 130.0), (0.0, 89.0, -170.0)]
)
def test_the_mount_of_a_stream_is_that_of_its_camera(angles_deg: tuple[float, ...]) -> None:
    q = [0.0] * 4
    set_euler(q, *(math.radians(angle) for angle in angles_deg))
    camera = camera_of_stream(replace(CAMERA, attitude_q_wxyz=(q[0], q[1], q[2], q[3])))
    found = camera.mount_roll_deg, camera.mount_pitch_deg, camera.mount_yaw_deg
    assert found == pytest.approx(angles_deg, abs=1e-4)


def test_the_overlay_of_a_fisheye_lies_where_opencv_has_what_it_shows() -> None:
    """A stream as a simulated camera describes itself; the horizon 20 degrees up, as points."""
    lens = {"focal_px": [105.0, 105.0], "centre_px": [159.5, 119.5], "is_fisheye": True}
    said = {"size_px": [320, 240], "lens": {**lens, "distortion": [0.02, -0.004]}}
    camera = camera_of_stream(replace(CAMERA, details=said))
    line = horizon_line(np.array([0.0, 0.0, 1.0]), camera, (320, 240), 20.0)
    bearing = np.radians(np.linspace(-80.0, 80.0, len(line)))
    up = math.radians(20.0)
    right, down, ahead = np.sin(bearing) * math.cos(up), -math.sin(up), np.cos(bearing)
    rays = np.stack([right, np.full_like(right, down), ahead * math.cos(up)], -1)
    matrix = np.array([[105.0, 0.0, 159.5], [0.0, 105.0, 119.5], [0.0, 0.0, 1.0]])
    expected, _ = cv2.fisheye.projectPoints(
        rays[:, None], np.zeros(3), np.zeros(3), matrix, np.array([0.02, -0.004, 0.0, 0.0])
    )
    np.testing.assert_allclose(line, expected[:, 0], atol=1e-6)
    pinhole = horizon_line(np.array([0.0, 0.0, 1.0]), replace(camera, is_fisheye=False), (320, 240))
    assert np.nanmax(np.abs(pinhole - expected[:, 0])) > 50.0


def test_a_lens_that_says_nonsense_is_as_usual() -> None:
    lens = {"field_of_view_deg": 500, "focal_px": [0, "x"], "shutter_s": None, "distortion": 7}
    for said in (lens, "none", None):
        camera = camera_of_stream(replace(CAMERA, details={"lens": said}))
        assert (camera.field_of_view_deg, camera.focal_px, camera.distortion) == (60.0, (), ())
