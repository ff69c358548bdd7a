"""Patterns and fences drawn on the map: previewed as they are, added as one edit."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from plugins.plan.map_panel import PlanMapPanel
from plugins.plan.shapes import SHAPES
from telemetry.missions.fences import FenceAction, FenceKind
from telemetry.missions.patterns import PatternFlight, survey
from tests.plugins.plan.desk_bench import PlanBench

LEFT = Qt.MouseButton.LeftButton
AREA = (QPoint(200, 150), QPoint(500, 150), QPoint(500, 350), QPoint(200, 350))


def click(map_panel: PlanMapPanel, *points: QPoint) -> None:
    for point in points:
        QTest.mouseClick(map_panel.canvas, LEFT, pos=point)


def test_a_survey_is_previewed_and_added(
    bench: PlanBench, map_panel: PlanMapPanel, qtbot: QtBot
) -> None:
    map_panel.choose_tool("survey")
    strip = map_panel.strips["survey"]
    click(map_panel, *AREA)
    before = map_panel.layer.preview
    assert bench.draft.mission.waypoints == (), "a preview is no part of the plan"
    strip.set_value("spacing", 40.0)
    assert 0 < len(map_panel.layer.preview) < len(before), "wider apart are fewer lines"
    view = map_panel.canvas.view
    corners = [view.place_at(point.x(), point.y()) for point in AREA]
    places = [(corner.latitude_deg, corner.longitude_deg) for corner in corners]
    qtbot.keyClick(map_panel.canvas, Qt.Key.Key_Return)
    assert bench.draft.mission.waypoints == survey(places, PatternFlight(30.0, 4.0), 40.0, 0.0, 5.0)
    assert map_panel.layer.preview == ()
    assert bench.draft.undo() == "Add survey"
    assert bench.draft.mission.waypoints == ()


def test_what_makes_no_pattern_says_why_and_adds_nothing(
    bench: PlanBench, map_panel: PlanMapPanel
) -> None:
    map_panel.choose_tool("survey")
    strip = map_panel.strips["survey"]
    click(map_panel, AREA[0], AREA[2], AREA[1], AREA[3])
    assert "crosses itself" in strip.text
    assert not strip.add_button.isEnabled()
    strip.add()
    assert bench.draft.mission.waypoints == ()


def test_a_fence_of_corners_and_one_of_a_radius(
    bench: PlanBench, map_panel: PlanMapPanel, qtbot: QtBot
) -> None:
    map_panel.choose_tool("stay_inside")
    click(map_panel, *AREA)
    map_panel.strips["stay_inside"].set_value("action", 2)
    qtbot.keyClick(map_panel.canvas, Qt.Key.Key_Return)
    map_panel.choose_tool("stay_outside")
    map_panel.strips["stay_outside"].set_value("radius", 25.0)
    click(map_panel, AREA[0])
    map_panel.strips["stay_outside"].add_button.click()
    inside, outside = bench.draft.mission.fences
    assert (len(inside.corners), inside.action) == (4, FenceAction.RETURN)
    assert (outside.kind, outside.radius_m) == (FenceKind.STAY_OUTSIDE, 25.0)


@pytest.mark.parametrize("name", [shape.name for shape in SHAPES])
def test_every_shape_can_be_drawn(bench: PlanBench, map_panel: PlanMapPanel, name: str) -> None:
    map_panel.choose_tool(name)
    click(map_panel, *AREA)
    map_panel.strips[name].add()
    mission = bench.draft.mission
    assert mission.waypoints or mission.fences
