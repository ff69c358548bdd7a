"""Holding a finger on something opens its menu, and nothing where a press means something else."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QSlider,
    QTabBar,
    QTableWidget,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.immediate import ImmediateJobs
from tests.widgets.map.test_canvas import eastward_scene
from widgets.hold_button import HoldButton
from widgets.long_press import LongPress
from widgets.map.canvas import MapCanvas
from widgets.map.overlay import MapOverlay, MapPointer
from widgets.plot.xy_view import XyView
from widgets.stick_view import StickView
from widgets.theme import load_theme

THEME = load_theme("light")


@pytest.fixture
def press(qapp: QApplication) -> Iterator[LongPress]:
    press = LongPress(qapp)
    yield press
    press.deleteLater()


class Panel(QWidget):
    """Has a menu of its own, and things on it."""

    def __init__(self, *parts: QWidget) -> None:
        super().__init__()
        self.menus = 0
        layout = QVBoxLayout(self)
        for part in parts:
            layout.addWidget(part)
        layout.addStretch(1)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menus += 1


class Pressed(QWidget):
    """Takes presses without having a menu, as a stick does."""

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()


def show(qtbot: QtBot, press: LongPress, widget: QWidget) -> None:
    qtbot.addWidget(widget)
    widget.resize(400, 300)
    widget.show()
    press.watch_windows()


@contextmanager
def held(widget: QWidget, at: QPoint | None = None) -> Iterator[QPoint]:
    """Press on the window, as a hand does, and let go in the end; gives where on it."""
    window = widget.window().windowHandle()
    place = widget.mapTo(widget.window(), at or widget.rect().center())
    QTest.mousePress(window, Qt.MouseButton.LeftButton, pos=place)
    yield place
    QTest.mouseRelease(window, Qt.MouseButton.LeftButton, pos=QPoint(1, 1))


def step(press: LongPress) -> bool:
    """Let the time be over, if it runs; return whether it did."""
    is_running = press.timer.isActive()
    if is_running:
        press.timer.stop()
        press.timer.timeout.emit()
    return is_running


def test_holding_opens_the_menu_of_what_is_there(qtbot: QtBot, press: LongPress) -> None:
    label = QLabel("12 V")
    panel = Panel(label)
    show(qtbot, press, panel)
    with held(label):
        assert press.timer.interval() == 600
        assert panel.menus == 0
        assert step(press)
    assert panel.menus == 1


@pytest.mark.parametrize("ends", ["release", "move", "key", "other button"])
def test_what_ends_a_press_opens_nothing(qtbot: QtBot, press: LongPress, ends: str) -> None:
    panel = Panel()
    show(qtbot, press, panel)
    window, right = panel.windowHandle(), Qt.MouseButton.RightButton
    with held(panel) as place:
        assert press.timer.isActive()
        match ends:
            case "release":
                QTest.mouseRelease(window, Qt.MouseButton.LeftButton, pos=place)
            case "move":
                QTest.mouseMove(window, place + QPoint(20, 0))
            case "key":
                QTest.keyPress(window, Qt.Key.Key_A)
            case "other button":
                QTest.mousePress(window, right, pos=place)
                QTest.mouseRelease(window, right, pos=place)
        assert not press.timer.isActive()


def test_a_trembling_hand_still_holds(qtbot: QtBot, press: LongPress) -> None:
    panel = Panel()
    show(qtbot, press, panel)
    with held(panel) as place:
        QTest.mouseMove(panel.windowHandle(), place + QPoint(3, 2))
        assert step(press)


@pytest.mark.parametrize(
    "make",
    [
        QPushButton,
        lambda: HoldButton("Stop"),
        lambda: QSlider(Qt.Orientation.Horizontal),
        lambda: QLineEdit("text to select"),
        lambda: QPlainTextEdit("text to select"),
        Pressed,
        lambda: StickView("Roll", "Pitch"),
        lambda: selectable("text to select"),
    ],
)
def test_where_a_press_means_something_it_opens_nothing(
    qtbot: QtBot, press: LongPress, make: Callable[[], QWidget]
) -> None:
    part = make()
    part.setMinimumSize(60, 30)
    panel = Panel(part)
    show(qtbot, press, panel)
    with held(part):
        assert not step(press)
    assert panel.menus == 0


def selectable(text: str) -> QLabel:
    label = QLabel(text)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


@pytest.mark.parametrize("make", [QTabBar, lambda: QTableWidget(4, 2)])
def test_tabs_and_tables_open_theirs(
    qtbot: QtBot, press: LongPress, make: Callable[[], QWidget]
) -> None:
    part = make()
    if isinstance(part, QTabBar):
        part.addTab("Fly")
    part.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
    asked: list[QPoint] = []
    part.customContextMenuRequested.connect(asked.append)
    panel = Panel(part)
    show(qtbot, press, panel)
    with held(part, QPoint(16, 16) if isinstance(part, QTabBar) else QPoint(60, 60)):
        assert step(press)
    assert len(asked) == 1


def test_an_xy_plot_opens_that_of_its_view(qtbot: QtBot, press: LongPress) -> None:
    view = XyView(THEME)
    show(qtbot, press, view)
    with held(view.canvas):
        assert press.timer.isActive()


class PressedTabs(QTabBar):
    """Tabs that can be carried elsewhere."""

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)


def test_tabs_leave_their_menu_to_what_they_stand_on(qtbot: QtBot, press: LongPress) -> None:
    tabs = PressedTabs()
    tabs.addTab("Fly")
    panel = Panel(tabs)
    show(qtbot, press, panel)
    with held(tabs, QPoint(16, 16)):
        assert step(press)
    assert panel.menus == 1


class Clicked(Panel):
    """Counts clicks."""

    clicks = 0

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.clicks += self.rect().contains(event.position().toPoint())


def test_a_long_press_is_no_click(qtbot: QtBot, press: LongPress) -> None:
    panel = Clicked()
    show(qtbot, press, panel)
    with held(panel):
        assert step(press)
        assert (panel.menus, panel.clicks) == (1, 0)


class Places(MapOverlay):
    """Sets a place where a press is let go, unless it is taken away."""

    def __init__(self) -> None:
        self.placed = 0

    def press(self, pointer: MapPointer) -> bool:
        return True

    def release(self, pointer: MapPointer) -> None:
        self.placed += 1


def test_the_map_opens_its_menu_and_forgets_the_press(
    qtbot: QtBot, press: LongPress, tmp_path: Path
) -> None:
    canvas, places = MapCanvas(THEME, ImmediateJobs(), tmp_path), Places()
    show(qtbot, press, canvas)
    canvas.show_scene(eastward_scene())
    canvas.set_following(False)
    before = canvas.view
    for overlays in ((places,), ()):
        for overlay in overlays:
            canvas.add_overlay(overlay)
        with held(canvas, QPoint(150, 100)):
            assert step(press)
            (menu,) = (one for one in canvas.findChildren(QMenu) if one.isVisible())
            assert any(action.text().startswith("Copy ") for action in menu.actions())
        menu.close()
        canvas.remove_overlay(places)
    assert places.placed == 0, "nothing is set where one only asked"
    QTest.mouseMove(canvas, QPoint(300, 200))
    assert canvas.view == before, "the ground is not held any more"


def test_a_window_that_opens_later_is_watched(qtbot: QtBot, press: LongPress) -> None:
    panel = Panel()
    qtbot.addWidget(panel)
    panel.show()
    QApplication.instance().focusWindowChanged.emit(panel.windowHandle())  # type: ignore[union-attr]
    with held(panel):
        assert press.timer.isActive()
