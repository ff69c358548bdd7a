"""What warnings do besides speaking: banner, mute button, events and markers of the flight."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
from PySide6.QtWidgets import QMenu, QToolButton
from pytestqt.qtbot import QtBot

from app.messages import Message
from app.monitoring.warning_display import WarningDisplay, make_speaker
from app.window.toolbar import Toolbar
from plugins.testing import add
from telemetry.base.finding import Level
from telemetry.review.flights.flight import flight_of
from telemetry.warnings.rule import WarningOutput
from tests.telemetry.warnings.test_centre import WatchedStation, arm, quad
from widgets.theme import load_theme


class ToldStation:
    """An aircraft that is armed; `outputs` are those of the rule that tells it."""

    def __init__(self, qtbot: QtBot, *outputs: WarningOutput, rule: str = "arming") -> None:
        self.vehicle = quad("tcp:10.0.0.1/9000")
        self.station = WatchedStation(self.vehicle)
        book = self.station.centre.book
        one = next(one for one in book.rules if one.id == rule)
        book.put(replace(one, outputs=outputs or one.outputs))
        self.taken: list[Message] = []
        self.toolbar = Toolbar(load_theme("light"), QMenu())
        qtbot.addWidget(self.toolbar)
        window: Any = SimpleNamespace(toolbar=self.toolbar, take_messages=self.taken.extend)
        self.telling = WarningDisplay(self.station.centre, self.station.fleet, window)
        self.poll()
        arm(self.vehicle, 1.5)
        self.poll()

    def poll(self) -> None:
        self.station.now += 1.0
        self.telling.poll()

    def vehicle_at(self, height_m: float, lasts_s: float) -> None:
        """It stays at a height for so long, and tells so five times a second."""
        recording = self.vehicle.recording
        for t in np.arange(recording.last_s + 0.2, recording.last_s + lasts_s, 0.2):
            add(recording, float(t), "PositionState", Down=-height_m)
            self.poll()

    def mute_button(self) -> QToolButton:
        (button,) = [
            b for b in self.toolbar.findChildren(QToolButton) if "Mute" in b.toolTip().title()
        ]
        return button


def test_each_output_is_carried_out_and_no_other(qtbot: QtBot) -> None:
    told = ToldStation(qtbot, WarningOutput.EVENT, WarningOutput.BANNER)
    events = [e for e in told.vehicle.recording.events() if e.kind == "warning"]
    assert [(event.t, event.text) for event in events] == [(1.5, "Armed")]
    assert [(m.text, m.level, m.lasts) for m in told.taken] == [("Armed", Level.INFO, False)]
    assert flight_of(told.vehicle).markers == ()
    assert told.station.speaker.said == []


def test_a_marker_is_kept_with_the_flight(qtbot: QtBot) -> None:
    told = ToldStation(qtbot, WarningOutput.MARKER)
    (marker,) = flight_of(told.vehicle).markers
    assert (marker.t, marker.text, marker.category) == (1.5, "Armed", "warning")
    assert told.taken == []


def test_one_click_mutes_and_the_button_says_so(qtbot: QtBot) -> None:
    told = ToldStation(qtbot, WarningOutput.SPEECH)
    button = told.mute_button()
    assert button.toolTip() == "Mute spoken warnings", "never muted at the start"
    button.click()
    assert told.station.centre.is_muted
    assert button.toolTip() == "Warnings are muted: speak again"
    told.station.centre.mute(False)
    told.poll()
    assert button.toolTip() == "Mute spoken warnings", "also where it was done elsewhere"


def test_a_condition_is_one_message_until_it_is_over(qtbot: QtBot) -> None:
    told = ToldStation(qtbot, rule="height-high")
    told.vehicle_at(130.0, 3.0)
    (begin,) = told.taken
    assert (begin.lasts, begin.about, begin.level) == (True, told.vehicle.name, Level.WARNING)
    told.vehicle_at(131.0, 6.0)
    assert told.taken == [begin], "no repeat is due"
    told.vehicle_at(20.0, 4.0)
    (_, over) = told.taken
    assert (over.line, over.is_over, over.text) == (begin.line, True, "")


def test_a_condition_ends_with_what_it_counts_in(qtbot: QtBot) -> None:
    """Disarmed, nobody asks how high it is: no rule says that anything is over."""
    told = ToldStation(qtbot, rule="height-high")
    told.vehicle_at(130.0, 3.0)
    add(
        told.vehicle.recording,
        told.vehicle.recording.last_s + 1.0,
        "FlightStatus",
        Armed="Disarmed",
    )
    told.vehicle_at(130.0, 2.0)
    assert [message.is_over for message in told.taken] == [False, True]


def test_a_repeat_is_no_further_event(qtbot: QtBot) -> None:
    told = ToldStation(qtbot, WarningOutput.BANNER, WarningOutput.EVENT, rule="height-high")
    told.vehicle_at(130.0, 24.0)
    assert len(told.taken) == 2, "repeated after 20 s"
    events = [e for e in told.vehicle.recording.events() if e.kind == "warning"]
    assert len(events) == 1


def test_without_a_screen_nothing_is_heard(qapp: object) -> None:
    speaker = make_speaker()
    speaker.close()
    assert speaker.voice_name == ""


def test_a_warning_of_an_aircraft_that_is_gone_harms_nothing(qtbot: QtBot) -> None:
    told = ToldStation(qtbot, WarningOutput.EVENT)
    told.station.fleet.remove(told.vehicle)
    add(told.vehicle.recording, 3.0, "FlightStatus", Armed="Disarmed")
    told.poll()
