"""A mission flown by the station over the simulated board: taking off, the plan, and its ending.

That a plan does not disarm where it lands is setup_disarmed of vtollandfsm.cpp; that it gives no
thrust for taking off, vtolautotakeofffsm.cpp.
"""

import math

import pytest

from telemetry.flying.mission_start import MissionStart
from telemetry.missions.board.transfer import MissionUpload
from telemetry.missions.mission import Mission
from telemetry.missions.steps import LandStep, ReturnStep, TakeOffStep
from telemetry.protocol.objects.catalogue import Catalogue
from tests.telemetry.flying.guided_cockpit import GuidedCockpit
from tests.telemetry.flying.robot.bench import RobotBench
from tests.telemetry.missions.made import mission, waypoint

ARRIVES = {
    "mode": "GoToEndpoint",
    "end_condition": "DistanceToTarget",
    "condition_parameters": (3.0, 0.0, 0.0, 0.0),
}


def short_plan(**members: object) -> Mission:
    return mission(
        waypoint(12.0, 0.0, 6.0, 3.0, **ARRIVES), waypoint(12.0, 10.0, 6.0, 3.0), **members
    )


@pytest.mark.slow
def test_a_script_flies_a_mission_from_the_ground_back_to_it(catalogue: Catalogue) -> None:
    bench = RobotBench(catalogue)
    bench.pass_time(6.0)
    plan = short_plan(take_off=TakeOffStep(5.0), ending=ReturnStep(6.0))
    action = bench.robot.fly_mission(plan, wait=False)
    farthest_m = 0.0

    def flown() -> bool:
        nonlocal farthest_m
        farthest_m = max(farthest_m, math.hypot(*bench.truth[:2]))
        return action.is_finished

    bench.run(flown, 200.0)
    action.wait(0.0)
    assert bench.robot.state.armed == "Disarmed"
    assert farthest_m > 12.0
    assert math.hypot(*bench.truth[:2]) < 5.0


@pytest.mark.slow
def test_start_mission_takes_off_by_the_window_and_ends_disarmed() -> None:
    cockpit = GuidedCockpit("ar100b")
    plan = short_plan(take_off=TakeOffStep(4.0), ending=LandStep())
    cockpit.stay(8.0)
    upload = MissionUpload(cockpit.vehicle, plan)
    while not upload.poll():
        cockpit.run()
    assert upload.problem == ""
    start = MissionStart(cockpit.vehicle, plan, ())
    cockpit.vehicle.attachment("flying.guided", lambda: cockpit.guided)
    cockpit.vehicle.attachment("flying.controls", lambda: cockpit.controls)
    assert start.why_not() == ""
    start.start()
    cockpit.wait(lambda flight: flight.is_armed, 10.0)
    assert start.why_not() != ""
    positions = cockpit.positions()
    cockpit.wait(lambda flight: flight.flight_mode == "PathPlanner", 40.0)
    assert cockpit.positions() != positions, "one is lent to the plan"
    cockpit.wait(lambda flight: not flight.is_armed, 90.0)
    assert cockpit.distance_m(12.0, 10.0) < 5.0
    cockpit.stay(2.0)
    assert cockpit.positions() == positions
    print(cockpit.messages, cockpit.told, cockpit.bench.now_s)
