"""A kept picture: what is copied of it."""

import numpy as np
import pytest
from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QPixmap, QRegion
from PySide6.QtWidgets import QApplication

from widgets.map.layer import LayerPart
from widgets.map.projection import Floats, Viewport

WIDTH, HEIGHT = 700, 500


def region_of(rects: list[QRect]) -> QRegion:
    region = QRegion()
    for rect in rects:
        region += rect
    return region


@pytest.fixture
def part(qapp: QApplication) -> LayerPart:
    part = LayerPart(
        Viewport(width=WIDTH, height=HEIGHT), QRect(0, 0, WIDTH, HEIGHT), QPixmap(WIDTH, HEIGHT)
    )
    part.clear()
    return part


def box_of(rect: QRectF) -> Floats:
    return np.array([[rect.left(), rect.top(), rect.right(), rect.bottom()]])


@pytest.mark.parametrize("seed", range(6))
def test_all_that_was_painted_is_copied_and_little_more(part: LayerPart, seed: int) -> None:
    random = np.random.default_rng(seed)
    painted = []
    for _ in range(12):
        x, y = random.uniform(-60, WIDTH), random.uniform(-60, HEIGHT)
        painted.append(QRectF(x, y, random.uniform(0.1, 90), random.uniform(0.1, 90)))
        part.ink(box_of(painted[-1]))
        whole = QRect(0, 0, WIDTH, HEIGHT)
        copied = region_of(part.copied)
        for box in painted:
            assert (QRegion(box.toAlignedRect() & whole) - copied).isEmpty()
        assert (copied - QRegion(whole)).isEmpty()
    near = region_of([box.toAlignedRect().adjusted(-64, -64, 64, 64) for box in painted])
    assert (copied - near).isEmpty()


def test_the_first_square_counts(part: LayerPart) -> None:
    assert part.copied == []
    part.ink(np.array([[1.0, 1.0, 4.0, 4.0]]))
    assert part.copied == [QRect(0, 0, 64, 64)]


def test_a_picture_that_was_not_cleared_is_copied_whole(qapp: QApplication) -> None:
    part = LayerPart(Viewport(width=90, height=80), QRect(0, 0, 90, 80), QPixmap(90, 80))
    part.ink(np.array([[1.0, 1.0, 4.0, 4.0]]))
    assert part.copied == [QRect(0, 0, 90, 80)]
