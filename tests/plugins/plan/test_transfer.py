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
from telemetry.vehicle.vehicle import LinkState, LinkStatus, Vehicle
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
    bench.tick()
    press()

    def is_over() -> bool:
        carrying.poll()
        return not carrying.is_busy

    board.run(is_over)
    bench.tick()
    return said(bench)


def said(bench: PlanBench) -> str:
    """What stands below the buttons."""
    bench.tick()
    (panel,) = (view for view in bench.views if isinstance(view, WaypointsPanel))
    return str(panel.board.status.text())


def test_up_changed_compared_and_down_again(
    bench: PlanBench, board: Bench, panel: WaypointsPanel
) -> None:
    bench.draft.edit("Draw", square())
    bench.tick()
    assert panel.board.upload.isEnabled(), panel.board.status.text()
    told = carried(bench, board, panel.board.upload.click)
    assert told.startswith("4 waypoints on board of bench as here, read back at 0:")
    assert board.on_board("PathPlan", "WaypointCount") == 4
    carried(bench, board, panel.board.compare)
    assert bench.plan.compared == ()
    bench.draft.edit("Move", offset(square(), 7.0, 0.0, indices=[2]))
    carried(bench, board, panel.board.compare)
    assert bench.plan.compared is not None
    assert [(d.waypoint, d.text) for d in bench.plan.compared] == [(2, "7.0 m away")]
    carried(bench, board, panel.board.download.click)
    assert len(bench.draft.mission.waypoints) == 4
    assert bench.draft.undo() == "Download from bench", "what was drawn is not lost"


SAME, DIFFERS = "4 waypoints on board of bench as here", "This plan differs from that on board"


@pytest.fixture
def uploaded(bench: PlanBench, board: Bench, panel: WaypointsPanel) -> WaypointsPanel:
    """Four waypoints are on board, and the panel has said so."""
    bench.draft.edit("Draw", square())
    assert carried(bench, board, panel.board.upload.click).startswith(SAME)
    return panel


def add_other(bench: PlanBench, catalogue: Catalogue) -> Vehicle:
    """Another aircraft, which has no plan, is the active one."""
    other = plan_bench(catalogue).vehicle
    bench.fleet.add(other)
    assert not bench.fleet.choose(other)
    return other


@pytest.mark.usefixtures("uploaded")
def test_what_is_said_of_one_board_is_not_said_of_another(
    bench: PlanBench, board: Bench, catalogue: Catalogue
) -> None:
    add_other(bench, catalogue)
    assert said(bench) == ""
    assert not bench.fleet.choose(board.vehicle)
    assert said(bench).startswith(SAME)


@pytest.mark.usefixtures("uploaded")
def test_after_an_edit_it_differs_and_after_undoing_it_is_the_same(bench: PlanBench) -> None:
    bench.draft.edit("Move", offset(square(), 7.0, 0.0, indices=[2]))
    assert said(bench).startswith(DIFFERS)
    bench.draft.undo()
    assert said(bench).startswith(SAME)


@pytest.mark.usefixtures("uploaded")
def test_after_a_lost_link_nothing_is_known_of_the_board(bench: PlanBench, board: Bench) -> None:
    board.link.close()
    board.vehicle.status = LinkStatus(LinkState.RECONNECTING)
    assert "before its link was lost" in said(bench)
    board.connect()
    board.run(lambda: board.vehicle.status.state is LinkState.CONNECTED)
    assert "before its link was lost" in said(bench)


@pytest.mark.usefixtures("uploaded")
def test_after_a_restart_nothing_is_known_of_the_board(bench: PlanBench, board: Bench) -> None:
    board.put("SystemStats", "FlightTime", 90_000)
    board.put("SystemStats", "FlightTime", 1_000)
    assert "or it restarted" in said(bench)


@pytest.mark.usefixtures("uploaded")
@pytest.mark.parametrize(
    ("name", "path"), [("Waypoint", "Velocity"), ("PathPlan", "WaypointCount")]
)
def test_another_station_that_changes_the_plan_on_board_is_heard(
    bench: PlanBench, board: Bench, name: str, path: str
) -> None:
    board.put(name, path, 3)
    assert said(bench).startswith("The plan of bench was changed after it was read back")
    assert bench.plan.differences is None


@pytest.mark.usefixtures("uploaded")
def test_home_that_moves_takes_the_plan_on_board_with_it(bench: PlanBench, board: Bench) -> None:
    latitude = board.on_board("HomeLocation", "Latitude")
    assert isinstance(latitude, int)
    board.put("HomeLocation", "Latitude", latitude + 1000)
    assert said(bench).startswith(DIFFERS)


def test_a_comparison_is_withdrawn_with_what_it_was_of(
    bench: PlanBench, board: Bench, uploaded: WaypointsPanel, catalogue: Catalogue
) -> None:
    carried(bench, board, uploaded.board.compare)
    assert bench.plan.compared == ()
    add_other(bench, catalogue)
    assert bench.plan.compared is None
    assert not bench.fleet.choose(board.vehicle)
    board.put("PathPlan", "WaypointCount", 3)
    bench.tick()
    assert bench.plan.compared is None


def test_while_it_is_carried_another_aircraft_says_whose_plan_that_is(
    bench: PlanBench, board: Bench, uploaded: WaypointsPanel, catalogue: Catalogue
) -> None:
    uploaded.board.compare()
    add_other(bench, catalogue)
    assert said(bench).startswith("bench: ")
    bench.plan.carrying.close()
    assert said(bench) == ""
    assert not bench.fleet.choose(board.vehicle)
    assert "nothing is known of the plan on board" in said(bench)
    bench.draft.edit("Move", offset(square(), 7.0, 0.0))
    assert "nothing is known" not in said(bench)


def test_a_plan_with_an_error_is_not_sent(
    bench: PlanBench, board: Bench, panel: WaypointsPanel
) -> None:
    never = LegAction("GoToEndpoint", end_condition="LegRemaining")
    bench.draft.edit("Draw", mission(replace(waypoint(10, 0), action=never), waypoint(20, 0)))
    bench.tick()
    assert not panel.board.upload.isEnabled()
    assert panel.board.status.text() == "Mend the errors first."
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
    assert "Position hold" in panel.board.status.text()
