"""The aeroplane's automatic modes: what they write into PathDesired, and what becomes of it."""

import math
from typing import Any

import numpy as np
import pytest

from simulation.autopilot.autopilot import Autopilot, AutopilotConfig
from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.fixed_wing_guidance import LOITER_M, FixedWingGuidance, is_fixed_wing
from simulation.autopilot.fixed_wing_path import FixedWingPathFollower
from simulation.autopilot.path_follower import PathFollower
from simulation.autopilot.preset import load_preset
from simulation.interface import (
    COMMAND,
    HORIZONTAL_NONE,
    HORIZONTAL_WING,
    VERTICAL_LAND,
    VERTICAL_PATH,
    VERTICAL_TAKEOFF,
)
from telemetry.objects.catalogue import Catalogue


@pytest.fixture
def wing(catalogue: Catalogue) -> SimulatedBoard:
    """A board in a Sea Vixen."""
    return SimulatedBoard(catalogue, load_preset("sea-vixen"))


def fly(
    board: SimulatedBoard, north: float, east: float, down: float, course_deg: float = 0.0
) -> None:
    """Be there, with 14 m/s on this course, looking along it."""
    course = math.radians(course_deg)
    board["PositionState"].write(North=north, East=east, Down=down)
    board["VelocityState"].write(North=14 * math.cos(course), East=14 * math.sin(course), Down=0)
    board["AttitudeState"].write(Yaw=course_deg)


class Guided:
    """PathDesired in, COMMAND out."""

    def __init__(self, board: SimulatedBoard) -> None:
        self.board = board
        self.command: Any = np.zeros(1, COMMAND)[0]
        self.guidance = FixedWingGuidance(board, self.command)

    def follow(self, mode: str, **fields: Any) -> Any:
        path = self.board["PathDesired"]
        path.set(Mode=path.number("Mode", mode), **fields)
        self.guidance.follow(True)
        return self.command

    @property
    def course_deg(self) -> float:
        return math.degrees(
            math.atan2(self.command["velocity_east"], self.command["velocity_north"])
        )

    @property
    def speed(self) -> float:
        return math.hypot(self.command["velocity_north"], self.command["velocity_east"])


NORTHWARD = {
    "Start": (0, 0, -40),
    "End": (500, 0, -40),
    "StartingVelocity": 14,
    "EndingVelocity": 14,
}


def test_the_airframe_type_chooses_the_follower(
    catalogue: Catalogue, board: SimulatedBoard
) -> None:
    aeroplane = Autopilot(AutopilotConfig(load_preset("sea-vixen")), catalogue)
    assert isinstance(aeroplane.path, FixedWingPathFollower)
    assert is_fixed_wing(aeroplane.board)
    assert not is_fixed_wing(board)
    copter = Autopilot(AutopilotConfig(load_preset("ar100b")), catalogue)
    assert type(copter.path) is PathFollower


@pytest.mark.parametrize(("east", "low", "high"), [(0, -1, 1), (20, -40, -10), (-20, 10, 40)])
def test_turns_back_to_its_line(wing: SimulatedBoard, east: float, low: float, high: float) -> None:
    guided = Guided(wing)
    fly(wing, 100.0, east, -40.0)
    command = guided.follow("FollowVector", **NORTHWARD)
    assert low < guided.course_deg < high
    assert guided.speed == pytest.approx(14.0)
    assert command["horizontal_mode"] == HORIZONTAL_WING
    assert command["vertical_mode"] == VERTICAL_PATH
    assert command["down_m"] == pytest.approx(-40.0)


def test_climbs_along_a_rising_line(wing: SimulatedBoard) -> None:
    guided = Guided(wing)
    fly(wing, 250.0, 0.0, -45.0)
    rising = {**NORTHWARD, "End": (500, 0, -50)}
    command = guided.follow("FollowVector", **rising)
    assert command["velocity_down"] == pytest.approx(-14.0 * 10.0 / 500.0)
    assert command["down_m"] == pytest.approx(-45.0, abs=0.2)


@pytest.mark.parametrize(("mode", "course"), [("CircleRight", 90.0), ("CircleLeft", -90.0)])
def test_circles_the_way_round_it_is_told(wing: SimulatedBoard, mode: str, course: float) -> None:
    """North of the centre, on the circle: east for a right turn."""
    guided = Guided(wing)
    fly(wing, 100.0, 0.0, -40.0, course)
    guided.follow(mode, Start=(100, 0, -40), End=(0, 0, -40), StartingVelocity=14)
    assert abs(math.remainder(guided.course_deg - course, 360.0)) < 20.0


def test_circles_the_end_of_the_last_leg(wing: SimulatedBoard) -> None:
    guided = Guided(wing)
    fly(wing, 600.0, 0.0, -40.0)
    last = {**NORTHWARD, "EndingVelocity": 0}
    guided.follow("FollowVector", **last)
    assert abs(guided.course_deg) > 60.0  # turns; on a leg that is not the last it flies on:
    guided.follow("FollowVector", **NORTHWARD)
    assert abs(guided.course_deg) < 1.0


def test_flies_straight_to_an_end_point_it_shall_pass(wing: SimulatedBoard) -> None:
    guided = Guided(wing)
    fly(wing, 0.0, 0.0, -40.0)
    guided.follow("GoToEndpoint", End=(200, 200, -40), StartingVelocity=14, EndingVelocity=14)
    assert guided.course_deg == pytest.approx(45.0, abs=3.0)


def test_waits_with_its_motor_off(wing: SimulatedBoard) -> None:
    command = Guided(wing).follow("FixedAttitude", ModeParameters=(0, 0, 0, -1))
    assert command["horizontal_mode"] == HORIZONTAL_NONE
    assert command["thrust"] == -1.0


# The modes -----------------------------------------------------------------------------------


class Piloted:
    """A follower with its board."""

    def __init__(self, board: SimulatedBoard) -> None:
        self.board = board
        self.follower = FixedWingPathFollower(board)
        self.follower.remember_takeoff()

    def run(self, mode: str, armed: bool = True, standing: bool = False) -> str:
        self.follower.update(0, mode, armed, standing)
        return self.path_mode

    @property
    def path_mode(self) -> str:
        return self.board["PathDesired"].option("Mode")

    @property
    def end(self) -> tuple[float, ...]:
        return tuple(self.board["PathDesired"].row["End"].tolist())


def taking_off(board: SimulatedBoard) -> Piloted:
    """In the hand, the throttle raised."""
    piloted = Piloted(board)
    assert piloted.run("AutoTakeoff", standing=True) == "FixedAttitude"
    board["ManualControlCommand"].write(Throttle=0.6)
    piloted.run("AutoTakeoff", standing=True)
    return piloted


def test_takes_off_once_the_throttle_is_raised_and_then_circles(wing: SimulatedBoard) -> None:
    piloted = taking_off(wing)
    assert piloted.path_mode == "AutoTakeoff"
    assert piloted.end[2] == pytest.approx(-40.0)  # AutoTakeOffHeight
    guided = Guided(wing)
    guided.guidance.follow(True)
    assert guided.command["vertical_mode"] == VERTICAL_TAKEOFF
    fly(wing, 150.0, 5.0, -38.0)
    piloted.run("AutoTakeoff")
    assert piloted.run("AutoTakeoff") == "CircleRight"
    assert piloted.end == pytest.approx((150.0, 5.0, -40.0))


@pytest.mark.parametrize("state", [{"Roll": 60.0}, {"Yaw": 90.0}, {"Pitch": -30.0}])
def test_gives_a_bad_launch_up(wing: SimulatedBoard, state: dict[str, float]) -> None:
    piloted = taking_off(wing)
    fly(wing, 20.0, 0.0, -4.0)
    assert piloted.run("AutoTakeoff") == "AutoTakeoff"
    wing["AttitudeState"].write(**state)
    piloted.run("AutoTakeoff")
    assert piloted.follower.alarms.guidance == "Critical"
    assert piloted.run("AutoTakeoff") == "FixedAttitude"  # motor off


def test_gives_a_launch_up_that_loses_its_speed(wing: SimulatedBoard) -> None:
    piloted = taking_off(wing)
    fly(wing, 20.0, 0.0, -4.0)
    piloted.run("AutoTakeoff")
    wing["VelocityState"].write(North=5.0)
    piloted.run("AutoTakeoff")
    assert piloted.run("AutoTakeoff") == "FixedAttitude"


def test_holding_is_circling(wing: SimulatedBoard) -> None:
    piloted = Piloted(wing)
    fly(wing, 50.0, 60.0, -30.0)
    assert piloted.run("PositionHold") == "CircleRight"
    assert piloted.end[:2] == pytest.approx((50.0, 60.0))
    row = wing["PathDesired"].row
    assert math.dist(row["Start"].tolist(), row["End"].tolist()) == pytest.approx(LOITER_M)


def test_returns_to_circle_over_its_base(wing: SimulatedBoard) -> None:
    """libraries/plans.c, plan_setup_returnToBase: ReturnToBaseAltitudeOffset (30 m here) above the
    higher of where it is and where it took off."""
    piloted = Piloted(wing)
    fly(wing, 400.0, 300.0, -20.0)
    assert piloted.run("ReturnToBase") == "CircleRight"
    assert piloted.end == pytest.approx((0.0, 0.0, -50.0))


def test_lands_only_low_and_looking_the_way_it_was_thrown(wing: SimulatedBoard) -> None:
    piloted = Piloted(wing)
    fly(wing, 0.0, 0.0, -60.0)
    assert piloted.run("Land") == "CircleRight"  # too high
    fly(wing, 0.0, 0.0, -20.0, 120.0)
    assert piloted.run("Land") == "CircleRight"  # looks elsewhere
    fly(wing, 0.0, 0.0, -20.0, 10.0)
    assert piloted.run("Land") == "Land"
    assert piloted.end[2] == pytest.approx(1.6)  # the ground, below the hand
    guided = Guided(wing)
    guided.guidance.follow(True)
    assert guided.command["vertical_mode"] == VERTICAL_LAND
    assert guided.command["down_m"] == pytest.approx(1.6)


def test_reports_its_guidance_and_its_tube(catalogue: Catalogue) -> None:
    autopilot = Autopilot(AutopilotConfig(load_preset("sea-vixen")), catalogue)
    for _ in range(100):
        autopilot.run_loop()
    sensor, status = (
        autopilot.board[name] for name in ("AirspeedSensor", "FixedWingPathFollowerStatus")
    )
    sensor.payload(0)
    assert sensor.option("SensorConnected") == "True"
    assert abs(float(sensor.row["DifferentialPressure"])) < 20.0
    status.payload(0)
    errors = status.row["Errors"].tolist()
    assert errors[1] == 1  # Stallspeed: it is in a hand
    assert errors[-1] == 0  # AirspeedSensor
