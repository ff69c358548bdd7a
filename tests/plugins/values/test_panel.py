"""The values panel under hands."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from plugins.api import PanelContext
from plugins.testing import replayed_vehicle
from plugins.values.panel import ValuesPanel
from telemetry.base.finding import Level
from telemetry.vehicle.vehicle import Fleet
from tests.immediate import ImmediateJobs
from widgets.theme import load_theme
from widgets.values.tile_settings import TileSettings

TILES = ["PositionState.North", "AttitudeState.Roll", "FlightStatus.Armed"]


@pytest.fixture
def panel(qtbot: QtBot) -> Iterator[ValuesPanel]:
    context = PanelContext(Fleet(), load_theme("light"), ImmediateJobs())
    vehicle = replayed_vehicle()
    context.fleet.add(vehicle)
    vehicle.timeline.advance(0.0, 0.0, 20.0)
    panel = ValuesPanel(context)
    qtbot.addWidget(panel)
    panel.resize(480, 300)
    panel.show()
    panel.restore_state({"tiles": TILES})
    panel.refresh(12.0)
    yield panel
    context.close()


def titles(panel: ValuesPanel) -> list[str]:
    return [tile.label for tile in panel.board.tiles]


def test_tiles_stand_beside_each_other_and_are_dragged(panel: ValuesPanel) -> None:
    boxes = panel.board.boxes
    assert boxes[0].top() == boxes[2].top()
    assert panel.save_state() == {"tiles": [{"path": path} for path in TILES]}
    QTest.mousePress(panel.board, Qt.MouseButton.LeftButton, pos=boxes[0].center())
    QTest.mouseMove(panel.board, boxes[2].center())
    QTest.mouseRelease(panel.board, Qt.MouseButton.LeftButton, pos=boxes[2].center())
    assert titles(panel) == ["AttitudeState.Roll", "FlightStatus.Armed", "PositionState.North"]
    panel.resize(200, 500)
    assert panel.board.boxes[0].left() == panel.board.boxes[1].left()


def test_tiles_are_moved_and_removed_by_keyboard(panel: ValuesPanel) -> None:
    QTest.keyClick(panel.board, Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
    assert titles(panel)[:2] == ["AttitudeState.Roll", "PositionState.North"]
    QTest.keyClick(panel.board, Qt.Key.Key_Delete)
    assert titles(panel) == ["AttitudeState.Roll", "FlightStatus.Armed"]


def test_a_limit_typed_is_judged_at_once(panel: ValuesPanel) -> None:
    panel.edit_tile(0, QPoint(0, 0))
    (settings,) = panel.findChildren(TileSettings)
    settings.limit_boxes["danger_high"].setText("11.5")
    settings.title_box.setText("Way north")
    settings.wide_box.setChecked(True)
    panel.refresh(12.0)
    tile = panel.board.tiles[0]
    assert (tile.label, tile.reading.level) == ("Way north", Level.ERROR)
    assert tile.reading.word == "Very high, above 11.5"
    assert panel.board.boxes[0].width() > panel.board.boxes[2].width()
    settings.limit_boxes["danger_high"].setText("")
    assert panel.board.tiles[0].reading.level is Level.OK
    settings.close()
    color = panel.board.grab().toImage().pixelColor(panel.board.boxes[0].topLeft() + QPoint(9, 9))
    assert color != load_theme("light").color("danger_soft")


def test_fields_are_taken_from_other_views(panel: ValuesPanel) -> None:
    assert panel.takes_field("PositionState.East")
    assert not panel.takes_field("Nothing.at_all")
    panel.take_field("PositionState.East")
    panel.take_field("PositionState.North")
    assert [spec.path for spec in panel.specs] == [*TILES, "PositionState.East"]
