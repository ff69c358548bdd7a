"""The picture upright in the panel: by its camera's mount, by hand in its menu, undone."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QMenu

from telemetry.review.cameras.camera_settings import CameraSettings
from telemetry.review.cameras.picture_turn import PictureTurn
from tests.plugins.video.conftest import Show, Shown, synchronised, video_of
from tests.telemetry.recording.video_files.barcode import picture


def choose(shown: Shown, title: str) -> None:
    """Open the picture's menu and press an entry."""
    where = shown.panel.picture.mapToGlobal(QPoint(5, 5))
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, QPoint(5, 5), where)
    QApplication.sendEvent(shown.panel.picture, event)
    (menu,) = (one for one in shown.panel.findChildren(QMenu) if one.isVisible())
    next(action for action in menu.actions() if action.text() == title).trigger()
    menu.close()
    shown.panel.refresh(shown.vehicle.timeline.t)


def is_shown(shown: Shown, expected: np.ndarray) -> bool:
    pixels = shown.panel.picture.pixels
    is_alike = pixels is not None and pixels.shape == expected.shape
    return is_alike and bool(np.abs(pixels.astype(int) - expected).mean() < 12)


def opened(show: Show, clip: Path, camera: CameraSettings) -> Shown:
    shown = show(replace(video_of(clip, synchronised()), camera=camera))
    shown.seek(5.0 + 38.5 / 30.0)
    shown.wait_until(lambda: shown.panel.picture.pixels is not None)
    return shown


def test_a_camera_found_upside_down_shows_its_picture_upright(show: Show, clip: Path) -> None:
    shown = opened(show, clip, CameraSettings())
    stored = picture(38)
    assert is_shown(shown, stored)
    shown.panel.overlay_strip.camera_changed.emit(CameraSettings(mount_roll_deg=179.0))
    shown.wait_until(lambda: is_shown(shown, stored[::-1, ::-1]))
    assert not is_shown(shown, stored), "the two differ"


def test_a_turn_in_the_menu_is_what_is_seen_and_is_undone(show: Show, clip: Path) -> None:
    shown = opened(show, clip, CameraSettings(mount_roll_deg=90.0))
    stored = picture(38)
    assert is_shown(shown, np.rot90(stored, -1))
    choose(shown, "Turn right by 90°")
    assert is_shown(shown, stored[::-1, ::-1])
    assert shown.flight.videos[0].turn == PictureTurn(2)
    choose(shown, "Exchange left and right")
    assert is_shown(shown, stored[::-1])
    choose(shown, "As the file says")
    assert is_shown(shown, stored)
    choose(shown, "Upright by itself")
    assert shown.flight.videos[0].turn is None
    for _ in range(3):
        shown.qtbot.keyClick(shown.panel.picture, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    shown.panel.refresh(shown.vehicle.timeline.t)
    assert is_shown(shown, stored[::-1, ::-1]), "after the first step"


def test_the_horizon_turns_with_the_picture(show: Show, clip: Path) -> None:
    """As in test_panel, 48 / tan 30 * tan 3 pixels above the middle of the stored picture: as many
    below it where that hangs upside down, in whose middle row (31.5) the sum is 63."""
    shown = opened(show, clip, CameraSettings(field_of_view_deg=60.0, mount_pitch_deg=-8.0))
    shown.panel.bar.overlay.click()
    choose(shown, "Turn right by 90°")
    choose(shown, "Turn right by 90°")
    overlay = shown.panel.picture.overlay
    assert overlay is not None
    (strong,) = (line.points for line in overlay.lines if line.is_strong)
    x, y = strong[np.isfinite(strong).all(axis=1)][::-1].T
    expected = 31.5 + 48 / math.tan(math.radians(30)) * math.tan(math.radians(3))
    assert np.interp(47.5, x, y) == pytest.approx(expected, abs=0.1)
