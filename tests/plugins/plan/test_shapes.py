"""Patterns and fences drawn on the map: previewed as they are, added as one edit."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from plugins.plan.map_panel import PlanMapPanel
from plugins.plan.shapes import SHAPES
from telemetry.missions.geofences import FenceAction, FenceKind
from telemetry.missions.mission import Mission
from telemetry.missions.patterns import PatternFlight, survey
from tests.plugins.plan.shared_plan_bench import PlanBench

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
    assert "crosses itself" in strip.told.text()
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


def test_a_fence_is_changed_after_it_was_drawn(
    bench: PlanBench, map_panel: PlanMapPanel, qtbot: QtBot
) -> None:
    map_panel.choose_tool("stay_inside")
    click(map_panel, *AREA)
    qtbot.keyClick(map_panel.canvas, Qt.Key.Key_Return)
    map_panel.choose_tool("move")
    strip = map_panel.fence_strip
    bench.tick()
    assert not strip.isVisible()
    click(map_panel, AREA[2])
    bench.tick()
    assert strip.isVisible()
    assert not strip.boxes.box("radius").isVisible(), "it has corners"
    drawn = bench.draft.mission.fences[0]
    strip.boxes.set_value("action", list(FenceAction).index(FenceAction.LAND))
    strip.boxes.set_value("highest", 80.0)
    qtbot.keyClicks(strip.name, "Field ")
    strip.name.editingFinished.emit()
    (fence,) = bench.draft.mission.fences
    assert fence == replace(drawn, action=FenceAction.LAND, highest_m=80.0, name="Field")
    strip.boxes.set_value("lowest", 90.0)
    assert "below the highest" in strip.told.text()
    assert bench.draft.mission.fences == (fence,), "nothing that cannot be flown is taken"
    bench.draft.undo()
    assert bench.draft.mission.fences == (drawn,), "one gesture is one to undo"


def test_the_right_click_edits_the_fence_around_a_place(
    bench: PlanBench, map_panel: PlanMapPanel
) -> None:
    map_panel.choose_tool("stay_outside")
    click(map_panel, AREA[0])
    map_panel.strips["stay_outside"].add_button.click()
    place = map_panel.canvas.view.place_at(AREA[0].x() + 5, AREA[0].y() + 5)
    dict(map_panel.canvas.entries_at(place))['Edit the fence "stay outside"']()
    bench.tick()
    strip = map_panel.fence_strip
    assert strip.boxes.box("radius").isVisible()
    strip.boxes.set_value("radius", 70.0)
    assert bench.draft.mission.fences[0].radius_m == 70.0
    strip.boxes.set_value("kind", list(FenceKind).index(FenceKind.STAY_INSIDE))
    assert bench.draft.mission.fences[0].kind is FenceKind.STAY_INSIDE
    bench.draft.open("New", Mission())
    bench.tick()
    assert not strip.isVisible()
