"""No text of the plan is cut off in a card of the width of the workspace's, whatever is chosen."""

import os
from dataclasses import replace

import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from plugins.plan.map_panel import PlanMapPanel
from plugins.plan.waypoints_panel import WaypointsPanel
from telemetry.missions.mission import LegAction
from telemetry.missions.steps import ReturnStep, TakeOffStep
from telemetry.missions.waypoint_options import END_CONDITIONS, MODES
from tests.gui.text_room import clipped
from tests.plugins.plan.shared_plan_bench import PlanBench
from tests.telemetry.missions.made import square
from widgets.theme import Density, Theme, apply_theme, hand_theme, load_theme
from widgets.visible_first import VisibleFirst

CARD_PX = (384, 542)
LOOKS: list[tuple[str, Density]] = [("sunlight", "compact")]
"""The one with the widest letters."""
if "LAPWING_ALL_WAYS" in os.environ:
    LOOKS = [(n, d) for n in ("light", "dark", "sunlight") for d in ("compact", "comfortable")]


@pytest.fixture(params=LOOKS, ids=str)
def theme(qapp: QApplication, kept_look: None, request: pytest.FixtureRequest) -> Theme:
    name, density = request.param
    theme = replace(load_theme(name), density=density)
    apply_theme(qapp, theme)
    return theme


@pytest.mark.slow
def test_every_way_to_fly_and_to_end_has_room(bench: PlanBench, theme: Theme) -> None:
    panel = bench.open(WaypointsPanel, CARD_PX)
    hand_theme(panel, theme)
    plan = replace(square(), take_off=TakeOffStep(), ending=ReturnStep())
    actions = [LegAction(mode.name, end_condition="TimeOut") for mode in MODES]
    actions += [LegAction("GoToEndpoint", end_condition=one.name) for one in END_CONDITIONS]
    faults = []
    for action in actions:
        first = replace(plan.waypoints[0], height_m=1000.5, action=action)
        bench.draft.open("Open", plan.with_waypoint(0, first))
        bench.tick()
        QCoreApplication.processEvents()
        faults += clipped(panel)
    for step in ("take_off", "ending"):
        bench.draft.select([])
        bench.plan.step = step
        bench.tick()
        QCoreApplication.processEvents()
        faults += clipped(panel)
    for button in (panel.form.more, panel.count):
        button.click()
        QCoreApplication.processEvents()
        faults += clipped(button.popup)
        button.popup.hide()
    assert faults == []
    panel.resize(CARD_PX[0] - 80, CARD_PX[1])
    assert clipped(panel), "a narrower one has no room"


@pytest.mark.slow
def test_every_tool_has_room(bench: PlanBench, theme: Theme) -> None:
    panel = bench.open(PlanMapPanel, (620, 500))
    hand_theme(panel, theme)
    faults = []
    for name in ("move", "add", "measure", *panel.strips):
        panel.choose_tool(name)
        bench.tick()
        QCoreApplication.processEvents()
        faults += clipped(panel)
    assert faults == []


@pytest.mark.slow
def test_the_form_has_its_room_in_a_window_that_grew(
    bench: PlanBench, theme: Theme, qapp: QApplication, qtbot: QtBot
) -> None:
    panel = bench.open(WaypointsPanel, CARD_PX)
    bench.draft.open("Open", square())
    bench.draft.select([0])
    heights: dict[Density, list[int]] = {}
    densities: tuple[Density, ...] = ("comfortable", "compact", "comfortable")
    for density in densities:
        grown = replace(theme, density=density)
        apply_theme(qapp, grown)
        bench.tick()
        walk = qapp.findChild(VisibleFirst)
        qtbot.waitUntil(lambda walk=walk: not walk.is_busy)
        QCoreApplication.processEvents()
        assert panel.form.height() == panel.form.sizeHint().height()
        heights.setdefault(density, []).append(panel.form.height())
    assert heights["comfortable"][0] == heights["comfortable"][1] > heights["compact"][0]
