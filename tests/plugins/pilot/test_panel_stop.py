"""The emergency stop of the pilot's panel, and what ends a button that is held."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from plugins.pilot.flight_words import STOP_UNHEARD
from telemetry.vehicle.sticks import Sticks
from telemetry.vehicle.vehicle import LinkState, LinkStatus
from tests.plugins.pilot.panel_cockpit import Cockpit
from widgets.hold_button import HoldButton


def shown_words(cockpit: Cockpit) -> list[str]:
    return [label.text() for label in cockpit.panel.findChildren(QLabel) if label.isVisible()]


@pytest.mark.slow
def test_emergency_stop_must_be_held(cockpit: Cockpit, qtbot: QtBot) -> None:
    ground = cockpit.ground
    ground.settings()
    ground.status(0.0, "Disarmed")
    cockpit.refresh(0.0)
    cockpit.arm()
    ground.status(1.0, "Armed", "PositionHold", thrust=0.5)
    cockpit.refresh(1.0)
    qtbot.mouseClick(cockpit.button("Emergency stop (hold)"), Qt.MouseButton.LeftButton)
    cockpit.wait_for(Sticks(arm=True))
    cockpit.hold("Emergency stop (hold)")
    cockpit.wait_for(Sticks(arm=False))


@pytest.mark.slow
def test_a_seat_taken_in_flight_can_stop_the_motors(cockpit: Cockpit, qtbot: QtBot) -> None:
    """The station was started anew, or the panel opened, while the aircraft was armed."""
    ground = cockpit.ground
    ground.settings()
    ground.status(0.0, "Armed", "PositionHold", thrust=0.5)
    cockpit.refresh(0.0)
    cockpit.hold("Emergency stop (hold)")
    cockpit.wait_for(Sticks(arm=False))


def test_letting_go_of_the_focus_ends_a_hold(cockpit: Cockpit) -> None:
    ground = cockpit.ground
    ground.settings()
    ground.status(0.0, "Disarmed")
    cockpit.refresh(0.0)
    arm = cockpit.button("Hold to arm")
    assert isinstance(arm, HoldButton)
    arm.setFocus()
    QTest.keyPress(arm, Qt.Key.Key_Space)
    assert arm.progress >= 0.0
    arm.hide()
    assert arm.progress == 0.0
    QTest.keyRelease(arm, Qt.Key.Key_Space)


def test_emergency_stop_stays_pressable_while_the_link_is_lost(cockpit: Cockpit) -> None:
    ground = cockpit.ground
    ground.settings()
    ground.status(0.0, "Armed", "PositionHold", thrust=0.5)
    ground.vehicle.status = LinkStatus(state=LinkState.LOST)
    ground.commands.why_not = "Not sent: link lost."
    cockpit.refresh(0.0)
    assert not cockpit.button("Land").isEnabled()
    cockpit.hold("Emergency stop (hold)")
    del ground.commands.sticks[:]
    cockpit.qtbot.waitUntil(lambda: ground.commands.sticks[:3] == [Sticks()] * 3)
    cockpit.refresh(0.1)
    assert STOP_UNHEARD in shown_words(cockpit), "nobody knows that it arrives"


@pytest.mark.slow
def test_the_stop_key_acts_from_anywhere_once_it_is_held(cockpit: Cockpit, qtbot: QtBot) -> None:
    ground = cockpit.ground
    ground.settings()
    ground.status(0.0, "Disarmed")
    cockpit.refresh(0.0)
    cockpit.arm()
    ground.status(1.0, "Armed", "PositionHold", thrust=0.5)
    cockpit.refresh(1.0)
    elsewhere = QLineEdit("typing")
    qtbot.addWidget(elsewhere)
    elsewhere.show()
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(elsewhere, Qt.Key.Key_Backspace, both)
    cockpit.wait_for(Sticks(arm=True))  # a tap does nothing
    QTest.keyPress(elsewhere, Qt.Key.Key_Backspace, both)
    cockpit.wait_for(Sticks(arm=False))
    assert elsewhere.text() == "typing"
