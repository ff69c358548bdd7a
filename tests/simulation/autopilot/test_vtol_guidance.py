"""PathDesired becomes a command: which controller flies, how fast, and where the nose points.

The rules are those of LibrePilot's flight/modules/PathFollower (vtolflycontroller.cpp,
vtolvelocitycontroller.cpp, pidcontrolne.cpp, pathfollower.cpp); figures are worked out from there.
"""

from typing import Any

import numpy as np
import pytest

from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.vtol_guidance import VtolGuidance
from simulation.records.interface import (
    AXIS_ATTITUDE,
    AXIS_LOCK,
    COMMAND,
    HORIZONTAL_NONE,
    HORIZONTAL_PATH,
    HORIZONTAL_POSITION,
    HORIZONTAL_VELOCITY,
    VERTICAL_HOLD,
    VERTICAL_LAND,
    VERTICAL_MANUAL,
    VERTICAL_PATH,
    VERTICAL_TAKEOFF,
    VERTICAL_VARIO,
)


class Follower:
    """A board, what is flown on it, and the command that comes out."""

    def __init__(self, board: SimulatedBoard) -> None:
        self.board = board
        self.command: Any = np.zeros(1, COMMAND)[0]
        self.guidance = VtolGuidance(board, self.command)
        self.set("VtolPathFollowerSettings", CourseFeedForward=0.0)
        self.now_us = 0

    def set(self, name: str, **fields: Any) -> None:
        """Write fields, options as texts."""
        entry = self.board[name]
        numbers = {f: entry.number(f, v) if isinstance(v, str) else v for f, v in fields.items()}
        entry.set(**numbers)

    def path(self, mode: str, **fields: Any) -> None:
        self.set("PathDesired", Mode=mode, **fields)

    def follow(self, north: float, east: float, down: float, position_valid: bool = True) -> Any:
        self.board["PositionState"].write(North=north, East=east, Down=down)
        self.now_us += 20_000
        self.guidance.update(self.now_us)
        self.guidance.follow(position_valid)
        return self.command


@pytest.fixture
def follower(board: SimulatedBoard) -> Follower:
    follower = Follower(board)
    follower.path(
        "FollowVector",
        Start=(0.0, 0.0, -10.0),
        End=(100.0, 0.0, -10.0),
        StartingVelocity=4.0,
        EndingVelocity=4.0,
    )
    return follower


def gain(follower: Follower) -> float:
    return float(follower.board["VtolPathFollowerSettings"].row["HorizontalPosP"])


# Paths ---------------------------------------------------------------------------------------


def test_beside_a_line_it_flies_along_and_back(follower: Follower) -> None:
    command = follower.follow(30.0, 2.0, -10.0)
    assert command["horizontal_mode"] == HORIZONTAL_PATH
    assert command["velocity_north"] == pytest.approx(4.0)
    assert command["velocity_east"] == pytest.approx(-2.0 * gain(follower))


def test_it_goes_back_from_where_it_will_be(follower: Follower) -> None:
    """UpdateVelocityDesired looks CourseFeedForward seconds ahead: on its line, but leaving it with
    1 m/s, it is 1.5 m beside it."""
    follower.set("VelocityState", East=1.0)
    assert follower.follow(30.0, 0.0, -10.0)["velocity_east"] == pytest.approx(0.0)
    follower.set("VtolPathFollowerSettings", CourseFeedForward=1.5)
    command = follower.follow(30.0, 0.0, -10.0)
    assert command["velocity_east"] == pytest.approx(-1.5 * gain(follower))


def test_far_beside_a_line_it_is_not_faster_than_allowed(follower: Follower) -> None:
    command = follower.follow(30.0, 200.0, -10.0)
    speed = np.hypot(command["velocity_north"], command["velocity_east"])
    fastest = follower.board["VtolPathFollowerSettings"].row["HorizontalVelMax"]
    assert speed == pytest.approx(fastest)


def test_a_climbing_line_is_climbed(follower: Follower) -> None:
    follower.path("FollowVector", End=(80.0, 0.0, -70.0))
    command = follower.follow(40.0, 0.0, -40.0)
    assert command["vertical_mode"] == VERTICAL_PATH
    assert command["velocity_down"] == pytest.approx(-4.0 * 0.6)
    assert command["velocity_north"] == pytest.approx(4.0 * 0.8)
    assert command["down_m"] == pytest.approx(-40.0)


@pytest.mark.parametrize(("mode", "east"), [("CircleRight", 4.0), ("CircleLeft", -4.0)])
def test_round_a_circle_in_its_sense(follower: Follower, mode: str, east: float) -> None:
    follower.path(mode, Start=(10.0, 0.0, -10.0), End=(0.0, 0.0, -10.0))
    command = follower.follow(10.0, 0.0, -10.0)
    assert command["velocity_east"] == pytest.approx(east)
    assert command["velocity_north"] == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("flight_mode", ["PathPlanner", "ReturnToBase"])
def test_an_end_is_flown_to_and_passed_with_its_velocity(
    follower: Follower, flight_mode: str
) -> None:
    """path_endpoint, in every flight mode: no speed on the way but HorizontalVelMax."""
    follower.set("FlightStatus", FlightMode=flight_mode)
    follower.path("GoToEndpoint", EndingVelocity=2.0)
    command = follower.follow(0.0, 0.0, 0.0)
    assert command["horizontal_mode"] == HORIZONTAL_POSITION
    assert (command["north_m"], command["east_m"], command["down_m"]) == (100.0, 0.0, -10.0)
    assert command["end_speed"] == 2.0
    follower.path("GoToEndpoint", EndingVelocity=0.0)
    assert follower.follow(0.0, 0.0, 0.0)["end_speed"] == 0.0


def test_thrust_by_hand_stays_by_hand_on_a_path(follower: Follower) -> None:
    """VtolPathFollowerSettings.ThrustControl, mManualThrust in vtolflycontroller.cpp."""
    follower.set("ManualControlCommand", Thrust=0.37)
    follower.path("GoToEndpoint")
    assert follower.follow(0.0, 0.0, -10.0)["vertical_mode"] == VERTICAL_PATH
    follower.set("VtolPathFollowerSettings", ThrustControl="Manual")
    command = follower.follow(0.0, 0.0, -10.0)
    assert (command["vertical_mode"], command["cruise"]) == (VERTICAL_MANUAL, 1)
    assert command["thrust"] == pytest.approx(0.37)
    assert command["horizontal_mode"] == HORIZONTAL_POSITION


# Velocity ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("thrust", "vertical", "sinks"),
    [(0.5, VERTICAL_HOLD, 0), (0.41, VERTICAL_HOLD, 0), (0.7, VERTICAL_VARIO, -1)],
)
def test_velocity_takes_its_height_from_the_throttle(
    follower: Follower, thrust: float, vertical: int, sinks: int
) -> None:
    """vtolvelocitycontroller.cpp: AltitudeVario with the stick's thrust; a plan that asks for 1 m/s
    down in ModeParameters neither sinks nor climbs by it."""
    follower.set("ManualControlCommand", Thrust=thrust)
    follower.path("Velocity", ModeParameters=(3.0, -4.0, 1.0, 0.0))
    command = follower.follow(7.0, 8.0, -12.0)
    assert command["horizontal_mode"] == HORIZONTAL_VELOCITY
    assert command["velocity_north"] == pytest.approx(3.0)
    assert command["velocity_east"] == pytest.approx(-4.0)
    assert command["vertical_mode"] == vertical
    assert np.sign(command["velocity_down"]) == sinks
    if vertical == VERTICAL_HOLD:
        assert command["down_m"] == -12.0


def test_velocity_is_bounded(follower: Follower) -> None:
    follower.path("Velocity", ModeParameters=(300.0, 400.0, 0.0, 0.0))
    command = follower.follow(0.0, 0.0, -10.0)
    fastest = float(follower.board["VtolPathFollowerSettings"].row["HorizontalVelMax"])
    assert command["velocity_north"] == pytest.approx(0.6 * fastest)
    assert command["velocity_east"] == pytest.approx(0.8 * fastest)


def test_velocity_ignores_where_the_nose_should_look(follower: Follower) -> None:
    follower.set("VtolPathFollowerSettings", YawControl="PathDirection")
    assert follower.follow(30.0, 0.0, -10.0)["axis_mode"][2] == AXIS_ATTITUDE
    follower.path("Velocity", ModeParameters=(3.0, 0.0, 0.0, 0.0))
    assert follower.follow(30.0, 0.0, -10.0)["axis_mode"][2] == AXIS_LOCK


# What is no path -----------------------------------------------------------------------------


def test_without_a_position_it_stays_level(follower: Follower) -> None:
    assert follower.follow(0.0, 0.0, -10.0, False)["horizontal_mode"] == HORIZONTAL_NONE


def test_fixed_attitude_is_flown_as_given(follower: Follower) -> None:
    follower.path("FixedAttitude", ModeParameters=(5.0, -3.0, 20.0, 0.4))
    command = follower.follow(0.0, 0.0, -10.0)
    assert command["axis_setpoint"].tolist() == [5.0, -3.0, 20.0]
    assert command["thrust"] == pytest.approx(0.4)


@pytest.mark.parametrize(
    ("mode", "alarm"),
    [("SetAccessory", "Error"), ("DisarmAlarm", "Critical"), ("FollowVector", "OK")],
)
def test_what_nobody_flies_leaves_the_command_as_it_was(
    follower: Follower, mode: str, alarm: str
) -> None:
    """The default and DisarmAlarm of pathFollowerTask."""
    before = float(follower.follow(30.0, 0.0, -10.0)["velocity_north"])
    follower.path(mode, StartingVelocity=1.0, EndingVelocity=1.0)
    after = float(follower.follow(30.0, 0.0, -10.0)["velocity_north"])
    assert (after == before) is (alarm != "OK")
    assert follower.guidance.alarm == alarm


# Landing and taking off in a plan ------------------------------------------------------------


def landed(follower: Follower) -> Any:
    """Down by Land: it sinks steadily, then stands with the thrust cut."""
    follower.path("Land", ModeParameters=(0.0, 0.0, 0.6, 1.0), End=(500.0, 0.0, 0.0))
    for speed, seconds in ((0.0, 3.2), (0.5, 1.0), (0.0, 0.4)):
        follower.set("VelocityState", Down=speed)
        for _ in range(round(seconds / 0.02)):
            command = follower.follow(7.0, 8.0, -3.0)
    assert command["vertical_mode"] == VERTICAL_LAND
    assert (command["north_m"], command["east_m"]) == (7.0, 8.0), "where it was, not at End"
    follower.set("StabilizationDesired", Thrust=-1.0)
    for _ in range(3):
        command = follower.follow(7.0, 8.0, 0.0)
    return command


@pytest.mark.parametrize(
    ("flight_mode", "alarm"),
    [("Land", "Critical"), ("PathPlanner", "OK"), ("ReturnToBase", "Critical")],
)
def test_a_landing_disarms_but_in_a_plan(follower: Follower, flight_mode: str, alarm: str) -> None:
    """setup_disarmed and run_disarmed of vtollandfsm.cpp: Guidance Critical, which disarms, unless
    ControlChain.PathPlanner. The motors are off in either."""
    follower.set("FlightStatus", FlightMode=flight_mode)
    command = landed(follower)
    assert command["vertical_mode"] == VERTICAL_LAND, "the controller goes on"
    assert max(command["thrust_bounds"]) < 0.0
    assert command["thrust_bounded"]
    assert command["levels"]
    assert follower.board["StatusVtolLand"].option("State") == "Disarmed"
    assert follower.guidance.alarm == alarm


def test_the_last_state_of_landing_stays(follower: Follower) -> None:
    """Inactive of vtollandfsm.cpp tells nobody; the next landing tells of its own."""
    landed(follower)
    follower.path("GoToEndpoint")
    follower.follow(7.0, 8.0, -3.0)
    assert follower.board["StatusVtolLand"].option("State") == "Disarmed"
    follower.path("Land")
    follower.follow(7.0, 8.0, -3.0)
    assert follower.board["StatusVtolLand"].option("State") == "InitAltHold"


def test_a_plan_that_takes_off_gets_no_thrust(follower: Follower) -> None:
    """Activate of vtolautotakeofffsm.cpp sets boundThrustMin and -Max to 0, and a plan goes from
    there to Hold, which raises neither: on the ground it stays there, in the air it falls."""
    follower.set("FlightStatus", FlightMode="PathPlanner", Armed="Armed")
    follower.set("ManualControlCommand", Throttle=0.8)
    follower.path("AutoTakeoff")
    for _ in range(200):
        command = follower.follow(0.0, 0.0, 0.0)
    assert (command["vertical_mode"], command["thrust_bounded"]) == (VERTICAL_TAKEOFF, 1)
    assert command["thrust_bounds"].tolist() == [0.0, 0.0]
    status = follower.board["StatusVtolAutoTakeoff"]
    assert (status.option("State"), status.option("ControlState")) == ("Hold", "PositionHold")


def test_what_has_taken_off_before_goes_on_holding_in_a_plan(follower: Follower) -> None:
    """PathDesired.Mode stays AutoTakeoff, so its controller stays, and goes to the waypoint
    (ObjectiveUpdated of vtolautotakeoffcontroller.cpp)."""
    follower.set("FlightStatus", FlightMode="AutoTakeoff", Armed="Disarmed")
    follower.path("AutoTakeoff", End=(0.0, 0.0, -2.5))
    follower.follow(0.0, 0.0, 0.0)
    follower.set("FlightStatus", Armed="Armed")
    follower.set("ManualControlCommand", Throttle=0.8)
    for _ in range(200):
        follower.follow(0.0, 0.0, 0.0)
    follower.follow(0.0, 0.0, -2.4)
    follower.set("FlightStatus", FlightMode="PathPlanner")
    follower.path("AutoTakeoff", End=(9.0, 4.0, -12.0))
    command = follower.follow(0.0, 0.0, -2.5)
    assert command["vertical_mode"] == VERTICAL_TAKEOFF
    assert (command["north_m"], command["east_m"], command["down_m"]) == (9.0, 4.0, -12.0)


# The nose ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("control", "heading"),
    [("PathDirection", 0.0), ("MovementDirection", 90.0), ("Tailin", 135.0), ("POI", -90.0)],
)
def test_the_nose_points_where_yaw_control_says(
    follower: Follower, control: str, heading: float
) -> None:
    follower.set("VtolPathFollowerSettings", YawControl=control)
    follower.set("TakeOffLocation", North=50.0, East=-20.0)
    follower.set("PoiLocation", North=30.0, East=-20.0)
    follower.board["VelocityState"].write(North=0.0, East=3.0, Down=0.0)
    command = follower.follow(30.0, 0.0, -10.0)
    assert command["axis_mode"][2] == AXIS_ATTITUDE
    assert command["axis_setpoint"][2] == pytest.approx(heading)


@pytest.mark.parametrize("speeds", [(0.0, 4.0), (4.0, 0.0)])
def test_without_a_velocity_at_both_ends_the_pilot_turns_the_nose(
    follower: Follower, speeds: tuple[float, float]
) -> None:
    """UpdateStabilizationDesired of vtolflycontroller.cpp, with MaximumRate."""
    follower.set("VtolPathFollowerSettings", YawControl="PathDirection")
    follower.path("FollowVector", StartingVelocity=speeds[0], EndingVelocity=speeds[1])
    follower.set("StabilizationBank", ManualRate=(200, 200, 120), MaximumRate=(300, 300, 80))
    follower.set("ManualControlCommand", Yaw=0.5)
    command = follower.follow(30.0, 0.0, -10.0)
    assert command["axis_mode"][2] == AXIS_LOCK
    assert command["axis_setpoint"][2] == pytest.approx(40.0)
