"""The plan carried to a board in simulated time, by the buttons of the panel.

What a board takes is in flight/modules/PathPlanner/pathplanner.c of LibrePilot *next*.
"""

from collections.abc import Callable
from dataclasses import replace

import pytest

from plugins.plan.waypoints_panel import WaypointsPanel
from telemetry.missions.edits import offset
from telemetry.missions.mission import LegAction
from telemetry.protocol.objects.catalogue import Catalogue
from tests.plugins.plan.shared_plan_bench import PlanBench
from tests.telemetry.configuration.settings.bench import Bench
from tests.telemetry.missions.made import mission, square, waypoint
from tests.telemetry.missions.plan_bench import plan_bench


@pytest.fixture
def board(catalogue: Catalogue) -> Bench:
    return plan_bench(catalogue)


@pytest.fixture
def panel(bench: PlanBench, board: Bench) -> WaypointsPanel:
    bench.fleet.add(board.vehicle)
    board.vehicle.commands.request("HomeLocation")
    board.run(lambda: board.vehicle.recording.latest("HomeLocation", 1e9) is not None)
    panel = bench.open(WaypointsPanel)
    assert isinstance(panel, WaypointsPanel)
    return panel


def carried(bench: PlanBench, board: Bench, press: Callable[[], None]) -> str:
    carrying = bench.plan.carrying
    press()

    def is_over() -> bool:
        carrying.poll()
        return not carrying.is_busy

    board.run(is_over)
    bench.tick()
    return carrying.text


def test_up_changed_compared_and_down_again(
    bench: PlanBench, board: Bench, panel: WaypointsPanel
) -> None:
    bench.draft.edit("Draw", square())
    bench.tick()
    assert panel.board.upload.isEnabled(), panel.board.status.text()
    assert (
        carried(bench, board, panel.board.upload.click) == "4 waypoints are on board and read back."
    )
    assert board.on_board("PathPlan", "WaypointCount") == 4
    carried(bench, board, panel.board.compare.click)
    assert bench.plan.compared == ()
    bench.draft.edit("Move", offset(square(), 7.0, 0.0, indices=[2]))
    carried(bench, board, panel.board.compare.click)
    assert bench.plan.compared is not None
    assert [(d.waypoint, d.text) for d in bench.plan.compared] == [(2, "7.0 m away")]
    carried(bench, board, panel.board.download.click)
    assert len(bench.draft.mission.waypoints) == 4
    assert bench.draft.undo() == "Download from bench", "what was drawn is not lost"


def test_a_plan_with_an_error_is_not_sent(
    bench: PlanBench, board: Bench, panel: WaypointsPanel
) -> None:
    never = LegAction("GoToEndpoint", end_condition="LegRemaining")
    bench.draft.edit("Draw", mission(replace(waypoint(10, 0), action=never), waypoint(20, 0)))
    bench.tick()
    assert not panel.board.upload.isEnabled()
    assert panel.board.status.text() == "Mend the errors below first."
    panel.board.upload.click()
    assert not bench.plan.carrying.is_busy
    assert board.on_board("PathPlan", "WaypointCount") == 0


def test_while_armed_it_has_to_be_held_and_never_while_it_flies_its_plan(
    bench: PlanBench, board: Bench, panel: WaypointsPanel
) -> None:
    bench.draft.edit("Draw", square())
    board.put("FlightStatus", "Armed", "Armed")
    bench.tick()
    assert panel.board.held_upload.isVisible()
    assert not panel.board.upload.isVisible()
    board.put("FlightStatus", "FlightMode", "PathPlanner")
    bench.tick()
    assert not panel.board.held_upload.isEnabled()
    assert "PositionHold" in panel.board.status.text()
