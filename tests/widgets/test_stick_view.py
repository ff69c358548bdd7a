"""A stick by keys, where it is asked for."""

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from widgets.stick_view import StickView


def test_arrows_move_it_and_home_lets_go(qtbot: QtBot) -> None:
    stick = StickView("yaw", "throttle", keeps_y=True, takes_keys=True)
    qtbot.addWidget(stick)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Up):
        qtbot.keyClick(stick, key)
    assert stick.position == (0.2, 0.1)
    qtbot.keyClick(stick, Qt.Key.Key_Home)
    assert stick.position == (0.0, 0.1)
    for _ in range(30):
        qtbot.keyClick(stick, Qt.Key.Key_Down)
    assert stick.position == (0.0, -1.0)


def test_without_asking_keys_are_left_to_others(qtbot: QtBot) -> None:
    stick = StickView("roll", "pitch")
    qtbot.addWidget(stick)
    qtbot.keyClick(stick, Qt.Key.Key_Right)
    assert stick.position == (0.0, 0.0)
