"""Every widget is visited: what shows in short steps, popups after it, the rest when it shows."""

from collections.abc import Iterator

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtGui import QPaintEvent, QRegion
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from widgets.visible_first import VisibleFirst


class Ground(QWidget):
    """A large widget; `painted` is what of it was painted."""

    def __init__(self) -> None:
        super().__init__()
        self.painted = QRegion()
        QWidget(self).setGeometry(20, 20, 300, 100)
        QWidget(self).setGeometry(20, 180, 300, 100)

    def paintEvent(self, event: QPaintEvent) -> None:
        self.painted = self.painted.united(event.region())


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    window = QWidget()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    for name in ("first", "second"):
        part = QWidget()
        part.setObjectName(name)
        column.addWidget(part)
    return window


def visit_all(qapp: QApplication, qtbot: QtBot, visited: list[str], popup: QWidget | None) -> None:
    """Visit every widget by name, and have the first part delete the second on its way."""

    def visit(widget: QWidget) -> None:
        visited.append(widget.objectName())
        second = widget.window().findChild(QWidget, "second")
        if widget.objectName() == "first" and second is not None:
            shiboken6.delete(second)

    walk = VisibleFirst(qapp)
    walk.start(lambda: None, visit, lambda widget: visited.append(f"again {widget.objectName()}"))
    last = "again first" if popup is None else f"again {popup.objectName()}"
    qtbot.waitUntil(lambda: not walk.is_busy and last in visited)
    walk.deleteLater()


def test_a_part_that_is_deleted_on_the_way_is_left_out(
    qapp: QApplication, qtbot: QtBot, window: QWidget
) -> None:
    window.show()
    visited: list[str] = []
    visit_all(qapp, qtbot, visited, None)
    assert "first" in visited
    assert "second" not in visited


def test_a_popup_whose_part_is_deleted_on_the_way_is_visited_all_the_same(
    qapp: QApplication, qtbot: QtBot, window: QWidget
) -> None:
    window.setWindowFlag(Qt.WindowType.Popup)
    window.setObjectName("menu")
    visited: list[str] = []
    visit_all(qapp, qtbot, visited, window)
    assert {"menu", "first", "again menu", "again first"} <= set(visited)
    assert "again second" not in visited


def test_a_hidden_part_is_visited_when_it_shows(
    qapp: QApplication, qtbot: QtBot, window: QWidget
) -> None:
    hidden = window.findChild(QWidget, "second")
    assert hidden is not None
    hidden.hide()
    window.show()
    visited: list[str] = []
    walk = VisibleFirst(qapp)
    walk.start(lambda: None, lambda widget: visited.append(widget.objectName()), lambda _: None)
    qtbot.waitUntil(lambda: not walk.is_busy)
    assert "first" in visited
    assert "second" not in visited
    hidden.show()
    assert "second" in visited
    walk.deleteLater()


def test_a_large_widget_is_painted_between_its_parts_too(qapp: QApplication, qtbot: QtBot) -> None:
    """Only on a real display: a window that is grabbed is painted whole in any case."""
    ground = Ground()
    qtbot.addWidget(ground)
    ground.resize(340, 300)
    ground.show()
    qtbot.waitUntil(lambda: not ground.painted.isEmpty())
    ground.painted = QRegion()
    walk = VisibleFirst(qapp)
    walk.start(lambda: None, lambda _: None, lambda _: None)
    qtbot.waitUntil(lambda: not walk.is_busy)
    qapp.processEvents()
    assert ground.painted == QRegion(ground.rect())
    walk.deleteLater()


class Chart(QWidget):
    """Paints what it keeps ahead; `log` is told of each part, and of the painting."""

    def __init__(self, log: list[str]) -> None:
        super().__init__()
        self.log = log

    def paint_ahead(self) -> Iterator[None]:
        self.log.append("first part")
        yield
        self.log.append("last part")

    def paintEvent(self, _event: QPaintEvent) -> None:
        self.log.append("painted")


def test_what_takes_long_is_painted_ahead(qapp: QApplication, qtbot: QtBot) -> None:
    log: list[str] = []
    chart = Chart(log)
    qtbot.addWidget(chart)
    chart.show()
    qtbot.waitUntil(lambda: "painted" in log)
    log.clear()
    walk = VisibleFirst(qapp)
    walk.start(lambda: None, lambda _: None, lambda _: log.append("visited"))
    qtbot.waitUntil(lambda: not walk.is_busy and "painted" in log)
    assert log == ["visited", "first part", "last part", "painted"]
    walk.deleteLater()


def test_what_stands_over_a_widget_is_painted_with_it(qapp: QApplication, qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(400, 300)
    log: list[str] = []
    for number, (x, width) in enumerate([(0, 300), (50, 200), (310, 90)]):
        part = Named(f"part {number}", log)
        part.setParent(window)
        part.setGeometry(x, 0, width, 300)
    window.show()
    qtbot.waitUntil(lambda: len(log) >= 3)
    log.clear()
    walk = VisibleFirst(qapp)
    walk.start(lambda: None, lambda _: None, lambda _: None)
    qtbot.waitUntil(lambda: not walk.is_busy)
    qapp.processEvents()
    assert sorted(log) == ["part 0", "part 1", "part 2"]
    walk.deleteLater()


class Named(QWidget):
    def __init__(self, name: str, log: list[str]) -> None:
        super().__init__()
        self.name, self.log = name, log

    def paintEvent(self, _event: QPaintEvent) -> None:
        self.log.append(self.name)
