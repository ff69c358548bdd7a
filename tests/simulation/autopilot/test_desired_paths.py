"""What the flight modes write into PathDesired: LibrePilot's pathfollowerhandler.c and plans.c.

Figures are worked out from there; settings are those of the object's defaults where not set.
"""

from typing import Any

import pytest

from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.desired_paths import Plans


class Mode:
    """A board in a flight mode."""

    def __init__(self, board: SimulatedBoard) -> None:
        self.board = board
        self.plans = Plans(board)
        self.set("FlightModeSettings", VarioControlLowPassAlpha=0.0)
        self.be(10.0, 20.0, -30.0)

    def set(self, name: str, **fields: Any) -> None:
        """Write fields, options as texts."""
        entry = self.board[name]
        numbers = {f: entry.number(f, v) if isinstance(v, str) else v for f, v in fields.items()}
        entry.set(**numbers)

    def be(self, north: float, east: float, down: float, yaw: float = 0.0) -> None:
        self.set("PositionState", North=north, East=east, Down=down)
        self.set("AttitudeState", Yaw=yaw)

    def sticks(
        self, roll: float = 0, pitch: float = 0, yaw: float = 0, thrust: float = 0.5
    ) -> None:
        self.set("ManualControlCommand", Roll=roll, Pitch=pitch, Yaw=yaw, Thrust=thrust)

    def enter(self, mode: str, assist: str = "None") -> str:
        self.set("FlightStatus", FlightMode=mode, FlightModeAssist=assist)
        self.sticks()
        self.plans.enter(mode)
        self.plans.run()
        return self.mode

    def run(self, **sticks: float) -> str:
        self.sticks(**sticks)
        self.plans.run()
        return self.mode

    @property
    def mode(self) -> str:
        return self.board["PathDesired"].option("Mode")

    @property
    def end(self) -> tuple[float, ...]:
        return tuple(self.board["PathDesired"].row["End"].tolist())

    @property
    def parameters(self) -> tuple[float, ...]:
        return tuple(self.board["PathDesired"].row["ModeParameters"].tolist())

    @property
    def speeds(self) -> tuple[float, float]:
        row = self.board["PathDesired"].row
        return float(row["StartingVelocity"]), float(row["EndingVelocity"])


@pytest.fixture
def mode(board: SimulatedBoard) -> Mode:
    return Mode(board)


@pytest.mark.parametrize("name", ["PositionHold", "POI"])
def test_holding_comes_back_to_where_it_was_selected(mode: Mode, name: str) -> None:
    """plan_setup_positionHold, also of modes without a plan of their own. It does not brake first:
    a fast aircraft overshoots and flies back."""
    mode.set("VelocityState", North=8.0)
    assert mode.enter(name) == "GoToEndpoint"
    assert (mode.end, mode.speeds) == ((10.0, 20.0, -30.0), (0.0, 0.0))
    mode.be(14.0, 20.0, -30.0)
    mode.run(roll=1.0)
    assert mode.end == (10.0, 20.0, -30.0)


def test_holding_with_assistance_brakes_first(mode: Mode) -> None:
    """plan_setup_assistedcontrol: 1 s to lean, then 4 m/s by BrakeRate 2.5 m/s2, 1.6 s: it stops
    after 4 + 0.8 * 4 m; what is waited for is four times as long."""
    mode.set("VtolPathFollowerSettings", BrakeRate=2.5)
    mode.set("VelocityState", North=4.0)
    assert mode.enter("PositionHold", "GPSAssist_PrimaryThrust") == "Brake"
    assert mode.end == pytest.approx((10.0 + 4.0 + 0.8 * 4.0, 20.0, -30.0))
    assert mode.parameters == pytest.approx((4.0, 0.0, 0.0, 4.0 * 2.6))
    assert mode.speeds == (4.0, 0.0)


@pytest.mark.parametrize(
    ("down", "base_down", "expected"), [(-30.0, 0.0, -40.0), (5.0, -7.0, -17.0)]
)
def test_a_return_goes_straight_to_its_height(
    mode: Mode, down: float, base_down: float, expected: float
) -> None:
    """plan_setup_returnToBase: ReturnToBaseAltitudeOffset above the higher of both, at once, with
    ReturnToBaseVelocity at both ends."""
    mode.set("FlightModeSettings", ReturnToBaseAltitudeOffset=10.0, ReturnToBaseVelocity=3.0)
    mode.set("TakeOffLocation", North=1.0, East=2.0, Down=base_down)
    mode.be(100.0, 50.0, down)
    assert mode.enter("ReturnToBase") == "GoToEndpoint"
    assert (mode.end, mode.speeds) == ((1.0, 2.0, expected), (3.0, 3.0))


def test_taking_off_goes_straight_up(mode: Mode) -> None:
    mode.set("FlightModeSettings", AutoTakeOffHeight=-7.0)
    assert mode.enter("AutoTakeoff") == "AutoTakeoff"
    assert mode.end == (10.0, 20.0, -37.0)


def test_landing_stays_where_it_is(mode: Mode) -> None:
    """plan_setup_land: LAND_OPTION_HORIZONTAL_PH; without assistance no stick moves it."""
    mode.set("FlightModeSettings", LandingVelocity=0.4)
    assert mode.enter("Land") == "Land"
    assert mode.parameters == pytest.approx((0.0, 0.0, 0.4, 1.0))
    mode.run(roll=1.0)
    assert mode.parameters == pytest.approx((0.0, 0.0, 0.4, 1.0))


def test_landing_with_assistance_is_moved_by_sticks(mode: Mode) -> None:
    """plan_run_VelocityRoam in Land: LAND_OPTION_NONE while a stick is out of its dead band."""
    mode.set("VtolPathFollowerSettings", HorizontalVelMax=5.0)
    assert mode.enter("Land", "GPSAssist") == "Land"
    assert mode.parameters[3] == 1.0
    mode.run(roll=1.0)
    assert mode.parameters == pytest.approx((0.0, 5.0, 0.6, 0.0))
    mode.be(10.0, 27.0, -28.0)
    mode.run()
    assert (mode.end, mode.parameters[3]) == ((10.0, 27.0, -28.0), 1.0)


@pytest.mark.parametrize(
    ("sticks", "yaw", "expected"),
    [
        ({"pitch": -1.0}, 0.0, (5.0, 0.0)),
        ({"roll": 1.0}, 0.0, (0.0, 5.0)),
        ({"pitch": -1.0}, 90.0, (0.0, 5.0)),
        ({"roll": 0.5}, 0.0, (0.0, 2.5)),
    ],
)
def test_roaming_flies_where_the_sticks_lean(
    mode: Mode, sticks: dict[str, float], yaw: float, expected: tuple[float, float]
) -> None:
    """plan_run_VelocityRoam: up to HorizontalVelMax, turned with the nose."""
    mode.set("VtolPathFollowerSettings", HorizontalVelMax=5.0)
    mode.set("StabilizationBank", StickExpo=(0, 0, 0))
    assert mode.enter("VelocityRoam", "GPSAssist_PrimaryThrust") == "Brake"
    mode.be(10.0, 20.0, -30.0, yaw)
    assert mode.run(**sticks) == "Velocity"
    assert mode.parameters[:2] == pytest.approx(expected, abs=1e-6)
    assert mode.run() == "Brake"


@pytest.mark.parametrize(
    ("expo", "expected"), [(0, 2.5), (100, 5.0 * 0.25), (-100, 5.0 * 0.5**0.5)]
)
def test_expo_bends_the_stick_half_as_much_while_roaming(
    mode: Mode, expo: int, expected: float
) -> None:
    """applyExpo of plans.c: the power is 1.00695 ** expo, within 0.5 and 2."""
    mode.set("VtolPathFollowerSettings", HorizontalVelMax=5.0)
    mode.set("StabilizationBank", StickExpo=(expo, expo, 0))
    mode.enter("VelocityRoam")
    mode.run(roll=0.5)
    assert mode.parameters[1] == pytest.approx(expected, rel=2e-3)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("AbsolutePosition", (10.0 + 30.0, 20.0, -30.0)),
        ("CourseLock", (10.0, 20.0 + 30.0, -30.0)),
        ("HomeLeash", (10.0, 20.0 + 30.0, -30.0)),
    ],
)
def test_a_stick_moves_the_place_to_hold(
    mode: Mode, name: str, expected: tuple[float, ...]
) -> None:
    """plan_run_PositionVario: PositionHoldOffset 30 m away; ahead is north, as the nose pointed
    when the mode was selected, or away from where it took off."""
    mode.set("TakeOffLocation", North=10.0, East=-50.0)
    mode.be(10.0, 20.0, -30.0, yaw=90.0)
    assert mode.enter(name) == "GoToEndpoint"
    mode.be(10.0, 20.0, -30.0, yaw=-45.0)
    mode.run(pitch=-1.0)
    assert mode.end == pytest.approx(expected, abs=1e-4)


def test_the_place_to_hold_moves_along_and_stays_when_the_stick_is_let_go(mode: Mode) -> None:
    mode.enter("AbsolutePosition")
    mode.run(pitch=-1.0)
    mode.be(18.0, 20.0, -30.0)
    mode.run(pitch=-1.0)
    assert mode.end == pytest.approx((48.0, 20.0, -30.0))
    mode.be(19.0, 20.0, -30.0)
    mode.run()
    assert mode.end == pytest.approx((18.0, 20.0, -30.0)), "where the stick last took it"
    mode.run(thrust=1.0)
    assert mode.end == pytest.approx((18.0, 20.0, -45.0)), "15 m up, PositionHoldOffset.Vertical"


def test_cruising_goes_ahead_by_the_throttle(mode: Mode) -> None:
    """plan_run_AutoCruise: the throttle's share of 30 m ahead of the aircraft."""
    mode.be(10.0, 20.0, -30.0, yaw=90.0)
    mode.enter("AutoCruise")
    mode.run(thrust=0.5)
    assert mode.end == pytest.approx((10.0, 35.0, -30.0), abs=1e-4)
    mode.be(10.0, 24.0, -30.0)
    mode.run(thrust=1.0)
    assert mode.end == pytest.approx((10.0, 54.0, -30.0), abs=1e-4)


def test_what_a_station_writes_stays_in_modes_without_sticks(mode: Mode) -> None:
    """plans.c writes once, on entering the mode."""
    for name in ("PositionHold", "ReturnToBase", "Land"):
        mode.enter(name)
        mode.set("PathDesired", Mode="GoToEndpoint", End=(1.0, 2.0, -3.0))
        mode.run(roll=1.0)
        assert mode.end == (1.0, 2.0, -3.0)
    mode.enter("AbsolutePosition")
    mode.set("PathDesired", End=(1.0, 2.0, -3.0))
    mode.run(roll=1.0)
    assert mode.end != (1.0, 2.0, -3.0)
