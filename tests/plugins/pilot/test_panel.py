"""The pilot's panel driven as a user drives it: what it offers, refuses and shows."""

from queue import SimpleQueue

from PySide6.QtWidgets import QApplication, QLabel, QPushButton

from telemetry.protocol.links.memory import MemoryLink
from telemetry.vehicle.vehicle import LinkState, LinkStatus
from tests.plugins.pilot.panel_cockpit import Cockpit
from widgets.stick_view import StickView


class WreckedLink(MemoryLink):
    """A simulated aircraft that has crashed until it is started anew."""

    def __init__(self) -> None:
        super().__init__("sim:quad", SimpleQueue(), SimpleQueue())
        self.is_wreck = True

    def has_crashed(self) -> bool:
        return self.is_wreck

    def start_anew(self) -> None:
        self.is_wreck = False


def test_without_settings_nothing_can_be_pressed(cockpit: Cockpit) -> None:
    cockpit.refresh(0.0)
    assert not cockpit.button("Hold to arm").isEnabled()
    assert not cockpit.button("Arm and take off").isEnabled()


def test_an_aircraft_with_its_own_receiver_is_left_alone(cockpit: Cockpit) -> None:
    cockpit.ground.settings(source="S.Bus")
    cockpit.ground.status(0.0, "Disarmed")
    cockpit.refresh(0.0)
    arm = cockpit.button("Hold to arm")
    assert not arm.isEnabled()
    assert "from the S.Bus receiver, not from the station" in arm.toolTip()


def test_a_replay_of_an_armed_aircraft_offers_nothing(cockpit: Cockpit) -> None:
    cockpit.ground.settings()
    cockpit.ground.status(0.0, "Armed", "PositionHold", thrust=0.5)
    cockpit.ground.commands.why_not = "Replaying a log: nothing is sent."
    cockpit.refresh(0.0)
    buttons = [b for b in cockpit.panel.findChildren(QPushButton) if b.isVisible()]
    assert [b.text() for b in buttons if b.isEnabled()] == []


def test_what_was_so_before_a_silence_is_not_said_to_be_so(cockpit: Cockpit) -> None:
    cockpit.ground.settings()
    cockpit.ground.status(0.0, "Armed", "PositionHold", thrust=0.5)
    cockpit.refresh(0.0)
    words = [label.text() for label in cockpit.panel.findChildren(QLabel)]
    assert "Position hold. Land when done." in words, "the negative control"
    cockpit.ground.vehicle.status = LinkStatus(LinkState.CONNECTED, silent_s=4)
    cockpit.refresh(0.1)
    words = [label.text() for label in cockpit.panel.findChildren(QLabel)]
    silent = cockpit.ground.vehicle.status.word
    assert f"{silent}. Before that: Position hold. Land when done." in words


def test_replay_refuses_with_its_reason(cockpit: Cockpit) -> None:
    cockpit.ground.settings()
    cockpit.ground.status(0.0, "Disarmed")
    cockpit.ground.commands.why_not = "Replaying a log: nothing is sent."
    cockpit.refresh(0.0)
    assert cockpit.button("Hold to arm").toolTip() == "Replaying a log: nothing is sent."
    assert cockpit.ground.commands.sticks == []


def test_a_narrow_panel_says_less_and_a_low_one_has_no_sticks(cockpit: Cockpit) -> None:
    sticks = cockpit.panel.findChildren(StickView)
    assert cockpit.button("Fly by hand").isVisible()
    assert all(stick.isVisible() for stick in sticks)
    cockpit.panel.resize(340, 130)
    assert cockpit.button("By hand").isVisible()
    assert not any(stick.isVisible() for stick in sticks)
    cockpit.panel.resize(540, 240)
    assert all(stick.isVisible() for stick in sticks)


def test_the_focus_does_not_go_from_an_action_to_the_next(cockpit: Cockpit) -> None:
    """Space pressed once more would take off."""
    ground = cockpit.ground
    ground.settings()
    ground.status(0.0, "Disarmed")
    cockpit.refresh(0.0)
    cockpit.panel.activateWindow()
    cockpit.button("Hold to arm").setFocus()
    ground.status(1.0, "Armed")
    cockpit.refresh(1.0)
    focused = QApplication.focusWidget()
    assert not isinstance(focused, QPushButton), focused


def test_after_a_crash_it_says_so_and_offers_to_start_anew(cockpit: Cockpit) -> None:
    ground = cockpit.ground
    ground.settings()
    ground.status(0.0, "Disarmed")
    ground.vehicle.link = link = WreckedLink()
    cockpit.refresh(0.0)
    assert any("Crashed." in label.text() for label in cockpit.panel.findChildren(QLabel))
    enabled = [b.text() for b in cockpit.panel.findChildren(QPushButton) if b.isEnabled()]
    visible = [b.text() for b in cockpit.panel.findChildren(QPushButton) if b.isVisible()]
    assert "Start anew" in visible
    ground.status(0.05, "Armed", "PositionHold", thrust=0.5)
    cockpit.refresh(0.05)
    assert cockpit.button("Emergency stop (hold)").isEnabled(), "its motors may still turn"
    ground.status(0.06, "Disarmed")
    cockpit.refresh(0.06)
    assert not {"Hold to arm", "Arm and take off"} & (set(enabled) & set(visible))
    cockpit.button("Start anew").click()
    assert not link.is_wreck
    cockpit.refresh(0.1)
    assert not cockpit.button("Start anew").isVisible()
    assert cockpit.button("Hold to arm").isEnabled()
