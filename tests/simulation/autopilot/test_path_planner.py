"""The flight plan: what is refused, which leg is chosen, and what is written for the follower.

As updatePathDesired and pathPlannerTask of flight/modules/PathPlanner/pathplanner.c have it.
"""

from collections.abc import Mapping
from typing import Any

import pytest

from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.end_conditions import CONDITIONS
from simulation.autopilot.path_planner import PathPlanner
from tests.simulation.autopilot.plans import place, write, write_plan

STAY: Mapping[str, Any] = {"Mode": "GoToEndpoint", "EndCondition": "None"}
NEXT: Mapping[str, Any] = {
    "Mode": "FollowVector",
    "EndCondition": "DistanceToTarget",
    "ConditionParameters": [2.0, 0.0, 0.0, 0.0],
}


@pytest.fixture
def planner(board: SimulatedBoard) -> PathPlanner:
    return PathPlanner(board)


def index(board: SimulatedBoard) -> int:
    return int(board["WaypointActive"].row["Index"])


def be_at(board: SimulatedBoard, north: float, east: float = 0.0, down: float = -10.0) -> None:
    board["PositionState"].write(North=north, East=east, Down=down)


def test_every_option_of_the_object_is_known(board: SimulatedBoard) -> None:
    options = board["PathAction"].definition.field_named("EndCondition").options
    assert set(options) == set(CONDITIONS)


def test_without_a_plan_nothing_is_flown(planner: PathPlanner) -> None:
    planner.enter()
    assert not planner.update(0)
    assert planner.problem == "There is no flight plan on board."


@pytest.mark.parametrize(
    ("name", "values", "instance", "words"),
    [
        ("PathPlan", {"WaypointCount": 3, "PathActionCount": 2, "Crc": 0}, 0, "only 2 have"),
        ("PathPlan", {"WaypointCount": 2, "PathActionCount": 3, "Crc": 0}, 0, "only 2 have"),
        ("PathPlan", {"WaypointCount": 2, "PathActionCount": 2, "Crc": 255}, 0, "checksum"),
        ("Waypoint", place(21.0), 1, "checksum"),
        ("PathAction", STAY, 0, "checksum"),
    ],
)
def test_a_broken_plan_is_refused(
    board: SimulatedBoard,
    planner: PathPlanner,
    name: str,
    values: Mapping[str, Any],
    instance: int,
    words: str,
) -> None:
    write_plan(board, [place(10.0), place(20.0, Action=1)], [NEXT, STAY])
    assert planner.problem is None
    write(board, name, values, instance)
    planner.enter()
    assert not planner.update(0)
    assert words in str(planner.problem)


@pytest.mark.parametrize(
    ("waypoint", "action", "words"),
    [
        (place(10.0, Action=2), NEXT, "action 2"),
        (place(10.0), {**NEXT, "JumpDestination": 2}, "waypoint 2"),
        (place(10.0), {**NEXT, "ErrorDestination": 7}, "waypoint 7"),
        (place(float("nan")), NEXT, "not a number"),
    ],
)
def test_a_plan_with_a_bad_reference_is_refused(
    board: SimulatedBoard,
    planner: PathPlanner,
    waypoint: Mapping[str, Any],
    action: Mapping[str, Any],
    words: str,
) -> None:
    write_plan(board, [waypoint, place(20.0, Action=1)], [action, STAY])
    assert words in str(planner.problem)


def test_a_leg_is_written_for_the_follower(board: SimulatedBoard, planner: PathPlanner) -> None:
    last = place(20.0, 5.0, Action=1, Velocity=2.0)
    write_plan(board, [place(10.0), last], [NEXT, STAY])
    be_at(board, 1.0, 2.0, -3.0)
    planner.enter()
    assert planner.update(0)
    path = board["PathDesired"]
    assert path.option("Mode") == "FollowVector"
    assert path.row["Start"].tolist() == [1.0, 2.0, -3.0]
    assert path.row["End"].tolist() == [10.0, 0.0, -10.0]
    assert (path.row["StartingVelocity"], path.row["EndingVelocity"]) == (3.0, 3.0)
    be_at(board, 9.0)
    planner.update(20_000)
    assert index(board) == 1
    assert path.option("Mode") == "GoToEndpoint"
    assert path.row["Start"].tolist() == [10.0, 0.0, -10.0]
    velocities = path.row["StartingVelocity"], path.row["EndingVelocity"]
    assert velocities == (3.0, 2.0), "that of the waypoint before, and its own"
    assert path.row["UID"] == 1


@pytest.mark.parametrize(
    ("command", "met", "following"),
    [
        ("OnConditionNextWaypoint", True, 1),
        ("OnConditionNextWaypoint", False, 0),
        ("OnNotConditionNextWaypoint", True, 0),
        ("OnNotConditionNextWaypoint", False, 1),
        ("OnConditionJumpWaypoint", True, 3),
        ("OnConditionJumpWaypoint", False, 0),
        ("OnNotConditionJumpWaypoint", True, 0),
        ("OnNotConditionJumpWaypoint", False, 3),
        ("IfConditionJumpWaypointElseNextWaypoint", True, 3),
        ("IfConditionJumpWaypointElseNextWaypoint", False, 1),
    ],
)
def test_a_command(
    board: SimulatedBoard, planner: PathPlanner, command: str, met: bool, following: int
) -> None:
    condition = "Immediate" if met else "None"
    first = {"EndCondition": condition, "Command": command, "JumpDestination": 3}
    points = [place(10.0), *(place(20.0 + i, Action=1) for i in range(3))]
    write_plan(board, points, [first, STAY])
    planner.enter()
    planner.update(0)
    assert index(board) == 0
    planner.update(20_000)
    assert index(board) == following


def test_a_jump_below_zero_counts_forward(board: SimulatedBoard, planner: PathPlanner) -> None:
    jump = {"EndCondition": "Immediate", "Command": "OnConditionJumpWaypoint"}
    points = [place(10.0), place(20.0, Action=1), place(30.0, Action=1)]
    write_plan(board, points, [{**jump, "JumpDestination": -2}, STAY])
    planner.enter()
    planner.update(0)
    planner.update(20_000)
    assert index(board) == 2


def test_a_plan_wraps_around(board: SimulatedBoard, planner: PathPlanner) -> None:
    write_plan(board, [place(10.0), place(20.0)], [NEXT])
    planner.enter()
    for north, expected in ((0.0, 0), (10.0, 1), (20.0, 0)):
        be_at(board, north)
        planner.update(0)
        assert index(board) == expected


def test_a_station_jumps_by_writing_the_active_waypoint(
    board: SimulatedBoard, planner: PathPlanner
) -> None:
    write_plan(board, [place(10.0), place(20.0, Action=1)], [STAY, STAY])
    planner.enter()
    planner.update(0)
    write(board, "WaypointActive", {"Index": 1})
    planner.update(20_000)
    assert board["PathDesired"].row["End"][0] == 20.0


@pytest.mark.parametrize(("restarts", "expected"), [("True", 0), ("False", 1)])
def test_choosing_the_mode_again(
    board: SimulatedBoard, planner: PathPlanner, restarts: str, expected: int
) -> None:
    settings = board["FlightModeSettings"]
    settings.set(
        FlightModeChangeRestartsPathPlan=settings.number(
            "FlightModeChangeRestartsPathPlan", restarts
        )
    )
    write_plan(board, [place(10.0), place(20.0, Action=1)], [NEXT, STAY])
    planner.enter()
    planner.update(0)
    be_at(board, 10.0)
    planner.update(20_000)
    be_at(board, 0.0)
    planner.enter()
    planner.update(40_000)
    assert index(board) == expected


@pytest.mark.parametrize(("restarts", "expected"), [("True", 0), ("False", 1)])
def test_a_plan_that_is_whole_again(
    board: SimulatedBoard, planner: PathPlanner, restarts: str, expected: int
) -> None:
    """pathPlannerTask: while it is not whole pathplanner_active is false, as in another mode."""
    settings = board["FlightModeSettings"]
    settings.set(
        FlightModeChangeRestartsPathPlan=settings.number(
            "FlightModeChangeRestartsPathPlan", restarts
        )
    )
    points = [place(10.0), place(20.0, Action=1)]
    write_plan(board, points, [NEXT, STAY])
    planner.enter()
    planner.update(0)
    be_at(board, 10.0)
    planner.update(20_000)
    assert index(board) == 1
    write(board, "Waypoint", place(25.0, Action=1), 1)
    assert not planner.update(40_000)
    write_plan(board, points, [NEXT, STAY])
    be_at(board, 0.0)
    assert planner.update(60_000)
    assert index(board) == expected


def test_what_the_follower_cannot_fly_leads_to_the_error_destination(
    board: SimulatedBoard, planner: PathPlanner
) -> None:
    points = [place(10.0), place(20.0, Action=1), place(30.0, Action=1)]
    write_plan(board, points, [{**STAY, "ErrorDestination": 2}, STAY])
    planner.enter()
    planner.update(0)
    status = board["PathStatus"]
    status.set(UID=0, Status=status.number("Status", "Critical"))
    planner.update(20_000)
    assert index(board) == 2


@pytest.mark.parametrize("destination", [-1, 0])
def test_no_error_destination_and_its_own_ask_for_nothing(
    board: SimulatedBoard, planner: PathPlanner, destination: int
) -> None:
    points = [place(10.0), place(20.0, Action=1)]
    first = {**STAY, "EndCondition": "Immediate", "ErrorDestination": destination}
    write_plan(board, points, [first, STAY])
    planner.enter()
    planner.update(0)
    status = board["PathStatus"]
    status.set(UID=0, Status=status.number("Status", "Critical"))
    planner.update(20_000)
    assert index(board) == 1, "the end condition counts as ever"


def test_it_writes_places_and_parameters_as_they_are(
    board: SimulatedBoard, planner: PathPlanner
) -> None:
    """updatePathDesired: that a multirotor lands where it is, with LandingVelocity, is its
    controller's affair."""
    land = {**STAY, "Mode": "Land", "ModeParameters": [1.0, 2.0, 3.0, 4.0]}
    write_plan(board, [place(10.0, 4.0)], [land])
    be_at(board, 1.0, 2.0, 0.0)
    planner.enter()
    planner.update(0)
    path = board["PathDesired"]
    assert path.row["ModeParameters"].tolist() == [1.0, 2.0, 3.0, 4.0]
    assert path.row["End"].tolist() == [10.0, 4.0, -10.0]


def test_the_error_counts_from_where_it_is(board: SimulatedBoard, planner: PathPlanner) -> None:
    """conditionBelowError measures anew: PathStatus is from where it will be."""
    near = {**STAY, "EndCondition": "BelowError", "ConditionParameters": [2.0, 0.0, 0.0, 0.0]}
    write_plan(board, [place(10.0), place(20.0, Action=1)], [near, STAY])
    be_at(board, 7.5)
    planner.enter()
    planner.update(0)
    board["PathStatus"].set(error=0.5)
    planner.update(20_000)
    assert index(board) == 0, "2.5 m away, whatever PathStatus says"
    board["PathStatus"].set(error=50.0)
    be_at(board, 8.5)
    planner.update(40_000)
    assert index(board) == 1
