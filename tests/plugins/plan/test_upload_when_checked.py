"""A press of *Upload* waits while the plan is being checked, and then sends it or says why not."""

from dataclasses import replace
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from plugins.plan.shared_plan import SharedPlan
from telemetry.missions.edits import offset
from telemetry.missions.mission import LegAction
from telemetry.missions.steps import ReturnStep, TakeOffStep
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.vehicle.vehicle import Fleet
from tests.immediate import ImmediateJobs
from tests.telemetry.configuration.settings.bench import Bench
from tests.telemetry.missions.made import square
from tests.telemetry.missions.plan_bench import plan_bench


class Desk:
    """A plan, a board, and checks that take as long as the test wants."""

    def __init__(self, board: Bench) -> None:
        self.board, self.jobs, fleet = board, ImmediateJobs(), Fleet()
        self.jobs.is_held = True
        fleet.add(board.vehicle)
        board.vehicle.commands.request("HomeLocation")
        board.run(lambda: board.vehicle.recording.latest("HomeLocation", 1e9) is not None)
        self.plan = SharedPlan(fleet, self.jobs)

    def check(self) -> None:
        """Let the checks come to their end."""
        for _ in range(3):
            self.plan.poll()
            self.jobs.release()
        self.plan.poll()

    def carry(self) -> None:
        carrying = self.plan.carrying

        def is_over() -> bool:
            carrying.poll()
            return not carrying.is_busy

        self.board.run(is_over)


@pytest.fixture
def desk(qtbot: QtBot, catalogue: Catalogue, tmp_path: object, monkeypatch: Any) -> Desk:
    monkeypatch.setenv("LAPWING_HOME", str(tmp_path))
    return Desk(plan_bench(catalogue))


def test_a_press_waits_for_the_check_and_then_sends(desk: Desk) -> None:
    plan = desk.plan
    plan.draft.edit("Draw", square())
    desk.check()
    plan.draft.edit("Move", offset(square(), 3.0, 0.0))
    plan.poll()
    assert not plan.is_assessed
    assert plan.why_not_upload() == "", "the button does not flicker"
    plan.upload_when_checked()
    assert plan.is_waiting_to_upload
    assert not plan.carrying.is_busy
    desk.check()
    assert plan.carrying.is_busy
    assert not plan.is_waiting_to_upload
    desk.carry()
    assert plan.differences == ()
    assert plan.refused_upload == ""


def test_what_the_check_refuses_is_not_sent(desk: Desk) -> None:
    plan, made = desk.plan, square()
    bad = LegAction("GoToEndpoint", end_condition="TimeOut", condition_parameters=(60.0, 0, 0, 0))
    plan.draft.edit("Draw", made.with_waypoint(2, replace(made.waypoints[2], action=bad)))
    plan.upload_when_checked()
    desk.check()
    assert not plan.carrying.is_busy
    assert "Mend the errors" in (plan.refused_upload or plan.why_not_upload())
    plan.draft.undo()
    assert plan.refused_upload == "", "that was about the plan before"


def test_an_edit_meanwhile_takes_the_press_back(desk: Desk) -> None:
    plan = desk.plan
    plan.draft.edit("Draw", square())
    plan.upload_when_checked()
    plan.draft.edit("Move", offset(square(), 3.0, 0.0))
    desk.check()
    assert not plan.carrying.is_busy
    assert "was changed" in plan.refused_upload


def test_a_plan_with_its_steps_is_that_on_board(desk: Desk) -> None:
    plan = desk.plan
    corners = square().waypoints[:3]
    made = replace(
        square().with_waypoints(corners), take_off=TakeOffStep(), ending=ReturnStep(30.0)
    )
    plan.draft.edit("Draw", made)
    start = plan.mission_start
    assert start.why_not() == "Upload the plan first."
    plan.upload_when_checked()
    desk.check()
    desk.carry()
    assert desk.board.on_board("PathPlan", "WaypointCount") == 5
    assert plan.differences == ()
    assert plan.known is not None
    said = plan.known.statement(plan.draft.mission, plan.ground)
    assert said is not None
    assert said.text.startswith("5 waypoints on board of bench as here")
    assert plan.mission_start.why_not() != "Upload the plan first."
    taken: list[object] = []
    plan.carrying.download(desk.board.vehicle, made, taken.append)
    desk.carry()
    (read,) = taken
    assert (read.take_off, read.ending) == (made.take_off, made.ending)  # type: ignore[attr-defined]
    plan.draft.edit("Lower", replace(made, ending=ReturnStep(45.0)))
    assert plan.mission_start.why_not() == "Upload the plan first."
