"""What the window itself owes a pilot: closing, titles, keys, the present and the past."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QTreeView
from pytestqt.qtbot import QtBot

from app.messages import Message
from app.station import Station
from app.workspaces.arranging import IntoTabs
from app.workspaces.panel_group import PanelGroup
from app.workspaces.workspace_page import WorkspacePage
from plugins.object_browser.panel import BrowserPanel
from plugins.testing import add, live_vehicle, replayed_vehicle
from telemetry.base.finding import Level
from telemetry.recording.recording import Recording
from telemetry.vehicle.vehicle import LinkState, LinkStatus, Vehicle
from tests.gui.driving import answer, listed, page_of, run_ticks, run_until_painted, told
from widgets.hold_button import HoldButton
from widgets.plot.legend import PlotLegend


def armed_vehicle() -> Vehicle:
    recording = Recording()
    add(recording, 0.0, "FlightStatus", Armed="Armed", FlightMode="Stabilized1")
    add(recording, 1.0, "AttitudeState", Roll=0.0)
    return live_vehicle("sim:armed", recording)


@pytest.mark.slow
def test_closing_while_armed_is_asked_in_the_window(station: Station) -> None:
    ended: list[bool] = []
    station.on_end = lambda: ended.append(True)
    station.fleet.add(armed_vehicle())
    run_ticks(station)
    assert not station.window.close()
    assert station.window.isVisible()
    assert "sim:armed is armed" in listed(station)[-1]
    assert station.window.message_card.isVisible(), "it waits for an answer"
    answer(station, "Stay")
    assert listed(station) == []
    assert not station.window.close(), "having stayed once does not mean yes the next time"
    assert ended == []
    answer(station, "Close anyway")
    assert ended == [True]
    assert not station.window.isVisible()


@pytest.mark.parametrize("state", [LinkState.DISCONNECTED, LinkState.LOST])
def test_closing_asks_only_for_what_is_still_flown_from_here(
    station: Station, state: LinkState
) -> None:
    vehicle = armed_vehicle()
    vehicle.status = LinkStatus(state=state)
    station.fleet.add(vehicle)
    run_ticks(station)
    assert station.window.close()


@pytest.mark.slow
def test_the_title_says_which_flight_shows(station: Station) -> None:
    assert station.window.windowTitle() == "Lapwing"
    station.fleet.add(replayed_vehicle("meadow.opl"))
    run_ticks(station)
    station.window.show_status(station.fleet.active)
    assert station.window.windowTitle() == "meadow.opl – Lapwing"


@pytest.mark.slow
def test_a_new_theme_never_says_that_there_is_no_aircraft(station: Station) -> None:
    station.fleet.add(live_vehicle())
    station.window.show_status(station.fleet.active)
    station.appearance.choose("dark")
    words = {b.text() for b in station.window.toolbar.findChildren(type(
        station.window.toolbar.link_button))}  # fmt: skip
    assert "Connected" in words
    assert not any("No aircraft" in word for word in words)


@pytest.mark.slow
def test_a_new_theme_reaches_the_ground_of_a_plots_legend(station: Station) -> None:
    station.fleet.add(live_vehicle())
    for name in ("light", "dark", "sunlight"):
        station.appearance.choose(name)
        run_until_painted(station)
        for legend in station.window.findChildren(PlotLegend):
            corner = legend.mapTo(station.window, QPoint(1, legend.height() - 1))
            ratio = station.window.devicePixelRatio()
            shown = station.window.grab().toImage().pixelColor(corner * ratio)
            assert shown == station.appearance.theme.color("plot_background"), name


@pytest.mark.slow
def test_ctrl_f_searches_wherever_the_focus_is(station: Station, qtbot: QtBot) -> None:
    station.fleet.add(replayed_vehicle())
    station.window.stack.show_workspace("objects")
    run_ticks(station)
    station.window.setFocus()
    qtbot.keyClick(station.window, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    browser = page_of(station).hosts[0].view
    assert isinstance(browser, BrowserPanel)
    assert browser.bar.search.hasFocus()


@pytest.mark.slow
def test_ctrl_f_says_where_a_search_is_when_none_shows(station: Station, qtbot: QtBot) -> None:
    run_ticks(station)
    qtbot.keyClick(station.window, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    run_ticks(station)
    assert "No panel here has a search" in told(station)


@pytest.mark.slow
def test_arrows_in_a_floating_panel_stay_there(station: Station) -> None:
    vehicle = replayed_vehicle()
    station.fleet.add(vehicle)
    station.window.stack.show_workspace("objects")
    run_ticks(station)
    dock = page_of(station).hosts[0]
    page_of(station).float_panel(dock)
    run_ticks(station)
    tree = dock.findChild(QTreeView)
    assert tree is not None
    dock.activateWindow()
    tree.setFocus()
    run_ticks(station)
    before = vehicle.timeline.t
    vehicle.timeline.seek(5.0)
    QTest.keyClick(tree, Qt.Key.Key_Right)
    assert vehicle.timeline.t == 5.0 != before
    QTest.keyClick(dock, Qt.Key.Key_Home)
    assert vehicle.timeline.t == 5.0


def tab_together(station: Station) -> tuple[WorkspacePage, PanelGroup]:
    """The flight display put behind the chart by hand."""
    page = page_of(station)
    run_ticks(station)
    behind, front = (next(d for d in page.hosts if d.key == k) for k in ("display", "attitude"))
    page.move_panel(behind, IntoTabs(front.key))
    run_ticks(station)
    group = page.group_of(front)
    assert group is not None
    return page, group


@pytest.mark.slow
def test_titles_share_one_row_with_their_tabs(station: Station) -> None:
    page, group = tab_together(station)
    tabs = group.titles.tabs
    titles = [tabs.tabText(index) for index in range(tabs.count())]
    assert titles == ["Attitude", "Height", "Battery", "Flight display"]
    assert group.front.key == "display"
    assert group.titles.height() == 22
    assert group.front.mapTo(group, QPoint(0, 0)).y() == group.titles.geometry().bottom() + 1
    page.float_panel(group.front)
    run_ticks(station)
    assert "display" in page.describe().floating


@pytest.mark.slow
def test_renaming_a_tabbed_panel_starts_from_its_name(station: Station) -> None:
    page, group = tab_together(station)
    page.rename_panel(group.front)
    entry = group.titles.findChild(QLineEdit)
    assert isinstance(entry, QLineEdit)
    assert entry.text() == "Flight display"


@pytest.mark.slow
def test_the_strip_says_that_this_is_the_past(station: Station) -> None:
    vehicle = live_vehicle()
    station.fleet.add(vehicle)
    run_ticks(station)
    strip = station.window.alarm_strip
    station.window.show_alarms(vehicle)
    assert "Looking back" not in strip.headline()
    vehicle.timeline.seek(6.0)
    station.window.show_alarms(vehicle)
    assert strip.headline() == "Looking back 14\u2009s  ·  now: Battery: warning"
    vehicle.timeline.go_live()
    station.window.show_alarms(vehicle)
    assert strip.headline() == "Battery: warning"


@pytest.mark.slow
def test_a_log_is_not_called_the_past(station: Station) -> None:
    vehicle = replayed_vehicle()
    station.fleet.add(vehicle)
    run_ticks(station)
    vehicle.timeline.seek(2.0)
    station.window.show_alarms(vehicle)
    assert station.window.alarm_strip.headline() == "No alarms"


@pytest.mark.slow
def test_an_added_panel_takes_half_of_the_largest(station: Station) -> None:
    station.window.stack.show_workspace("objects")
    page = page_of(station)
    run_ticks(station)
    (largest,) = page.hosts
    before = largest.width()
    added = page.add_panel("plots.plot")
    run_ticks(station)
    assert largest.width() == pytest.approx(before / 2, abs=6)
    assert added.width() == pytest.approx(before / 2, abs=6)


@pytest.mark.slow
def test_tabs_made_by_hand_are_kept_however_the_window_ends(station: Station) -> None:
    page, group = tab_together(station)
    station.tick.stop()
    shown = page.describe()
    station.window.hide()
    assert page.describe() == shown, "ending hides the window before it is kept"
    assert group.keys in {card.tabs.keys for card in shown.cards}


def test_an_armed_aircraft_that_does_not_show_is_not_forgotten(station: Station) -> None:
    flying = armed_vehicle()
    station.fleet.add(flying)
    replay = replayed_vehicle()
    station.fleet.add(replay)
    station.fleet.choose(replay)
    assert station.fleet.active is not flying
    assert station.window.others() == "Also armed: sim:armed (Ctrl+Tab)"
    station.fleet.choose(flying)
    assert station.window.others() == ""


def test_what_was_said_in_passing_of_one_aircraft_does_not_stand_beside_another(
    station: Station,
) -> None:
    first, second = live_vehicle("sim:first"), live_vehicle("sim:second")
    station.fleet.add(first)
    station.fleet.add(second)
    station.window.show_status(first)
    station.window.tell("Holding here.")
    station.window.show_status(first)
    assert "Holding here." in told(station), "the negative control"
    station.window.show_status(second)
    assert "Holding here." not in told(station)


def test_looking_back_does_not_hide_that_the_aircraft_is_armed(station: Station) -> None:
    vehicle = live_vehicle("sim:test", Recording())
    add(vehicle.recording, 0.0, "FlightStatus", Armed="Disarmed")
    add(vehicle.recording, 5.0, "FlightStatus", Armed="Armed")
    station.fleet.add(vehicle)
    run_ticks(station)
    vehicle.timeline.seek(2.0)
    station.window.show_alarms(vehicle)
    assert station.window.alarm_strip.headline() == "Looking back 3\u2009s, now ARMED"


@pytest.mark.slow
def test_another_workspace_never_puts_the_focus_on_an_action(
    station: Station, qtbot: QtBot
) -> None:
    """Qt gives it to the control there that had it last, and Space pressed then would fly."""
    station.fleet.add(live_vehicle())
    stack = station.window.stack
    run_ticks(station)
    (stop,) = [b for b in page_of(station).findChildren(HoldButton) if "Stop" in b.text()]
    stop.setEnabled(True)
    stop.setFocus()
    assert stop.hasFocus()
    stack.show_workspace("objects")
    run_ticks(station)
    tree = next(w for w in page_of(station).findChildren(QTreeView) if w.isVisible())
    tree.setFocus()
    assert tree.hasFocus()
    stack.show_workspace("fly")
    focused = QApplication.focusWidget()
    assert not isinstance(focused, QPushButton), focused


def test_closing_the_last_log_leads_back_to_the_aircraft(station: Station) -> None:
    stack = station.window.stack
    live = live_vehicle()
    station.fleet.add(live)
    log = replayed_vehicle()
    station.fleet.add(log)
    station.fleet.choose(log)
    stack.show_workspace("objects")
    station.shell.run("close-flight")
    assert station.fleet.vehicles == (live,)
    assert station.fleet.active is live
    assert stack.current_id == "fly"


def test_where_nothing_shows_closing_leads_back_to_the_aircraft(station: Station) -> None:
    """Beside another one that is live nobody is given one by surprise, only when asked for."""
    first, second = live_vehicle("sim:first"), live_vehicle("sim:second")
    station.fleet.add(first)
    station.fleet.add(second)
    station.window.stack.show_workspace("objects")
    station.shell.run("close-flight")
    assert station.fleet.active is None
    assert station.window.stack.current_id == "objects"
    station.shell.run("close-flight")
    assert station.fleet.active is second
    assert station.window.stack.current_id == "fly"


def test_in_an_empty_workspace_closing_leads_back_and_ends_no_connection(station: Station) -> None:
    live = live_vehicle()
    station.fleet.add(live)
    station.window.stack.add("Empty")
    station.shell.run("close-flight")
    assert station.fleet.vehicles == (live,)
    assert station.window.stack.current_id == "fly"


def test_what_matters_more_stands_before_what_is_told_later(station: Station) -> None:
    vehicle = live_vehicle("sim:first")
    station.fleet.add(vehicle)
    window = station.window
    window.show_status(vehicle)
    window.progress = lambda: "Reading … 40 %"
    window.take_messages([Message("Theme: Dark")])
    assert told(station) == "Reading … 40 %"
    window.take_messages([Message("GPS fix lost", Level.ERROR, about="sim:other", lasts=True)])
    assert told(station) == "sim:other: GPS fix lost"
    window.take_messages([Message("A file was left out.", Level.WARNING)])
    assert told(station) == "sim:other: GPS fix lost", "a lesser one does not take its place"
    assert not window.message_card.isVisible(), "nothing opens by itself"


def test_a_condition_stays_in_the_strip_when_its_line_is_closed(station: Station) -> None:
    vehicle = live_vehicle("sim:first", Recording())
    station.fleet.add(vehicle)
    high = Message("Height 130 m", Level.WARNING, about="sim:first", title="Too high", lasts=True)
    station.window.take_messages([high])
    station.window.messages.close_all()
    station.window.show_alarms(vehicle)
    assert station.window.alarm_strip.worst_text() == "Too high"
