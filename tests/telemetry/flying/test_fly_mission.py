"""A mission flown by the station over the simulated board: taking off, the plan, and its ending.

That a plan does not disarm where it lands is setup_disarmed of vtollandfsm.cpp; that it gives no
thrust for taking off, vtolautotakeofffsm.cpp.
"""

import math
from dataclasses import replace

import pytest

from plugins.testing import add
from telemetry.flying.mission_start import MissionStart
from telemetry.flying.robot.errors import RobotError
from telemetry.missions.board.comparison import WaypointDifference
from telemetry.missions.board.transfer import MissionUpload
from telemetry.missions.mission import Mission
from telemetry.missions.steps import LandStep, ReturnStep, TakeOffStep
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue
from telemetry.protocol.objects.values import pack_values
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


@pytest.mark.slow
def test_where_a_plan_stays_the_aircraft_stays_and_is_armed(catalogue: Catalogue) -> None:
    """Its negative control is the flight above: what lands is disarmed."""
    bench = RobotBench(catalogue)
    bench.pass_time(6.0)
    points = short_plan().waypoints
    stays = waypoint(12.0, 10.0, 6.0, 0.0, mode="GoToEndpoint", end_condition="None")
    plan = short_plan(take_off=TakeOffStep(4.0)).with_waypoints((points[0], stays))
    bench.finish_action(bench.robot.fly_mission(plan, wait=False), 200.0)
    assert bench.robot.state.armed == "Armed"
    assert math.dist(bench.truth[:2], (12.0, 10.0)) < 6.0


@pytest.mark.slow
def test_without_a_take_off_nothing_is_armed_for_a_plan(catalogue: Catalogue) -> None:
    bench = RobotBench(catalogue)
    bench.pass_time(6.0)
    with pytest.raises(RobotError, match="Take off first"):
        bench.finish_action(bench.robot.fly_mission(short_plan(), wait=False), 60.0)
    assert bench.robot.state.armed == "Disarmed"
    assert max(bench.rotor_speeds) == 0.0


@pytest.mark.slow
def test_a_start_says_why_it_cannot_be() -> None:
    cockpit = GuidedCockpit("ar100b")
    vehicle, plan = cockpit.vehicle, short_plan(take_off=TakeOffStep(4.0))
    cockpit.stay(8.0)
    vehicle.attachment("flying.controls", lambda: cockpit.controls)
    assert MissionStart(None, plan, ()).why_not() == "No aircraft is connected."
    assert "add waypoints" in MissionStart(vehicle, Mission(), ()).why_not()
    assert MissionStart(vehicle, plan, None).why_not() == "Upload the plan first."
    differs = (WaypointDifference(0, "7.0 m away"),)
    assert MissionStart(vehicle, plan, differs).why_not() == "Upload the plan first."
    assert "has no take-off" in MissionStart(vehicle, short_plan(), ()).why_not()
    assert MissionStart(vehicle, plan, ()).why_not() == ""
    assert "until the aircraft has disarmed" in MissionStart(vehicle, plan, ()).note
    returns = replace(plan, ending=ReturnStep())
    assert "returns to" not in MissionStart(vehicle, returns, ()).note
    add(cockpit.recording, vehicle.end_s, "PositionState", North=60.0, East=80.0)
    assert "returns to, is 100 m from here" in MissionStart(vehicle, returns, ()).note
    for name in ("Waypoint", "PathAction"):
        newer = vehicle.catalogue.find(name, DEFAULT_RELEASE)
        cockpit.recording.append(vehicle.end_s, newer, 0, pack_values(newer, {}))
    assert "no landing in plans" not in MissionStart(vehicle, returns, ()).note


def test_of_a_board_that_cannot_land_by_a_plan_a_start_says_so() -> None:
    """OpenPilot's PathAction up to 15.02 has no Land (pathaction.xml)."""
    cockpit = GuidedCockpit("ar100b")
    vehicle = cockpit.vehicle
    vehicle.attachment("flying.controls", lambda: cockpit.controls)
    for name in ("Waypoint", "PathAction"):
        older = vehicle.catalogue.find(name, "OpenPilot-15.02")
        cockpit.recording.append(vehicle.end_s, older, 0, pack_values(older, {}))
    returns = short_plan(ending=ReturnStep())
    assert "no landing in plans" in MissionStart(vehicle, returns, ()).note
    assert "no landing in plans" not in MissionStart(vehicle, short_plan(), ()).note


@pytest.mark.slow
def test_a_plan_with_errors_is_not_sent(catalogue: Catalogue) -> None:
    bench = RobotBench(catalogue)
    bench.pass_time(6.0)
    never = waypoint(9.0, 0.0, end_condition="TimeOut", condition_parameters=(60.0, 0.0, 0.0, 0.0))
    plan = mission(never, take_off=TakeOffStep())
    with pytest.raises(RobotError, match="60 s never pass"):
        bench.finish_action(bench.robot.fly_mission(plan, wait=False), 60.0)
    assert max(bench.rotor_speeds) == 0.0
