"""Taking off by itself: vtolautotakeoffcontroller.cpp and vtolautotakeofffsm.cpp of LibrePilot.

The rows are those of "Taking off by itself" of design/firmware-rules.md.
"""

from typing import Any

import numpy as np
import pytest

from simulation.autopilot.autopilot import AutopilotConfig
from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.path_follower import PathFollower
from simulation.autopilot.preset import Preset
from simulation.autopilot.vtol_guidance import VtolGuidance
from simulation.records.interface import COMMAND, VERTICAL_TAKEOFF
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.vehicle.sticks import Sticks
from tests.simulation.bench import Bench

CYCLE_US = 20_000
OFF = 0.0


class Follower:
    """A path follower in AutoTakeoff; position and thrust are what the test says."""

    def __init__(self, board: SimulatedBoard) -> None:
        self.board = board
        self.command: Any = np.zeros(1, COMMAND)[0]
        self.guidance = VtolGuidance(board, self.command)
        self.follower = PathFollower(board, self.guidance)
        self.now_us = 0
        self.throttle(-1.0)

    def set(self, name: str, **fields: Any) -> None:
        """Write fields, options as texts."""
        entry = self.board[name]
        numbers = {f: entry.number(f, v) if isinstance(v, str) else v for f, v in fields.items()}
        entry.set(**numbers)

    def throttle(self, value: float) -> None:
        self.set("ManualControlCommand", Throttle=value)

    def armed(self, option: str = "Armed") -> None:
        self.set("FlightStatus", Armed=option)

    def at(self, north: float, height: float) -> None:
        self.set("PositionState", North=north, Down=-height)

    def run(self, seconds: float) -> None:
        for _ in range(max(round(seconds * 1e6 / CYCLE_US), 1)):
            self.now_us += CYCLE_US
            self.follower.update(self.now_us, "AutoTakeoff", True)
            self.guidance.follow(True)

    def climb(self) -> None:
        """Bring it into the air."""
        self.run(0.1)
        self.armed()
        self.run(0.1)
        self.throttle(0.6)
        self.run(3.2)
        assert self.state == "Takeoff"

    @property
    def state(self) -> str:
        return self.board["StatusVtolAutoTakeoff"].option("State")

    @property
    def control(self) -> str:
        return self.board["StatusVtolAutoTakeoff"].option("ControlState")

    @property
    def climbs(self) -> bool:
        """Whether it flies by place and height: the controllers run before, too."""
        return not self.command["levels"] and self.thrust > OFF

    @property
    def thrust(self) -> float:
        """The most that its controller may ask for: BoundThrust."""
        assert self.command["vertical_mode"] == VERTICAL_TAKEOFF
        assert self.command["thrust_bounded"]
        return float(self.command["thrust_bounds"][1])

    @property
    def end_m(self) -> float:
        """The height it goes to."""
        return -float(self.command["down_m"])


@pytest.fixture
def follower(board: SimulatedBoard) -> Follower:
    return Follower(board)


def test_it_waits_to_be_armed_and_then_for_the_throttle(follower: Follower) -> None:
    follower.throttle(0.9)
    follower.run(5)
    assert follower.thrust == OFF
    follower.throttle(-1.0)
    follower.armed()
    follower.run(5)
    assert follower.thrust == OFF
    follower.throttle(0.299)
    follower.run(5)
    assert (follower.state, follower.thrust) == ("Inactive", OFF)
    follower.throttle(0.301)
    follower.run(0.02)
    assert (follower.state, follower.control) == ("SlowStart", "Initiate")


def test_waiting_is_not_told_on_the_wire(follower: Follower) -> None:
    """Firmware writes the object when the state changes, and waiting is always Inactive."""
    follower.run(1)
    follower.armed()
    follower.run(1)
    assert (follower.state, follower.control) == ("Inactive", "WaitForArmed")


def test_it_starts_gently(follower: Follower) -> None:
    """Thrust from 0.05 to the least in 2 s, level; then 1 s of thrust up, and it climbs."""
    follower.set("VtolPathFollowerSettings", ThrustLimits=(0.25, 0.5, 0.9))
    follower.run(0.1)
    follower.armed()
    follower.run(0.1)
    follower.throttle(0.6)
    follower.run(0.02)
    assert follower.thrust == pytest.approx(0.05, abs=0.003)
    follower.run(1.0)
    assert follower.thrust == pytest.approx(0.15, abs=0.003)
    follower.run(0.98)
    assert follower.thrust == pytest.approx(0.25, abs=0.003)
    follower.run(0.1)
    assert (follower.state, follower.climbs) == ("ThrustUp", True)
    follower.run(0.8)
    assert follower.state == "ThrustUp"
    follower.run(0.2)
    assert follower.state == "Takeoff"


def test_it_climbs_at_its_velocity(follower: Follower) -> None:
    follower.set("FlightModeSettings", AutoTakeOffVelocity=0.8)
    follower.climb()
    assert follower.command["velocity_down"] == pytest.approx(-0.8)


@pytest.mark.parametrize(
    ("height", "climbs_to", "holds"),
    [(2.5, 2.5, 2.5), (1.0, 1.0, 2.0), (50.3, 50.3, 50.0), (-7.0, 7.0, 7.0)],
)
def test_the_height_is_clipped_where_it_is_held(
    follower: Follower, height: float, climbs_to: float, holds: float
) -> None:
    """Above where the mode was selected. What ends the climb is what the settings say; the height
    that is held is clipped."""
    follower.set("FlightModeSettings", AutoTakeOffHeight=height)
    follower.at(0.0, 10.0)
    follower.climb()
    assert follower.end_m == pytest.approx(10.0 + holds)
    follower.at(0.0, 10.0 + climbs_to - 0.6)
    follower.run(1)
    assert follower.state == "Takeoff"
    follower.at(0.0, 10.0 + climbs_to - 0.4)
    follower.run(0.04)
    assert follower.state == "Hold"
    assert follower.end_m == pytest.approx(10.0 + holds)


@pytest.mark.parametrize(("throttle", "stops"), [(0.1, False), (0.09, True), (-1.0, True)])
def test_lowering_the_throttle_aborts(follower: Follower, throttle: float, stops: bool) -> None:
    """The motors stop, whatever the height; only disarming ends it."""
    follower.climb()
    follower.throttle(throttle)
    follower.run(0.04)
    assert follower.climbs is not stops
    assert (follower.control == "Abort") is stops
    if stops:
        assert follower.thrust == OFF
        follower.throttle(0.9)
        follower.run(5)
        assert follower.thrust == OFF
        follower.armed("Disarmed")
        follower.run(0.04)
        assert (follower.state, follower.control) == ("Inactive", "WaitForArmed")


@pytest.mark.parametrize(
    ("armed", "thrust", "control", "state"),
    [
        ("Armed", 0.21, "PositionHold", "Hold"),
        ("Armed", 0.19, "WaitForArmed", "Inactive"),
        ("Arming", 0.0, "WaitForArmed", "Inactive"),
        ("Disarmed", 0.21, "WaitForArmed", "Inactive"),
    ],
)
def test_found_armed_it_holds_or_waits_to_be_disarmed(
    follower: Follower, armed: str, thrust: float, control: str, state: str
) -> None:
    """Holding, it has no thrust either: see test_vtol_guidance. Waiting is not told."""
    follower.armed(armed)
    follower.at(0.0, 4.0)
    follower.set("StabilizationDesired", Thrust=thrust)
    follower.throttle(0.6)
    follower.run(5)
    assert (follower.control, follower.state) == (control, state)
    assert follower.thrust == OFF


def test_found_armed_on_the_ground_it_takes_off_only_after_disarming(follower: Follower) -> None:
    follower.armed()
    follower.throttle(0.9)
    follower.run(5)
    assert follower.thrust == OFF
    follower.armed("Disarmed")
    follower.run(0.1)
    follower.armed()
    follower.run(0.1)
    assert follower.state == "SlowStart"


def test_drifting_away_it_comes_down_and_asks_to_be_disarmed(follower: Follower) -> None:
    follower.climb()
    follower.set("StabilizationDesired", Thrust=0.5)
    follower.at(2.9, 1.0)
    follower.run(0.1)
    assert follower.state == "Takeoff"
    follower.at(3.1, 1.0)
    follower.run(2.5)
    assert follower.state == "ThrustDown"
    assert follower.thrust == pytest.approx(0.25, abs=0.01)
    assert follower.follower.alarms.guidance == "OK"
    follower.run(2.6)
    assert follower.state == "Disarmed"
    assert follower.follower.alarms.guidance == "Critical"
    reasons = follower.board["StatusVtolAutoTakeoff"]
    number = reasons.number("State", "Takeoff")
    assert reasons.option("StateExitReason", number) == "PositionError"


@pytest.mark.parametrize(("height", "altitude"), [(4.9, "Low"), (5.1, "High")])
def test_it_says_whether_it_is_low_and_how_high(
    follower: Follower, height: float, altitude: str
) -> None:
    follower.set("FlightModeSettings", AutoTakeOffHeight=height)
    follower.climb()
    follower.at(0.0, height)
    follower.run(0.1)
    status = follower.board["StatusVtolAutoTakeoff"]
    assert status.option("AltitudeState") == altitude
    number = status.number("State", "Hold")
    assert status.row["AltitudeAtState"][number] == pytest.approx(height)


def test_the_last_state_stays_when_the_mode_is_left(follower: Follower) -> None:
    follower.climb()
    follower.follower.leave()
    assert follower.state == "Takeoff"


def flown(catalogue: Catalogue, preset: Preset, *order: tuple[Sticks, float]) -> Bench:
    bench = Bench(AutopilotConfig(preset), catalogue)
    for sticks, seconds in ((Sticks(), 6.0), *order):
        bench.sticks = sticks
        bench.run(seconds)
    return bench


def height_of(bench: Bench) -> float:
    return -float(bench.autopilot.simulator.output["true_position"][2])


AUTO_TAKEOFF = 5
"""Its position on the AR100B's switch."""


@pytest.mark.slow
def test_selected_armed_and_raised_it_takes_off(catalogue: Catalogue, preset: Preset) -> None:
    bench = flown(
        catalogue,
        preset,
        (Sticks(flight_mode_position=AUTO_TAKEOFF), 0.5),
        (Sticks(flight_mode_position=AUTO_TAKEOFF, arm=True), 1.5),
        (Sticks(flight_mode_position=AUTO_TAKEOFF, arm=True, throttle=0.6), 14.0),
    )
    assert height_of(bench) == pytest.approx(2.5, abs=0.4)
    assert bench.value("StatusVtolAutoTakeoff", "State") == "Hold"


@pytest.mark.slow
def test_armed_first_it_does_not(catalogue: Catalogue, preset: Preset) -> None:
    """The order that used to fly here and left a real aircraft with running motors."""
    bench = flown(
        catalogue,
        preset,
        (Sticks(arm=True), 1.5),
        (Sticks(flight_mode_position=AUTO_TAKEOFF, arm=True), 1.0),
    )
    assert bench.value("FlightStatus", "FlightMode") == "Stabilized1"
    bench.sticks = Sticks(flight_mode_position=AUTO_TAKEOFF, arm=True, throttle=0.35)
    bench.run(5.0)
    assert bench.value("FlightStatus", "FlightMode") == "Stabilized1"
    assert bench.value("StatusVtolAutoTakeoff", "State") == "Inactive"
    assert height_of(bench) < 0.5
