"""Which module writes PathDesired and what is alarmed, as pathfollower.cpp, pathplanner.c and
vtolflycontroller.cpp of LibrePilot have it; what flies it is only noted here."""

from types import SimpleNamespace
from typing import Any

import pytest

from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.path_follower import PathAlarms, PathFollower
from tests.simulation.autopilot.plans import place, write, write_plan

STAY = {"Mode": "GoToEndpoint", "EndCondition": "None"}


class Noting:
    """A guidance that flies nothing."""

    def __init__(self) -> None:
        self.alarm = "OK"
        self.can_land_at_base = True
        self.progress: Any = SimpleNamespace(fraction=0.0, correction=(0.0, 0.0, 0.0))
        self.updates: list[int] = []
        self.left = 0

    def update(self, now_us: int) -> None:
        self.updates.append(now_us)

    def leave(self) -> None:
        self.left += 1


@pytest.fixture
def guidance() -> Noting:
    return Noting()


@pytest.fixture
def follower(board: SimulatedBoard, guidance: Any) -> PathFollower:
    board["PositionState"].write(North=3.0, East=4.0, Down=-10.0)
    return PathFollower(board, guidance)


def wanted(board: SimulatedBoard) -> tuple[str, list[float]]:
    path = board["PathDesired"]
    return path.option("Mode"), [float(value) for value in path.fields["End"]]


def test_without_a_plan_it_holds_and_says_so(
    board: SimulatedBoard, guidance: Noting, follower: PathFollower
) -> None:
    follower.update(20_000, "PathPlanner", True)
    assert follower.alarms == PathAlarms("Critical", "OK")
    assert wanted(board) == ("GoToEndpoint", [3.0, 4.0, -10.0])
    board["PositionState"].write(North=9.0, East=4.0, Down=-10.0)
    follower.update(40_000, "PathPlanner", True)
    assert wanted(board) == ("GoToEndpoint", [3.0, 4.0, -10.0]), "where it was then"
    assert guidance.updates == [20_000, 40_000]


@pytest.mark.parametrize(("armed", "end"), [(True, [10.0, 0.0, -10.0]), (False, [0.0, 0.0, 0.0])])
def test_a_whole_plan_is_no_alarm_and_begins_once_it_is_armed(
    armed: bool, end: list[float], board: SimulatedBoard, follower: PathFollower
) -> None:
    write_plan(board, [place(10.0)], [STAY])
    follower.update(20_000, "PathPlanner", armed)
    assert follower.alarms == PathAlarms("OK", "OK")
    assert wanted(board)[1] == end


def test_a_plan_that_breaks_on_the_way_is_left_for_holding(
    board: SimulatedBoard, follower: PathFollower
) -> None:
    write_plan(board, [place(10.0)], [STAY])
    follower.update(20_000, "PathPlanner", True)
    write(board, "PathPlan", {"WaypointCount": 1, "PathActionCount": 1, "Crc": 255})
    follower.update(40_000, "PathPlanner", True)
    assert follower.alarms.path_plan == "Critical"
    assert wanted(board)[1] == [3.0, 4.0, -10.0]


def test_the_guidances_alarm_is_told_and_gone_by_hand(
    guidance: Noting, follower: PathFollower
) -> None:
    guidance.alarm = "Warning"
    follower.update(20_000, "PositionHold", True)
    assert follower.alarms == PathAlarms("OK", "Warning")
    follower.leave()
    assert (follower.alarms, guidance.left) == (PathAlarms(), 1)
    follower.leave()
    assert guidance.left == 1


def test_a_mode_begins_anew_after_flying_by_hand(
    board: SimulatedBoard, follower: PathFollower
) -> None:
    follower.update(20_000, "PositionHold", True)
    board["PositionState"].write(North=50.0, East=4.0, Down=-10.0)
    follower.update(40_000, "PositionHold", True)
    assert wanted(board)[1] == [3.0, 4.0, -10.0]
    follower.leave()
    follower.update(60_000, "PositionHold", True)
    assert wanted(board)[1] == [50.0, 4.0, -10.0]


@pytest.mark.parametrize(
    ("fraction", "off", "can", "follows", "mode"),
    [
        (0.96, (1.9, -1.9, 0.0), True, 1.0, "Land"),
        (0.94, (0.0, 0.0, 0.0), True, 1.0, "GoToEndpoint"),
        (0.96, (2.1, 0.0, 0.0), True, 1.0, "GoToEndpoint"),
        (0.96, (0.0, -2.1, 0.0), True, 1.0, "GoToEndpoint"),
        (0.96, (0.0, 0.0, 9.0), True, 1.0, "Land"),
        (0.96, (0.0, 0.0, 0.0), False, 1.0, "GoToEndpoint"),
        (0.96, (0.0, 0.0, 0.0), True, 0.0, "GoToEndpoint"),
    ],
)
def test_it_lands_where_the_return_has_ended_if_it_is_to(
    *,
    fraction: float,
    off: tuple[float, float, float],
    can: bool,
    follows: float,
    mode: str,
    board: SimulatedBoard,
    guidance: Noting,
    follower: PathFollower,
) -> None:
    follower.update(20_000, "ReturnToBase", True)
    board["PathDesired"].set(ModeParameters=[follows, 0.0, 0.0, 0.0])
    guidance.can_land_at_base = can
    guidance.progress = SimpleNamespace(fraction=fraction, correction=off)
    follower.update(40_000, "ReturnToBase", True)
    assert wanted(board)[0] == mode
