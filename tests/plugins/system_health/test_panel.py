"""System health explains every alarm, lists what happened, and gives the link in figures."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import get_args

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from plugins.api import VehicleContext, resolve
from plugins.system_health import PLUGIN
from plugins.system_health.explanation import ExplanationCard
from plugins.system_health.history import EventHistory, show_time
from plugins.system_health.link_figures import figures
from plugins.system_health.panel import SystemHealthPanel
from plugins.system_health.tiles import AlarmTile, AlarmTiles
from telemetry.base.finding import Level
from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue
from telemetry.protocol.objects.values import pack_values
from telemetry.recording.alarm_texts import alarm_text
from telemetry.recording.events import Event, Kind
from telemetry.recording.logs.reader import read_log
from telemetry.recording.recording import Recording
from telemetry.vehicle.vehicle import Fleet, LinkState, LinkStatus, Vehicle
from widgets.theme import hand_theme, load_theme


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


@pytest.fixture
def vehicle(catalogue: Catalogue) -> Vehicle:
    recording = Recording()
    definition = catalogue.find("SystemAlarms")
    for t, gps in ((1.0, "OK"), (2.5, "Critical"), (4.0, "OK")):
        values = {"Alarm.GPS": gps, "Alarm.Attitude": "OK"}
        recording.append(t, definition, 0, pack_values(definition, values))
    vehicle = Vehicle("test", recording, catalogue, commands=None)  # type: ignore[arg-type]
    vehicle.status = LinkStatus(state=LinkState.REPLAY)
    vehicle.timeline.end_live()
    vehicle.timeline.advance(0.0, 1.0, 4.0)
    return vehicle


@pytest.fixture
def fleet() -> Fleet:
    return Fleet()


@pytest.fixture
def panel(qtbot: QtBot, fleet: Fleet) -> SystemHealthPanel:
    with ThreadPoolExecutor(1) as jobs:
        panel = SystemHealthPanel(VehicleContext(fleet, load_theme("light"), jobs))
    qtbot.addWidget(panel)
    hand_theme(panel, load_theme("dark"))
    panel.resize(900, 500)
    panel.show()
    return panel


def tile(panel: SystemHealthPanel, name: str) -> AlarmTile:
    tiles = panel.findChild(AlarmTiles)
    assert isinstance(tiles, AlarmTiles)
    return tiles.tile(name)


def explained(panel: SystemHealthPanel) -> str:
    card = panel.findChild(ExplanationCard)
    assert isinstance(card, ExplanationCard)
    return card.words.text()


def history(panel: SystemHealthPanel) -> EventHistory:
    found = panel.findChild(EventHistory)
    assert isinstance(found, EventHistory)
    return found


def test_the_plugin_names_the_panel_class() -> None:
    assert resolve(PLUGIN.panels[0].widget) is SystemHealthPanel


def test_without_alarms_it_says_what_to_do_next(
    panel: SystemHealthPanel, fleet: Fleet, vehicle: Vehicle
) -> None:
    fleet.add(vehicle)
    panel.refresh(0.5)
    assert panel.empty_text().startswith("No alarms received yet")
    assert "Nothing is known of the alarms" in explained(panel)
    panel.refresh(1.5)
    assert panel.empty_text() == ""
    assert "No alarm is active" in explained(panel)


def test_alarms_that_no_module_has_set_are_not_called_fine(
    panel: SystemHealthPanel, fleet: Fleet, vehicle: Vehicle, catalogue: Catalogue
) -> None:
    recording = Recording()
    recording.append(
        0.0, catalogue.find("SystemAlarms"), 0, bytes(catalogue.find("SystemAlarms").size)
    )
    vehicle.recording = recording
    fleet.add(vehicle)
    panel.refresh(0.5)
    assert "Nothing is known of the alarms" in explained(panel)


def test_tiles_of_the_past_say_how_old_they_are(
    panel: SystemHealthPanel, fleet: Fleet, vehicle: Vehicle
) -> None:
    fleet.add(vehicle)
    panel.refresh(5.0)
    assert not any("ago" in label.text() for label in panel.findChildren(QLabel))
    panel.refresh(12.0)
    (age,) = [label for label in panel.findChildren(QLabel) if "ago" in label.text()]
    assert age.text().startswith("As it stood 8\u2009s ago")
    assert age.isVisible()


def test_tiles_follow_the_cursor_back_and_forth(
    panel: SystemHealthPanel, fleet: Fleet, vehicle: Vehicle
) -> None:
    fleet.add(vehicle)
    levels = []
    for t in (2.0, 3.0, 4.5, 3.0):
        panel.refresh(t)
        shown = tile(panel, "GPS").alarm
        levels.append(shown.level if shown else None)
    assert levels == [Level.OK, Level.ERROR, Level.OK, Level.ERROR]


def test_the_worst_alarm_is_explained_unless_a_tile_is_chosen(
    qtbot: QtBot, panel: SystemHealthPanel, fleet: Fleet, vehicle: Vehicle
) -> None:
    fleet.add(vehicle)
    panel.refresh(3.0)
    assert alarm_text("GPS").remedy in explained(panel)
    qtbot.mouseClick(tile(panel, "Attitude"), Qt.MouseButton.LeftButton)
    assert alarm_text("Attitude").remedy in explained(panel)
    qtbot.mouseClick(tile(panel, "Attitude"), Qt.MouseButton.LeftButton)
    tile(panel, "Attitude").left.emit()
    assert alarm_text("GPS").remedy in explained(panel)


def test_arrow_keys_walk_through_the_tiles(
    qtbot: QtBot, panel: SystemHealthPanel, fleet: Fleet, vehicle: Vehicle
) -> None:
    fleet.add(vehicle)
    panel.refresh(2.0)
    walked: list[int] = []
    tile(panel, "Actuator").walked.connect(walked.append)
    qtbot.keyClick(tile(panel, "Actuator"), Qt.Key.Key_Right)
    qtbot.keyClick(tile(panel, "Actuator"), Qt.Key.Key_Up)
    assert walked == [1, -1]


def test_a_click_on_an_event_moves_the_timeline(
    panel: SystemHealthPanel, fleet: Fleet, vehicle: Vehicle
) -> None:
    fleet.add(vehicle)
    panel.refresh(4.0)
    model = history(panel).events
    texts = [model.data(model.index(row, 2)) for row in range(model.rowCount())]
    assert texts == ["GPS: OK", "GPS: Critical"]
    history(panel).clicked.emit(model.index(1, 0))
    assert vehicle.timeline.t == pytest.approx(2.5)
    assert vehicle.timeline.mode == "paused"


def test_events_after_the_cursor_are_muted(qtbot: QtBot) -> None:
    theme = load_theme("dark")
    view = EventHistory(theme)
    qtbot.addWidget(view)
    events = tuple(Event(float(t), "mode", Level.INFO, f"Mode {t}") for t in range(4))
    view.show_events(events, 1.5)
    role = Qt.ItemDataRole.ForegroundRole
    muted = [view.events.data(view.events.index(row, 0), role) for row in range(4)]
    assert muted == [theme.color("muted"), theme.color("muted"), None, None]
    assert [view.events.row_at(t) for t in (-1.0, 0.0, 1.5, 99.0)] == [-1, 3, 2, 0]


def test_every_kind_of_event_has_a_title(qtbot: QtBot) -> None:
    view = EventHistory(load_theme("dark"))
    qtbot.addWidget(view)
    kinds = get_args(Kind)
    view.show_events(tuple(Event(1.0, kind, Level.INFO, "It happened") for kind in kinds), 1.5)
    model = view.events
    titles = {model.data(model.index(row, 1)) for row in range(model.rowCount())}
    assert len(titles) == len(kinds)


def test_in_a_low_panel_the_explanation_is_a_tab(panel: SystemHealthPanel) -> None:
    card = panel.findChild(ExplanationCard)
    assert isinstance(card, ExplanationCard)
    heights = []
    for height in (500, 250, 500):
        panel.resize(900, height)
        heights.append(card.minimumHeight())
    assert heights == [128, 0, 128]


def test_a_low_panel_has_one_line_per_alarm_and_cuts_no_words(
    panel: SystemHealthPanel, fleet: Fleet, vehicle: Vehicle
) -> None:
    fleet.add(vehicle)
    panel.refresh(3.0)
    panel.setMinimumSize(1, 1)  # in a dock; a top window would keep to what its layout wants
    heights = {}
    for height in (500, 110):
        panel.resize(1366, height)
        QApplication.processEvents()
        heights[height] = tile(panel, "GPS").height()
    assert heights == {500: 44, 110: 28}
    assert panel.height() == 110
    words = panel.findChild(ExplanationCard).findChildren(QLabel)[-1]  # type: ignore[union-attr]
    room = words.parentWidget()
    assert room is not None
    assert words.heightForWidth(room.width()) <= room.height()
    titles = [label for label in panel.findChildren(QLabel) if label.text() == "Flight"]
    assert not titles[0].isVisible()


def test_times() -> None:
    assert [show_time(t) for t in (0.04, 192.44, 59.96, 3725.5)] == [
        "00:00.0",
        "03:12.4",
        "01:00.0",
        "1:02:05.5",
    ]


def test_link_figures_point_at_what_is_wrong() -> None:
    status = LinkStatus(
        state=LinkState.LOST,
        reason="Nothing heard for 8 s.",
        rx_bytes_per_s=12_340.0,
        crc_errors=1234,
        recording_error="No space left on the disk.",
    )
    shown = {name: (text, tone) for name, text, tone in figures(status)}
    assert shown["State"] == ("Link lost. Nothing heard for 8 s.", "danger")
    assert shown["Receiving"][0].startswith("12.3\u2009kB/s")
    assert shown["CRC errors"] == ("1\u2009234", "caution")
    assert shown["Recording"] == ("No space left on the disk.", "danger")
    assert {tone for _, _, tone in figures(LinkStatus())} == {""}


def test_the_load_is_a_share_of_the_line_where_that_is_known() -> None:
    status = LinkStatus(rx_bytes_per_s=12_400.0, tx_bytes_per_s=310.0, line_bytes_per_s=15_500.0)
    shown = {name: text for name, text, _ in figures(status)}
    assert shown["Receiving"].startswith("12.4\u2009kB/s (80\u2009% of 15.5\u2009kB/s), ")
    assert shown["Sending"] == "310\u2009B/s (2\u2009% of 15.5\u2009kB/s)"
    unknown = {name: text for name, text, _ in figures(replace(status, line_bytes_per_s=inf))}
    assert unknown["Sending"] == "310\u2009B/s"


@pytest.mark.slow
def test_a_real_flight_fills_it(
    panel: SystemHealthPanel, fleet: Fleet, catalogue: Catalogue, shared_logs: Path
) -> None:
    reading = read_log(shared_logs / "openpilot-14.06-quad-2014-07-17.opl", catalogue)
    vehicle = Vehicle("log", reading.recording, catalogue, commands=None)  # type: ignore[arg-type]
    vehicle.status = LinkStatus(state=LinkState.REPLAY)
    fleet.add(vehicle)
    panel.refresh(183.0)
    assert len(panel.findChildren(AlarmTile)) == 21
    magnetometer = tile(panel, "Magnetometer").alarm
    assert magnetometer is not None
    assert magnetometer.is_active
    assert history(panel).events.rowCount() > 50


def test_a_link_that_goes_bad_is_told_in_its_figures() -> None:
    good = LinkStatus(LinkState.CONNECTED, quality_percent=98)
    assert {tone for _, _, tone in figures(good)} == {""}
    for silent_s, tone_of_age in ((1.0, "caution"), (1.9, "caution"), (2.0, "danger")):
        silent = {name: tone for name, _, tone in figures(replace(good, silent_s=silent_s))}
        assert silent["State"] == tone_of_age
    poor = {name: tone for name, _, tone in figures(replace(good, quality_percent=79))}
    assert poor["Quality"] == "caution"
