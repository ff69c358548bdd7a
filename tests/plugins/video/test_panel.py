"""The video panel: the frame at the cursor, and in words why there is none."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPoint, QRect, QUrl
from PySide6.QtWidgets import QApplication

from plugins.video.overlay_strip import how_sure
from plugins.video.panel import VideoPanel
from telemetry.review.cameras.camera_settings import CameraSettings, with_typed
from telemetry.review.flights.sync import Piece, Sync
from telemetry.review.flights.video_extents import video_extents
from tests.dropping import drop_onto
from tests.plugins.video.conftest import BEGINS_S, FRAMES, RATE_HZ, Show, synchronised, video_of
from tests.telemetry.recording.video_files.avi_surgery import with_broken_content
from widgets.theme import apply_theme, load_theme


def middle_s(number: int) -> float:
    """The cursor in the middle of a frame's time."""
    return BEGINS_S + (number + 0.5) / RATE_HZ


def test_a_flight_without_videos_says_what_to_do(show: Show) -> None:
    shown = show()
    assert shown.panel.notice.isVisible()
    assert "Drop a video file here" in shown.panel.notice.text.text()
    assert shown.panel.notice.button.text() == "Choose a video…"


def test_it_shows_the_frame_at_the_cursor_in_any_order(show: Show, clip: Path) -> None:
    shown = show(video_of(clip, synchronised()))
    for number in (0, 31, 30, 12, 59):
        shown.seek(middle_s(number))
        shown.wait_for_frame(number)


def test_a_frame_shows_when_it_comes_without_a_tick(show: Show, clip: Path) -> None:
    shown = show(video_of(clip, synchronised()))
    shown.seek(middle_s(3))
    shown.wait_for_frame(3)
    shown.seek(middle_s(47))
    shown.qtbot.waitUntil(lambda: shown.number == 47)


def test_a_flight_is_closed_while_a_frame_is_on_its_way(show: Show, clip: Path) -> None:
    """The panel still stands then, for a moment."""
    shown = show(video_of(clip, synchronised()))
    shown.seek(middle_s(3))
    shown.wait_for_frame(3)
    with shown.qtbot.waitSignal(shown.panel.picture_came):
        shown.seek(middle_s(47))
        shown.context.fleet.remove(shown.vehicle)
    shown.qtbot.wait(0)
    assert shown.number == 3


def test_the_rate_of_the_clock_counts(show: Show, clip: Path) -> None:
    shown = show(video_of(clip, Sync((Piece(-2 * BEGINS_S, 2.0),))))
    shown.seek(BEGINS_S + 20.5 / RATE_HZ / 2)
    shown.wait_for_frame(20)


def test_outside_the_video_it_says_where_that_is(show: Show, clip: Path) -> None:
    shown = show(video_of(clip, synchronised()))
    shown.seek(BEGINS_S - 1.0)
    shown.wait_until(lambda: shown.panel.picture.words == "The video begins at 0:05.0.")
    shown.seek(BEGINS_S + FRAMES / RATE_HZ + 0.01)
    shown.wait_until(lambda: shown.panel.picture.words == "The video ended at 0:07.0.")
    assert shown.number is None
    (extent,) = video_extents(shown.flight.videos[0])
    assert extent == pytest.approx((BEGINS_S, BEGINS_S + FRAMES / RATE_HZ)), "for the time line"


def test_a_gap_between_two_files_is_told(show: Show, clip: Path) -> None:
    border_s = 1.0
    pieces = (Piece(-5.0, medium_end_s=border_s), Piece(-5.5, medium_start_s=border_s))
    shown = show(video_of(clip, Sync(pieces)))
    shown.seek(6.25)
    shown.wait_until(lambda: shown.panel.picture.words.startswith("Between two files"))


def test_what_is_not_synchronised_says_so(show: Show, clip: Path) -> None:
    shown = show(video_of(clip, None))
    shown.wait_for_frame(0)
    assert shown.panel.picture.badge == "Not synchronised"


@pytest.mark.parametrize("sync", [None, synchronised()])
def test_while_the_log_is_being_read_the_first_picture_shows_and_why_it_stands(
    show: Show, clip: Path, sync: Sync | None
) -> None:
    shown = show(video_of(clip, sync))
    shown.flight.is_being_read = True
    shown.panel.bar.sync.click()
    shown.wait_for_frame(0)
    assert shown.panel.picture.badge == "The log is being read"
    strip = shown.panel.sync_strip
    assert strip.status.text().startswith("The log is being read.")
    assert (strip.by_hand.isEnabled(), strip.search.start.isEnabled()) == (False, False)
    shown.flight.is_being_read = False
    shown.seek(middle_s(30))
    shown.wait_for_frame(30 if sync else 0)
    assert shown.panel.picture.badge == ("" if sync else "Not synchronised")
    assert strip.by_hand.isEnabled()


def test_a_missing_file_can_be_found(show: Show, clip: Path) -> None:
    lost = replace(video_of(clip, synchronised()), files=(), problem="clip.avi is not there.")
    shown = show(lost)
    assert "clip.avi is not there." in shown.panel.notice.text.text()
    assert shown.panel.notice.button.text() == "Find the file…"
    shown.panel.take_files([clip], is_found=True)
    shown.seek(middle_s(7))
    shown.wait_for_frame(7)
    assert shown.flight.videos[0].problem == ""


def test_a_file_that_is_no_video_says_so(show: Show, tmp_path: Path) -> None:
    path = tmp_path / "notes.avi"
    path.write_text("no video", encoding="utf-8")
    shown = show(video_of(path, synchronised()))
    shown.wait_until(lambda: "notes.avi" in shown.panel.notice.text.text())


def drop(panel: VideoPanel, path: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    drop_onto(panel, data)


def test_a_dropped_video_joins_the_flight(show: Show, clip: Path, tmp_path: Path) -> None:
    shown = show()
    drop(shown.panel, clip)
    shown.wait_for_frame(0)
    (video,) = shown.flight.videos
    assert (video.name, video.files, video.sync) == ("clip.avi", (clip,), None)
    other = tmp_path / "clip.avi"
    other.write_bytes(clip.read_bytes())
    drop(shown.panel, other)
    shown.wait_until(lambda: len(shown.flight.videos) == 2)
    assert shown.flight.videos[1].name == "clip.avi (2)"
    drop(shown.panel, other)
    shown.panel.refresh(0.0)
    assert len(shown.flight.videos) == 2


@pytest.mark.slow
def test_files_that_do_not_go_on_from_each_other_are_videos_each(
    show: Show, clip: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.avi"
    other.write_bytes(clip.read_bytes())
    shown = show()
    shown.panel.take_files([other, clip])
    shown.wait_until(lambda: len(shown.flight.videos) == 2)
    assert {video.name for video in shown.flight.videos} == {"clip.avi", "other.avi"}


def test_a_damaged_frame_is_marked(show: Show, clip: Path, tmp_path: Path) -> None:
    path = tmp_path / "damaged.avi"
    path.write_bytes(with_broken_content(clip.read_bytes(), [27]))
    shown = show(video_of(path, synchronised()))
    shown.seek(middle_s(27))
    shown.wait_until(lambda: shown.panel.picture.badge == "Damaged frame")
    shown.seek(middle_s(40))
    shown.wait_for_frame(40)
    assert shown.panel.picture.badge == "", "whole again from the next key on"


def test_a_dropped_file_that_is_no_video_is_refused(show: Show, tmp_path: Path) -> None:
    path = tmp_path / "broken.avi"
    path.write_bytes(b"RIFF")
    shown = show()
    drop(shown.panel, path)
    shown.wait_until(lambda: bool(shown.messages))
    assert "broken.avi" in shown.messages[0]
    assert shown.flight.videos == ()


def test_a_step_is_one_frame(show: Show, clip: Path) -> None:
    shown = show(video_of(clip, synchronised()))
    shown.seek(middle_s(20))
    shown.wait_for_frame(20)
    for way, number in ((1, 21), (1, 22), (-1, 21), (-1, 20), (-1, 19)):
        shown.panel.picture.step_wanted.emit(way)
        shown.wait_for_frame(number)
    assert shown.vehicle.timeline.mode == "paused"


def test_each_panel_remembers_its_video(show: Show, clip: Path) -> None:
    early, late = video_of(clip, synchronised(), "a"), video_of(clip, synchronised(6.0), "b")
    first = show(early, late)
    second = show(settings={"video": "b"})
    first.seek(6.5)
    first.wait_for_frame(45)
    second.wait_for_frame(15)
    assert second.panel.save_state()["video"] == "b"


def test_the_horizon_lies_where_the_attitude_says(show: Show, clip: Path) -> None:
    """After a full turn, 6.28 s, the made-up flight is level in roll with its nose 5 degrees up. A
    camera that looks 8 degrees down then looks 3 below the horizon, which stands
    48 / tan 30 * tan 3 pixels above the middle of 96 x 64."""
    camera = CameraSettings(field_of_view_deg=60.0, mount_pitch_deg=-8.0)
    shown = show(replace(video_of(clip, synchronised()), camera=camera))
    shown.panel.bar.overlay.click()
    shown.seek(middle_s(38))
    shown.wait_for_frame(38)
    overlay = shown.panel.picture.overlay
    assert overlay is not None
    (strong,) = (line.points for line in overlay.lines if line.is_strong)
    seen = strong[np.isfinite(strong).all(axis=1)]
    expected = 31.5 - 48 / math.tan(math.radians(30)) * math.tan(math.radians(3))
    assert np.interp(47.5, seen[:, 0], seen[:, 1]) == pytest.approx(expected, abs=0.1)
    assert dict(overlay.values)["Mode"] == "Stabilized1"


def test_the_opacity_is_kept(show: Show, clip: Path) -> None:
    shown = show(video_of(clip, synchronised()), settings={"overlay": True, "opacity": 0.3})
    shown.seek(middle_s(38))
    shown.wait_for_frame(38)
    assert shown.panel.picture.overlay is not None
    assert shown.panel.picture.overlay.opacity == pytest.approx(0.3)
    shown.panel.overlay_strip.opacity.setValue(60)
    assert shown.panel.save_state()["opacity"] == 0.6


def test_how_well_a_camera_is_known_is_said_beside_its_figures() -> None:
    measured = CameraSettings(field_of_view_sigma_deg=0.24, mount_sigma_deg=(0.1, 0.1, 0.4))
    assert how_sure(measured) == "Measured: field of view ±0.24°, mount ±0.4°."
    down = CameraSettings(mount_pitch_deg=-90.0, mount_sigma_deg=(57.0, 0.5, 57.0))
    assert how_sure(down) == "Measured: mount ±0.5°."  # roll and yaw are one turn there
    assert how_sure(CameraSettings()).startswith("Not measured")
    assert "±" not in how_sure(with_typed(CameraSettings(), "mount_pitch_deg", -12.0))


@pytest.mark.usefixtures("kept_look")
def test_a_cameras_figures_fit_beside_each_other_in_a_small_window(
    show: Show, clip: Path, qapp: QApplication
) -> None:
    """In Analyse at 1024x600 the panel is 322 px wide, less a scroll bar's 12."""
    apply_theme(qapp, load_theme("dark"))
    shown = show(video_of(clip, synchronised()))
    shown.panel.bar.overlay.click()
    shown.panel.overlay_strip.lens.begin.click()
    assert shown.panel.overlay_strip.minimumSizeHint().width() <= 310


def test_camera_settings_belong_to_the_video(show: Show, clip: Path) -> None:
    shown = show(video_of(clip, synchronised()))
    shown.panel.bar.overlay.click()
    shown.seek(middle_s(3))
    shown.wait_for_frame(3)
    shown.panel.overlay_strip.boxes["shutter_s"].setValue(25.0)
    shown.panel.overlay_strip.boxes["mount_pitch_deg"].setValue(-12.0)
    camera = shown.flight.videos[0].camera
    assert (camera.shutter_s, camera.mount_pitch_deg) == (pytest.approx(0.025), -12.0)
    shown.panel.overlay_strip.fisheye.click()
    assert shown.flight.videos[0].camera == replace(camera, is_fisheye=True)


def test_words_and_strips_stand_in_what_no_card_covers(show: Show, clip: Path) -> None:
    empty = show()
    free = QRect(120, 40, 300, 320)
    empty.panel.show_free_area(free)
    empty.panel.refresh(0.0)
    assert empty.panel.notice.geometry() == free
    text = empty.panel.notice.text
    assert text.height() >= text.heightForWidth(text.width()), "none of it is cut"
    shown = show(video_of(clip, synchronised()))
    panel = shown.panel
    shown.seek(middle_s(3))
    shown.wait_for_frame(3)
    above_px = panel.bar.y()
    assert panel.picture.geometry() == QRect(0, 0, panel.width(), above_px), "nothing covers it"
    panel.show_free_area(free)
    panel.bar.sync.setChecked(True)
    panel.refresh(shown.vehicle.timeline.t)
    assert free.contains(panel.bar.geometry())
    assert free.contains(panel.sync_strip.mapTo(panel, QPoint(0, 0)))
    assert panel.picture.geometry() == panel.rect(), "the picture takes all"
