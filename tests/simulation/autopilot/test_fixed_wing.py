"""The aeroplane's automatic modes: what they write into PathDesired, and what becomes of it.

The rules are those of LibrePilot's flight/modules/PathFollower (fixedwingflycontroller.cpp,
fixedwinglandcontroller.cpp, fixedwingautotakeoffcontroller.cpp) and flight/libraries/plans.c.
"""

import math
from typing import Any

import numpy as np
import pytest

from simulation.autopilot.autopilot import Autopilot, AutopilotConfig
from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.fixed_wing_guidance import FixedWingGuidance, is_fixed_wing
from simulation.autopilot.path_follower import PathFollower
from simulation.autopilot.preset import load_preset
from simulation.records.interface import (
    AXIS_ATTITUDE,
    AXIS_LOCK,
    AXIS_RATE,
    COMMAND,
    HORIZONTAL_NONE,
    HORIZONTAL_WING,
    VERTICAL_MANUAL,
    VERTICAL_PATH,
)
from telemetry.protocol.objects.catalogue import Catalogue

GAIN = 0.3
"""HorizontalPosP of the Sea Vixen."""


class Guided:
    """PathDesired in, COMMAND out."""

    def __init__(self, board: SimulatedBoard) -> None:
        self.board = board
        self.command: Any = np.zeros(1, COMMAND)[0]
        self.guidance = FixedWingGuidance(board, self.command)
        self.follower = PathFollower(board, self.guidance)
        self.set("FixedWingPathFollowerSettings", CourseFeedForward=0.0)

    def set(self, name: str, **fields: Any) -> None:
        """Write fields, options as texts."""
        entry = self.board[name]
        numbers = {f: entry.number(f, v) if isinstance(v, str) else v for f, v in fields.items()}
        entry.set(**numbers)

    def be(self, north: float, east: float, down: float, course_deg: float = 0.0) -> None:
        """Be there, with 14 m/s on this course, looking along it."""
        course = math.radians(course_deg)
        velocity = {"North": 14 * math.cos(course), "East": 14 * math.sin(course), "Down": 0}
        self.board["PositionState"].write(North=north, East=east, Down=down)
        self.board["VelocityState"].write(**velocity)
        self.board["AttitudeState"].write(Yaw=course_deg)
        self.board["AirspeedState"].write(CalibratedAirspeed=14.0)

    def follow(self, mode: str, **fields: Any) -> Any:
        self.set("PathDesired", Mode=mode, **fields)
        self.guidance.update(0)
        self.guidance.follow(True)
        return self.command

    def run(self, mode: str) -> Any:
        """A loop of a flight mode."""
        self.follower.update(0, mode, True)
        self.guidance.follow(True)
        return self.command

    @property
    def velocity(self) -> tuple[float, float]:
        return float(self.command["velocity_north"]), float(self.command["velocity_east"])

    @property
    def path(self) -> tuple[str, tuple[float, ...]]:
        entry = self.board["PathDesired"]
        return entry.option("Mode"), tuple(entry.row["End"].tolist())


@pytest.fixture
def guided(catalogue: Catalogue) -> Guided:
    """A board in a Sea Vixen."""
    return Guided(SimulatedBoard(catalogue, load_preset("sea-vixen")))


NORTHWARD = {
    "Start": (0, 0, -40),
    "End": (500, 0, -40),
    "StartingVelocity": 14,
    "EndingVelocity": 14,
}


def test_the_airframe_type_chooses_the_guidance(
    catalogue: Catalogue, board: SimulatedBoard
) -> None:
    aeroplane = Autopilot(AutopilotConfig(load_preset("sea-vixen")), catalogue)
    assert is_fixed_wing(aeroplane.board)
    assert not is_fixed_wing(board)


# Paths ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("east", [0.0, 20.0, -20.0])
def test_turns_back_to_its_line(guided: Guided, east: float) -> None:
    """updatePathVelocity: the velocity of the path and HorizontalPosP times the way to it, faster
    the farther it is."""
    guided.be(100.0, east, -40.0)
    command = guided.follow("FollowVector", **NORTHWARD)
    assert guided.velocity == pytest.approx((14.0, -GAIN * east))
    assert command["horizontal_mode"] == HORIZONTAL_WING
    assert command["vertical_mode"] == VERTICAL_PATH
    assert command["down_m"] == pytest.approx(-40.0)


def test_goes_by_where_it_will_be(guided: Guided) -> None:
    """CourseFeedForward seconds ahead: flying east with 14 m/s, 7 m beside the line."""
    guided.be(100.0, 0.0, -40.0, 90.0)
    guided.follow("FollowVector", **NORTHWARD)
    assert guided.velocity[1] == pytest.approx(0.0, abs=1e-6)
    guided.set("FixedWingPathFollowerSettings", CourseFeedForward=0.5)
    guided.follow("FollowVector", **NORTHWARD)
    assert guided.velocity[1] == pytest.approx(-GAIN * 7.0)


@pytest.mark.parametrize(("course_deg", "corrects"), [(135.0, False), (-135.0, True), (45.0, True)])
def test_turns_round_before_it_goes_back(guided: Guided, course_deg: float, corrects: bool) -> None:
    """Path and correction both behind it: the correction waits, or it would snake the wrong way."""
    guided.be(100.0, 20.0, -40.0, course_deg)
    guided.follow("FollowVector", **NORTHWARD)
    assert guided.velocity[1] == pytest.approx(-GAIN * 20.0 if corrects else 0.0)


def test_climbs_along_a_rising_line(guided: Guided) -> None:
    guided.be(250.0, 0.0, -45.0)
    command = guided.follow("FollowVector", **{**NORTHWARD, "End": (500, 0, -50)})
    assert command["velocity_down"] == pytest.approx(-14.0 * 10.0 / 500.0, rel=1e-3)
    assert command["down_m"] == pytest.approx(-45.0, abs=0.2)


@pytest.mark.parametrize(("mode", "east"), [("CircleRight", 14.0), ("CircleLeft", -14.0)])
def test_circles_the_way_round_it_is_told(guided: Guided, mode: str, east: float) -> None:
    """North of the centre, on the circle: east for a right turn."""
    guided.be(100.0, 0.0, -40.0, 90.0)
    guided.follow(mode, Start=(100, 0, -40), End=(0, 0, -40), EndingVelocity=14)
    assert guided.velocity == pytest.approx((0.0, east), abs=1e-6)


@pytest.mark.parametrize(("speed", "expected"), [(14.0, 14.0 + GAIN * 10.0), (0.0, GAIN * 10.0)])
def test_flies_to_an_end_point_however_near_it_is(
    guided: Guided, speed: float, expected: float
) -> None:
    """path_endpoint, before and behind it: nothing circles, it turns and comes back."""
    end = {"End": (200, 0, -40), "EndingVelocity": speed}
    guided.be(190.0, 0.0, -40.0)
    guided.follow("GoToEndpoint", **end)
    assert guided.velocity == pytest.approx((expected, 0.0))
    guided.be(210.0, 0.0, -40.0, 180.0)
    guided.follow("GoToEndpoint", **end)
    assert guided.velocity == pytest.approx((-expected, 0.0))


def test_flies_on_beyond_the_last_line(guided: Guided) -> None:
    """path_vector keeps EndingVelocity beyond its end; at 0 only the correction is left."""
    guided.be(600.0, 10.0, -40.0)
    guided.follow("FollowVector", **NORTHWARD)
    assert guided.velocity == pytest.approx((14.0, -GAIN * 10.0))
    guided.follow("FollowVector", **{**NORTHWARD, "EndingVelocity": 0})
    assert guided.velocity == pytest.approx((0.0, -GAIN * 10.0))


def test_holds_an_attitude(guided: Guided) -> None:
    command = guided.follow("FixedAttitude", ModeParameters=(5, -2, 3, 0.4))
    assert command["horizontal_mode"] == HORIZONTAL_NONE
    assert command["axis_setpoint"].tolist() == [5.0, -2.0, 3.0]
    assert command["axis_mode"][2] == AXIS_LOCK
    assert command["thrust"] == pytest.approx(0.4)


@pytest.mark.parametrize("mode", ["Velocity", "Brake", "SetAccessory"])
def test_what_nobody_flies_leaves_the_command_as_it_was(guided: Guided, mode: str) -> None:
    """pathFollowerSetActiveController and the default of pathFollowerTask."""
    guided.be(100.0, 20.0, -40.0)
    guided.follow("FollowVector", **NORTHWARD)
    before = guided.velocity
    guided.be(100.0, 0.0, -40.0)
    guided.follow(mode)
    assert (guided.velocity, guided.guidance.alarm) == (before, "Error")
    guided.follow("FollowVector", **NORTHWARD)
    assert (guided.velocity != before, guided.guidance.alarm) == (True, "OK")


# Safety --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "is_unsafe"),
    [
        ({"airspeed": 30.5, "speed": 30.5}, True),  # HorizontalVelMax 20, Highspeed 1.5; Max 30
        ({"airspeed": 29.5, "speed": 29.5}, False),
        ({"airspeed": 10.5, "speed": 10.5}, False),
        ({"airspeed": 9.5, "speed": 9.5}, True),  # AirSpeedMin 10, Stallspeed 1
        ({"Roll": 91.0}, True),  # RollLimit 45, SafetyCutoffLimits 45
        ({"Roll": -89.0}, False),
        ({"Pitch": -48.0}, True),  # PitchLimit -12, SafetyCutoffLimits 35
        ({"Pitch": -46.0}, False),
        ({"airspeed": 12.0, "speed": -9.0}, True),  # 21 m/s against it, it flies 20 at most
        ({"airspeed": 12.0, "speed": -7.0}, False),
    ],
)
def test_what_it_cannot_fly_is_critical(
    guided: Guided, state: dict[str, float], is_unsafe: bool
) -> None:
    """updateFixedDesiredAttitude and correctCourse of fixedwingflycontroller.cpp: a warning, and
    PathStatus Critical, by which a plan goes to ErrorDestination."""
    guided.set("FixedWingPathFollowerSettings", Safetymargins=(1, 1, 0.5, 1.5, 1, 1, 0, 1, 1))
    guided.set("SystemSettings", AirSpeedMin=10.0, AirSpeedMax=30.0)
    guided.be(100.0, 0.0, -40.0)
    guided.set("VelocityState", North=state.pop("speed", 14.0))
    guided.board["AirspeedState"].write(CalibratedAirspeed=state.pop("airspeed", 14.0))
    guided.board["AttitudeState"].write(**state)
    guided.follow("FollowVector", **NORTHWARD)
    status = guided.board["PathStatus"]
    status.payload(0)
    assert status.option("Status") == ("Critical" if is_unsafe else "InProgress")
    assert guided.guidance.alarm == ("Warning" if is_unsafe else "OK")


# Land ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("height_m", [60.0, 5.0])
def test_lands_with_the_motor_off_from_where_it_is(guided: Guided, height_m: float) -> None:
    """UpdateAutoPilot of fixedwinglandcontroller.cpp: roll 0, LandingPitch, thrust 0; without a
    runway yaw by its rate. No height and no heading matters."""
    guided.set("FixedWingPathFollowerSettings", LandingPitch=4.0)
    guided.be(300.0, 100.0, -height_m, 120.0)
    command = guided.run("Land")
    assert command["axis_mode"].tolist() == [AXIS_ATTITUDE, AXIS_ATTITUDE, AXIS_RATE]
    assert command["axis_setpoint"].tolist() == [0.0, 4.0, 0.0]
    assert (command["vertical_mode"], command["thrust"]) == (VERTICAL_MANUAL, 0.0)
    assert command["horizontal_mode"] == HORIZONTAL_NONE
    assert guided.guidance.alarm == "OK", "nothing disarms it"


def test_lands_along_a_runway(guided: Guided) -> None:
    guided.be(0.0, 0.0, -20.0)
    command = guided.follow("Land", Start=(0, 0, -20), End=(0, 50, 0))
    assert (command["axis_mode"][2], command["axis_setpoint"][2]) == (AXIS_ATTITUDE, 90.0)


# Flight modes --------------------------------------------------------------------------------


def test_holding_is_flying_to_where_it_was(guided: Guided) -> None:
    """plan_setup_positionHold."""
    guided.be(50.0, 60.0, -30.0)
    command = guided.run("PositionHold")
    assert guided.path == ("GoToEndpoint", (50.0, 60.0, -30.0))
    guided.be(50.0, 100.0, -30.0, 90.0)
    command = guided.run("PositionHold")
    assert guided.velocity == pytest.approx((0.0, -GAIN * 40.0))
    assert command["vertical_mode"] == VERTICAL_PATH


@pytest.mark.parametrize("following", ["Hold", "Land"])
def test_returns_and_stays_over_its_base(guided: Guided, following: str) -> None:
    """plan_setup_returnToBase: ReturnToBaseAltitudeOffset (30 m here) above the higher of where it
    is and where it took off. Landing there is vtolflycontroller.cpp's: an aeroplane never does."""
    guided.set("FlightModeSettings", ReturnToBaseNextCommand=following)
    guided.be(400.0, 300.0, -20.0)
    guided.run("ReturnToBase")
    assert guided.path == ("GoToEndpoint", (0.0, 0.0, -50.0))
    guided.be(0.2, 0.1, -50.0)
    guided.run("ReturnToBase")
    assert guided.path == ("GoToEndpoint", (0.0, 0.0, -50.0))


# AutoTakeoff ---------------------------------------------------------------------------------


def in_hand(guided: Guided) -> Any:
    """Armed, the throttle at its lower end, looking east."""
    guided.board["AttitudeState"].write(Yaw=90.0, Pitch=0.0, Roll=0.0)
    guided.board["AirspeedState"].write(CalibratedAirspeed=0.0)
    guided.set("ManualControlCommand", Throttle=-1.0)
    return guided.run("AutoTakeoff")


def flying(guided: Guided, down: float = -10.0, **attitude: float) -> Any:
    """Thrown, on that course."""
    guided.be(40.0, 0.0, down, 90.0)
    guided.board["AttitudeState"].write(Pitch=18.0)
    guided.run("AutoTakeoff")  # it is fast, which is seen one loop later
    guided.run("AutoTakeoff")
    guided.board["AttitudeState"].write(**attitude)
    return guided.run("AutoTakeoff")


def test_its_motor_runs_with_full_thrust_as_soon_as_it_is_armed(guided: Guided) -> None:
    """setAttitude of fixedwingautotakeoffcontroller.cpp, run_launch: TakeOffPitch and
    ThrustLimit.Max, and no look at the throttle. Whoever holds it has to know."""
    command = in_hand(guided)
    assert command["thrust"] == 1.0
    assert command["axis_setpoint"].tolist() == [0.0, 18.0, 90.0]
    assert command["axis_mode"].tolist() == [AXIS_ATTITUDE] * 3


def test_takes_off_and_flies_to_the_end_of_its_path(guided: Guided) -> None:
    in_hand(guided)
    assert guided.path[1] == pytest.approx((0.0, 0.0, -40.0)), "AutoTakeOffHeight"
    assert flying(guided)["horizontal_mode"] == HORIZONTAL_NONE
    flying(guided, down=-40.5)
    command = flying(guided, down=-40.5)
    assert command["horizontal_mode"] == HORIZONTAL_WING
    assert guided.velocity == pytest.approx((-GAIN * 40.0, 0.0), abs=1e-5)


@pytest.mark.parametrize(
    ("attitude", "is_beyond"),
    [
        ({"Roll": 46.0}, True),
        ({"Roll": -44.0}, False),
        ({"Yaw": 151.0}, True),
        ({"Yaw": 31.0}, False),
        ({"Pitch": -18.0}, True),
        ({"Pitch": -16.0}, False),
    ],
)
def test_gives_a_bad_launch_up(guided: Guided, attitude: dict[str, float], is_beyond: bool) -> None:
    """isUnsafe with the SafetyCutoffLimits of the Sea Vixen, 45, 35 and 60 degrees: motor off and
    LandingPitch, for good."""
    guided.set("FixedWingPathFollowerSettings", LandingPitch=-3.0)
    in_hand(guided)
    command = flying(guided, **attitude)
    assert float(command["thrust"]) == (0.0 if is_beyond else 1.0)
    assert guided.guidance.alarm == ("Warning" if is_beyond else "OK")
    command = flying(guided, Roll=0.0, Yaw=90.0, Pitch=18.0)
    assert float(command["thrust"]) == (0.0 if is_beyond else 1.0)
    assert command["axis_setpoint"][1] == (-3.0 if is_beyond else 18.0)


@pytest.mark.parametrize(("speed", "is_beyond"), [(7.5, True), (8.5, False)])
def test_gives_a_launch_up_that_loses_its_speed(
    guided: Guided, speed: float, is_beyond: bool
) -> None:
    """MaxDecelerationDeltaMPS, 6 m/s here, below the fastest, 14 m/s."""
    in_hand(guided)
    flying(guided)
    guided.board["AirspeedState"].write(CalibratedAirspeed=speed)
    assert float(guided.run("AutoTakeoff")["thrust"]) == (0.0 if is_beyond else 1.0)


def test_in_the_hand_the_motor_comes_back(guided: Guided) -> None:
    """run_launch: before it is fast it is no abort."""
    in_hand(guided)
    guided.board["AttitudeState"].write(Roll=60.0)
    assert guided.run("AutoTakeoff")["thrust"] == 0.0
    guided.board["AttitudeState"].write(Roll=0.0)
    assert guided.run("AutoTakeoff")["thrust"] == 1.0


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
