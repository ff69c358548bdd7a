"""Calibrating a camera's lens in the video panel."""

from pathlib import Path

import pytest

from plugins.video.lens_card import LensCard
from telemetry.recording.video_files.writer import VideoEncoding, VideoWriter
from tests.plugins.video.conftest import Show, Shown, synchronised, video_of
from tests.telemetry.review.cameras.filmed_board import LENS, SIZE, filmed


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A film of the board, by the lens that is to be found."""
    path = tmp_path_factory.mktemp("board") / "board.avi"
    with VideoWriter(path, VideoEncoding(SIZE, rate_hz=3.0, encoder="mjpeg")) as writer:
        for number, pixels in enumerate(filmed()):
            writer.frame(pixels, number / 3.0)
    return path


def calibrated(shown: Shown, board: Path, columns: int, rows: int) -> LensCard:
    """The card after it has looked at the film."""
    if not shown.panel.bar.overlay.isChecked():
        shown.panel.bar.overlay.click()
    card = shown.panel.overlay_strip.lens
    card.begin.click()
    card.columns.setValue(columns)
    card.rows.setValue(rows)
    card.start_with_file(board)
    shown.wait_until(lambda: bool(card.text.text()))
    return card


@pytest.mark.slow
def test_a_lens_is_calibrated_and_accepted_with_one_click(show: Show, board: Path) -> None:
    shown = show(video_of(board, synchronised()))
    shown.seek(6.0)
    card = calibrated(shown, board, 7, 5)
    assert "Field of view" in card.text.text()
    assert "not calibrated" in card.text.text(), "what stood there before"
    assert shown.flight.videos[0].camera.focal_px == (), "nothing changes before it is accepted"
    card.accept.click()
    camera = shown.flight.videos[0].camera
    assert camera.focal_px == pytest.approx(LENS.focal_px, rel=0.01)
    assert card.text.text() == ""


@pytest.mark.slow
def test_a_film_in_another_shape_and_another_board_are_refused_in_words(
    show: Show, board: Path, clip: Path
) -> None:
    shown = show(video_of(clip, synchronised()))
    shown.seek(6.0)
    shown.wait_until(lambda: shown.number is not None)
    card = calibrated(shown, board, 7, 5)
    assert "Film the board in the flight's mode" in card.text.text()
    assert not card.accept.isVisible()
    card.discard.click()
    card = calibrated(shown, board, 9, 6)
    assert "No chessboard of 9x6" in card.text.text()
