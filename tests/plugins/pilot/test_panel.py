"""The pilot's panel driven as a user drives it, on a vehicle that notes what it is told."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from plugins.api import PanelContext
from plugins.pilot.attention import GRACE_MS
from plugins.pilot.panel import LET_GO, ControlsPanel
from plugins.pilot.release import LOST_FOCUS
from plugins.pilot.seat import OUT_OF_SIGHT, seat_of
from telemetry.configuration.settings.configuration import configuration_of
from telemetry.links.memory import MemoryLink
from telemetry.vehicle.sticks import Sticks
from telemetry.vehicle.vehicle import Fleet, LinkState, LinkStatus
from tests.plugins.pilot.fakes import POSITIONS, Ground
from widgets.hold_button import HoldButton
from widgets.stick_view import StickView
from widgets.theme import load_theme


class Cockpit:
    def __init__(self, qtbot: QtBot) -> None:
        self.ground = Ground()
        self.fleet = Fleet()
        self.fleet.add(self.ground.vehicle)
        self.jobs = ThreadPoolExecutor(1)
        self.context = PanelContext(self.fleet, load_theme("light"), self.jobs)
        self.panel = ControlsPanel(self.context)
        self.qtbot = qtbot
        qtbot.addWidget(self.panel)
        self.panel.resize(540, 240)
        self.panel.show()

    def button(self, text: str) -> QPushButton:
        found = [b for b in self.panel.findChildren(QPushButton) if b.text() == text]
        assert len(found) == 1, f"one button '{text}'"
        return found[0]

    def refresh(self, t: float) -> None:
        self.panel.refresh(t)

    def hold(self, text: str) -> None:
        button = self.button(text)
        assert isinstance(button, HoldButton)
        with self.qtbot.waitSignal(button.held):
            QTest.mousePress(button, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
        QTest.mouseRelease(button, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))

    def hold_and_wait_for_the_edge(self, text: str, mode: str, position: int) -> None:
        """Hold a button that arms; the aircraft selects `mode` and stands there disarmed."""
        self.hold(text)
        self.refresh(0.0)
        for t in (0.1, 0.2, 0.4):
            self.ground.status(t, "Disarmed", mode)
            self.refresh(t)
        self.wait_for(Sticks(arm=True, flight_mode_position=position))

    def arm(self) -> None:
        """Until the arming switch is on."""
        self.hold_and_wait_for_the_edge("Hold to arm", "Stabilized1", 0)

    def wait_for(self, wanted: Sticks) -> None:
        self.qtbot.waitUntil(lambda: self.ground.commands.sticks[-1:] == [wanted])


@pytest.fixture
def cockpit(qtbot: QtBot) -> Iterator[Cockpit]:
    made = Cockpit(qtbot)
    yield made
    made.context.close()
    made.jobs.shutdown()


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
    assert "ChannelGroups" in arm.toolTip()


def test_a_replay_of_an_armed_aircraft_offers_nothing(cockpit: Cockpit) -> None:
    cockpit.ground.settings()
    cockpit.ground.status(0.0, "Armed", "PositionHold", thrust=0.5)
    cockpit.ground.commands.why_not = "Replaying a log: nothing is sent."
    cockpit.refresh(0.0)
    buttons = [b for b in cockpit.panel.findChildren(QPushButton) if b.isVisible()]
    assert [b.text() for b in buttons if b.isEnabled()] == []


def test_replay_refuses_with_its_reason(cockpit: Cockpit) -> None:
    cockpit.ground.settings()
    cockpit.ground.status(0.0, "Disarmed")
    cockpit.ground.commands.why_not = "Replaying a log: nothing is sent."
    cockpit.refresh(0.0)
    assert cockpit.button("Hold to arm").toolTip() == "Replaying a log: nothing is sent."
    assert cockpit.ground.commands.sticks == []


@pytest.mark.slow
def test_two_panels_share_one_seat(cockpit: Cockpit, qtbot: QtBot) -> None:
    """Else one would stream the arming switch on and the other off, in the air."""
    ground = cockpit.ground
    ground.settings()
    ground.status(0.0, "Disarmed")
    cockpit.refresh(0.0)
    context = PanelContext(cockpit.fleet, load_theme("light"), cockpit.jobs)
    second = ControlsPanel(context)
    qtbot.addWidget(second)
    second.refresh(0.0)
    cockpit.arm()
    ground.status(1.0, "Armed", "PositionHold", thrust=0.5)
    second.refresh(1.0)
    (land,) = [b for b in second.findChildren(QPushButton) if b.text() == "Land"]
    land.click()
    position = POSITIONS.index("Land")
    cockpit.wait_for(Sticks(throttle=0.5, flight_mode_position=position, arm=True))
    del ground.commands.sticks[:]
    context.close()  # one pilot leaves, the other stays seated
    cockpit.wait_for(Sticks(throttle=0.5, flight_mode_position=position, arm=True))
    cockpit.context.close()
    assert ground.commands.sticks[-1] is None


@pytest.mark.slow
def test_choosing_another_aircraft_leaves_the_first_flying(cockpit: Cockpit) -> None:
    ground = cockpit.ground
    ground.settings()
    ground.status(0.0, "Disarmed")
    cockpit.refresh(0.0)
    cockpit.arm()
    other = Ground()
    cockpit.fleet.add(other.vehicle)
    cockpit.fleet.choose(other.vehicle)
    cockpit.refresh(0.0)
    del ground.commands.sticks[:]
    cockpit.wait_for(Sticks(arm=True))
    assert other.commands.sticks == []
    cockpit.fleet.remove(ground.vehicle)
    cockpit.refresh(0.0)
    assert ground.commands.sticks[-1] is None


@pytest.mark.slow
def test_no_other_aircraft_while_flying_by_hand_and_no_stick_for_two(cockpit: Cockpit) -> None:
    ground, other = cockpit.ground, Ground()
    ground.settings()
    ground.status(0.0, "Disarmed")
    cockpit.refresh(0.0)
    cockpit.arm()
    cockpit.fleet.add(other.vehicle)
    ground.status(1.0, "Armed", "Stabilized1", thrust=0.5)
    cockpit.refresh(1.0)
    cockpit.button("Fly by hand").click()
    cockpit.refresh(1.0)
    assert "flown by hand" in cockpit.fleet.choose(other.vehicle)
    cockpit.button("Hold").click()
    seat = seat_of(ground.vehicle)
    seat.take_source("keyboard")
    seat.drag({"roll": 0.5, "pitch": 0.5})
    assert cockpit.fleet.choose(other.vehicle) == ""
    cockpit.refresh(1.0)
    assert seat.request.source == "screen", "the keys are the other aircraft's now"
    position = POSITIONS.index("PositionHold")
    cockpit.wait_for(Sticks(throttle=0.5, flight_mode_position=position, arm=True))


def test_a_narrow_panel_says_less_and_a_low_one_has_no_sticks(cockpit: Cockpit) -> None:
    sticks = cockpit.panel.findChildren(StickView)
    assert cockpit.button("Fly by hand").isVisible()
    assert all(stick.isVisible() for stick in sticks)
    cockpit.panel.resize(340, 130)
    assert cockpit.button("By hand").isVisible()
    assert not any(stick.isVisible() for stick in sticks)
    cockpit.panel.resize(540, 240)
    assert all(stick.isVisible() for stick in sticks)


def test_a_short_press_does_not_arm(cockpit: Cockpit, qtbot: QtBot) -> None:
    cockpit.ground.settings()
    cockpit.ground.status(0.0, "Disarmed")
    cockpit.refresh(0.0)
    qtbot.mouseClick(cockpit.button("Hold to arm"), Qt.MouseButton.LeftButton)
    cockpit.refresh(0.1)
    assert cockpit.ground.commands.sticks == []


@pytest.mark.slow
def test_take_off_hold_land(cockpit: Cockpit, qtbot: QtBot) -> None:
    ground = cockpit.ground
    ground.settings()
    ground.status(0.0, "Disarmed")
    cockpit.refresh(0.0)
    takeoff = POSITIONS.index("AutoTakeoff")
    cockpit.hold_and_wait_for_the_edge("Arm and take off", "AutoTakeoff", takeoff)
    assert {sticks.throttle for sticks in ground.commands.sticks if sticks} == {0.0}

    ground.status(1.0, "Armed", "AutoTakeoff")
    cockpit.refresh(1.0)
    cockpit.wait_for(Sticks(throttle=0.6, flight_mode_position=takeoff, arm=True))
    assert not cockpit.button("Land").isEnabled()  # still on the ground
    assert cockpit.button("Disarm").isEnabled()

    ground.say(2.0, "StatusVtolAutoTakeoff", {"State": "Takeoff"})
    ground.status(2.0, "Armed", "AutoTakeoff", thrust=0.5)
    cockpit.refresh(2.0)
    cockpit.wait_for(Sticks(throttle=0.5, flight_mode_position=takeoff, arm=True))
    cockpit.refresh(2.1)
    assert not cockpit.button("Arm and take off").isEnabled()
    assert not cockpit.button("Disarm").isEnabled()  # motors off in the air is Emergency stop
    qtbot.mouseClick(cockpit.button("Land"), Qt.MouseButton.LeftButton)
    land = POSITIONS.index("Land")
    cockpit.wait_for(Sticks(throttle=0.5, flight_mode_position=land, arm=True))

    ground.status(3.0, "Disarmed", "Land")
    cockpit.refresh(3.0)  # the switch follows, so that the next arming is a new decision
    qtbot.waitUntil(lambda: not ground.commands.sticks[-1].arm)  # type: ignore[union-attr]


@pytest.mark.slow
def test_another_mode_before_it_climbs_cuts_the_throttle_and_is_told(
    cockpit: Cockpit, qtbot: QtBot
) -> None:
    told: list[str] = []
    cockpit.context.show_message = told.append
    ground = cockpit.ground
    ground.settings()
    ground.status(0.0, "Disarmed")
    cockpit.refresh(0.0)
    takeoff = POSITIONS.index("AutoTakeoff")
    cockpit.hold_and_wait_for_the_edge("Arm and take off", "AutoTakeoff", takeoff)
    ground.status(1.0, "Armed", "AutoTakeoff")
    cockpit.refresh(1.0)
    cockpit.wait_for(Sticks(throttle=0.6, flight_mode_position=takeoff, arm=True))
    ground.status(4.5, "Armed", "Stabilized1")  # however long the window took to look
    cockpit.refresh(4.5)
    cockpit.wait_for(Sticks())
    (sentence,) = told
    assert sentence.startswith("Not taken off. The flight mode became Stabilized1")


@pytest.mark.slow
def test_what_was_begun_can_be_cancelled(cockpit: Cockpit, qtbot: QtBot) -> None:
    ground = cockpit.ground
    ground.settings()
    ground.status(0.0, "Disarmed")
    cockpit.refresh(0.0)
    cockpit.arm()
    cockpit.refresh(0.5)
    qtbot.mouseClick(cockpit.button("Cancel"), Qt.MouseButton.LeftButton)
    cockpit.wait_for(Sticks())
    cockpit.refresh(0.6)
    assert cockpit.button("Hold to arm").isVisible()


@pytest.mark.slow
def test_who_looks_away_while_it_is_asked_to_arm_does_not_arm_on_coming_back(
    cockpit: Cockpit, qtbot: QtBot
) -> None:
    told: list[str] = []
    cockpit.context.show_message = told.append
    ground = cockpit.ground
    ground.settings()
    ground.status(0.0, "Disarmed")
    cockpit.refresh(0.0)
    takeoff = POSITIONS.index("AutoTakeoff")
    cockpit.hold_and_wait_for_the_edge("Arm and take off", "AutoTakeoff", takeoff)
    ground.status(5.0, "Armed", "AutoTakeoff")  # nothing was refreshed meanwhile
    cockpit.refresh(5.0)
    cockpit.wait_for(Sticks())
    assert told == [OUT_OF_SIGHT]


def test_autotakeoff_can_be_staged_where_no_position_selects_it(
    cockpit: Cockpit, qtbot: QtBot
) -> None:
    ground = cockpit.ground
    ground.settings(
        positions=("Stabilized1", "Stabilized1", "PositionHold", "Land", "Land", "Manual")
    )
    ground.status(0.0, "Disarmed")
    cockpit.refresh(0.0)
    qtbot.mouseClick(cockpit.button("Stage AutoTakeoff for position 5"), Qt.MouseButton.LeftButton)
    said = [label.text() for label in cockpit.panel.findChildren(QLabel)]
    assert any("No position of the flight mode switch selects AutoTakeoff" in s for s in said)
    (edit,) = configuration_of(ground.vehicle).staged()
    assert edit.after == {"FlightModePosition.4": "AutoTakeoff"}
    cockpit.refresh(0.1)
    assert not [b for b in cockpit.panel.findChildren(QPushButton) if "Stage" in b.text()]


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"Arming": "Always Armed"}, "Always Armed"),
        ({"Arming": "Always Disarmed"}, "never to arm"),
        ({"FlightModePosition": ["Stabilized1"] * 6, "Arming": "Accessory 0"}, "AutoTakeoff"),
    ],
)
def test_take_off_is_refused_where_it_cannot_work(
    cockpit: Cockpit, settings: dict[str, object], reason: str
) -> None:
    ground = cockpit.ground
    ground.settings()
    ground.say(0.0, "FlightModeSettings", {"FlightModePosition": list(POSITIONS), **settings})
    ground.status(0.0, "Disarmed")
    cockpit.refresh(0.0)
    button = cockpit.button("Arm and take off")
    assert not button.isEnabled()
    assert reason in button.toolTip()


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


def fly_by_keyboard(cockpit: Cockpit) -> QLineEdit:
    """Flying by hand with the focus in a field elsewhere in the window."""
    cockpit.ground.settings()
    cockpit.panel.restore_state({"source": "keyboard"})
    cockpit.ground.status(0.0, "Armed", "PositionHold", thrust=0.5)
    cockpit.refresh(0.0)
    cockpit.button("Fly by hand").click()
    field = QLineEdit()
    cockpit.qtbot.addWidget(field)
    field.show()
    field.setFocus()
    return field


def last_sticks(cockpit: Cockpit) -> Sticks:
    return next((s for s in reversed(cockpit.ground.commands.sticks) if s), Sticks())


def shown_words(cockpit: Cockpit) -> list[str]:
    return [label.text() for label in cockpit.panel.findChildren(QLabel) if label.isVisible()]


def test_the_keyboard_holds_its_keys_in_the_whole_window(cockpit: Cockpit, qtbot: QtBot) -> None:
    field = fly_by_keyboard(cockpit)
    assert "Keyboard flies, Esc releases." in shown_words(cockpit)
    QTest.keyPress(field, Qt.Key.Key_D)
    qtbot.waitUntil(lambda: last_sticks(cockpit).yaw > 0.1)
    assert field.text() == ""
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert "Keyboard flies, Esc releases." not in shown_words(cockpit)
    qtbot.waitUntil(lambda: is_released(cockpit))  # the aircraft's failsafe acts
    QTest.keyClick(field, Qt.Key.Key_D)
    assert field.text() == "d"


def is_released(cockpit: Cockpit) -> bool:
    return cockpit.ground.commands.sticks[-1] is None


def focus_elsewhere() -> None:
    """As when another program's window is clicked on."""
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    application.focusWindowChanged.emit(None)


@pytest.mark.slow
def test_without_the_focus_the_keyboard_flies_no_more_until_it_is_asked_to(
    cockpit: Cockpit, qtbot: QtBot
) -> None:
    fly_by_keyboard(cockpit)
    qtbot.waitUntil(lambda: bool(cockpit.ground.commands.sticks) and not is_released(cockpit))
    focus_elsewhere()
    qtbot.waitUntil(lambda: is_released(cockpit))
    cockpit.refresh(0.1)
    assert any(words.startswith(LOST_FOCUS) for words in shown_words(cockpit))
    cockpit.panel.activateWindow()
    cockpit.refresh(0.2)
    assert is_released(cockpit)
    cockpit.button("Fly by hand").click()
    qtbot.waitUntil(lambda: not is_released(cockpit))


@pytest.mark.slow
def test_without_the_focus_what_is_guided_goes_on(cockpit: Cockpit, qtbot: QtBot) -> None:
    """The negative control: nobody moves a stick in PositionHold."""
    fly_by_keyboard(cockpit)
    cockpit.button("Hold").click()
    focus_elsewhere()
    qtbot.wait(2 * GRACE_MS)
    held = Sticks(throttle=0.5, flight_mode_position=POSITIONS.index("PositionHold"), arm=True)
    cockpit.wait_for(held)


@pytest.mark.slow
def test_let_go_ends_flying_by_hand_whatever_flies(cockpit: Cockpit, qtbot: QtBot) -> None:
    ground = cockpit.ground
    ground.settings()
    ground.status(0.0, "Armed", "PositionHold", thrust=0.5)
    cockpit.refresh(0.0)
    assert not cockpit.button(LET_GO).isVisible()
    cockpit.button("Fly by hand").click()
    cockpit.refresh(0.1)
    qtbot.waitUntil(lambda: bool(ground.commands.sticks) and not is_released(cockpit))
    cockpit.button(LET_GO).click()
    qtbot.waitUntil(lambda: is_released(cockpit))
    cockpit.refresh(0.2)
    assert not cockpit.button(LET_GO).isVisible()


@pytest.mark.slow
def test_controls_that_go_out_of_sight_let_go(cockpit: Cockpit, qtbot: QtBot) -> None:
    fly_by_keyboard(cockpit)
    qtbot.waitUntil(lambda: bool(cockpit.ground.commands.sticks) and not is_released(cockpit))
    cockpit.panel.hide()
    assert is_released(cockpit)


@pytest.mark.parametrize("end", ["Hold", "hide", "source"])
def test_the_keys_are_given_back_when_the_keyboard_flies_no_more(
    cockpit: Cockpit, end: str
) -> None:
    field = fly_by_keyboard(cockpit)
    if end == "hide":
        cockpit.panel.hide()
    elif end == "source":
        cockpit.panel.restore_state({"source": "screen"})
    else:
        cockpit.button(end).click()
        cockpit.refresh(0.1)
    QTest.keyClick(field, Qt.Key.Key_W)
    assert field.text() == "w"


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
    assert any(words.startswith("Emergency stop:") for words in shown_words(cockpit))


@pytest.mark.slow
def test_a_flying_key_is_let_go_whatever_modifier_came(cockpit: Cockpit, qtbot: QtBot) -> None:
    ground = cockpit.ground
    ground.settings()
    cockpit.panel.restore_state({"source": "keyboard"})
    ground.status(0.0, "Armed", "PositionHold", thrust=0.5)
    cockpit.refresh(0.0)
    qtbot.mouseClick(cockpit.button("Fly by hand"), Qt.MouseButton.LeftButton)
    QTest.keyPress(cockpit.panel, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: (ground.commands.sticks[-1:] or [None])[0] is not None)
    shift = Qt.KeyboardModifier.ShiftModifier
    QTest.keyRelease(cockpit.panel, Qt.Key.Key_Right, shift)
    qtbot.waitUntil(lambda: (ground.commands.sticks[-1] or Sticks(roll=1)).roll == 0)


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


@pytest.mark.slow
def test_flying_by_hand_prefers_a_mode_that_holds_the_height(
    cockpit: Cockpit, qtbot: QtBot
) -> None:
    ground = cockpit.ground
    ground.settings()
    vario = {
        "FlightModePosition": list(POSITIONS),
        "Arming": "Accessory 0",
        "Stabilization2Settings.Thrust": "AltitudeVario",
    }
    ground.say(0.0, "FlightModeSettings", vario)
    ground.status(0.0, "Disarmed")
    cockpit.refresh(0.0)
    cockpit.arm()
    ground.status(1.0, "Armed", "PositionHold", thrust=0.4)
    cockpit.refresh(1.0)
    qtbot.mouseClick(cockpit.button("Fly by hand"), Qt.MouseButton.LeftButton)
    position = POSITIONS.index("Stabilized2")
    cockpit.wait_for(Sticks(throttle=0.5, flight_mode_position=position, arm=True))


def test_on_screen_sticks_without_room_cannot_be_flown(cockpit: Cockpit) -> None:
    ground = cockpit.ground
    ground.settings()
    ground.status(0.0, "Armed", "PositionHold", thrust=0.5)
    cockpit.panel.resize(540, 130)
    cockpit.refresh(0.0)
    assert not cockpit.button("Fly by hand").isEnabled()
    cockpit.panel.restore_state({"source": "keyboard"})
    cockpit.refresh(0.1)
    assert cockpit.button("Fly by hand").isEnabled()


@pytest.mark.slow
def test_flying_by_keyboard(cockpit: Cockpit, qtbot: QtBot) -> None:
    ground = cockpit.ground
    ground.settings()
    ground.status(0.0, "Disarmed")
    cockpit.panel.restore_state({"source": "keyboard"})
    cockpit.refresh(0.0)
    cockpit.arm()
    ground.status(1.0, "Armed", "PositionHold", thrust=0.25)
    cockpit.refresh(1.0)
    qtbot.mouseClick(cockpit.button("Fly by hand"), Qt.MouseButton.LeftButton)
    cockpit.wait_for(Sticks(throttle=0.25, arm=True))  # takes over without a jump
    QTest.keyPress(cockpit.panel, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: (ground.commands.sticks[-1] or Sticks()).roll > 0.2)
    QTest.keyRelease(cockpit.panel, Qt.Key.Key_Right)
    cockpit.wait_for(Sticks(throttle=0.25, arm=True))


class WreckedLink(MemoryLink):
    """A simulated aircraft that has crashed until it is started anew."""

    def __init__(self) -> None:
        super().__init__("sim:quad", SimpleQueue(), SimpleQueue())
        self.is_wreck = True

    def has_crashed(self) -> bool:
        return self.is_wreck

    def start_anew(self) -> None:
        self.is_wreck = False


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


def test_the_mode_of_the_on_screen_sticks_is_kept(cockpit: Cockpit) -> None:
    cockpit.ground.settings()
    cockpit.panel.restore_state({"source": "screen", "mode": 1})
    cockpit.refresh(0.0)
    assert cockpit.panel.save_state() == {"source": "screen", "mode": 1}
    left = cockpit.panel.findChildren(StickView)[0]
    assert left.accessibleName() == "Stick: Yaw and Pitch"
    for odd in (9, "two", None):
        cockpit.panel.restore_state({"source": "screen", "mode": odd})
    assert cockpit.panel.save_state()["mode"] == 1
