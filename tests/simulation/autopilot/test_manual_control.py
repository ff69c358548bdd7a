"""What sticks and the mode switch ask for."""

from typing import Any

import pytest

from simulation.autopilot.arming import Arming
from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.manual_control import ManualControl

HALF_STICK = {0: 0.513641, 20: 0.167557, 50: 0.073372, 100: 0.073372, -50: 0.853272}
"""By StickExpo in percent: what LibrePilot *next* (8c101adc), built for a PC, asked for with half a
stick. Its power is reckoned in floats, to 1e-4 of it."""


def asked(board: SimulatedBoard, mode: str, stick: float, expo: int = 0) -> float:
    """StabilizationDesired.Roll for a roll stick in Stabilized1 with that mode on roll."""
    manual = ManualControl(board, Arming(board))
    settings = board["FlightModeSettings"]
    modes = settings.row["Stabilization1Settings"].copy()
    modes[0] = settings.number("Stabilization1Settings", mode)
    settings.set(Stabilization1Settings=modes)
    board["StabilizationBank"].set(
        StickExpo=(expo, 0, 0), ManualRate=(200, 200, 120), RollMax=40, PitchMax=40
    )
    board["ManualControlCommand"].set(Roll=stick, FlightModeSwitchPosition=0, Connected=1)
    manual.update(0)
    return float(board["StabilizationDesired"].row["Roll"])


@pytest.mark.parametrize(
    ("mode", "full"),
    [
        ("Manual", 1.0),
        ("VirtualBar", 1.0),
        ("Attitude", 40.0),
        ("Rattitude", 40.0),
        ("SystemIdent", 40.0),
        ("WeakLeveling", 40.0),
        ("Rate", 200.0),
        ("RateTrainer", 200.0),
        ("AxisLock", 200.0),
        ("Acro+", 200.0),
    ],
)
def test_half_a_stick_asks_for_half_of_it(board: SimulatedBoard, mode: str, full: float) -> None:
    """But for the 3 % that firmware's power without expo adds, except to Manual."""
    share = 0.5 if mode == "Manual" else HALF_STICK[0]
    assert asked(board, mode, -0.5) == pytest.approx(-share * full, rel=1e-4)


@pytest.mark.parametrize(("expo", "share"), HALF_STICK.items())
def test_expo_is_the_rough_power_of_firmware(
    board: SimulatedBoard, expo: int, share: float
) -> None:
    assert asked(board, "Attitude", 0.5, expo) == pytest.approx(40.0 * share, rel=1e-4)
    assert asked(board, "Attitude", -0.5, expo) == pytest.approx(-40.0 * share, rel=1e-4)


@pytest.mark.parametrize(("stick", "share"), [(0.285714, 0.298752), (0.795918, 0.800995)])
def test_other_sticks_are_those_of_firmware(
    board: SimulatedBoard, stick: float, share: float
) -> None:
    assert asked(board, "Rate", stick) == pytest.approx(200.0 * share, rel=1e-4)
    assert asked(board, "Rate", 0.0) == 0.0


# The flight mode: manualcontrol.c of LibrePilot, as design/firmware-rules.md has it.


class Switch:
    """A board whose mode switch is moved."""

    def __init__(self, board: SimulatedBoard) -> None:
        self.board = board
        self.arming = Arming(board)
        self.manual = ManualControl(board, self.arming)
        self.now_us = 0
        self.set("FlightModeSettings", Arming="Always Armed")
        self.set("ManualControlCommand", Throttle=0.5)

    def set(self, name: str, **fields: Any) -> None:
        """Write fields, options as texts."""
        entry = self.board[name]
        numbers = {f: entry.number(f, v) if isinstance(v, str) else v for f, v in fields.items()}
        entry.set(**numbers)

    def modes(self, *names: str) -> None:
        settings = self.board["FlightModeSettings"]
        numbers = [settings.number("FlightModePosition", name) for name in names]
        settings.set(FlightModePosition=[*numbers, *[1] * (6 - len(names))])

    def assist(self, *options: str) -> None:
        settings = self.board["StabilizationSettings"]
        numbers = [settings.number("FlightModeAssistMap", option) for option in options]
        settings.set(FlightModeAssistMap=[*numbers, *[0] * (6 - len(options))])

    def to(self, position: int) -> str:
        """Move the switch; the mode that comes of it."""
        self.set("ManualControlCommand", FlightModeSwitchPosition=position)
        return self.run()

    def run(self) -> str:
        self.now_us += 20_000
        self.manual.update(self.now_us)
        return self.board["FlightStatus"].option("FlightMode")

    def arm(self) -> None:
        """With low throttle Always Armed arms at once."""
        self.set("ManualControlCommand", Throttle=-1.0)
        self.run()
        self.set("ManualControlCommand", Throttle=0.5)
        assert self.arming.is_armed


@pytest.fixture
def switch(board: SimulatedBoard) -> Switch:
    switch = Switch(board)
    switch.modes("Stabilized1", "AutoTakeoff", "PositionHold", "PathPlanner", "Stabilized2")
    return switch


def test_a_change_to_auto_takeoff_is_ignored_while_armed(switch: Switch) -> None:
    assert switch.to(1) == "AutoTakeoff"
    assert switch.to(0) == "Stabilized1"
    switch.arm()
    assert switch.to(1) == "Stabilized1"
    assert switch.to(2) == "PositionHold"
    assert switch.to(1) == "PositionHold"


def test_auto_takeoff_that_was_selected_before_stays(switch: Switch) -> None:
    switch.to(1)
    switch.arm()
    assert switch.run() == "AutoTakeoff"


def test_auto_takeoff_is_ignored_while_it_arms_too(switch: Switch) -> None:
    switch.set("FlightModeSettings", Arming="Yaw Right")
    switch.set("ManualControlCommand", Throttle=-1.0, Yaw=1.0)
    for _ in range(5):
        switch.run()
    assert switch.arming.state == "Arming"
    assert switch.to(1) == "Stabilized1"


def test_an_ignored_change_keeps_the_position_with_its_assistance(switch: Switch) -> None:
    switch.assist("None", "GPSAssist")
    switch.arm()
    switch.to(0)
    switch.to(1)
    assert switch.board["FlightStatus"].option("FlightModeAssist") == "None"


@pytest.mark.parametrize("number", [6, 200])
def test_a_position_that_the_switch_does_not_have_changes_nothing(
    switch: Switch, number: int
) -> None:
    switch.to(2)
    assert switch.to(number) == "PositionHold"


def test_a_mode_that_there_is_not_changes_nothing(switch: Switch) -> None:
    switch.to(2)
    switch.board["FlightModeSettings"].set(FlightModePosition=[77] * 6)
    assert switch.to(0) == "PositionHold"


@pytest.mark.parametrize(
    ("mode", "thrust", "assist"),
    [
        ("Stabilized1", "Manual", "GPSAssist"),
        ("Stabilized1", "CruiseControl", "GPSAssist"),
        ("Stabilized1", "AltitudeHold", "GPSAssist_PrimaryThrust"),
        ("Stabilized1", "AltitudeVario", "GPSAssist_PrimaryThrust"),
        ("PositionHold", "Manual", "GPSAssist_PrimaryThrust"),
        ("Land", "Manual", "GPSAssist"),
        ("AutoTakeoff", "Manual", "GPSAssist"),
        ("AutoTune", "Manual", "None"),
        ("ReturnToBase", "Manual", "None"),
        ("PathPlanner", "Manual", "None"),
        ("Manual", "Manual", "None"),
    ],
)
def test_what_gps_assistance_means_in_a_mode(
    switch: Switch, mode: str, thrust: str, assist: str
) -> None:
    settings = switch.board["FlightModeSettings"]
    axes = settings.row["Stabilization1Settings"].copy()
    axes[3] = settings.number("Stabilization1Settings", thrust)
    settings.set(Stabilization1Settings=axes)
    switch.modes(mode, mode)
    switch.assist("GPSAssist", "None")
    switch.to(0)
    assert switch.board["FlightStatus"].option("FlightModeAssist") == assist
    switch.to(1)
    assert switch.board["FlightStatus"].option("FlightModeAssist") == "None"


def test_velocity_roam_is_assisted_by_itself(switch: Switch) -> None:
    switch.modes("VelocityRoam")
    switch.to(0)
    assert switch.board["FlightStatus"].option("FlightModeAssist") == "GPSAssist_PrimaryThrust"


@pytest.mark.parametrize(
    ("mode", "chain"),
    [
        ("Manual", (0, 0, 0)),
        ("Stabilized3", (1, 0, 0)),
        ("PositionHold", (1, 1, 0)),
        ("AutoTakeoff", (1, 1, 0)),
        ("PathPlanner", (1, 1, 1)),
    ],
)
def test_who_is_in_charge(switch: Switch, mode: str, chain: tuple[int, int, int]) -> None:
    switch.modes("Stabilized2", mode)
    switch.to(1)
    assert tuple(switch.board["FlightStatus"].row["ControlChain"]) == chain


def test_always_stabilized_takes_the_switch_and_the_throttle_and_stays(switch: Switch) -> None:
    """On beyond 0.05 with the throttle at its threshold, off below -0.05; as it was between."""
    switch.set("FlightModeSettings", AlwaysStabilizeWhenArmedSwitch="Accessory 0")
    switch.set("FlightModeSettings", AlwaysStabilizeWhenArmedThrottleThreshold=0.2)
    said = []
    for value, throttle in (
        *((1.0, -1.0), (1.0, 0.19), (0.04, 0.2), (0.06, 0.25)),
        *((1.0, -1.0), (0.0, -1.0), (-0.04, 0.0), (-0.06, 0.5)),
    ):
        switch.set("AccessoryDesired", AccessoryVal=value)
        switch.set("ManualControlCommand", Throttle=throttle)
        switch.run()
        said.append(int(switch.board["FlightStatus"].row["AlwaysStabilizeWhenArmed"]))
    assert said == [0, 0, 0, 1, 1, 1, 1, 0]
