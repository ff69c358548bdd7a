"""The strip names the worst thing, keeps its fields in place and explains on demand."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from telemetry.base.finding import Finding, Level
from telemetry.recording.alarm_texts import alarm_text
from telemetry.recording.alarms import Alarm
from telemetry.recording.flight_state import FlightState
from telemetry.vehicle.vehicle import LinkState, LinkStatus
from widgets.alarm_explanation import AlarmExplanation
from widgets.alarm_items import alarm_items
from widgets.alarm_strip import AlarmStrip
from widgets.theme import load_theme

FLIGHT = FlightState(
    t=0.0,
    armed="Armed",
    flight_mode="Stabilized1",
    armed_s=192.4,
    gps_fix="Fix3D",
    gps_satellites=9,
    battery_v=9.9,
    battery_percent=9.0,
)
CONNECTED = LinkStatus(state=LinkState.CONNECTED, quality_percent=98)


def alarm(name: str, severity: str, rank: int = 2) -> Alarm:
    text = alarm_text(name)
    return Alarm(name, severity, rank, text.meaning, text.remedy)


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    window = QWidget()
    qtbot.addWidget(window)
    layout = QVBoxLayout(window)
    layout.setContentsMargins(0, 0, 0, 0)
    strip = AlarmStrip(load_theme("dark"))
    layout.addWidget(strip)
    layout.addStretch(1)
    window.resize(1024, 640)
    window.show()
    return window


@pytest.fixture
def strip(window: QWidget) -> AlarmStrip:
    found = window.findChild(AlarmStrip)
    assert isinstance(found, AlarmStrip)
    return found


def test_the_worst_is_named_first_and_the_rest_counted(strip: AlarmStrip) -> None:
    alarms = (alarm("GPS", "Critical", 3), alarm("Battery", "Warning"))
    strip.show_state(FLIGHT, CONNECTED, alarms)
    assert strip.worst_text() == "GPS: critical  +1"
    strip.show_state(FLIGHT, replace(CONNECTED, state=LinkState.LOST), alarms)
    assert strip.worst_text() == "Link lost  +2"


def test_a_flight_that_is_not_recorded_says_so() -> None:
    status = replace(CONNECTED, recording_error="No space left on the disk.")
    (item,) = alarm_items(status, ())
    assert (item.title, item.level) == ("Not recorded", Level.ERROR)
    assert "No space left on the disk." in item.meaning
    assert alarm_items(CONNECTED, ()) == ()


def test_no_report_is_not_taken_for_no_alarms(strip: AlarmStrip) -> None:
    strip.show_state(FLIGHT, CONNECTED, None)
    assert strip.accessibleName() == "Alarms: No alarms received yet"
    strip.show_state(FLIGHT, CONNECTED, ())
    assert strip.accessibleName() == "Alarms: No alarms"


def test_replay_never_says_that_the_link_is_lost() -> None:
    assert alarm_items(LinkStatus(state=LinkState.REPLAY), ()) == ()


def test_the_height_never_changes_and_another_digit_moves_nothing(strip: AlarmStrip) -> None:
    strip.show_state(FLIGHT, CONNECTED, ())
    height = strip.height()
    mode_field = QRect(110, 0, 100, height)
    before = strip.grab(mode_field).toImage()
    more = replace(FLIGHT, battery_v=16.8, battery_percent=100.0, gps_satellites=24)
    strip.show_state(more, replace(CONNECTED, quality_percent=100), (alarm("GPS", "Critical"),))
    assert strip.height() == height == 36
    assert strip.grab(mode_field).toImage() == before


def explanation(window: QWidget) -> AlarmExplanation:
    found = window.findChild(AlarmExplanation)
    assert isinstance(found, AlarmExplanation)
    return found


def test_a_click_explains_in_place_and_esc_closes(
    qtbot: QtBot, window: QWidget, strip: AlarmStrip
) -> None:
    strip.show_state(FLIGHT, CONNECTED, (alarm("GPS", "Critical"),))
    qtbot.mouseClick(strip, Qt.MouseButton.LeftButton)
    popup = explanation(window)
    assert strip.is_explained
    assert not popup.isWindow()
    words = " ".join(label.text() for label in popup.findChildren(QLabel))
    assert alarm_text("GPS").meaning in words
    assert alarm_text("GPS").remedy in words
    assert popup.y() >= strip.height()
    qtbot.keyClick(popup, Qt.Key.Key_Escape)
    assert not strip.is_explained


def test_it_opens_by_keyboard_and_follows_new_alarms(
    qtbot: QtBot, window: QWidget, strip: AlarmStrip
) -> None:
    strip.show_state(FLIGHT, CONNECTED, None)
    qtbot.keyClick(strip, Qt.Key.Key_Return)
    popup = explanation(window)
    assert any(label.text() == "Nothing is known" for label in popup.findChildren(QLabel))
    strip.show_state(FLIGHT, CONNECTED, ())
    assert any(label.text() == "Nothing is wrong" for label in popup.findChildren(QLabel))
    strip.show_state(FLIGHT, CONNECTED, (alarm("Battery", "Warning"),))
    assert any(label.text() == "Battery: warning" for label in popup.findChildren(QLabel))


@pytest.mark.parametrize("name", ["light", "sunlight"])
def test_it_changes_theme_live(strip: AlarmStrip, name: str) -> None:
    strip.show_state(FLIGHT, CONNECTED, (alarm("Battery", "Warning"),))
    strip.toggle_explanation()
    strip.apply_theme(load_theme(name))
    theme = load_theme(name)
    assert strip.grab().toImage().pixelColor(2, 2) == theme.color("surface")


def test_a_computer_that_does_not_keep_up_is_named_after_the_aircraft_s_errors(
    strip: AlarmStrip,
) -> None:
    strip.show_overload(True)
    strip.show_state(FLIGHT, CONNECTED, (alarm("Battery", "Critical", 3),))
    assert strip.worst_text() == "Battery: critical  +1"
    strip.show_state(FLIGHT, CONNECTED, ())
    assert strip.worst_text() == "Computer too slow"
    strip.show_overload(False)
    strip.show_state(FLIGHT, CONNECTED, ())
    assert strip.worst_text() == ""


def test_says_whether_it_is_ready_while_it_is_disarmed(strip: AlarmStrip) -> None:
    """In the place of the time, which says nothing then; an alarm stays the headline."""
    ground = replace(FLIGHT, armed="Disarmed", armed_s=None)
    strip.show_ready(False, "Not ready: GPS")
    strip.show_state(ground, CONNECTED, ())
    assert "Not ready" in strip.field_texts
    assert strip.headline() == "Not ready: GPS"
    strip.show_state(ground, CONNECTED, (alarm("Battery", "Warning"),))
    assert strip.headline().startswith("Battery")
    strip.show_ready(True)
    strip.show_state(ground, CONNECTED, ())
    assert "Ready" in strip.field_texts
    assert strip.headline() == "No alarms"


def test_in_flight_and_of_a_lost_link_it_says_nothing_of_being_ready(strip: AlarmStrip) -> None:
    strip.show_ready(True)
    strip.show_state(FLIGHT, CONNECTED, ())
    assert "Ready" not in strip.field_texts
    assert "00:03:12" in strip.field_texts
    strip.show_state(replace(FLIGHT, armed="Disarmed"), LinkStatus(LinkState.LOST), ())
    assert "Ready" not in strip.field_texts


def test_a_condition_is_named_once_whoever_tells_of_it(strip: AlarmStrip) -> None:
    low = Finding(Level.WARNING, "battery", "Battery low, 9.9 V", title="Battery low")
    high = Finding(Level.WARNING, "", "Height 121 m", title="Too high")
    strip.show_conditions([low, high])
    strip.show_state(FLIGHT, CONNECTED, ())
    assert [item.title for item in strip.items] == ["Battery low", "Too high"]
    strip.show_state(FLIGHT, CONNECTED, (alarm("Battery", "Warning"),))
    assert [item.title for item in strip.items] == ["Battery", "Too high"]
    strip.show_conditions([low, replace(low, level=Level.ERROR, title="Battery critical")])
    strip.show_state(FLIGHT, CONNECTED, ())
    assert [item.title for item in strip.items] == ["Battery critical"], "the worst of one subject"


@pytest.mark.parametrize("level", [Level.UNKNOWN, Level.INFO, Level.WARNING, Level.ERROR])
def test_a_notice_of_any_level_is_painted(strip: AlarmStrip, level: Level) -> None:
    strip.show_notices([Finding(level, "note", "What is so.", title="A notice")])
    strip.show_state(FLIGHT, CONNECTED, ())
    assert strip.worst_text().startswith("A notice")
    strip.grab()
