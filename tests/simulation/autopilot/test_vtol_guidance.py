"""PathDesired becomes a command: speeds along and across a path, and where the nose points."""

from typing import Any

import numpy as np
import pytest

from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.path_progress import PathProgress
from simulation.autopilot.vtol_guidance import VtolGuidance
from simulation.interface import (
    AXIS_ATTITUDE,
    AXIS_LOCK,
    COMMAND,
    HORIZONTAL_NONE,
    HORIZONTAL_PATH,
    VERTICAL_PATH,
)


class Follower:
    """A board, what is flown on it, and the command that comes out."""

    def __init__(self, board: SimulatedBoard) -> None:
        self.board = board
        self.command: Any = np.zeros(1, COMMAND)[0]
        self.guidance = VtolGuidance(board, self.command)
        self.progress = PathProgress(board)

    def path(self, mode: str, **fields: Any) -> None:
        path = self.board["PathDesired"]
        path.set(Mode=path.number("Mode", mode), **fields)

    def follow(self, north: float, east: float, down: float, position_valid: bool = True) -> Any:
        self.board["PositionState"].write(North=north, East=east, Down=down)
        self.progress.measure(0)
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


def test_beside_a_line_it_flies_along_and_back(follower: Follower) -> None:
    command = follower.follow(30.0, 2.0, -10.0)
    assert command["horizontal_mode"] == HORIZONTAL_PATH
    assert command["velocity_north"] == pytest.approx(4.0)
    assert command["velocity_east"] == pytest.approx(-2.0 * gain(follower))


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


def test_its_velocity_changes_evenly_along_a_line_and_stays_beyond_it(follower: Follower) -> None:
    """path_vector in LibrePilot's flight/libraries/paths.c."""
    assert follower.follow(98.0, 0.0, -10.0)["velocity_north"] == pytest.approx(4.0)
    follower.path("FollowVector", EndingVelocity=1.0)
    assert follower.follow(0.0, 0.0, -10.0)["velocity_north"] == pytest.approx(4.0)
    assert follower.follow(50.0, 0.0, -10.0)["velocity_north"] == pytest.approx(2.5)
    assert follower.follow(120.0, 0.0, -10.0)["velocity_north"] == pytest.approx(1.0)


def test_a_planned_end_is_approached_faster_the_farther_it_is(follower: Follower) -> None:
    """path_endpoint in paths.c, ControlPositionWithPath in pidcontrolne.cpp."""
    status = follower.board["FlightStatus"]
    status.set(FlightMode=status.number("FlightMode", "PathPlanner"))
    follower.path("GoToEndpoint", EndingVelocity=2.0, End=(100.0, 0.0, -10.0))
    fastest = float(follower.board["VtolPathFollowerSettings"].row["HorizontalVelMax"])
    assert follower.follow(0.0, 0.0, -10.0)["velocity_north"] == pytest.approx(fastest)
    near = follower.follow(99.0, 0.0, -10.0)["velocity_north"]
    assert near == pytest.approx(2.0 + gain(follower))
    assert follower.follow(101.0, 0.0, -10.0)["velocity_north"] == pytest.approx(-near)


@pytest.mark.parametrize(("mode", "east"), [("CircleRight", 4.0), ("CircleLeft", -4.0)])
def test_round_a_circle_in_its_sense(follower: Follower, mode: str, east: float) -> None:
    follower.path(mode, Start=(10.0, 0.0, -10.0), End=(0.0, 0.0, -10.0))
    command = follower.follow(10.0, 0.0, -10.0)
    assert command["velocity_east"] == pytest.approx(east)
    assert command["velocity_north"] == pytest.approx(0.0, abs=1e-6)


def test_without_a_position_it_stays_level(follower: Follower) -> None:
    assert follower.follow(0.0, 0.0, -10.0, False)["horizontal_mode"] == HORIZONTAL_NONE


def test_fixed_attitude_is_flown_as_given(follower: Follower) -> None:
    follower.path("FixedAttitude", ModeParameters=(5.0, -3.0, 20.0, 0.4))
    command = follower.follow(0.0, 0.0, -10.0)
    assert command["axis_setpoint"].tolist() == [5.0, -3.0, 20.0]
    assert command["thrust"] == pytest.approx(0.4)


@pytest.mark.parametrize(
    ("control", "heading"),
    [("PathDirection", 0.0), ("MovementDirection", 90.0), ("Tailin", 135.0)],
)
def test_the_nose_points_where_yaw_control_says(
    follower: Follower, control: str, heading: float
) -> None:
    settings = follower.board["VtolPathFollowerSettings"]
    settings.set(YawControl=settings.number("YawControl", control))
    follower.board["TakeOffLocation"].set(North=50.0, East=-20.0)
    follower.board["VelocityState"].write(North=0.0, East=3.0, Down=0.0)
    command = follower.follow(30.0, 0.0, -10.0)
    assert command["axis_mode"][2] == AXIS_ATTITUDE
    assert command["axis_setpoint"][2] == pytest.approx(heading)


def test_by_default_the_pilot_turns_the_nose(follower: Follower) -> None:
    follower.board["StabilizationBank"].set(ManualRate=(200, 200, 120))
    follower.board["ManualControlCommand"].write(Yaw=0.5, Connected=1)
    command = follower.follow(30.0, 0.0, -10.0)
    assert command["axis_mode"][2] == AXIS_LOCK
    assert command["axis_setpoint"][2] == pytest.approx(60.0)
