"""A choice that has no room says so, and still tells which it is."""

from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from widgets.elided_choice import ElidedChoice

NAMES = ("AR.Drone's camera at the front", "AR.Drone's camera at the bottom")


def pictures(choice: ElidedChoice) -> list[QImage]:
    found = []
    for index in range(choice.count()):
        choice.setCurrentIndex(index)
        found.append(choice.grab().toImage())
    return found


def test_a_long_choice_is_left_out_in_the_middle_where_it_is_narrow(qtbot: QtBot) -> None:
    choice = ElidedChoice()
    qtbot.addWidget(choice)
    choice.addItems(NAMES)
    choice.resize(120, 30)
    choice.show()
    front, bottom = pictures(choice)
    assert front != bottom, "their ends differ"
    assert "…" in choice.shown
    assert choice.shown.endswith("m")
    assert choice.currentText() == NAMES[1]
    choice.resize(800, 30)
    assert choice.shown == NAMES[1]
