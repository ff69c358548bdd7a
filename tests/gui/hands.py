"""A user of the real window: clicks what can be clicked, types where one types, and waits."""

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractSpinBox,
    QLabel,
    QLineEdit,
    QListWidget,
    QPushButton,
    QScrollArea,
    QTabBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.station import Station
from plugins.simulator.link import SimulatorLink
from telemetry.base.clock import monotonic_s
from telemetry.recording.flight_state import FlightState, read_flight_state
from telemetry.vehicle.vehicle import Vehicle
from tests.waiting import PATIENCE_S
from widgets.settings.editor import SettingEditor

_Widget = TypeVar("_Widget", bound=QWidget)
_LOOK_MS = 40


class Hands:
    """What a user does in the window, and what the aircraft reports meanwhile."""

    def __init__(self, station: Station, vehicle: Vehicle, qtbot: QtBot) -> None:
        self.vehicle = vehicle
        self._window = station.window
        self._qtbot = qtbot
        self._speed = 1.0

    # Looking

    def state(self) -> FlightState:
        return read_flight_state(self.vehicle.recording, self.vehicle.recording.last_s)

    def wait(self, condition: Callable[[], object]) -> None:
        """Until something is so; looked at no more often than somebody would, as that costs."""
        end_s = monotonic_s() + PATIENCE_S
        while not condition():
            assert monotonic_s() < end_s, "it did not happen in time"
            self._qtbot.wait(_LOOK_MS)

    def stay(self, seconds: float) -> float:
        """Watch for so long in the aircraft's time; return when it began."""
        begin_s = self.vehicle.recording.last_s
        self.wait(lambda: self.vehicle.recording.last_s > begin_s + seconds / self._speed)
        return begin_s

    def hurry(self, speed: float) -> None:
        """Have the simulator's time pass so many times as fast, as its controls do."""
        link = self.vehicle.link
        assert isinstance(link, SimulatorLink)
        remote = link.remote
        remote.ask(speed=speed)

        def is_hurried() -> bool:
            assert remote.poll() == ""
            return remote.report is not None and remote.report.speed == speed

        self.wait(is_hurried)
        self._speed = speed

    def find(self, kind: type[_Widget], is_meant: Callable[[_Widget], bool]) -> _Widget:
        """The one visible widget of a kind that is meant, once it is there."""

        def found() -> list[_Widget]:
            children = self._window.findChildren(kind)
            return [widget for widget in children if widget.isVisible() and is_meant(widget)]

        self.wait(lambda: len(found()) == 1)
        return found()[0]

    def button(self, text: str) -> QPushButton:
        return self.find(QPushButton, lambda button: button.text() == text)

    def label(self, words: str) -> bool:
        """Whether a label that begins with some words is in sight."""
        labels = self._window.findChildren(QLabel)
        return any(label.isVisible() and label.text().startswith(words) for label in labels)

    # Doing

    def press(self, text: str) -> None:
        self.wait(lambda: self.button(text).isEnabled())
        self.click(self.button(text))

    def click(self, widget: QWidget, pos: QPoint | None = None) -> None:
        self.scroll_to(widget)
        place = pos or QPoint(8, widget.height() // 2)
        self._qtbot.mouseClick(widget, Qt.MouseButton.LeftButton, pos=place)

    def hold(self, text: str, until: Callable[[], object]) -> None:
        """Keep a button down until something is so."""
        self.wait(lambda: self.button(text).isEnabled())
        button = self.button(text)
        QTest.mousePress(button, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
        self.wait(until)
        QTest.mouseRelease(button, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))

    def open_workspace(self, title: str) -> None:
        tabs = self.find(QTabBar, lambda bar: any(_is(bar, i, title) for i in range(bar.count())))
        index = next(i for i in range(tabs.count()) if _is(tabs, i, title))
        self.click(tabs, tabs.tabRect(index).center())

    def open_page(self, title: str) -> None:
        """A page of the Configure view by its name in the list."""
        self.click_row(self.find(QListWidget, lambda pages: _row(pages, title) >= 0), title)

    def choose(self, name: str, words: str) -> None:
        """A row of a list by how it begins."""
        self.click_row(self.find(QListWidget, lambda rows: rows.accessibleName() == name), words)

    def click_row(self, rows: QListWidget, words: str) -> None:
        item = rows.item(_row(rows, words))
        assert item is not None
        rows.scrollToItem(item)
        self.scroll_to(rows)
        place = rows.visualItemRect(item).center()
        self._qtbot.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=place)

    def enter(self, name: str, path: str, text: str) -> None:
        """Type a setting's value into its editor."""
        editor = self.find(SettingEditor, lambda e: (e.name, e.path) == (name, path)).editor
        assert isinstance(editor, QAbstractSpinBox)
        self._type(editor, text)

    def enter_cell(self, table: QAbstractItemView, index: QModelIndex, text: str) -> None:
        """Type a value into a cell of a table."""
        self.scroll_to(table)
        table.scrollTo(index)
        place = table.visualRect(index).center()
        self._qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
        self._qtbot.mouseDClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
        # At once: the editor goes when its window, which has no screen, is not the active one.
        (box,) = _typed_into(table)
        self._type(box, text)
        self.wait(lambda: not _typed_into(table))

    def scroll_to(self, widget: QWidget) -> None:
        parent = widget.parentWidget()
        while parent is not None:
            if isinstance(parent, QScrollArea):
                parent.ensureWidgetVisible(widget)
            parent = parent.parentWidget()

    def _type(self, box: QAbstractSpinBox, text: str) -> None:
        line = box.findChild(QLineEdit)
        assert line is not None
        self.scroll_to(box)
        box.setFocus()
        line.selectAll()
        self._qtbot.keyClicks(line, text)
        self._qtbot.keyClick(box, Qt.Key.Key_Return)


def _is(tabs: QTabBar, index: int, title: str) -> bool:
    return tabs.tabText(index).replace("&", "") == title


def _row(rows: QListWidget, words: str) -> int:
    """The first row that begins with some words, its mark aside; -1 for none."""
    for row in range(rows.count()):
        item = rows.item(row)
        if item is not None and item.text().lstrip(" ●!").startswith(words):
            return row
    return -1


def _typed_into(table: QAbstractItemView) -> list[QAbstractSpinBox]:
    """The open editors of a table."""
    return [box for box in table.findChildren(QAbstractSpinBox) if box.isVisible()]
