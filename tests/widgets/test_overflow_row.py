"""Buttons that have no room stand in a menu, and do there what they do in the row."""

from PySide6.QtWidgets import QLabel, QMenu, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from widgets.overflow_row import OverflowRow
from widgets.parts import make_row


def test_what_has_no_room_is_in_the_menu_and_comes_back(qtbot: QtBot) -> None:
    pressed: list[str] = []
    buttons = [QPushButton(title) for title in ("Move", "Waypoint", "Survey", "Measure")]
    for button in buttons:
        button.setCheckable(True)
        button.clicked.connect(lambda _is_on, b=button: pressed.append(b.text()))
    buttons[2].setEnabled(False)
    row, window = OverflowRow(buttons, (QLabel("hint"), 1)), QWidget()
    window.setLayout(make_row(row))
    qtbot.addWidget(window)
    window.resize(900, 60)
    window.show()
    assert row.in_menu == []
    window.resize(window.minimumSizeHint().width(), 60)
    assert row.in_menu == buttons[1:], "the first stays"
    more = next(b for b in row.findChildren(QPushButton) if b.text() == "More")
    assert more.isVisible()
    menu = more.menu()
    assert isinstance(menu, QMenu)
    menu.aboutToShow.emit()
    entries = {action.text(): action for action in menu.actions()}
    assert list(entries) == ["Waypoint", "Survey", "Measure"]
    assert not entries["Survey"].isEnabled()
    entries["Measure"].trigger()
    assert pressed == ["Measure"]
    assert more.text() == "Measure", "what is chosen is seen"
    window.resize(900, 60)
    assert row.in_menu == []
    assert not more.isVisible()
