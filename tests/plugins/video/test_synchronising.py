"""Synchronising by hand in the panel: set here, nudge, type, undo, anchors that contradict."""

import math
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QToolButton

from telemetry.review.flights.sync import Anchor, Piece, Sync, sync_through
from tests.plugins.video.conftest import BEGINS_S, Show, Shown, synchronised, video_of


def opened(show: Show, clip: Path, sync: Sync | None) -> Shown:
    shown = show(video_of(clip, sync))
    shown.panel.bar.sync.click()
    shown.wait_until(lambda: shown.panel.sync_strip.slider.maximum() > 1000)
    return shown


def test_set_here_makes_the_frame_shown_the_cursors(show: Show, clip: Path) -> None:
    shown = opened(show, clip, None)
    shown.seek(8.0)
    shown.panel.sync_strip.slider.setValue(500)
    shown.wait_for_frame(15)
    shown.panel.sync_strip.set_here.click()
    assert shown.sync.medium_s(8.0) == pytest.approx(0.5)
    shown.seek(8.0 + 10 / 30)
    shown.wait_for_frame(25)
    assert shown.panel.picture.badge == ""


def test_two_anchors_give_the_rate(show: Show, clip: Path) -> None:
    shown = opened(show, clip, None)
    for flight_s, medium_ms in ((8.0, 200), (9.0, 1300)):
        shown.seek(flight_s)
        if not shown.panel.sync_strip.alone.isChecked():
            shown.panel.sync_strip.alone.click()
        shown.panel.sync_strip.slider.setValue(medium_ms)
        shown.panel.refresh(flight_s)
        shown.panel.sync_strip.set_here.click()
        shown.panel.refresh(flight_s)
    assert shown.sync.rate == pytest.approx(1.1)
    assert shown.sync.anchors == (Anchor(8.0, 0.2), Anchor(9.0, 1.3))


def test_a_video_scrubbed_alone_leaves_the_cursor(show: Show, clip: Path) -> None:
    shown = opened(show, clip, synchronised())
    shown.seek(BEGINS_S + 0.55)
    shown.wait_for_frame(16)
    shown.panel.sync_strip.alone.click()
    shown.panel.picture.step_wanted.emit(1)
    shown.wait_for_frame(17)
    assert shown.vehicle.timeline.t == BEGINS_S + 0.55
    assert shown.panel.picture.badge == "Not with the cursor"
    shown.panel.sync_strip.alone.click()
    shown.wait_for_frame(16)


def test_a_nudge_moves_by_frames_and_is_undone(show: Show, clip: Path) -> None:
    shown = opened(show, clip, synchronised())
    shown.seek(BEGINS_S + 0.55)
    shown.wait_for_frame(16)
    shown.qtbot.keyClick(shown.panel.picture, Qt.Key.Key_Period, Qt.KeyboardModifier.AltModifier)
    shown.wait_for_frame(17)
    shown.panel.sync_strip.nudge(-10)
    shown.wait_for_frame(7)
    for number in (17, 16):
        shown.qtbot.keyClick(shown.panel.picture, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        shown.wait_for_frame(number)
    assert shown.flight.videos[0].sync == synchronised()


def test_offset_and_rate_are_typed(show: Show, clip: Path) -> None:
    shown = opened(show, clip, synchronised())
    shown.panel.sync_strip.offset.setValue(-6.0)
    shown.panel.refresh(0.0)
    shown.panel.sync_strip.rate.setValue(1.01)
    assert (shown.sync.offset_s, shown.sync.rate) == (-6.0, 1.01)
    shown.panel.sync_strip.undo.click()
    assert (shown.sync.offset_s, shown.sync.rate) == (-6.0, 1.0)


def test_an_anchor_that_contradicts_is_named_and_removed(show: Show, clip: Path) -> None:
    wrong = Anchor(12.0, 7.6)
    anchors = [Anchor(6.0, 1.0), Anchor(9.0, 4.0), wrong, Anchor(16.0, 11.0)]
    shown = opened(show, clip, sync_through(anchors))
    shown.wait_until(lambda: shown.panel.sync_strip.anchors.verdict.isVisible())
    assert "Anchor 3 contradicts" in shown.panel.sync_strip.anchors.verdict.text()
    buttons = shown.panel.sync_strip.anchors.findChildren(QToolButton)
    next(one for one in buttons if one.accessibleName() == "Remove anchor 3").click()
    assert wrong not in shown.sync.anchors
    shown.wait_until(lambda: not shown.panel.sync_strip.anchors.verdict.isVisible())


def test_anchors_that_cannot_be_change_nothing(show: Show, clip: Path) -> None:
    """Half a second of the flight apart, but a second and a half back in the video."""
    shown = opened(show, clip, sync_through([Anchor(8.0, 1.6)]))
    shown.seek(8.6)
    shown.panel.sync_strip.alone.click()
    shown.panel.sync_strip.slider.setValue(100)
    shown.panel.refresh(8.6)
    before = shown.sync
    shown.panel.sync_strip.set_here.click()
    assert shown.sync == before
    assert "rate" in shown.panel.sync_strip.set_here.toolTip()


def test_all_panels_share_what_is_undone(show: Show, clip: Path) -> None:
    first = opened(show, clip, synchronised())
    second = show()
    first.panel.sync_strip.nudge(1)
    second.panel.bar.sync.click()
    second.wait_until(lambda: second.panel.sync_strip.undo.isEnabled())
    second.panel.sync_strip.undo.click()
    assert first.sync == synchronised()


JOINED = Sync((Piece(-5.0, medium_end_s=0.8), Piece(-8.0, medium_start_s=1.2)), method="rotation")
"""Two clips in one file: 0 to 0.8 s were filmed from 5 s on, 1.2 to 2 s from 9.2 s on."""


def test_the_piece_at_the_cursor_is_told_and_typed(show: Show, clip: Path) -> None:
    shown = opened(show, clip, JOINED)
    strip = shown.panel.sync_strip
    shown.seek(9.5)
    shown.wait_for_frame(45)
    assert "piece 2 of 2, from 1.20 to 2.00 s of the video" in strip.status.text()
    assert strip.offset.value() == -8.0
    strip.offset.setValue(-7.9)
    assert [piece.offset_s for piece in shown.sync.pieces] == [-5.0, -7.9]
    shown.seek(5.5)
    shown.wait_for_frame(15)
    assert strip.offset.value() == -5.0, "the other one is as it was"


def test_between_two_pieces_nothing_is_typed(show: Show, clip: Path) -> None:
    shown = opened(show, clip, JOINED)
    strip = shown.panel.sync_strip
    shown.seek(7.0)
    shown.wait_until(lambda: shown.panel.picture.words.startswith("Between two"))
    assert strip.status.text() == "Synchronised: 2 pieces. None was filmed at the cursor."
    assert not strip.offset.isEnabled()
    assert not strip.set_here.isEnabled()


def test_a_stretch_that_was_not_placed_is_placed_by_hand(show: Show, clip: Path) -> None:
    shown = opened(show, clip, JOINED)
    strip = shown.panel.sync_strip
    shown.seek(7.0)
    strip.alone.click()
    strip.slider.setValue(1000)
    shown.wait_for_frame(30)
    assert "is not placed" in strip.status.text()
    strip.set_here.click()
    assert shown.sync.pieces == (JOINED.pieces[0], Piece(-6.0, 1.0, 0.8, 1.2), JOINED.pieces[1])


def test_where_the_first_piece_begins_late_the_video_begins_there(show: Show, clip: Path) -> None:
    shown = opened(show, clip, Sync((Piece(-5.0, 1.0, 0.5, math.inf),)))
    shown.seek(5.2)
    shown.wait_until(lambda: shown.panel.picture.words == "The video begins at 0:05.5.")


def test_nothing_of_a_video_stays_beside_one_that_is_missing(show: Show, clip: Path) -> None:
    shown = opened(show, clip, synchronised())
    strip = shown.panel.sync_strip
    assert strip.status.text().startswith("Synchronised: ")
    lost = replace(shown.flight.videos[0], problem="clip.avi is not there.")
    shown.flight.replace_video(lost.name, lost)
    shown.panel.refresh(0.0)
    assert strip.status.text() == "There is no picture that could be synchronised."
    assert not strip.by_hand.isEnabled()
    shown.flight.replace_video(lost.name, replace(lost, problem=""))
    shown.seek(BEGINS_S + 0.55)
    shown.wait_until(lambda: strip.status.text().startswith("Synchronised: "))
    assert strip.by_hand.isEnabled()


@pytest.mark.parametrize(
    "text", ["-12.354808", "\N{MINUS SIGN}12.354808 s", "-12,354808", "-12.355 s"]
)
def test_the_offset_takes_what_is_pasted(show: Show, clip: Path, text: str) -> None:
    shown = opened(show, clip, synchronised())
    box = shown.panel.sync_strip.offset
    box.selectAll()
    QApplication.clipboard().setText(text)
    box.lineEdit().paste()
    shown.qtbot.keyClick(box, Qt.Key.Key_Return)
    assert shown.sync.offset_s == -12.355
