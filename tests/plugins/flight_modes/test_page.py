"""The page of flight modes: the switch, the sets, arming, failsafe, and why it does not arm."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from plugins.flight_modes.page import FlightModesPage
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue, load_catalogue
from telemetry.protocol.objects.values import pack_values
from telemetry.recording.logs.reader import read_log
from telemetry.recording.recording import Recording
from telemetry.vehicle.commands import RefusedCommands
from telemetry.vehicle.replay import replay_vehicle
from telemetry.vehicle.vehicle import Fleet, LinkState, LinkStatus, Vehicle
from tests.plugins.driven import Driven, driving
from tests.telemetry.configuration.settings.bench import Bench
from tests.telemetry.protocol.session.fakes import SMALL, MemoryBoard
from widgets.forms.special_editors import ChoiceEditor, ScaledEditor

PAGE = "flight_modes.modes"
MODES, RECEIVER = "FlightModeSettings", "ManualControlSettings"
OBJECTS = (
    *("FlightModeSettings", "ManualControlSettings", "StabilizationSettings", "SystemAlarms"),
    *("ManualControlCommand", "ActuatorSettings", "HwSettings", "RevoSettings"),
)


@pytest.fixture
def bench(catalogue: Catalogue) -> Bench:
    names = (*SMALL, *OBJECTS)
    return Bench(catalogue, MemoryBoard(catalogue.find(n, DEFAULT_RELEASE) for n in names))


@pytest.fixture
def driven(qtbot: QtBot, bench: Bench) -> Iterator[Driven]:
    with driving(qtbot, bench.vehicle) as driven:
        yield driven


def opened(driven: Driven) -> FlightModesPage:
    """The page, after the few ticks in which its parts are built."""
    page = driven.page(PAGE)
    assert isinstance(page, FlightModesPage)
    for _ in range(5):
        driven.refresh()
    return page


@pytest.fixture
def page(driven: Driven) -> FlightModesPage:
    return opened(driven)


def shown_rows(page: FlightModesPage) -> list[int]:
    return [n for n, row in enumerate(page.positions.rows, 1) if row.mode.isVisible()]


@pytest.mark.slow
def test_only_positions_of_the_switch_show(driven: Driven, page: FlightModesPage) -> None:
    assert shown_rows(page) == [1, 2, 3]
    page.positions.number.stage(5)
    driven.refresh()
    assert shown_rows(page) == [1, 2, 3, 4, 5]


@pytest.mark.slow
def test_the_row_where_the_switch_is_is_marked(
    driven: Driven, bench: Bench, page: FlightModesPage
) -> None:
    bench.put("ManualControlCommand", "FlightModeSwitchPosition", 2)
    driven.refresh()
    assert [row.mark.text() for row in page.positions.rows[:3]] == ["", "", "now ▶"]
    bench.put("ManualControlCommand", "FlightModeSwitchPosition", 0)
    driven.refresh()
    assert page.positions.rows[0].mark.text() == "now ▶"
    assert page.positions.rows[2].mark.text() == ""


@pytest.mark.slow
def test_sets_that_no_position_flies_by_are_folded(driven: Driven, page: FlightModesPage) -> None:
    def shown() -> list[int]:
        return [n for n in range(1, 7) if page.sets.editors[n, "Roll"].isVisible()]

    assert shown() == [1, 2, 3]
    page.positions.rows[2].mode.stage("PositionHold")
    driven.refresh()
    assert shown() == [1, 2]
    page.sets.unused.click()
    assert shown() == [1, 2, 3, 4, 5, 6]


@pytest.mark.slow
def test_a_staged_mode_is_judged_at_once(
    driven: Driven, bench: Bench, page: FlightModesPage
) -> None:
    page.positions.rows[1].mode.stage("Manual")
    driven.refresh()
    assert "manual-multirotor" in [finding.code for finding in page.findings.findings]
    assert bench.on_board(MODES, "FlightModePosition") == tuple(
        f"Stabilized{number}" for number in range(1, 7)
    )


@pytest.mark.slow
def test_a_press_on_a_gesture_stages_it(
    qtbot: QtBot, driven: Driven, bench: Bench, page: FlightModesPage
) -> None:
    assert "Choose a stick gesture" in page.incomplete()
    tile = page.arming.tiles["Yaw Right"]
    qtbot.mouseClick(tile, Qt.MouseButton.LeftButton)
    driven.refresh()
    assert bench.settings.value(MODES, "Arming") == "Yaw Right"
    assert tile.isChecked()
    assert not page.arming.tiles["Always Disarmed"].isChecked()
    assert "hold yaw to the right, for 1 s" in page.arming.words.text()


@pytest.mark.slow
def test_times_are_shown_in_seconds(driven: Driven, bench: Bench, page: FlightModesPage) -> None:
    shown = page.arming.times["ArmedTimeout"].editor
    assert isinstance(shown, ScaledEditor)
    assert shown.value() == 30.0
    shown.setValue(12.5)
    driven.refresh()
    assert bench.settings.value(MODES, "ArmedTimeout") == 12_500


@pytest.mark.slow
def test_the_failsafe_names_positions(driven: Driven, bench: Bench, page: FlightModesPage) -> None:
    shown = page.failsafe.position.editor
    assert isinstance(shown, ChoiceEditor)
    texts = [shown.itemText(i) for i in range(shown.count())]
    assert texts[:2] == ["Stay in its mode", "Position 1: Stabilized1"]
    shown.setCurrentIndex(1)
    shown.activated.emit(1)
    driven.refresh()
    assert bench.settings.value(RECEIVER, "FailsafeFlightModeSwitchPosition") == 0


@pytest.mark.slow
def test_failsafe_sticks_are_percent(driven: Driven, bench: Bench, page: FlightModesPage) -> None:
    shown = page.failsafe.channels["Throttle"].editor
    assert isinstance(shown, ScaledEditor)
    assert shown.value() == -100.0
    shown.setValue(25.0)
    driven.refresh()
    assert bench.settings.value(RECEIVER, "FailsafeChannel.Throttle") == 0.25
    assert "failsafe-throttle" in [finding.code for finding in page.findings.findings]


@pytest.mark.slow
def test_the_checklist_follows_the_aircraft(
    driven: Driven, bench: Bench, page: FlightModesPage
) -> None:
    bench.put("ManualControlCommand", "Throttle", 0.5)
    bench.put("ManualControlCommand", "Connected", "True")
    driven.refresh()
    keys = [check.code for check in page.checklist.checklist.blocking]
    assert keys == ["method", "throttle"]
    bench.put("ManualControlCommand", "Throttle", -1.0)
    driven.refresh()
    assert [check.code for check in page.checklist.checklist.blocking] == ["method"]


@pytest.mark.slow
def test_a_search_unfolds_a_set_that_is_not_in_use(driven: Driven, page: FlightModesPage) -> None:
    page.show_setting(MODES, "Stabilization6Settings.Yaw")
    driven.refresh()
    assert page.sets.editors[6, "Yaw"].isVisible()


@pytest.mark.slow
def test_parts_are_built_when_they_are_due(driven: Driven) -> None:
    driven.panel.resize(1100, 900)
    driven.panel.show_page(PAGE)
    counts = set()
    while driven.panel.stack is not None and driven.panel.stack.is_building:
        driven.refresh()
        (page,) = driven.panel.findChildren(FlightModesPage) or (None,)
        if page is not None:
            counts.add([part.built is not None for part in page.parts].count(True))
    assert page is not None
    assert len(counts) > 2, "not all at once"
    assert all(part.built is not None for part in page.parts)


def test_what_an_aircraft_lacks_is_said(qtbot: QtBot, catalogue: Catalogue) -> None:
    fleet = Fleet()
    fleet.add(Bench(catalogue).vehicle)  # has none of the objects of this page
    with ThreadPoolExecutor(1) as jobs:
        driven = Driven(qtbot, fleet, jobs)
        page = opened(driven)
        assert page.missing.text().startswith("This aircraft has no FlightModeSettings")
        assert all(part.fold.isHidden() for part in page.parts)
        driven.context.close()


@pytest.mark.slow
def test_a_search_for_a_field_of_this_page_opens_it_and_not_for_its_neighbour(
    driven: Driven,
) -> None:
    def page_of(text: str) -> str:
        driven.panel.list.box.setText(text)
        driven.panel.list.box.returnPressed.emit()
        driven.refresh()
        assert driven.panel.stack is not None
        return driven.panel.stack.page_id

    assert page_of("stabilizationsettings flightmodeassistmap 0") == PAGE
    assert page_of("stabilizationsettings gyrotau") != PAGE


@pytest.mark.slow
def test_an_old_release_keeps_its_modes_elsewhere(qtbot: QtBot, catalogue: Catalogue) -> None:
    old = catalogue.find(RECEIVER, "OpenPilot-13.06")
    recording = Recording("old")
    payload = pack_values(old, {"Arming": "Yaw Left"}, old.default_row())
    recording.append(1.0, old, 0, payload)
    vehicle = Vehicle("old", recording, catalogue, RefusedCommands("Not sent: a test."))
    vehicle.status = LinkStatus(LinkState.CONNECTED)
    fleet = Fleet()
    fleet.add(vehicle)
    with ThreadPoolExecutor(1) as jobs:
        driven = Driven(qtbot, fleet, jobs)
        page = opened(driven)
        assert page.arming.tiles["Yaw Left"].isChecked()
        assert page.positions.rows[0].mode.editor is not None
        assert not page.positions.rows[0].bank.isVisible()
        assert not page.sets.editors[1, "Thrust"].isVisible()
        driven.context.close()


@pytest.mark.slow
def test_the_flight_of_2014_shows_and_changes_nothing(qtbot: QtBot, shared_logs: Path) -> None:
    log = shared_logs / "openpilot-14.06-quad-2014-07-17.opl"
    fleet = Fleet()
    vehicle = replay_vehicle(read_log(log, load_catalogue()))
    vehicle.timeline.advance(0.0, vehicle.recording.first_s, vehicle.recording.last_s)
    vehicle.timeline.seek(60.0)
    fleet.add(vehicle)
    with ThreadPoolExecutor(1) as jobs:
        driven = Driven(qtbot, fleet, jobs)
        page = opened(driven)
        assert page.arming.tiles["Yaw Right"].isChecked()
        assert not any(tile.isEnabled() for tile in page.arming.tiles.values())
        modes = [page.positions.rows[n].mode.editor for n in range(6)]
        assert not any(mode.isEnabled() for mode in modes if mode is not None)
        assert page.checklist.checklist.is_armed
        assert [f.code for f in page.findings.findings] == ["failsafe-keeps-mode"]
        driven.context.close()
