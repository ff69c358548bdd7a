"""Everything that a user of version 0.1.0 has on disk opens, comes back and is kept.

The files in tests/data/version_0_1_0 were written by that version; its README says what is there.
"""

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QLabel, QListWidget
from pytestqt.qtbot import QtBot

from app.station import StartOptions, Station
from app.workspaces.panel_host import PanelHost
from plugins.api import resolve
from telemetry.base.folders import HOME_VARIABLE, Folders
from telemetry.configuration.settings.configuration import configuration_of
from telemetry.configuration.settings.sets import ConfigurationSets
from telemetry.protocol.objects.catalogue import load_catalogue
from tests.gui.conftest import MakeStation
from tests.gui.driving import listed
from tests.gui.hands import Hands

WRITTEN = Path(__file__).resolve().parents[1] / "data" / "version_0_1_0"
OWN_WORKSPACE = "field-day"
ADDED = {
    "fly": "system_health.health",
    "configure": "flight_display.display",
    "analyse": "plots.plot",
    "objects": "map.map",
    "simulator": "object_browser.browser",
}
"""The panel that was added to each shipped workspace."""
STAGED = {
    ("StabilizationSettingsBank1", "RollRatePID.Kp"): 0.0042,
    ("StabilizationSettingsBank2", "RollPI.Kp"): 3.5,
}

pytestmark = pytest.mark.slow


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Folders]:
    """The files of 0.1.0 in a home of their own; what the plugin there brings is unloaded."""
    shutil.copytree(WRITTEN, tmp_path, dirs_exist_ok=True)
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield Folders.under(tmp_path)
    for name in [name for name in sys.modules if name.split(".")[0] == "field_day"]:
        del sys.modules[name]


def stored(path: Path) -> dict[str, Any]:
    value = json.loads(path.read_text(encoding="utf-8"))
    assert isinstance(value, dict)
    return value


def without_connection(folders: Folders) -> None:
    path = folders.config / "preferences.json"
    path.write_text(json.dumps(stored(path) | {"connect_at_start": ""}), encoding="utf-8")


def docks(station: Station, qtbot: QtBot) -> list[PanelHost]:
    """Those of the workspace that shows, with all that stand in front opened."""
    page = station.window.stack.current_page
    assert page is not None

    def is_open() -> bool:
        shown = [dock for dock in page.hosts if dock.is_showing()]
        return bool(shown) and all(dock.view is not None or dock.is_waiting for dock in shown)

    qtbot.waitUntil(is_open)
    return page.hosts


NEW_SINCE: dict[str, dict[str, object]] = {
    "map.map": {
        "camera_view": False,
        "coordinates": "degrees",
        "orientation": "north",
        "range_rings": False,
        "relief": True,
        "rotation": 0.0,
    },
}
"""Choices that 0.1.0 did not have; its files are shown as it showed them."""

RENAMED = {"simulator.scene": "view3d.view"}
"""Panels that have another name since."""


def said(station: Station) -> list[str]:
    station.window.take_messages(station.messages.take())
    return listed(station)


def test_the_window_opens_as_it_was_left(
    folders: Folders, make_station: MakeStation, qtbot: QtBot
) -> None:
    before = stored(folders.workspaces / f"{OWN_WORKSPACE}.json")
    without_connection(folders)
    station = make_station(StartOptions())
    chosen = station.preferences.current
    assert (chosen.theme, chosen.scale, chosen.link_loss_s) == ("dark", 1.2, 5.0)
    assert chosen.remembered[1:] == ("tcp:192.168.1.10:9000", "serial:/dev/ttyUSB0@57600")
    assert chosen.recent_logs == ("flights/2014.opl",)
    stack = station.window.stack
    assert (stack.current_id, stack.titles()[-1]) == (OWN_WORKSPACE, "Field day")
    for dock in docks(station, qtbot):
        place = dock.place()
        written = before["panels"][place.key]
        panel = RENAMED.get(written["panel"], written["panel"])
        assert (place.panel, place.title) == (panel, written.get("title", ""))
        settings = {**NEW_SINCE.get(place.panel, {}), **written["settings"], "widths": 0}
        assert {**place.settings, "widths": 0} == settings, place.panel
    assert said(station) == []


def test_rearranged_workspaces_keep_what_was_added(
    folders: Folders, make_station: MakeStation, qtbot: QtBot
) -> None:
    without_connection(folders)
    station = make_station(StartOptions())
    for workspace_id, panel in ADDED.items():
        station.window.stack.show_workspace(workspace_id)
        panels = [dock.panel_id for dock in docks(station, qtbot)]
        assert panels[-1] == panel
        assert len(panels) == len(stored(folders.workspaces / f"{workspace_id}.json")["panels"])
    assert said(station) == []


def test_a_plugin_brings_all_it_brought(folders: Folders, make_station: MakeStation) -> None:
    without_connection(folders)
    plugins = make_station(StartOptions()).plugins
    assert plugins.failures == ()
    own = next(plugin for plugin in plugins.plugins if plugin.id == "field_day")
    parts = [own.panels[0].widget, own.pages[0].widget, own.actions[0].run, own.log_formats[0].read]
    assert all(callable(resolve(name)) for name in [*parts, own.links[0].open])
    assert resolve(own.links[0].devices)()[0].address == "field:1"


def test_a_configuration_set_is_read(folders: Folders) -> None:
    sets = ConfigurationSets(folders.configuration_sets)
    entry = sets.find("Windy")
    assert entry.problem == ""
    assert (entry.about.purpose, entry.about.note) == ("windy days", "Flown on the field")
    document = sets.load(entry, load_catalogue())
    assert len(document.snapshot.objects) == entry.objects


@pytest.mark.starts_simulator
def test_what_was_kept_for_a_board_comes_back_when_it_connects(
    folders: Folders, make_station: MakeStation, qtbot: QtBot
) -> None:
    station = make_station(StartOptions(workspace="configure"))
    qtbot.waitUntil(lambda: station.fleet.active is not None)
    vehicle = station.fleet.active
    assert vehicle is not None
    settings = configuration_of(vehicle)
    qtbot.waitUntil(lambda: settings.aircraft.is_complete and len(settings.staged()) == len(STAGED))
    for (name, path), value in STAGED.items():
        assert settings.value(name, path) == pytest.approx(value)
    saved = settings.on_board("StabilizationSettingsBank1", "PitchRatePID.Kp")
    assert saved == pytest.approx(0.0036), "the board's own flash"
    qtbot.waitUntil(lambda: not list(folders.original_metadata.glob("*.json")))
    hands = Hands(station, vehicle, qtbot)
    hands.open_page("Set-up assistant")
    hands.find(QListWidget, lambda rows: rows.accessibleName() == "Gains")  # the step it was at
    hands.open_page("Field card")
    hands.find(QLabel, lambda label: label.text() == "QuadX")
    hands.open_page("Receiver")
    assert hands.button("Put back what was there").isEnabled()
