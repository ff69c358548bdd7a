"""The lens of a camera from a filmed chessboard, against pictures made by a known lens."""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from telemetry.recording.video_files.writer import VideoEncoding, VideoWriter
from telemetry.review.cameras.calibrate_cli import add_command
from telemetry.review.cameras.camera_recorder import LiveFrame
from telemetry.review.cameras.camera_settings import CameraSettings
from telemetry.review.cameras.chessboard import Chessboard, coverage, find_board, parse_board
from telemetry.review.cameras.lens import lens_of
from telemetry.review.cameras.lens_calibration import (
    LensCalibrationError,
    calibrate_lens,
    film_now,
    lens_from_views,
)
from tests.telemetry.review.cameras.filmed_board import BOARD, LENS, SIZE, Pixels, filmed


def film(pictures: list[Pixels]) -> Iterator[tuple[float, Pixels]]:
    for number, pixels in enumerate(pictures, 1):
        yield number / len(pictures), pixels


@pytest.fixture(scope="module")
def pictures() -> list[Pixels]:
    return filmed()


@pytest.mark.slow
def test_a_known_lens_is_found_to_a_hundredth(pictures: list[Pixels]) -> None:
    told: list[float] = []
    found = calibrate_lens(film(pictures), BOARD, told.append)
    assert found.lens.focal_px == pytest.approx(LENS.focal_px, rel=0.005)
    assert found.lens.centre_px == pytest.approx(LENS.centre_px, abs=1.0)
    assert found.lens.distortion[0] == pytest.approx(LENS.distortion[0], abs=0.02)
    assert found.rms_px < 0.15
    assert found.focal_sigma < 0.005
    assert (found.views_used, found.views_found, found.frames_seen) == (16, 16, 16)
    assert told == sorted(told)

    camera = found.camera(CameraSettings(mount_pitch_deg=-8.0))
    assert camera.mount_pitch_deg == -8.0, "how it is mounted is not asked here"
    corner = np.array([[10.0, 10.0]])
    expected = LENS.directions(corner)
    assert lens_of(camera, SIZE).directions(corner) == pytest.approx(expected, abs=0.01)
    guessed = lens_of(CameraSettings(), SIZE).directions(corner)
    assert np.abs(guessed - expected).max() > 0.05, "the negative control: no calibration"


@pytest.mark.slow
def test_a_board_that_is_never_tilted_is_refused() -> None:
    with pytest.raises(LensCalibrationError, match="Tilt it"):
        calibrate_lens(film(filmed(9, tilt=0.0)), BOARD)


def test_a_board_in_the_middle_only_is_refused() -> None:
    with pytest.raises(LensCalibrationError, match="in only"):
        calibrate_lens(film(filmed(10, roam=0.0)), BOARD)


def test_too_few_views_are_refused(pictures: list[Pixels]) -> None:
    same = [pictures[0]] * 12  # twelve pictures, one view
    with pytest.raises(LensCalibrationError, match=r"1 of at least 8"):
        calibrate_lens(film(same), BOARD)


def test_another_board_is_not_seen(pictures: list[Pixels]) -> None:
    with pytest.raises(LensCalibrationError, match="9x6 inner corners was seen"):
        calibrate_lens(film(pictures[:2]), Chessboard(9, 6))


def test_corners_that_fit_no_lens_are_refused(pictures: list[Pixels]) -> None:
    random = np.random.default_rng(3)
    views = [view for view in (find_board(pixels, BOARD) for pixels in pictures) if view]
    for view in views:
        view.corners[:] += random.normal(0.0, 2.0, view.corners.shape)
    assert coverage(views, SIZE) > 0.5
    with pytest.raises(LensCalibrationError, match="pixels from where the lens"):
        lens_from_views(views, BOARD, SIZE, len(views))


def test_it_is_cancelled_between_two_pictures(pictures: list[Pixels]) -> None:
    with pytest.raises(LensCalibrationError, match="Cancelled"):
        calibrate_lens(film(pictures), BOARD, is_cancelled=lambda: True)


@pytest.mark.slow
def test_a_live_camera_is_filmed_once_per_picture() -> None:
    sent = iter([None, LiveFrame(np.zeros((4, 6, 3), np.uint8), 1.0, 7)])
    film = film_now(lambda: next(sent))
    share, pixels = next(film)
    assert share == pytest.approx(2 / 120), "the second look of 40 s"
    assert pixels.shape == (4, 6, 3)


def test_a_lens_is_scaled_with_the_whole_picture_only(pictures: list[Pixels]) -> None:
    found = calibrate_lens(film(pictures), BOARD)
    larger = found.for_size((640, 480))
    corner = np.array([[-0.5, -0.5]])  # the picture's, whatever its size
    assert larger.lens.directions(corner) == pytest.approx(found.lens.directions(corner), abs=1e-6)
    assert larger.field_of_view_deg == pytest.approx(found.field_of_view_deg)
    with pytest.raises(LensCalibrationError, match="flight's mode"):
        found.for_size((640, 360))


@pytest.mark.parametrize("text", ["9", "9x", "2x6", "axb", "9x6x5", "31x6", "9" * 5000 + "x6"])
def test_what_is_no_board_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="chessboard"):
        parse_board(text)


@pytest.mark.slow
def test_the_command_reads_a_film(
    pictures: list[Pixels], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "board.avi"
    with VideoWriter(path, VideoEncoding(SIZE, rate_hz=3.0, encoder="mjpeg")) as writer:
        for number, pixels in enumerate(pictures):
            writer.frame(pixels, number / 3.0)
    assert run([str(path), "--board", "7x5", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["found"] is True
    assert found["focal_px"] == pytest.approx(LENS.focal_px, rel=0.01)
    assert run([str(path), "--board", "nine"]) == 1
    assert "like 9x6" in capsys.readouterr().err
    assert run([str(tmp_path / "lost.avi")]) == 1
    assert "lost.avi is not there" in capsys.readouterr().err


def run(words: list[str]) -> int:
    parser = argparse.ArgumentParser()
    add_command(parser.add_subparsers())
    arguments = parser.parse_args(["calibrate", *words])
    exit_code: int = arguments.run(arguments)
    return exit_code
