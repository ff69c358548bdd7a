"""What a plugin from outside brings, in the window: exports, findings, warnings, missions."""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QUrl
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from app.exporting.choice import ExportChoice, export_shapes
from app.exporting.exports import Exports
from app.exporting.overlay import ExportOverlay
from app.station import Station
from plugins.api import VehicleContext
from plugins.findings.panel import FindingsPanel
from plugins.plan.waypoints_panel import WaypointsPanel
from plugins.testing import live_vehicle, replayed_vehicle
from plugins.warnings.panel import WarningsPanel
from telemetry.base.folders import Folders
from telemetry.missions.draft import mission_draft_of
from telemetry.missions.files.formats import write_mission
from tests.dropping import drop_onto
from tests.gui.conftest import MakeStation
from tests.gui.driving import run_ticks
from tests.telemetry.missions.made import square

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "plugin" / "lapwing_height"

pytestmark = pytest.mark.slow


@pytest.fixture
def heights(
    folders: Folders, make_station: MakeStation, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Station]:
    """A station whose user has the example in their plugin folder."""
    shutil.copytree(EXAMPLE, folders.plugins / EXAMPLE.name)
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield make_station()
    for name in [name for name in sys.modules if name.split(".")[0] == EXAMPLE.name]:
        del sys.modules[name]


def context_of(station: Station) -> VehicleContext:
    return VehicleContext(station.fleet, station.services.theme, station.jobs)


def test_its_export_is_offered_and_written(heights: Station, qtbot: QtBot, tmp_path: Path) -> None:
    vehicle = replayed_vehicle()
    heights.fleet.add(vehicle)
    chosen: list[ExportChoice] = []
    theme = heights.services.theme
    overlay = ExportOverlay(heights.window, vehicle, (), chosen.append, theme)
    overlay.shape.setCurrentText("Heights as text")
    overlay.export.click()
    (choice,) = chosen
    assert choice.shape in export_shapes()
    Exports(heights.work, heights.messages).start(vehicle, choice, tmp_path / "out")
    qtbot.waitUntil(lambda: not heights.work.is_busy)
    (written,) = (tmp_path / "out").iterdir()
    assert written.read_text("utf-8").startswith("0.000 270.00\n")


def test_its_findings_can_be_chosen(heights: Station, qtbot: QtBot) -> None:
    heights.fleet.add(replayed_vehicle())
    panel = FindingsPanel(context_of(heights))
    qtbot.addWidget(panel)
    assert panel.kind.findText("Steep climb") > 0


def test_its_rules_are_watched_and_can_be_turned_off(heights: Station, qtbot: QtBot) -> None:
    heights.fleet.add(live_vehicle())
    run_ticks(heights)
    panel = WarningsPanel(context_of(heights))
    qtbot.addWidget(panel)
    panel.refresh(0.0)
    panel.table.choose("height.ceiling")
    rule = panel.table.chosen_rule
    assert rule is not None
    panel.table.rules.switched.emit(rule.id, False)
    assert "height.ceiling" not in [rule.id for rule in heights.warnings.book.rules_for("")]
    assert "height.ceiling" in [rule.id for rule in heights.warnings.book.own]


def test_its_missions_are_dropped_on_the_window_and_saved(
    heights: Station, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "field.waypoints.csv"
    write_mission(path, square())
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    drop_onto(heights.window, data)
    draft = mission_draft_of(heights.fleet)
    qtbot.waitUntil(lambda: len(draft.mission.waypoints) == 4)
    assert draft.path is None, "it is a copy"
    panel = WaypointsPanel(context_of(heights))
    qtbot.addWidget(panel)
    panel.files.ask_where_to_save()
    (dialog,) = panel.findChildren(QFileDialog)
    assert "Table of waypoints (*.waypoints.csv)" in dialog.nameFilters()
    dialog.close()
    panel.files.save_as(tmp_path / "again.waypoints.csv")
    qtbot.waitUntil(lambda: (tmp_path / "again.waypoints.csv").exists())
