"""The whole window: starting, workspaces, panels, replay by keys, errors, ending."""

import json
import sys
import threading
from collections.abc import Iterable

import pytest
from PySide6.QtCore import QAbstractEventDispatcher, QObject, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import (
    QApplication,
    QLineEdit,
    QListWidget,
    QMenu,
    QPushButton,
    QTabBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.connection.popup import ConnectionPopup
from app.refreshing.tick import LINGER_S, REST_MS
from app.station import Station
from app.window.commands import Command
from app.window.overlay import CommandPalette, Prompt, TextOverlay
from app.window.preferences_overlay import PreferencesOverlay
from app.workspaces.panel_menu import panel_menu
from plugins.api import SHOW_CONFIGURE, Panel
from plugins.testing import live_vehicle
from telemetry.base.finding import Level
from telemetry.base.folders import Folders
from tests.gui.conftest import MakeStation
from tests.gui.driving import (
    listed,
    page_of,
    replay,
    run_ticks,
    run_until_painted,
    text_button,
    told,
)
from widgets.error_card import ErrorCard


class Failing(QWidget):
    """Stands for a plugin's panel that cannot be built, for now."""

    has_luck = False

    def __init__(self, _context: object) -> None:
        if not self.has_luck:
            raise RuntimeError("no luck")
        super().__init__()

    def refresh(self, t: float) -> None:
        """Nothing moves."""


def test_fly_opens_with_all_its_panels(station: Station, qtbot: QtBot) -> None:
    page = page_of(station)
    run_ticks(station)
    assert page.workspace_id == "fly"
    assert station.messages.take() == []
    by_key = {dock.key: dock for dock in page.hosts}
    behind = {"space", "video", "height", "battery", "guided", "ready", "warnings"}
    assert behind <= by_key.keys()
    qtbot.waitUntil(lambda: not any(by_key[key].is_showing() for key in behind))
    run_ticks(station)
    for key in by_key.keys() - behind:
        assert by_key[key].view is not None, by_key[key].panel_id
        assert by_key[key].is_showing()
    assert by_key["map"].size() == page.size(), "the map is the stage"


def test_workspaces_switch_by_key_and_tab(station: Station, qtbot: QtBot) -> None:
    window = station.window
    qtbot.keyClick(window, Qt.Key.Key_3, Qt.KeyboardModifier.ControlModifier)
    assert window.stack.current_id == "analyse"
    (tabs,) = window.toolbar.findChildren(QTabBar)
    tabs.setCurrentIndex(4)
    assert window.stack.current_id == "objects"


@pytest.mark.slow
def test_analyse_brings_the_chosen_tab_to_the_front(station: Station, qtbot: QtBot) -> None:
    station.window.stack.show_workspace("analyse")

    def showing() -> set[str]:
        run_ticks(station)
        return {dock.key for dock in page_of(station).hosts if dock.is_showing()}

    qtbot.waitUntil(lambda: "map" in showing())  # the page settles a moment after it shows
    assert not showing() & {"display", "health"}


@pytest.mark.slow
def test_a_hidden_panel_is_not_refreshed(station: Station) -> None:
    station.fleet.add(live_vehicle())
    run_ticks(station)
    hidden = page_of(station).hosts[0]
    assert hidden.view is not None
    asked: list[float] = []
    hidden.view.refresh = asked.append
    station.tick.refresh_all()
    assert asked
    station.window.stack.show_workspace("objects")
    assert not hidden.is_showing()
    asked.clear()
    run_ticks(station)
    station.tick.refresh_all()
    assert asked == []


@pytest.mark.slow
def test_an_arrangement_is_there_at_the_next_start(
    make_station: MakeStation, folders: Folders
) -> None:
    first = make_station()
    page = page_of(first)
    dock = page.add_panel("plots.plot", {}, "Mine")
    page.close_panel(next(d for d in page.hosts if d.key == "map"))
    run_ticks(first)
    first.window.close()
    kept = json.loads((folders.workspaces / "fly.json").read_text())
    assert kept["panels"][dock.key]["title"] == "Mine"
    second = make_station()
    titles = {d.title for d in page_of(second).hosts}
    assert "Mine" in titles
    assert "map" not in {d.key for d in page_of(second).hosts}
    second.shell.run("reset-workspace")
    assert "map" in {d.key for d in page_of(second).hosts}


@pytest.mark.slow
def test_merely_looking_saves_nothing(station: Station, folders: Folders) -> None:
    for workspace_id in ("analyse", "objects", "fly"):
        station.window.stack.show_workspace(workspace_id)
        run_ticks(station)
    station.window.close()
    assert list(folders.workspaces.glob("*.json")) == []


@pytest.mark.slow
def test_panels_are_renamed_duplicated_and_floated(station: Station, qtbot: QtBot) -> None:
    page = page_of(station)
    dock = next(d for d in page.hosts if d.key == "attitude")
    dock.rename("Roll and pitch")
    assert dock.windowTitle() == "Roll and pitch"
    menu = panel_menu(page, dock, station.fleet, page)
    next(action for action in menu.actions() if action.text() == "Duplicate").trigger()
    menu.close()
    twin = page.hosts[-1]
    assert twin.title == "Roll and pitch"
    assert twin.place().settings == dock.place().settings
    page.float_panel(dock)
    run_ticks(station)
    assert "attitude" in page.describe().floating
    station.window.stack.show_workspace("objects")
    assert not dock.isVisible()
    station.window.stack.show_workspace("fly")
    assert dock.isVisible()


def test_a_new_workspace_is_made_and_deleted(station: Station, qtbot: QtBot) -> None:
    station.shell.run("new-workspace")
    prompt = station.window.findChild(Prompt)
    prompt.entry.setText("Race day")
    qtbot.keyClick(prompt.entry, Qt.Key.Key_Return)
    assert station.window.stack.current_id == "race-day"
    assert station.window.stack.titles()[-1] == "Race day"
    tabs = station.window.toolbar.findChild(QTabBar)
    assert tabs.tabText(tabs.currentIndex()) == "Race day"
    station.shell.run("delete-workspace")
    assert "Race day" not in [tabs.tabText(index) for index in range(tabs.count())]
    assert "race-day" not in station.window.stack.ids
    station.window.stack.show_workspace("fly")
    station.shell.run("delete-workspace")
    assert "fly" in station.window.stack.ids


@pytest.mark.slow
def test_a_failing_panel_becomes_a_card_and_the_rest_goes_on(
    station: Station, monkeypatch: pytest.MonkeyPatch
) -> None:
    station.services.panels["bad.panel"] = Panel(
        "panel", "Bad", f"{__name__}:Failing", needs_vehicle=False
    )
    page = page_of(station)
    bad = page.add_panel("bad.panel")
    run_ticks(station)
    card = bad.findChild(ErrorCard)
    assert card is not None
    assert bad.view is None
    others = [dock for dock in page.hosts if dock is not bad and dock.is_showing()]
    assert len(others) >= 4
    assert all(dock.view is not None for dock in others)
    monkeypatch.setattr(Failing, "has_luck", True)
    again = next(b for b in card.findChildren(QPushButton) if b.text() == "Try again")
    again.click()
    assert bad.view is not None


@pytest.mark.slow
def test_a_panel_that_fails_later_becomes_a_card(station: Station) -> None:
    dock = page_of(station).hosts[0]
    run_ticks(station)

    def refresh(t: float) -> None:
        raise ValueError("late")

    dock.view.refresh = refresh  # type: ignore[union-attr]
    dock.refresh()
    assert dock.findChild(ErrorCard) is not None
    assert dock.view is None


def test_a_missing_plugin_is_said_in_its_place(station: Station) -> None:
    dock = page_of(station).add_panel("gone.panel")
    run_ticks(station)
    assert dock.findChild(ErrorCard) is not None


@pytest.mark.slow
def test_themes_and_sizes_change_live(station: Station, qtbot: QtBot) -> None:
    replay(station)
    before = station.window.grab().toImage()
    qtbot.keyClick(station.window, Qt.Key.Key_T)
    assert station.appearance.theme.name == "dark"
    run_until_painted(station)
    assert station.window.grab().toImage() != before
    height = station.window.timeline_bar.height()
    for _ in range(5):
        station.shell.run("larger")
    run_until_painted(station)
    assert station.window.timeline_bar.height() == round(height * 1.5)
    station.shell.run("usual-size")
    assert station.preferences.current.scale == 1.0


def test_the_palette_finds_and_does(station: Station, qtbot: QtBot) -> None:
    qtbot.keyClick(station.window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    palette = station.window.findChild(CommandPalette)
    assert palette.list.count() > 30
    qtbot.keyClicks(palette.entry, "ana")
    qtbot.keyClick(palette.entry, Qt.Key.Key_Return)
    assert station.window.stack.current_id == "analyse"
    qtbot.keyClick(station.window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    again = station.window.findChildren(CommandPalette)[-1]
    qtbot.keyClick(again.entry, Qt.Key.Key_Escape)
    assert not again.isVisible()


def test_submenus_offer_what_there_is_when_they_open(station: Station) -> None:
    def choices(title: str) -> dict[str, QAction]:
        menu = next(m for m in station.window.findChildren(QMenu) if m.title() == title)
        menu.aboutToShow.emit()
        return {action.text(): action for action in menu.actions()}

    assert list(choices("Open recent")) == ["Nothing was opened yet"]
    station.preferences.remember_log("/somewhere/flight.opl")
    assert list(choices("Open recent")) == ["/somewhere/flight.opl"]
    choices("Theme")["Dark"].trigger()
    assert station.appearance.theme.name == "dark"
    before = len(page_of(station).hosts)
    choices("Add panel")["Plot"].trigger()
    assert len(page_of(station).hosts) == before + 1


def clashes(commands: Iterable[Command]) -> list[str]:
    """Shortcuts that two commands claim, each as a sentence."""
    owners: dict[str, str] = {}
    found: list[str] = []
    for command in commands:
        for shortcut in command.shortcuts:
            key = QKeySequence(shortcut).toString()
            if not key:
                found.append(f"{shortcut!r} of {command.id} is no key")
            elif key in owners:
                found.append(f"{key} is claimed by {owners[key]} and {command.id}")
            else:
                owners[key] = command.id
    return found


def test_shortcuts_do_not_clash(station: Station) -> None:
    assert clashes(station.shell.commands) == []
    ids = [command.id for command in station.shell.commands]
    assert len(ids) == len(set(ids))


@pytest.mark.slow
def test_the_name_of_a_setting_leads_to_configure(station: Station) -> None:
    assert station.window.stack.current_id == "fly"
    station.shell.run(SHOW_CONFIGURE)
    assert station.window.stack.current_id == "configure"


def test_the_clash_check_sees_a_clash(station: Station) -> None:
    extra = Command("mine", "Mine", lambda: None, ("Ctrl+O",))
    nonsense = Command("odd", "Odd", lambda: None, ("Hyper+Gnu",))
    found = clashes((*station.shell.commands, extra, nonsense))
    assert found == ["Ctrl+O is claimed by open-log and mine", "'Hyper+Gnu' of odd is no key"]


@pytest.mark.slow
def test_help_is_shown_in_the_window(station: Station) -> None:
    for command_id in ("shortcuts", "doctor", "about"):
        station.shell.run(command_id)
    assert len(station.window.findChildren(TextOverlay)) == 3


@pytest.mark.slow
def test_the_list_of_connections(station: Station, qtbot: QtBot) -> None:
    station.shell.run("connections")
    popup = station.window.findChild(ConnectionPopup)
    assert popup.isVisible()
    (places,), (address,) = popup.findChildren(QListWidget), popup.findChildren(QLineEdit)
    qtbot.waitUntil(lambda: places.count() > 0 or bool(run_ticks(station)))
    address.setText("nowhere")
    text_button(popup, "Connect").click()
    run_ticks(station)
    assert "'nowhere' is not an address" in listed(station)[0]
    assert not popup.isVisible()


def test_messages_stay_until_they_are_closed(station: Station) -> None:
    station.messages.report("Something happened.", Level.WARNING, "the trace")
    station.messages.report("And more.", Level.ERROR)
    station.messages.report("And more.", Level.ERROR)
    station.messages.tell("In passing.")
    run_ticks(station)
    assert listed(station) == ["Something happened.", "And more."]
    assert told(station) == "And more.", "what matters more stays before what is told in passing"
    station.window.message_card.open()
    for number in (1, 2, 3):
        assert station.window.message_card.isVisible()
        station.window.messages.close(number)
        run_ticks(station)
    assert listed(station) == []


@pytest.mark.slow
def test_an_idle_station_has_one_timer_and_no_thread_that_wakes(
    make_station: MakeStation, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    """The bar is processor time (`python -m benchmarks.gui_probe idle`); this is what takes it."""
    monkeypatch.setattr("app.refreshing.tick.RESTS_AFTER_S", LINGER_S)
    others = set(threading.enumerate())  # that tests before this one have left
    station = make_station()
    replay(station)
    qtbot.waitUntil(lambda: station.tick.interval_ms == REST_MS)
    assert not _waking(station, others)
    station.fleet.add(live_vehicle())
    qtbot.waitUntil(lambda: "WindowAttention" in _waking(station, others))
    assert "lapwing-transmitter" in _waking(station, others)


def _waking(station: Station, others: set[threading.Thread]) -> set[str]:
    """The objects in the window that have timers, and the threads but `others` that do not wait for
    work."""
    dispatcher = QAbstractEventDispatcher.instance()
    parts = [station.window, *station.window.findChildren(QObject)]
    timed = {type(part).__name__ for part in parts if dispatcher.registeredTimers(part)}
    waiting = ("MainThread", "job", "lapwing-tiles", "lapwing-hang-watch")
    names = {thread.name for thread in set(threading.enumerate()) - others}
    return timed | {name for name in names if not name.startswith(waiting)}


@pytest.mark.slow
def test_nothing_is_left_running(make_station: MakeStation, qtbot: QtBot) -> None:
    before = set(threading.enumerate())
    station = make_station()
    replay(station)
    station.close()
    assert not station.window.isVisible()
    station.close()
    # Nobody waits for what asks the system or a server: that ends by itself.
    qtbot.waitUntil(lambda: set(threading.enumerate()) <= before)
    assert QApplication.instance() is not None


@pytest.mark.slow
def test_a_focused_tree_keeps_its_arrows(station: Station, qtbot: QtBot) -> None:
    line = replay(station).timeline
    line.seek(5.0)
    tree = QListWidget(station.window)
    tree.addItems(["one", "two"])
    tree.show()
    tree.setFocus()
    tree.setCurrentRow(0)
    qtbot.keyClick(tree, Qt.Key.Key_Home)
    qtbot.keyClick(tree, Qt.Key.Key_Down)
    assert tree.currentRow() == 1
    assert line.t == 5.0
    qtbot.keyClick(tree, Qt.Key.Key_Comma)
    assert line.t < 5.0, "keys that a tree has no use for are the station's"
    tree.deleteLater()


@pytest.mark.slow
def test_what_the_user_configures_in_a_panel_is_kept(
    make_station: MakeStation, folders: Folders
) -> None:
    first = make_station()
    replay(first)
    dock = next(d for d in page_of(first).hosts if d.key == "attitude")
    view = dock.view
    assert view is not None
    view.view.model.add("PositionState.Down")  # type: ignore[attr-defined]
    page_of(first).take_focus(view)
    first.window.close()
    kept = json.loads((folders.workspaces / "fly.json").read_text())
    assert "PositionState.Down" in json.dumps(kept["panels"]["attitude"]["settings"])


@pytest.mark.slow
def test_preferences_are_changed_in_the_window(make_station: MakeStation) -> None:
    first = make_station()
    first.shell.run("preferences")
    form = first.window.findChild(PreferencesOverlay)
    form.start.setText("tcp:127.0.0.1:1")
    form.loss.setValue(3.5)
    form.scale.setValue(1.2)
    form.units.setCurrentText("Aviation")
    text_button(form, "Save preferences").click()
    chosen = first.preferences.current
    assert (chosen.connect_at_start, chosen.link_loss_s, chosen.scale) == (
        "tcp:127.0.0.1:1",
        3.5,
        1.2,
    )
    assert first.appearance.theme.scale == 1.2
    assert first.appearance.theme.units.speed == "kt"


def test_a_start_that_fails_takes_down_what_stands(
    qapp: QApplication, folders: Folders, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = threading.active_count(), sys.excepthook
    monkeypatch.setattr("app.station.StationCommands", Failing)
    with pytest.raises(RuntimeError, match="no luck"):
        Station(qapp, folders)
    assert (threading.active_count(), sys.excepthook) == before
