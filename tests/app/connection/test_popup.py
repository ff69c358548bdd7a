"""The address box of the connections: what is typed or pasted replaces what is selected."""

from concurrent.futures import Future
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QListWidget, QWidget
from pytestqt.qtbot import QtBot

from app.connection.connections import ConnectionPlace
from app.connection.popup import ConnectionPopup
from telemetry.vehicle.vehicle import Fleet

QUAD = ConnectionPlace("sim:quad", "Quad", "Simulator")
PORT = ConnectionPlace("serial:/dev/ttyACM0", "Board", "Serial")


class OpenPopup:
    """A popup that hangs open, and what is plugged in."""

    def __init__(self, qtbot: QtBot) -> None:
        self.window, self.now, self.woken = QWidget(), 0.0, 0
        self.window.resize(900, 700)
        self.places = (QUAD,)
        connections: Any = SimpleNamespace(
            kinds=(), address_of=lambda _vehicle: "", find_places=self._find
        )
        self.popup = ConnectionPopup(
            self.window, connections, Fleet(), lambda: self.now, self._wake
        )
        qtbot.addWidget(self.window)
        self.window.show()
        self.popup.open_below(self.window)
        (self.box,) = self.popup.findChildren(QLineEdit)
        (self.list,) = self.popup.findChildren(QListWidget)
        self.look()

    def _wake(self) -> None:
        self.woken += 1

    def look(self) -> None:
        self.now += 2.0
        self.popup.refresh()
        self.popup.refresh()

    def _find(self) -> "Future[tuple[ConnectionPlace, ...]]":
        found: Future[tuple[ConnectionPlace, ...]] = Future()
        found.set_result(self.places)
        return found


@pytest.fixture
def opened(qtbot: QtBot) -> OpenPopup:
    opened = OpenPopup(qtbot)
    opened.list.setCurrentRow(1)
    assert opened.box.text() == "sim:quad"
    return opened


def test_typing_over_the_list_replaces_the_address(opened: OpenPopup) -> None:
    opened.list.setFocus()
    QTest.keyClicks(opened.list, "u")
    QTest.keyClicks(opened.box, "dp:1")
    assert opened.box.text() == "udp:1"
    assert opened.box.hasFocus()


def test_pasting_over_the_list_replaces_the_address(opened: OpenPopup) -> None:
    QGuiApplication.clipboard().setText("tcp:192.168.4.1:9000")
    opened.list.setFocus()
    QTest.keyClick(opened.list, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert opened.box.text() == "tcp:192.168.4.1:9000"


def test_arrows_stay_with_the_list(opened: OpenPopup) -> None:
    opened.list.setFocus()
    QTest.keyClick(opened.list, Qt.Key.Key_Up)
    assert opened.list.hasFocus()


def test_a_click_selects_all_of_it_and_a_second_one_places_the_cursor(opened: OpenPopup) -> None:
    opened.list.setFocus()
    QTest.mouseClick(opened.box, Qt.MouseButton.LeftButton)
    assert opened.box.selectedText() == "sim:quad"
    QTest.mouseClick(opened.box, Qt.MouseButton.LeftButton)
    assert opened.box.selectedText() == ""
    opened.box.selectAll()
    QTest.keyClicks(opened.box, "udp:1")
    assert opened.box.text() == "udp:1"


def test_what_is_plugged_in_meanwhile_leaves_the_selection(opened: OpenPopup) -> None:
    opened.box.setFocus()
    opened.box.setSelection(4, 4)
    opened.places = (QUAD, PORT)
    opened.look()
    assert opened.list.count() == 4
    assert opened.box.selectedText() == "quad"
    QTest.keyClicks(opened.box, "wing")
    assert opened.box.text() == "sim:wing"


def test_what_is_plugged_in_appears_within_a_second_at_four_looks_a_second(
    opened: OpenPopup,
) -> None:
    opened.places = (QUAD, PORT)
    plugged_in_s, woken = opened.now, opened.woken
    while opened.list.count() < 4:
        opened.now += 0.25
        opened.popup.refresh()
    assert opened.now - plugged_in_s <= 1.0
    for _ in range(40):
        opened.now += 0.25
        opened.popup.refresh()
    assert opened.woken >= woken + 2, "the station does not rest while somebody waits for a board"


def test_a_long_address_shows_its_end_within_the_list(opened: OpenPopup) -> None:
    board = ConnectionPlace(f"usb:{'0123456789ABCDEF' * 4}1234567", "Revolution (firmware)", "USB")
    opened.places = (board, *[QUAD] * 20)
    opened.look()
    text = opened.list.item(1).text()
    assert "…" in text
    assert text.endswith("1234567")
    assert not opened.list.horizontalScrollBar().isVisible()
    opened.list.setCurrentRow(1)
    assert opened.box.text() == board.address
