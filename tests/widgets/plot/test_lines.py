"""Curves of many points in pixels."""

import time
from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage, QPainter, QPen
from PySide6.QtWidgets import QApplication

from widgets.plot.lines import paint_line

_SIZE = (400, 200)
_COLOR = QColor("red")


@pytest.fixture
def painted(qapp: QApplication) -> Iterator[tuple[QImage, QPainter]]:
    image = QImage(*_SIZE, QImage.Format.Format_RGB32)
    image.fill(0)
    with QPainter(image) as painter:
        yield image, painter


def _is_painted(image: QImage, x: int, y: int) -> bool:
    return image.pixelColor(x, y) == _COLOR


def test_nan_breaks_a_line(painted: tuple[QImage, QPainter]) -> None:
    image, painter = painted
    painter.setPen(QPen(_COLOR, 1))
    nan = float("nan")
    paint_line(painter, np.array([10.0, 50, 60, 70, 90]), np.array([20.0, 20, nan, 20, 20]))
    assert [_is_painted(image, x, 20) for x in (30, 60, 80)] == [True, False, True]


@pytest.mark.parametrize("points", [0, 1])
def test_nothing_to_join_paints_nothing(painted: tuple[QImage, QPainter], points: int) -> None:
    image, painter = painted
    blank = image.copy()
    paint_line(painter, np.zeros(points), np.zeros(points))
    assert image == blank


def test_a_wide_line_takes_little_longer_than_a_thin_one(
    painted: tuple[QImage, QPainter],
) -> None:
    # Stroked as one path, 1252 points of noise took 37 ms, 120 times as long as a thin line.
    _, painter = painted
    x = np.linspace(0.0, _SIZE[0], 1252)
    y = np.random.default_rng(1).uniform(0.0, _SIZE[1], len(x))

    def taken_s(width: int) -> float:
        painter.setPen(QPen(_COLOR, width))
        began_s = time.thread_time()
        paint_line(painter, x, y)
        return time.thread_time() - began_s

    thin_s, wide_s = (min(taken_s(width) for _ in range(5)) for width in (1, 2))
    assert wide_s < 20 * thin_s
