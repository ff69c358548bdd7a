"""A stick by keys, where it is asked for, and sticks by fingers."""

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QGuiApplication, QTouchEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QHBoxLayout, QWidget
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


class TouchScreen:
    """Two sticks beside each other under somebody's thumbs."""

    def __init__(self, qtbot: QtBot) -> None:
        self.window = QWidget()
        self.left, self.right = (
            StickView("yaw", "throttle", keeps_y=True),
            StickView("roll", "pitch"),
        )
        row = QHBoxLayout(self.window)
        row.addWidget(self.left)
        row.addWidget(self.right)
        self.window.resize(400, 220)
        qtbot.addWidget(self.window)
        self.window.show()
        qtbot.waitExposed(self.window)
        self.screen = QTest.createTouchDevice()

    def place(self, stick: StickView, dx: int, dy: int) -> QPoint:
        """A place on a stick, from its middle, in the window."""
        middle = QPoint(stick.width() // 2, stick.height() // 2)
        return stick.mapTo(self.window, middle + QPoint(dx, dy))


def test_two_thumbs_move_two_sticks_at_once(qtbot: QtBot) -> None:
    touch = TouchScreen(qtbot)
    window = touch.window
    fingers = QTest.touchEvent(window, touch.screen)
    fingers.press(0, touch.place(touch.left, 0, -30), window)
    fingers.press(1, touch.place(touch.right, 30, 0), window)
    fingers.commit()
    left, right = touch.left.position, touch.right.position
    assert left[1] > 0.2
    assert right[0] > 0.2
    fingers.move(0, touch.place(touch.left, 0, -60), window)
    fingers.stationary(1)
    fingers.commit()
    assert touch.left.position[1] > left[1]
    assert touch.right.position == right
    fingers.stationary(0)
    fingers.release(1, touch.place(touch.right, 30, 0), window)
    fingers.commit()
    assert touch.right.position == (0.0, 0.0)
    assert touch.left.position[1] > left[1], "the other thumb still holds its stick"
    fingers.release(0, touch.place(touch.left, 0, -60), window)
    fingers.commit()
    assert touch.left.position[0] == 0.0
    assert touch.left.position[1] > left[1], "a throttle stays"


@pytest.mark.parametrize("kind", [QEvent.Type.TouchCancel, QEvent.Type.TouchEnd])
def test_a_touch_that_the_system_takes_away_lets_the_stick_go(
    qtbot: QtBot, kind: QEvent.Type
) -> None:
    touch = TouchScreen(qtbot)
    fingers = QTest.touchEvent(touch.window, touch.screen)
    fingers.press(0, touch.place(touch.right, 40, 0), touch.window)
    fingers.commit()
    assert touch.right.position[0] > 0.2
    QGuiApplication.sendEvent(touch.right, QTouchEvent(kind, touch.screen))
    assert touch.right.position == (0.0, 0.0)


def test_a_stick_that_is_not_used_follows_no_finger(qtbot: QtBot) -> None:
    touch = TouchScreen(qtbot)
    touch.right.setEnabled(False)
    fingers = QTest.touchEvent(touch.window, touch.screen)
    fingers.press(0, touch.place(touch.right, 40, 0), touch.window)
    fingers.commit()
    assert touch.right.position == (0.0, 0.0)
