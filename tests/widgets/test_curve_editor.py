"""Dragging the points of a curve, moving them by keys, and what a curve stages."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from widgets.curve_editor import CurveEditor, CurveRange
from widgets.theme import load_theme

LABELS = ("0", "25", "50", "75", "100")


@pytest.fixture
def curve(qtbot: QtBot) -> CurveEditor:
    curve = CurveEditor("Gains over thrust", LABELS, CurveRange(-50.0, 50.0, 1.0, "%"))
    qtbot.addWidget(curve)
    curve.apply_theme(load_theme("dark"))
    curve.resize(400, 200)
    curve.show()
    curve.set_points((30, 15, 0, -15, -30))
    return curve


def moves(curve: CurveEditor) -> list[tuple[int, float]]:
    heard: list[tuple[int, float]] = []
    curve.changed.connect(lambda index, value: heard.append((index, value)))
    return heard


def drag(curve: CurveEditor, index: int, down_px: int) -> None:
    start = curve.place_of(index).toPoint()
    QTest.mousePress(curve, Qt.MouseButton.LeftButton, pos=start)
    QTest.mouseMove(curve, start + QPoint(3, down_px))
    QTest.mouseRelease(curve, Qt.MouseButton.LeftButton, pos=start + QPoint(3, down_px))


def test_dragging_moves_one_point_up_and_down_only(curve: CurveEditor) -> None:
    heard = moves(curve)
    drag(curve, 2, -30)
    assert curve.points[2] > 10
    assert (*curve.points[:2], *curve.points[3:]) == (30, 15, -15, -30)
    assert heard == [(2, curve.points[2])]
    drag(curve, 2, -500)
    assert curve.points[2] == 50
    drag(curve, 2, 900)
    assert curve.points[2] == -50


def test_keys_choose_and_move(curve: CurveEditor) -> None:
    heard = moves(curve)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_PageDown):
        QTest.keyClick(curve, key)
    assert curve.points == (30, 15, -9, -15, -30)
    QTest.keyClick(curve, Qt.Key.Key_Home)
    QTest.keyClick(curve, Qt.Key.Key_Down)
    assert curve.points[2] == -50
    assert [value for _, value in heard] == [1, -9, -50]
    assert curve.accessibleName() == "Gains over thrust, at 50: -50\u202f%"


def test_showing_values_tells_nobody(curve: CurveEditor) -> None:
    heard = moves(curve)
    curve.set_points((1, 2, 3, 4, 5))
    assert curve.points == (1, 2, 3, 4, 5)
    assert heard == []
    with pytest.raises(ValueError, match="5 points"):
        curve.set_points((1, 2))


def test_a_read_only_curve_stays(curve: CurveEditor) -> None:
    curve.set_read_only(True)
    before = curve.points
    drag(curve, 1, -40)
    QTest.keyClick(curve, Qt.Key.Key_Up)
    assert curve.points == before


def test_a_press_beside_the_points_moves_nothing(curve: CurveEditor) -> None:
    middle = (curve.place_of(0) + curve.place_of(1)) / 2
    QTest.mousePress(curve, Qt.MouseButton.LeftButton, pos=middle.toPoint())
    QTest.mouseMove(curve, middle.toPoint() + QPoint(0, -40))
    assert curve.points == (30, 15, 0, -15, -30)


@pytest.mark.parametrize(
    ("span", "value", "held", "text"),
    [
        (CurveRange(0.0, 1.0, 0.01, "%", 100.0), 0.4567, 0.46, "46\u202f%"),
        (CurveRange(-1.0, 1.0, 0.05), 0.12, 0.1, "0.10"),
        (CurveRange(-50.0, 50.0, 1.0), 77.0, 50.0, "50"),
    ],
)
def test_values_are_held_in_steps(span: CurveRange, value: float, held: float, text: str) -> None:
    assert span.held(value) == pytest.approx(held)
    assert span.text(span.held(value)) == text
