"""A station writes a flight plan over UAVTalk and the aircraft flies it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from simulation.autopilot.autopilot import AutopilotConfig
from simulation.autopilot.flight_plan import plan_crc
from simulation.autopilot.preset import Preset
from simulation.scenarios.scenario import overlaid
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.session.transactions import TransactionOutcome
from telemetry.vehicle.sticks import Sticks
from tests.simulation.bench import Bench

MODES = ["Stabilized1", "Stabilized2", "PositionHold", "PathPlanner", "Land", "AutoTakeoff"]
SEED = 2
"""With the sensors of seed 1 a plan that begins on the ground tips it over, as it does firmware in
lockstep (39 degrees): the path follower leans it towards the first waypoint while it stands."""
ON_LINE: Mapping[str, Any] = {
    "Mode": "FollowVector",
    "EndCondition": "LegRemaining",
    "Command": "OnConditionNextWaypoint",
}
STAY: Mapping[str, Any] = {"Mode": "GoToEndpoint", "EndCondition": "None"}


@pytest.fixture
def bench(on_the_ground: Bench) -> Bench:
    """In the air, holding its position by the sticks of a station."""
    bench = on_the_ground
    fly(bench, "AutoTakeoff", 0.0, 3)
    assert bench.autopilot.arming.is_armed
    fly(bench, "AutoTakeoff", 0.6, 11)
    return bench


@pytest.fixture
def on_the_ground(catalogue: Catalogue, preset: Preset) -> Bench:
    settings = {"FlightModeSettings": {"FlightModePosition": MODES}}
    changed = replace(preset, objects=overlaid(preset.objects, settings))
    bench = Bench(AutopilotConfig(changed, SEED), catalogue)
    bench.sticks = Sticks()
    bench.run(7)
    return bench


def fly(bench: Bench, mode: str, throttle: float, seconds: float) -> None:
    bench.sticks = Sticks(0.0, 0.0, 0.0, throttle, MODES.index(mode), True)
    bench.run(seconds)


def send_plan(bench: Bench, *actions: Mapping[str, Any]) -> None:
    """Two waypoints, 8 m north and then 8 m east of it, 4 m high."""
    for i, action in enumerate(actions):
        assert bench.write("PathAction", action, i).outcome is TransactionOutcome.DONE
    for i, east in enumerate((0.0, 8.0)):
        speed = 0.0 if actions[i] == STAY else 3.0
        values = {"Position": [8.0, east, -4.0], "Velocity": speed, "Action": i}
        assert bench.write("Waypoint", values, i).outcome is TransactionOutcome.DONE
    board = bench.autopilot.board
    crc = plan_crc(board["Waypoint"], 2, board["PathAction"], len(actions))
    counts = {"WaypointCount": 2, "PathActionCount": len(actions), "Crc": crc}
    assert bench.write("PathPlan", counts).outcome is TransactionOutcome.DONE


def here(bench: Bench) -> list[float]:
    return [float(x) for x in bench.autopilot.board["PositionState"].row.tolist()]


def alarm(bench: Bench) -> str:
    alarms = bench.autopilot.board["SystemAlarms"]
    field = alarms.definition.field_named("Alarm")
    return alarms.option("Alarm", field.element_index("PathPlan"))


@pytest.mark.slow
def test_a_plan_is_flown_to_its_end(bench: Bench) -> None:
    send_plan(bench, ON_LINE, STAY)
    fly(bench, "PathPlanner", 0.5, 16)
    assert bench.value("WaypointActive", "Index") == 1
    assert here(bench) == pytest.approx([8.0, 8.0, -4.0], abs=0.8)
    assert bench.value("PathStatus", "Status") == "InProgress"
    assert alarm(bench) == "OK"


@pytest.mark.slow
def test_a_circle_is_flown_round_its_centre(bench: Bench) -> None:
    send_plan(bench, ON_LINE, {"Mode": "CircleRight", "EndCondition": "None"})
    fly(bench, "PathPlanner", 0.5, 14)
    for _ in range(8):
        bench.run(1)
        north, east, _ = here(bench)
        assert ((north - 8.0) ** 2 + (east - 8.0) ** 2) ** 0.5 == pytest.approx(8.0, abs=2.5)


@pytest.mark.slow
def test_without_a_plan_it_holds_and_says_so(bench: Bench) -> None:
    before = here(bench)
    fly(bench, "PathPlanner", 0.5, 6)
    assert alarm(bench) == "Critical"
    assert here(bench) == pytest.approx(before, abs=0.8)
    fly(bench, "PositionHold", 0.5, 1)
    assert alarm(bench) == "OK"


@pytest.mark.slow
def test_a_plan_that_breaks_in_flight_is_left_and_a_good_one_is_flown(bench: Bench) -> None:
    send_plan(bench, ON_LINE, STAY)
    fly(bench, "PathPlanner", 0.5, 2)
    bench.write("Waypoint", {"Position": [50.0, 0.0, -4.0], "Action": 0}, 0)
    bench.run(6)
    assert alarm(bench) == "Critical"
    assert here(bench)[0] < 9.0
    send_plan(bench, ON_LINE, STAY)
    bench.run(14)
    assert alarm(bench) == "OK"
    assert here(bench)[:2] == pytest.approx([8.0, 8.0], abs=0.8)


@pytest.mark.slow
def test_on_the_ground_a_plan_waits_for_arming_and_for_nothing_else(on_the_ground: Bench) -> None:
    """pathPlannerTask in pathplanner.c: neither the ground nor the throttle holds it back."""
    bench = on_the_ground
    send_plan(bench, ON_LINE, STAY)
    bench.sticks = Sticks(flight_mode_position=MODES.index("PathPlanner"))
    bench.run(3)
    assert alarm(bench) == "OK"
    assert bench.autopilot.simulator.output["touches_ground"]
    fly(bench, "PathPlanner", 0.0, 4)
    assert not bench.autopilot.simulator.output["touches_ground"]


@pytest.mark.slow
def test_what_nobody_flies_is_an_error_that_leads_to_its_destination(bench: Bench) -> None:
    """pathFollowerTask in pathfollower.cpp: PathStatus Critical; pathPlannerTask takes that."""
    accessory = {**STAY, "Mode": "SetAccessory", "ErrorDestination": 1}
    send_plan(bench, accessory, STAY)
    fly(bench, "PathPlanner", 0.5, 2)
    assert bench.value("WaypointActive", "Index") == 1
    send_plan(bench, {**accessory, "ErrorDestination": -1}, STAY)
    bench.run(1)
    bench.write("WaypointActive", {"Index": 0})
    bench.run(1)
    assert bench.value("WaypointActive", "Index") == 0
    assert bench.value("PathStatus", "Status") == "Critical"


@pytest.mark.slow
@pytest.mark.parametrize("has_plan", [True, False])
def test_it_arms_in_path_planner_with_a_plan_only(on_the_ground: Bench, has_plan: bool) -> None:
    """Without one pathplanner.c sets PathPlan to Critical as soon as the mode is selected, which
    okToArm of armhandler.c refuses; seen on running firmware (LibrePilot next)."""
    bench = on_the_ground
    if has_plan:
        send_plan(bench, ON_LINE, STAY)
    bench.sticks = Sticks(flight_mode_position=MODES.index("PathPlanner"))
    bench.run(1)
    assert (alarm(bench) == "OK") is has_plan
    fly(bench, "PathPlanner", 0.0, 2)
    assert bench.autopilot.arming.is_armed is has_plan


@pytest.mark.slow
@pytest.mark.parametrize(("mode", "climbs"), [("AutoTakeoff", False), ("GoToEndpoint", True)])
def test_no_plan_takes_off_by_taking_off(
    catalogue: Catalogue, preset: Preset, mode: str, climbs: bool
) -> None:
    """vtolautotakeofffsm.cpp bounds the thrust of a plan's AutoTakeoff by 0; any other mode lifts
    it, as vtolflycontroller.cpp bounds it by ThrustLimits."""
    settings = {"FlightModeSettings": {"FlightModePosition": MODES}}
    changed = replace(preset, objects=overlaid(preset.objects, settings))
    bench = Bench(AutopilotConfig(changed, SEED), catalogue)
    bench.sticks = Sticks()
    bench.run(7)
    climb = {"Mode": mode, "EndCondition": "AboveAltitude"}
    above_m = 2.0 - here(bench)[2]  # which on the ground is what GPS was off
    send_plan(bench, {**climb, "ConditionParameters": [above_m, 0.0, 0.0, 0.0]}, STAY)
    fly(bench, "PathPlanner", 0.0, 25)
    assert bench.autopilot.arming.is_armed
    assert bool(bench.autopilot.simulator.output["true_position"][2] < -1.0) is climbs
