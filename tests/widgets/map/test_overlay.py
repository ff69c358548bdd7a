"""What others draw on a map and do there with the mouse."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.immediate import ImmediateJobs
from tests.widgets.map.test_canvas import EAST, HOME, THEME, count, eastward_scene, picture
from widgets.map.canvas import MapCanvas
from widgets.map.overlay import MapOverlay, MapPointer
from widgets.map.projection import Bounds, GeoPoint, Viewport
from widgets.map.scene import point_bounds
from widgets.theme import Theme

FAR = GeoPoint(48.9500, 9.4300)
LEFT = Qt.MouseButton.LeftButton


class OneHandle(MapOverlay):
    """A mark that can be dragged."""

    def __init__(self, place: GeoPoint) -> None:
        self.place = place
        self.told: list[str] = []

    def paint(self, painter: QPainter, view: Viewport, theme: Theme) -> None:
        painter.setBrush(theme.color("danger"))
        painter.drawEllipse(QPointF(*view.place_px(self.place)), 12, 12)

    def bounds(self) -> Bounds:
        return point_bounds(self.place)

    def press(self, pointer: MapPointer) -> bool:
        return pointer.button == LEFT and pointer.distance_px(self.place) < 12

    def move(self, pointer: MapPointer) -> None:
        self.place = pointer.place

    def release(self, pointer: MapPointer) -> None:
        self.told.append("release")

    def cancel(self) -> None:
        self.told.append("cancel")

    def double_click(self, pointer: MapPointer) -> bool:
        return pointer.distance_px(self.place) < 12

    def hover(self, pointer: MapPointer) -> Qt.CursorShape | None:
        is_near = pointer.distance_px(self.place) < 12
        return Qt.CursorShape.SizeAllCursor if is_near else None

    def key(self, event: QKeyEvent) -> bool:
        return event.key() == Qt.Key.Key_Plus


@pytest.fixture
def canvas(qtbot: QtBot, tmp_path: Path) -> MapCanvas:
    canvas = MapCanvas(THEME, ImmediateJobs(), tmp_path / "cache")
    qtbot.addWidget(canvas)
    canvas.resize(600, 400)
    canvas.show()
    canvas.show_scene(eastward_scene())
    canvas.fit()
    return canvas


def at(canvas: MapCanvas, place: GeoPoint) -> QPoint:
    return QPointF(*canvas.view.place_px(place)).toPoint()


def test_it_is_painted_below_the_readouts_and_taken_away_again(canvas: MapCanvas) -> None:
    before = picture(canvas)
    handle = OneHandle(canvas.view.place_at(300, 100))
    canvas.add_overlay(handle)
    assert count(picture(canvas), THEME.color("danger")) > 300
    canvas.remove_overlay(handle)
    assert picture(canvas) == before


def test_what_it_takes_does_not_pan_and_the_rest_does(canvas: MapCanvas) -> None:
    handle = OneHandle(EAST)
    canvas.add_overlay(handle)
    view, start = canvas.view, at(canvas, EAST)
    QTest.mousePress(canvas, LEFT, pos=start)
    QTest.mouseMove(canvas, start + QPoint(-40, 30))
    QTest.mouseRelease(canvas, LEFT, pos=start + QPoint(-40, 30))
    assert canvas.view == view
    assert at(canvas, handle.place) == start + QPoint(-40, 30)
    assert handle.told == ["release"]
    QTest.mousePress(canvas, LEFT, pos=QPoint(20, 300))
    QTest.mouseMove(canvas, QPoint(60, 300))
    QTest.mouseRelease(canvas, LEFT, pos=QPoint(60, 300))
    assert canvas.view != view


def test_the_topmost_is_asked_first(canvas: MapCanvas) -> None:
    below, above = OneHandle(EAST), OneHandle(EAST)
    canvas.add_overlay(below)
    canvas.add_overlay(above)
    start = at(canvas, EAST)
    QTest.mousePress(canvas, LEFT, pos=start)
    QTest.mouseMove(canvas, start + QPoint(-40, 0))
    assert (below.place == EAST, above.place == EAST) == (True, False)
    canvas.remove_overlay(above)
    assert above.told == ["cancel"]
    QTest.mouseRelease(canvas, LEFT, pos=start)


def test_cursor_double_click_and_keys_are_offered(canvas: MapCanvas) -> None:
    handle = OneHandle(EAST)
    canvas.add_overlay(handle)
    QTest.mouseMove(canvas, at(canvas, EAST))
    assert canvas.cursor().shape() == Qt.CursorShape.SizeAllCursor
    QTest.mouseMove(canvas, QPoint(20, 300))
    assert canvas.cursor().shape() == Qt.CursorShape.ArrowCursor
    canvas.set_view(canvas.view.panned(10, 0))
    view = canvas.view
    QTest.mouseDClick(canvas, LEFT, pos=at(canvas, EAST))
    QTest.keyClick(canvas, Qt.Key.Key_Plus)
    assert canvas.view == view
    QTest.keyClick(canvas, Qt.Key.Key_Minus)
    assert canvas.view != view


def test_what_is_fitted_includes_it(canvas: MapCanvas) -> None:
    canvas.add_overlay(OneHandle(FAR))
    assert at(canvas, FAR).y() < 0
    canvas.fit()
    assert 0 < at(canvas, FAR).y() < 400
    assert 0 < at(canvas, HOME).y() < 400
