"""Flying by hand from the pilot's panel: keys, sticks, the focus, and letting go."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from plugins.pilot.let_go import LET_GO
from plugins.pilot.panel_flight import KEYBOARD_FLIES, KEYS_HELD
from plugins.pilot.window_attention import GRACE_MS
from telemetry.flying.controls import FlightControls, controls_of
from telemetry.flying.inputs.device_input import DeviceInput
from telemetry.flying.transmitter.release import LOST_FOCUS, RELEASED
from telemetry.vehicle.sticks import Sticks
from tests.plugins.pilot.panel_cockpit import Cockpit
from tests.telemetry.flying.fakes import POSITIONS
from widgets.fitted_text import FittedText
from widgets.stick_view import StickView


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


def is_released(cockpit: Cockpit) -> bool:
    return cockpit.ground.commands.sticks[-1] is None


def focus_elsewhere() -> None:
    """As when another program's window is clicked on."""
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    application.focusWindowChanged.emit(None)


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


def test_the_keyboard_is_not_said_to_fly_while_nothing_goes_out(cockpit: Cockpit) -> None:
    fly_by_keyboard(cockpit)
    assert KEYBOARD_FLIES in shown_words(cockpit)
    controls_of(cockpit.ground.vehicle).release(RELEASED)
    cockpit.refresh(0.1)
    assert any("sent" in words for words in shown_words(cockpit)), "neutral ones, or none"
    assert KEYBOARD_FLIES not in shown_words(cockpit)
    assert KEYS_HELD in shown_words(cockpit), "the window has not got them back"


def test_the_keyboard_is_not_said_to_fly_an_aircraft_that_does_not_listen(
    cockpit: Cockpit,
) -> None:
    fly_by_keyboard(cockpit)
    cockpit.ground.commands.why_not = "Not sent: link lost."
    cockpit.refresh(0.1)
    assert KEYBOARD_FLIES not in shown_words(cockpit)


@pytest.mark.slow
def test_without_the_focus_the_keyboard_flies_no_more_until_it_is_asked_to(
    cockpit: Cockpit, qtbot: QtBot
) -> None:
    fly_by_keyboard(cockpit)
    qtbot.waitUntil(lambda: bool(cockpit.ground.commands.sticks) and not is_released(cockpit))
    focus_elsewhere()
    qtbot.waitUntil(lambda: is_released(cockpit))
    cockpit.refresh(0.1)
    assert any(LOST_FOCUS in words for words in shown_words(cockpit))
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
    qtbot.waitUntil(lambda: is_released(cockpit))


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
    cockpit.panel.restore_state({"source": "screen"})
    cockpit.panel.resize(540, 130)
    cockpit.refresh(0.0)
    assert not cockpit.button("Fly by hand").isEnabled()
    cockpit.panel.restore_state({"source": "keyboard"})
    cockpit.refresh(0.1)
    assert cockpit.button("Fly by hand").isEnabled()


def test_on_screen_sticks_have_room_for_who_flies_by_them_as_before(cockpit: Cockpit) -> None:
    """What is offered beside them takes none of it; in the Fly workspace at 1366 x 768 a message
    leaves 12.4 lines of text."""
    cockpit.ground.settings()
    cockpit.ground.status(0.0, "Armed", "PositionHold", thrust=0.5)
    cockpit.panel.resize(540, round(10.4 * cockpit.panel.fontMetrics().height()))
    cockpit.refresh(0.0)
    sticks = cockpit.panel.findChildren(StickView)
    assert all(stick.isVisible() for stick in sticks)
    cockpit.button("Fly by hand").click()
    cockpit.refresh(0.1)
    assert cockpit.button(LET_GO).isVisible()
    assert all(stick.isVisible() for stick in sticks)
    cockpit.panel.resize(540, 130)
    assert not any(stick.isVisible() for stick in sticks)


BY_HAND = [mode if mode.startswith("Stabilized") else "Stabilized1" for mode in POSITIONS]


@pytest.mark.parametrize("lands", [True, False])
def test_who_cannot_have_it_land_is_told_how_it_ends(cockpit: Cockpit, lands: bool) -> None:
    """Without a position, indoors, no mode lands it, and a mode that holds the height keeps thrust
    on the ground (AltitudeHoldSettings.ThrustLimits), by which it counts as flying."""
    cockpit.ground.settings(positions=POSITIONS if lands else tuple(BY_HAND))
    cockpit.ground.status(0.0, "Armed", "Stabilized2", thrust=0.2)
    cockpit.refresh(0.0)
    told = " ".join(label.text() for label in cockpit.panel.findChildren(FittedText))
    assert ("Land when done" in told) is lands
    assert ("hold Emergency stop" in told) is not lands


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


@pytest.mark.slow
def test_a_window_that_is_put_away_is_no_sign_of_life(cockpit: Cockpit, qtbot: QtBot) -> None:
    """Arming and behaviours end then, as nobody looks."""
    cockpit.ground.settings()
    cockpit.refresh(0.0)
    controls = controls_of(cockpit.ground.vehicle)
    qtbot.waitUntil(lambda: controls.is_watched)
    cockpit.panel.showMinimized()

    def is_unwatched() -> bool:
        cockpit.refresh(0.0)  # the station's tick goes on
        return not controls.is_watched

    qtbot.waitUntil(is_unwatched)


class LevelBehaviour:
    """Holds the sticks in the middle."""

    name = "level"

    def read(self, now_s: float) -> DeviceInput:
        return DeviceInput(Sticks(throttle=0.5), self.name, now_s)

    def close(self) -> None:
        pass


def behave(cockpit: Cockpit, source: str) -> FlightControls:
    """A behaviour flies, begun from a mode that flies by itself, and the panel has seen it."""
    cockpit.ground.settings()
    cockpit.panel.restore_state({"source": source})
    cockpit.ground.status(0.0, "Armed", "PositionHold", thrust=0.5)
    cockpit.refresh(0.0)
    controls = controls_of(cockpit.ground.vehicle)
    controls.act("Fly by hand", controls.situation_at(0.0)[1])
    controls.begin_behaviour(LevelBehaviour())
    cockpit.qtbot.waitUntil(lambda: controls.state.device == "level")
    cockpit.refresh(0.1)
    assert any("Input: level" in words for words in shown_words(cockpit))
    return controls


def test_an_on_screen_stick_takes_over_from_a_behaviour(cockpit: Cockpit, qtbot: QtBot) -> None:
    controls = behave(cockpit, "screen")
    stick = next(s for s in cockpit.panel.findChildren(StickView) if "Roll" in s.accessibleName())
    middle = stick.rect().center()
    qtbot.mousePress(stick, Qt.MouseButton.LeftButton, pos=middle)
    qtbot.mouseMove(stick, middle + QPoint(20, 0))
    qtbot.waitUntil(lambda: last_sticks(cockpit).roll > 0.1)
    qtbot.mouseRelease(stick, Qt.MouseButton.LeftButton)
    assert not controls.is_behaving
    assert controls.state.stopped == ""


def test_a_key_takes_over_from_a_behaviour(cockpit: Cockpit, qtbot: QtBot) -> None:
    controls = behave(cockpit, "keyboard")
    assert "Keyboard flies, Esc releases." not in shown_words(cockpit), "not yet"
    QTest.keyPress(cockpit.panel, Qt.Key.Key_D)
    qtbot.waitUntil(lambda: last_sticks(cockpit).yaw > 0.1)
    assert not controls.is_behaving
    cockpit.refresh(0.2)
    assert "Keyboard flies, Esc releases." in shown_words(cockpit)
    QTest.keyRelease(cockpit.panel, Qt.Key.Key_D)


def test_an_input_that_is_chosen_while_a_behaviour_flies_waits_for_its_end(
    cockpit: Cockpit,
) -> None:
    controls = behave(cockpit, "screen")
    cockpit.panel.restore_state({"source": "keyboard"})
    cockpit.refresh(0.2)
    assert controls.is_behaving, "choosing is no touch"
    assert controls.request.source == "gamepad"
    controls.end_behaviour()
    assert controls.request.source == "keyboard"
