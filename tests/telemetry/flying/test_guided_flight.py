"""Guided actions flown on the simulated board, which follows LibrePilot next (8c101adc): each test
names the source below flight/ that says what an aircraft does with what it is asked.

Where it is, is the truth of the simulation.
"""

import math
from collections.abc import Iterator
from itertools import pairwise

import pytest

from telemetry.flying.guided_flight import TAKE_OFF
from telemetry.flying.temporary_switch_position import free_switch_position
from telemetry.missions.guided_actions import GuidedPath
from tests.simulation.autopilot.plans import place, write_plan
from tests.telemetry.flying.guided_cockpit import GuidedCockpit

LEG = {
    "Mode": "FollowVector",
    "EndCondition": "DistanceToTarget",
    "ConditionParameters": [2.0, 0.0, 0.0, 0.0],
}
STAY = {"Mode": "GoToEndpoint", "EndCondition": "None"}


def plan_bytes(cockpit: GuidedCockpit) -> list[bytes]:
    board = cockpit.board
    return [board[name].rows.tobytes() for name in ("PathPlan", "Waypoint", "PathAction")]


@pytest.mark.slow
def test_goes_there_orbits_changes_height_and_leaves_the_plan_alone() -> None:
    """modules/PathFollower/pathfollower.cpp (pathFollowerObjectiveUpdatedCb), libraries/paths.c
    (path_endpoint, path_circle): a station's PathDesired is flown in PositionHold.
    """
    cockpit = GuidedCockpit("ar200")
    write_plan(cockpit.board, [place(30.0), place(30.0, 30.0, Action=1)], [LEG, STAY])
    before = plan_bytes(cockpit)
    cockpit.fly_up()
    guided = cockpit.guided

    guided.fly(GuidedPath(20.0, 10.0, -5.0), "Going.")
    cockpit.settle()
    assert cockpit.messages == ["Going."]
    cockpit.stay(14.0)
    assert cockpit.distance_m(20.0, 10.0) < 1.5
    assert cockpit.height_m() == pytest.approx(5.0, abs=0.7)

    guided.change_height(8.0)
    cockpit.settle()
    cockpit.stay(6.0)
    assert cockpit.height_m() == pytest.approx(8.0, abs=0.7)
    assert cockpit.distance_m(20.0, 10.0) < 1.5, "the place stays"

    circle = GuidedPath(20.0, 10.0, -8.0, radius_m=8.0, speed_mps=3.0)
    guided.fly(circle, "Orbiting.")
    cockpit.settle()
    cockpit.stay(12.0)
    bearings = []
    for _ in range(4):
        assert cockpit.distance_m(20.0, 10.0) == pytest.approx(8.0, abs=2.0)
        bearings.append(cockpit.bearing_deg(20.0, 10.0))
        cockpit.stay(1.0)
    turned = [(b - a + 180.0) % 360.0 - 180.0 for a, b in pairwise(bearings)]
    assert all(5.0 < step < 60.0 for step in turned), "clockwise, at about 3 m/s"

    guided.change_height(5.0)
    cockpit.settle()
    cockpit.stay(8.0)
    assert cockpit.height_m() == pytest.approx(5.0, abs=0.7)
    assert cockpit.distance_m(20.0, 10.0) == pytest.approx(8.0, abs=2.0), "and the circle, too"

    guided.hold()
    cockpit.settle()
    cockpit.stay(5.0)
    held = cockpit.place()
    cockpit.stay(3.0)
    assert math.dist(held, cockpit.place()) < 1.0, "Hold ends a circle in PositionHold, too"

    guided.return_home()
    cockpit.wait(lambda flight: flight.flight_mode == "ReturnToBase", 3.0)
    cockpit.stay(30.0)
    assert cockpit.distance_m(0.0, 0.0) < 2.5
    offset_m = float(cockpit.board["FlightModeSettings"].row["ReturnToBaseAltitudeOffset"])
    higher = "libraries/plans.c, plan_setup_returnToBase: above where it was, or took off"
    assert cockpit.height_m() == pytest.approx(5.0 + offset_m, abs=1.0), higher
    assert plan_bytes(cockpit) == before
    assert set(cockpit.radio.written) == {"PathDesired"}


@pytest.mark.slow
def test_a_mission_is_paused_left_and_resumed_where_it_was() -> None:
    """modules/PathPlanner/pathplanner.c: FlightModeChangeRestartsPathPlan True (the default) begins
    at waypoint 0 again, and WaypointActive of a station is taken over at any time.
    """
    cockpit = GuidedCockpit("ar200")
    legs = [place(15.0, down=-4.0), place(15.0, 60.0, -4.0), place(0.0, 60.0, -4.0, Action=1)]
    write_plan(cockpit.board, legs, [LEG, STAY])
    cockpit.fly_up()
    guided = cockpit.guided
    positions = cockpit.positions()
    lent = free_switch_position("PathPlanner", cockpit.look()[1].switches, cockpit.read)
    assert lent is not None
    assert lent.before == "AutoTakeoff", "manualcontrol.c ignores a change to it while armed"
    guided.take_position(lent)
    cockpit.stay(1.0)
    guided.resume()
    cockpit.settle()
    cockpit.wait(lambda _: int(cockpit.board["WaypointActive"].row["Index"]) == 1, 20.0)
    cockpit.stay(2.0)
    guided.pause()
    cockpit.stay(3.0)
    assert cockpit.look()[0].flight_mode == "PositionHold"
    guided.fly(GuidedPath(10.0, 20.0, -4.0), "Aside.")
    cockpit.settle()
    cockpit.stay(4.0)
    guided.resume()
    cockpit.settle()
    assert cockpit.messages[-1] == "On the way to waypoint 1."
    assert int(cockpit.board["PathDesired"].row["UID"]) == 1
    cockpit.stay(1.0)
    assert int(cockpit.board["WaypointActive"].row["Index"]) == 1
    guided.land()
    cockpit.wait(lambda flight: flight.armed == "Disarmed", 40.0)
    cockpit.stay(1.0)
    assert cockpit.positions() == positions, "the position is given back"


@pytest.mark.slow
def test_takes_off_to_the_height_chosen_and_gives_the_setting_back() -> None:
    """modules/PathFollower/vtolautotakeoffcontroller.cpp, libraries/plans.c
    (plan_setup_AutoTakeoff): the height is FlightModeSettings.AutoTakeOffHeight when the mode is
    selected.
    """
    cockpit = GuidedCockpit("ar200")
    before = float(cockpit.board["FlightModeSettings"].row["AutoTakeOffHeight"])
    cockpit.stay(8.0)
    cockpit.guided.take_off(4.5)
    cockpit.wait(lambda flight: (flight.height_m or 0.0) > 4.0, 40.0)
    entries = cockpit.temporary.entries
    assert [entry.owner for entry in entries] == [TAKE_OFF], "kept until it flies elsewhere"
    cockpit.stay(6.0)
    assert cockpit.height_m() == pytest.approx(4.5, abs=0.7)
    assert cockpit.height_m() - before > 1.0, "without the setting it would stay lower"
    cockpit.guided.hold()
    cockpit.stay(2.0)
    assert float(cockpit.board["FlightModeSettings"].row["AutoTakeOffHeight"]) == before
    assert cockpit.temporary.entries == ()


@pytest.fixture(scope="module")
def flown() -> GuidedCockpit:
    """One flight for all that leave it in the air."""
    cockpit = GuidedCockpit("ar200")
    cockpit.fly_up()
    return cockpit


@pytest.fixture
def aloft(flown: GuidedCockpit) -> Iterator[GuidedCockpit]:
    """Holding, with nothing lent, asked for or told."""
    flown.messages.clear()
    yield flown
    flown.radio.is_deaf = False
    flown.controls.drag({"roll": 0.0, "pitch": 0.0})
    flown.temporary.give_back("test")
    flown.stay(1.0)
    flown.guided.hold()
    flown.stay(4.0)


@pytest.mark.slow
def test_a_speed_limit_holds_on_the_way_until_it_is_given_back(aloft: GuidedCockpit) -> None:
    """modules/PathFollower/pidcontrolne.cpp (UpdateVelocitySetpoint): HorizontalVelMax bounds what
    is asked for; pathfollower.cpp (SettingsUpdatedCb) takes it over in flight.
    """
    before = float(aloft.board["VtolPathFollowerSettings"].row["HorizontalVelMax"])
    aloft.guided.limit_speed(2.0)
    aloft.guided.fly(GuidedPath(60.0, 0.0, -3.0), "Going.")
    aloft.stay(6.0)
    assert aloft.speed_mps() == pytest.approx(2.0, abs=0.4)
    aloft.guided.free_speed()
    aloft.stay(5.0)
    assert aloft.speed_mps() > 3.5
    assert float(aloft.board["VtolPathFollowerSettings"].row["HorizontalVelMax"]) == before


@pytest.mark.slow
def test_holding_takes_no_notice_of_roll_and_pitch(aloft: GuidedCockpit) -> None:
    """modules/ManualControl/pathfollowerhandler.c: PositionHold runs no plan by the sticks, as
    VelocityRoam does, which is the negative control."""
    before = aloft.place()
    aloft.controls.drag({"roll": 0.0, "pitch": -0.6})
    aloft.stay(3.0)
    assert aloft.distance_m(*before) < 1.0
    held = aloft.look()[1].switches.position_of("PositionHold")
    path = f"FlightModePosition.{held}"
    aloft.temporary.take("test", "FlightModeSettings", path, "VelocityRoam")
    aloft.stay(4.0)
    assert aloft.look()[0].flight_mode == "VelocityRoam"
    assert aloft.distance_m(*before) > 2.0


@pytest.mark.slow
def test_what_does_not_arrive_is_told_and_it_holds(aloft: GuidedCockpit) -> None:
    aloft.radio.is_deaf = True
    north_m, east_m = aloft.place()
    aloft.guided.fly(GuidedPath(north_m + 20.0, east_m + 10.0, -5.0), "Going.")
    aloft.settle()
    assert len(aloft.messages) == 1
    assert aloft.messages[0].startswith("Not done: PathDesired was not taken over.")
    aloft.stay(3.0)
    assert aloft.distance_m(north_m + 20.0, east_m + 10.0) > 15.0, (
        "the negative control of going there"
    )
