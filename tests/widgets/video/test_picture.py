"""The picture of a video: fitted, zoomed, panned, with what lies over it."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from widgets.theme import load_theme
from widgets.video.overlay import OverlayLine, VideoOverlay
from widgets.video.picture import VideoPicture
from widgets.video.placing import Placing

WIDTH, HEIGHT = 64, 48


def made() -> np.ndarray:
    """Red left and blue right, as BGR."""
    pixels = np.zeros((HEIGHT, WIDTH, 3), dtype=np.uint8)
    pixels[:, : WIDTH // 2, 2] = 255
    pixels[:, WIDTH // 2 :, 0] = 255
    return pixels


@pytest.fixture
def picture(qtbot: QtBot) -> VideoPicture:
    picture = VideoPicture()
    qtbot.addWidget(picture)
    picture.apply_theme(load_theme("dark"))
    picture.resize(400, 200)
    picture.show()
    return picture


def color_at(picture: VideoPicture, x: int, y: int) -> str:
    image = picture.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    return QColor(image.pixel(x, y)).name()


def turn_wheel(picture: VideoPicture, x: float, y: float, notches: int) -> None:
    at = QPointF(x, y)
    none = (Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase)
    turned = QPoint(0, 120 * notches)
    event = QWheelEvent(at, picture.mapToGlobal(at), QPoint(), turned, *none, False)
    QApplication.sendEvent(picture, event)


def test_it_keeps_its_aspect_and_colours(picture: VideoPicture) -> None:
    picture.show_picture(made())
    place = picture.picture_rect()
    assert place.width() / place.height() == pytest.approx(WIDTH / HEIGHT)
    assert place.height() == pytest.approx(200)
    assert color_at(picture, 120, 100) == "#ff0000"
    assert color_at(picture, 280, 100) == "#0000ff"


def test_the_wheel_zooms_at_the_pointer(picture: VideoPicture) -> None:
    picture.show_picture(made())
    before = picture.picture_rect()
    turn_wheel(picture, 260, 60, 3)
    after = picture.picture_rect()
    assert after.width() == pytest.approx(before.width() * 1.25**3)
    share = [(260 - rect.left()) / rect.width() for rect in (before, after)]
    assert share[0] == pytest.approx(share[1])
    turn_wheel(picture, 260, 60, -9)
    assert picture.placing == Placing()


def test_a_drag_pans_and_a_double_click_fits(picture: VideoPicture, qtbot: QtBot) -> None:
    picture.show_picture(made())
    turn_wheel(picture, 200, 100, 5)
    before = picture.picture_rect()
    qtbot.mousePress(picture, Qt.MouseButton.LeftButton, pos=QPoint(200, 100))
    qtbot.mouseMove(picture, QPoint(170, 90))
    qtbot.mouseRelease(picture, Qt.MouseButton.LeftButton, pos=QPoint(170, 90))
    assert picture.picture_rect().left() == pytest.approx(before.left() - 30)
    assert picture.picture_rect().top() == pytest.approx(before.top() - 10)
    qtbot.mouseDClick(picture, Qt.MouseButton.LeftButton, pos=QPoint(200, 100))
    assert picture.placing == Placing()


def test_keys_step_and_nudge(picture: VideoPicture, qtbot: QtBot) -> None:
    asked: list[tuple[str, int]] = []
    picture.step_wanted.connect(lambda way: asked.append(("step", way)))
    picture.nudge_wanted.connect(lambda way: asked.append(("nudge", way)))
    qtbot.keyClick(picture, Qt.Key.Key_Period)
    qtbot.keyClick(picture, Qt.Key.Key_Comma)
    qtbot.keyClick(picture, Qt.Key.Key_Period, Qt.KeyboardModifier.AltModifier)
    assert asked == [("step", 1), ("step", -1), ("nudge", 1)]


def test_words_stand_in_the_place_of_a_picture(picture: VideoPicture) -> None:
    picture.show_picture(made(), "Damaged frame")
    assert (picture.badge, picture.words) == ("Damaged frame", "")
    picture.show_words("The video begins at 0:12.0")
    assert picture.pixels is None
    assert picture.badge == ""
    assert color_at(picture, 120, 20) != "#ff0000"


def test_a_line_lies_on_the_pixels_it_is_drawn_for(picture: VideoPicture) -> None:
    row = np.array([[0.0, 12.0], [64.0, 12.0]])
    picture.show_picture(made(), "", VideoOverlay((OverlayLine(row, "", True),), (), 1.0))
    line_y = round(picture.picture_rect().height() * (12 + 0.5) / HEIGHT)  # a pixel's middle
    light = load_theme("dark").color("text_on_readout").name()
    assert color_at(picture, 120, line_y) == light
    assert color_at(picture, 120, line_y + 12) == "#ff0000"
    assert color_at(picture, 20, line_y) != light, "outside the picture"


def test_opacity_lets_the_picture_through(picture: VideoPicture) -> None:
    row = np.array([[0.0, 12.0], [64.0, 12.0]])
    picture.show_picture(made(), "", VideoOverlay((OverlayLine(row, "", True),), (), 0.0))
    assert color_at(picture, 120, 50) == "#ff0000"
