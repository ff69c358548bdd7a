"""Segments drawn as one line: closed where they meet, as long at their ends as asked for."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen
from PySide6.QtWidgets import QApplication

from widgets.segments import Floats, paint_segments, with_closed_joints

WIDTH_PX = 6.0
CORNER = np.array([[10.0, 30.0, 30.0, 30.0], [30.0, 30.0, 30.0, 10.0]])


def painted(segments: Floats) -> QImage:
    picture = QImage(60, 60, QImage.Format.Format_Grayscale8)
    picture.fill(0)
    with QPainter(picture) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(QColor(255, 255, 255), WIDTH_PX)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        painter.setPen(pen)
        paint_segments(painter, segments)
    return picture


def brightness(picture: QImage, x: int, y: int) -> int:
    return QColor(picture.pixel(x, y)).red()


def test_a_corner_is_closed(qapp: QApplication) -> None:
    outer = 31, 31  # of the turn, which flat ends leave open
    assert brightness(painted(CORNER), *outer) == 0
    assert brightness(painted(with_closed_joints(CORNER, WIDTH_PX, 0.0)), *outer) == 255


@pytest.mark.parametrize(("beyond_px", "first_x"), [(0.0, 10), (3.0, 7)])
def test_a_free_end_is_as_much_longer_as_asked_for(
    qapp: QApplication, beyond_px: float, first_x: int
) -> None:
    picture = painted(with_closed_joints(CORNER, WIDTH_PX, beyond_px))
    assert brightness(picture, first_x, 30) == 255
    assert brightness(picture, first_x - 1, 30) == 0


def test_segments_that_do_not_meet_stay_apart() -> None:
    apart = np.array([[0.0, 0.0, 9.0, 0.0], [10.0, 0.0, 20.0, 5.0]])
    np.testing.assert_allclose(with_closed_joints(apart, WIDTH_PX, 0.0), apart)


def test_a_point_is_as_long_as_it_is_wide(qapp: QApplication) -> None:
    there = np.array([[30.0, 30.0, 30.0, 30.0]])
    assert with_closed_joints(there, WIDTH_PX, 3.0).tolist() == [[27.0, 30.0, 33.0, 30.0]]


def test_nothing_to_draw_is_fine(qapp: QApplication) -> None:
    paint_segments(QPainter(), with_closed_joints(np.empty((0, 4)), WIDTH_PX, 3.0))
