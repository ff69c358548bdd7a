"""Row of buttons that share places: a press that was meant for another does nothing."""

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from plugins.pilot import button_row
from plugins.pilot.button_row import ButtonRow
from widgets.hold_button import HoldButton


class Row:
    """Held to arm, then cancelled by a press, then sent home by a press, in one place."""

    def __init__(self, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now_s = 100.0
        monkeypatch.setattr(button_row, "monotonic_s", lambda: self.now_s)
        self.arm, self.cancel, self.home = HoldButton("Arm"), QPushButton(), QPushButton()
        self.row = ButtonRow([dict.fromkeys((self.arm, self.cancel, self.home), ("word", "w"))])
        qtbot.addWidget(self.row)
        self.row.resize(200, 50)
        self.row.show()
        self.pressed: list[str] = []
        self.cancel.clicked.connect(lambda: self.pressed.append("cancel"))
        self.home.clicked.connect(lambda: self.pressed.append("home"))

    def show(self, button: QPushButton) -> None:
        self.row.show_only(button)
        QCoreApplication.processEvents()


@pytest.fixture
def row(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Row:
    return Row(qtbot, monkeypatch)


def test_who_cancels_as_it_takes_off_does_not_send_it_home(row: Row) -> None:
    row.show(row.cancel)
    row.show(row.home)
    row.now_s += 0.4
    row.show(row.home)
    QTest.mouseClick(row.home, Qt.MouseButton.LeftButton)
    QTest.mouseDClick(row.home, Qt.MouseButton.LeftButton)
    QTest.keyClick(row.home, Qt.Key.Key_Space)
    assert row.pressed == []
    row.now_s += 0.4
    QTest.mouseClick(row.home, Qt.MouseButton.LeftButton)
    QTest.keyClick(row.home, Qt.Key.Key_Space)
    assert row.pressed == ["home", "home"]


def test_what_follows_a_held_button_is_heard_at_once(row: Row) -> None:
    row.show(row.cancel)
    QTest.mouseClick(row.cancel, Qt.MouseButton.LeftButton)
    assert row.pressed == ["cancel"]
