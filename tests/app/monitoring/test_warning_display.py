"""What warnings do besides speaking: banner, mute button, events and markers of the flight."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtWidgets import QMenu, QToolButton
from pytestqt.qtbot import QtBot

from app.monitoring.warning_display import WarningDisplay, make_speaker
from app.window.toolbar import Toolbar
from plugins.testing import add
from telemetry.base.finding import Level
from telemetry.base.statement import Statement
from telemetry.review.flights.flight import flight_of
from telemetry.warnings.rule import WarningOutput
from tests.telemetry.warnings.test_centre import WatchedStation, arm, quad
from widgets.theme import load_theme


class ToldStation:
    """An aircraft that is armed; `outputs` are those of the rule that tells it."""

    def __init__(self, qtbot: QtBot, *outputs: WarningOutput) -> None:
        self.vehicle = quad("tcp:10.0.0.1/9000")
        self.station = WatchedStation(self.vehicle)
        book = self.station.centre.book
        rule = next(rule for rule in book.rules if rule.id == "arming")
        book.put(replace(rule, outputs=outputs))
        self.banners: list[tuple[str, Level]] = []
        self.toolbar = Toolbar(load_theme("light"), QMenu())
        qtbot.addWidget(self.toolbar)
        window: Any = SimpleNamespace(toolbar=self.toolbar, show_banner=self._show)
        self.telling = WarningDisplay(self.station.centre, self.station.fleet, window)
        self.poll()
        arm(self.vehicle, 1.5)
        self.poll()

    def poll(self) -> None:
        self.station.now += 1.0
        self.telling.poll()

    def _show(self, text: str, level: Level) -> None:
        self.banners.append((text, level))

    def mute_button(self) -> QToolButton:
        (button,) = [
            b for b in self.toolbar.findChildren(QToolButton) if "Mute" in b.toolTip().title()
        ]
        return button


def test_each_output_is_carried_out_and_no_other(qtbot: QtBot) -> None:
    told = ToldStation(qtbot, WarningOutput.EVENT, WarningOutput.BANNER)
    events = [e for e in told.vehicle.recording.events() if e.kind == "warning"]
    assert [(event.t, event.text) for event in events] == [(1.5, "Armed")]
    assert told.banners == [("Armed", Level.INFO)]
    assert flight_of(told.vehicle).markers == ()
    assert told.station.speaker.said == []


def test_a_marker_is_kept_with_the_flight(qtbot: QtBot) -> None:
    told = ToldStation(qtbot, WarningOutput.MARKER)
    (marker,) = flight_of(told.vehicle).markers
    assert (marker.t, marker.text, marker.category) == (1.5, "Armed", "warning")
    assert told.banners == []


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


@pytest.mark.parametrize(
    ("level", "card"), [(Level.ERROR, "danger"), (Level.WARNING, "caution"), (Level.OK, "")]
)
def test_a_banner_has_the_ground_of_its_level_and_moves_nothing(
    qtbot: QtBot, level: Level, card: str
) -> None:
    told = ToldStation(qtbot)
    told.toolbar.resize(1366, 40)
    told.toolbar.show()
    before = [button.geometry() for button in told.toolbar.findChildren(QToolButton)]
    told.toolbar.tell(Statement("Battery critical, 9.6 V " * 20, level=level))
    (label,) = [w for w in told.toolbar.children() if w.property("card") is not None] or [None]
    assert (label.property("card") if label is not None else "") == card
    assert [button.geometry() for button in told.toolbar.findChildren(QToolButton)] == before


def test_without_a_screen_nothing_is_heard(qapp: object) -> None:
    speaker = make_speaker()
    speaker.close()
    assert speaker.voice_name == ""


def test_a_warning_of_an_aircraft_that_is_gone_harms_nothing(qtbot: QtBot) -> None:
    told = ToldStation(qtbot, WarningOutput.EVENT)
    told.station.fleet.remove(told.vehicle)
    add(told.vehicle.recording, 3.0, "FlightStatus", Armed="Disarmed")
    told.poll()
