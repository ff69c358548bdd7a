"""The flight display panel reads the vehicle at the cursor and notices silence in a live flight."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from plugins.api import PanelContext, resolve
from plugins.flight_display import PLUGIN
from plugins.flight_display.panel import FlightDisplayPanel, live_fault, measures_airspeed
from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue
from telemetry.protocol.objects.values import pack_values
from telemetry.recording.alarms import all_alarms
from telemetry.recording.logs.reader import read_log
from telemetry.recording.recording import Recording
from telemetry.vehicle.vehicle import Fleet, LinkState, LinkStatus, Vehicle
from widgets.flight_display import FlightDisplay
from widgets.theme import load_theme


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


@pytest.fixture
def fleet() -> Fleet:
    return Fleet()


@pytest.fixture
def panel(qtbot: QtBot, fleet: Fleet) -> FlightDisplayPanel:
    with ThreadPoolExecutor(1) as jobs:
        context = PanelContext(fleet, load_theme("dark"), jobs)
        panel = FlightDisplayPanel(context)
    qtbot.addWidget(panel)
    return panel


def add(fleet: Fleet, catalogue: Catalogue, recording: Recording, state: LinkState) -> Vehicle:
    vehicle = Vehicle("test", recording, catalogue, commands=None)  # type: ignore[arg-type]
    vehicle.status = LinkStatus(state=state)
    if state is LinkState.REPLAY:
        vehicle.timeline.end_live()
    fleet.add(vehicle)
    return vehicle


def fault(panel: FlightDisplayPanel) -> str:
    display = panel.findChild(FlightDisplay)
    assert isinstance(display, FlightDisplay)
    return display.fault


def put(recording: Recording, catalogue: Catalogue, t: float, name: str, **values: object) -> None:
    definition = catalogue.find(name)
    recording.append(t, definition, 0, pack_values(definition, values))


def test_the_plugin_names_the_panel_class() -> None:
    assert resolve(PLUGIN.panels[0].widget) is FlightDisplayPanel


def test_without_an_aircraft_it_says_what_to_do(panel: FlightDisplayPanel) -> None:
    panel.refresh(0.0)
    assert fault(panel) == "No aircraft. Connect one, or open a log."


def test_in_replay_the_attitude_ages_with_the_cursor(
    panel: FlightDisplayPanel, fleet: Fleet, catalogue: Catalogue
) -> None:
    recording = Recording()
    put(recording, catalogue, 1.0, "AttitudeState", Roll=10.0)
    put(recording, catalogue, 9.0, "AccelState", y=0.1)
    add(fleet, catalogue, recording, LinkState.REPLAY)
    panel.refresh(0.5)
    assert fault(panel) == "No attitude received yet"
    panel.refresh(1.5)
    assert fault(panel) == ""
    panel.refresh(8.0)
    assert fault(panel) == "Attitude is 7 s old"


def test_the_boards_own_doubt_crosses_the_attitude_out(
    panel: FlightDisplayPanel, fleet: Fleet, catalogue: Catalogue
) -> None:
    recording = Recording()
    put(recording, catalogue, 1.0, "AttitudeState", Roll=10.0)
    definition = catalogue.find("SystemAlarms")
    payload = pack_values(definition, {"Alarm.Attitude": "Error"})
    recording.append(1.1, definition, 0, payload)
    add(fleet, catalogue, recording, LinkState.REPLAY)
    panel.refresh(1.2)
    assert fault(panel) == "Attitude not valid, says the board (Error)"


def test_a_board_that_watches_no_airspeed_has_no_airspeed(catalogue: Catalogue) -> None:
    answers = []
    for severity in ("Uninitialised", "OK", "Warning"):
        recording, definition = Recording(), catalogue.find("SystemAlarms")
        recording.append(1.0, definition, 0, pack_values(definition, {"Alarm.Airspeed": severity}))
        answers.append(measures_airspeed(all_alarms(recording, 1.0)))
    assert answers == [False, True, True]
    assert measures_airspeed(())


def test_what_a_silent_live_flight_says(fleet: Fleet, catalogue: Catalogue) -> None:
    recording = Recording()
    put(recording, catalogue, 1.0, "AttitudeState", Roll=10.0)
    vehicle = add(fleet, catalogue, recording, LinkState.CONNECTED)
    heard = LinkStatus(LinkState.CONNECTED, heard_s=1.0)
    for now_s, words in ((1.9, ""), (2.4, "No data for 1.4 s"), (4.0, "No data for 3.0 s")):
        vehicle.status = heard.aged(now_s)
        assert live_fault(vehicle) == words
    vehicle.status = replace(heard, state=LinkState.LOST).aged(10.5)
    assert live_fault(vehicle) == "Link lost for 9.5 s"
    vehicle.timeline.pause()
    assert live_fault(vehicle) == "", "what was then is shown, as it was"


@pytest.mark.slow
def test_a_real_flight_is_shown_without_faults(
    panel: FlightDisplayPanel, fleet: Fleet, catalogue: Catalogue, shared_logs: Path
) -> None:
    reading = read_log(shared_logs / "openpilot-14.06-quad-2014-07-17.opl", catalogue)
    add(fleet, catalogue, reading.recording, LinkState.REPLAY)
    faults = []
    for t in range(30, 200, 10):
        panel.refresh(float(t))
        faults.append(fault(panel))
    assert faults == [""] * len(faults)
    panel.refresh(400.0)
    assert fault(panel).startswith("Attitude is ")


def test_words_in_its_corners_are_kept(panel: FlightDisplayPanel) -> None:
    """A workspace of before says nothing of them, and has them."""
    assert panel.save_state() == {"corner_words": True}
    panel.restore_state({"corner_words": False})
    assert panel.save_state() == {"corner_words": False}
    panel.restore_state({})
    assert panel.save_state() == {"corner_words": True}
