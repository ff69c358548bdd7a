"""When motors may spin: the rows of "Arming" of design/firmware-rules.md.

All of them from flight/modules/ManualControl/armhandler.c of LibrePilot.
"""

from typing import Any

import pytest

from simulation.autopilot.arming import Arming
from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.receiver import Receiver
from tests.firmware_rules import ARMING, FORBIDDING, TOLERATED, ArmingCase

GESTURES = [
    ("Roll Left", "Roll", -1.0),
    ("Roll Right", "Roll", 1.0),
    ("Pitch Forward", "Pitch", -1.0),
    ("Pitch Aft", "Pitch", 1.0),
    ("Yaw Left", "Yaw", -1.0),
    ("Yaw Right", "Yaw", 1.0),
]
CYCLE_US = 20_000


class Pilot:
    """Sticks, alarms, flight mode and time for an arming machine."""

    def __init__(self, board: SimulatedBoard) -> None:
        self.board = board
        self.checks = 0
        self.arming = Arming(board, self._check)
        self.now_us = 0
        self.set("ManualControlCommand", Throttle=-1.0, Connected=1)
        self.fly("Stabilized1")

    def set(self, name: str, **fields: Any) -> None:
        """Write fields, options as texts."""
        entry = self.board[name]
        numbers = {f: entry.number(f, v) if isinstance(v, str) else v for f, v in fields.items()}
        entry.set(**numbers)

    def choose(self, method: str, **settings: int) -> None:
        self.set("FlightModeSettings", Arming=method, **settings)

    def switch(self, on: bool, value: float = 1.0) -> None:
        self.set("AccessoryDesired", AccessoryVal=value if on else -value)

    def stick(self, **sticks: float) -> None:
        self.set("ManualControlCommand", **sticks)

    def fly(self, mode: str) -> None:
        self.set("FlightStatus", FlightMode=mode)

    def alarm(self, name: str, severity: str) -> None:
        alarms = self.board["SystemAlarms"]
        index = alarms.definition.field_named("Alarm").element_index(name)
        alarms.row["Alarm"][index] = alarms.number("Alarm", severity)
        alarms.announce()

    def wait(self, seconds: float) -> str:
        for _ in range(round(seconds * 1e6 / CYCLE_US)):
            self.now_us += CYCLE_US
            self.arming.update(self.now_us)
        return self.arming.state

    def arm(self) -> None:
        self.switch(False)
        self.wait(0.1)
        self.switch(True)
        assert self.wait(1.2) == "Armed"

    def _check(self) -> None:
        self.checks += 1


@pytest.fixture
def pilot(board: SimulatedBoard) -> Pilot:
    pilot = Pilot(board)
    pilot.switch(False)
    pilot.wait(0.1)
    return pilot


# Low throttle ---------------------------------------------------------------------------


@pytest.mark.parametrize(("throttle", "arms"), [(-1.0, True), (-0.001, True), (0.0, False)])
def test_low_throttle(pilot: Pilot, throttle: float, arms: bool) -> None:
    pilot.stick(Throttle=throttle)
    pilot.switch(True)
    assert (pilot.wait(2) == "Armed") is arms


@pytest.mark.parametrize(
    ("throttle", "arms"),
    [(0.0, True), (0.009, True), (-0.009, True), (0.011, False), (-1.0, False)],
)
def test_low_throttle_of_a_car_is_its_middle(pilot: Pilot, throttle: float, arms: bool) -> None:
    pilot.set("SystemSettings", AirframeType="GroundVehicleCar")
    pilot.stick(Throttle=throttle)
    pilot.switch(True)
    assert (pilot.wait(2) == "Armed") is arms


def test_nothing_changes_while_the_throttle_is_not_low(pilot: Pilot) -> None:
    pilot.choose("Yaw Right")
    pilot.stick(Yaw=1.0)
    pilot.wait(2)
    pilot.stick(Throttle=0.5, Yaw=-1.0)
    assert pilot.wait(60) == "Armed"
    pilot.stick(Throttle=-1.0)
    assert pilot.wait(1.2) == "Disarmed"


def test_raising_the_throttle_abandons_arming(pilot: Pilot) -> None:
    """What FlightStatus says stays until the throttle is low again, as in firmware."""
    pilot.switch(True)
    assert pilot.wait(0.5) == "Arming"
    pilot.stick(Throttle=0.5)
    assert pilot.wait(2) == "Arming"
    pilot.stick(Throttle=-1.0)
    assert pilot.wait(2) == "Disarmed"  # the switch is on, which is no edge


def test_raising_the_throttle_abandons_disarming(pilot: Pilot) -> None:
    pilot.choose("Yaw Right")
    pilot.stick(Yaw=1.0)
    pilot.wait(2)
    pilot.stick(Yaw=-1.0)
    assert pilot.wait(0.7) == "Armed"
    pilot.stick(Throttle=0.5)
    pilot.wait(0.1)
    pilot.stick(Throttle=-1.0)
    assert pilot.wait(0.7) == "Armed"
    assert pilot.wait(0.5) == "Disarmed"


# Thresholds and sides -------------------------------------------------------------------


@pytest.mark.parametrize(("value", "arms"), [(0.2, True), (0.19, False)])
def test_a_switch_counts_from_a_fifth(pilot: Pilot, value: float, arms: bool) -> None:
    pilot.switch(True, value)
    assert (pilot.wait(2) == "Armed") is arms


@pytest.mark.parametrize(("share", "arms"), [(0.8, True), (0.79, False)])
@pytest.mark.parametrize(("gesture", "stick", "side"), GESTURES)
def test_a_stick_counts_from_four_fifths_of_its_side(
    pilot: Pilot, gesture: str, stick: str, side: float, share: float, arms: bool
) -> None:
    pilot.choose(gesture)
    pilot.stick(**{stick: -side})
    assert pilot.wait(2) == "Disarmed"
    pilot.stick(**{stick: share * side})
    assert (pilot.wait(2) == "Armed") is arms


@pytest.mark.parametrize(("share", "disarms"), [(0.8, True), (0.79, False)])
@pytest.mark.parametrize(("gesture", "stick", "side"), GESTURES)
def test_the_other_side_disarms(
    pilot: Pilot, gesture: str, stick: str, side: float, share: float, disarms: bool
) -> None:
    pilot.choose(gesture, ArmedTimeout=0)
    pilot.stick(**{stick: side})
    pilot.wait(2)
    pilot.stick(**{stick: 0.0})
    assert pilot.wait(2) == "Armed"
    pilot.stick(**{stick: -share * side})
    assert (pilot.wait(2) == "Disarmed") is disarms


@pytest.mark.parametrize("number", range(4))
def test_every_accessory_can_arm(pilot: Pilot, number: int) -> None:
    accessory = pilot.board["AccessoryDesired"]
    accessory.grow(4)
    accessory.rows["AccessoryVal"] = -1.0
    pilot.choose(f"Accessory {number}")
    pilot.wait(0.1)
    accessory.rows[number]["AccessoryVal"] = 1.0
    assert pilot.wait(2) == "Armed"


# The edge -------------------------------------------------------------------------------


@pytest.mark.parametrize("forbids", ["alarm", "mode"])
def test_a_switch_that_was_on_too_early_has_to_be_turned_off_and_on(
    pilot: Pilot, forbids: str
) -> None:
    if forbids == "alarm":
        pilot.alarm("Attitude", "Critical")
    else:
        pilot.fly("PositionHold")
    pilot.switch(True)
    assert pilot.wait(2) == "Disarmed"
    pilot.alarm("Attitude", "OK")
    pilot.fly("Stabilized1")
    assert pilot.wait(5) == "Disarmed"
    pilot.switch(False)
    pilot.wait(0.1)
    pilot.switch(True)
    assert pilot.wait(2) == "Armed"


def test_a_stick_held_too_early_has_to_be_let_go(pilot: Pilot) -> None:
    pilot.choose("Yaw Right")
    pilot.alarm("Sensors", "Critical")
    pilot.stick(Yaw=1.0)
    pilot.wait(2)
    pilot.alarm("Sensors", "OK")
    assert pilot.wait(5) == "Disarmed"
    pilot.stick(Yaw=0.0)
    pilot.wait(0.1)
    pilot.stick(Yaw=1.0)
    assert pilot.wait(2) == "Armed"


def test_an_alarm_that_comes_while_it_arms_does_not_matter(pilot: Pilot) -> None:
    """Only the instant of the edge is judged."""
    pilot.switch(True)
    assert pilot.wait(0.5) == "Arming"
    pilot.alarm("Attitude", "Critical")
    assert pilot.wait(1) == "Armed"


def test_a_switch_moved_with_the_throttle_up_counts_when_it_is_low(pilot: Pilot) -> None:
    """The level that was last looked at is the one before."""
    pilot.stick(Throttle=0.5)
    pilot.switch(True)
    assert pilot.wait(2) == "Disarmed"
    pilot.stick(Throttle=-1.0)
    assert pilot.wait(2) == "Armed"


def test_the_configuration_is_checked_at_the_edge(pilot: Pilot) -> None:
    assert pilot.checks == 0
    pilot.switch(True)
    pilot.wait(0.1)
    assert pilot.checks == 1


# Timers ---------------------------------------------------------------------------------


@pytest.mark.parametrize("time_ms", [0, 300, 1500])
@pytest.mark.parametrize("method", ["Accessory 0", "Yaw Right"])
def test_the_times_count_for_switches_and_sticks(pilot: Pilot, method: str, time_ms: int) -> None:
    pilot.choose(method, ArmingSequenceTime=time_ms, DisarmingSequenceTime=time_ms, ArmedTimeout=0)
    for on, before, after in ((True, "Arming", "Armed"), (False, "Armed", "Disarmed")):
        pilot.switch(on)
        pilot.stick(Yaw=1.0 if on else -1.0)
        pilot.wait(0.06)
        if time_ms:
            assert pilot.wait(time_ms / 1000 - 0.1) == before
        assert pilot.wait(0.2) == after


def test_a_control_let_go_stops_arming(pilot: Pilot) -> None:
    pilot.switch(True)
    assert pilot.wait(0.9) == "Arming"
    pilot.switch(False)
    assert pilot.wait(0.1) == "Disarmed"


def test_a_control_let_go_stops_disarming(pilot: Pilot) -> None:
    pilot.arm()
    pilot.switch(False)
    assert pilot.wait(0.9) == "Armed"
    pilot.switch(True)
    assert pilot.wait(5) == "Armed"


@pytest.mark.parametrize(("timeout_ms", "stays"), [(30_000, False), (5_000, False), (0, True)])
def test_low_throttle_disarms_after_the_timeout(pilot: Pilot, timeout_ms: int, stays: bool) -> None:
    pilot.choose("Accessory 0", ArmedTimeout=timeout_ms)
    pilot.arm()
    assert pilot.wait(max(timeout_ms / 1000 - 0.4, 0.0)) == "Armed"
    assert (pilot.wait(1) == "Armed") is stays
    if not stays:
        assert pilot.wait(5) == "Disarmed"  # the switch has not been off since


def test_raising_the_throttle_starts_the_timeout_anew(pilot: Pilot) -> None:
    pilot.arm()
    pilot.wait(25)
    pilot.stick(Throttle=0.1)
    pilot.wait(0.1)
    pilot.stick(Throttle=-1.0)
    assert pilot.wait(25) == "Armed"


def test_an_aircraft_that_flies_by_itself_is_not_forgotten(pilot: Pilot) -> None:
    pilot.arm()
    pilot.set("FlightStatus", ControlChain=(1, 1, 0))
    assert pilot.wait(60) == "Armed"
    pilot.set("FlightStatus", ControlChain=(1, 0, 0))
    assert pilot.wait(29) == "Armed"
    assert pilot.wait(2) == "Disarmed"


# What acts at once ----------------------------------------------------------------------


@pytest.mark.parametrize(("value", "disarms"), [(-1.0, True), (-0.2, True), (-0.19, False)])
@pytest.mark.parametrize("throttle", [-1.0, 0.7])
def test_the_switch_disarms_whatever_the_throttle_stick_says(
    pilot: Pilot, throttle: float, value: float, disarms: bool
) -> None:
    pilot.choose("Accessory 0", ArmedTimeout=0)
    pilot.arm()
    pilot.stick(Throttle=throttle)
    pilot.wait(1)
    pilot.set("AccessoryDesired", AccessoryVal=value)
    assert (pilot.wait(2) == "Disarmed") is disarms


@pytest.mark.parametrize("throttle", [-1.0, 0.7])
@pytest.mark.parametrize(
    ("alarm", "severity", "disarms"),
    [
        ("Guidance", "Critical", True),
        ("Receiver", "Critical", True),
        ("Guidance", "Warning", False),
        ("Receiver", "Warning", False),
        ("Receiver", "Error", False),
        ("Attitude", "Critical", False),
    ],
)
def test_alarms_that_disarm_in_the_air(
    pilot: Pilot, alarm: str, severity: str, disarms: bool, throttle: float
) -> None:
    pilot.arm()
    pilot.stick(Throttle=throttle)
    pilot.wait(1)
    pilot.alarm(alarm, severity)
    assert (pilot.wait(0.02) == "Disarmed") is disarms
    pilot.alarm(alarm, "OK")
    pilot.stick(Throttle=-1.0)
    assert (pilot.wait(3) == "Disarmed") is disarms  # without another edge


# Methods without a control --------------------------------------------------------------


def test_always_armed_arms_with_low_throttle_and_never_disarms(pilot: Pilot) -> None:
    pilot.choose("Always Armed")
    pilot.stick(Throttle=0.1)
    assert pilot.wait(2) == "Disarmed"
    pilot.stick(Throttle=-1.0)
    assert pilot.wait(0.02) == "Armed"
    pilot.switch(False)
    assert pilot.wait(60) == "Armed"


def test_always_armed_asks_neither_alarms_nor_mode(pilot: Pilot) -> None:
    pilot.choose("Always Armed")
    pilot.alarm("Attitude", "Critical")
    pilot.fly("Land")
    assert pilot.wait(0.02) == "Armed"


def test_always_disarmed_never_arms(pilot: Pilot) -> None:
    pilot.choose("Always Disarmed")
    pilot.switch(True)
    pilot.stick(Yaw=1.0)
    assert pilot.wait(2) == "Disarmed"


# okToArm --------------------------------------------------------------------------------


@pytest.mark.parametrize("alarm", [*FORBIDDING, *TOLERATED])
@pytest.mark.parametrize("severity", ["Warning", "Critical", "Error"])
def test_alarms_that_forbid_arming(pilot: Pilot, alarm: str, severity: str) -> None:
    forbids = severity != "Warning" and alarm in FORBIDDING
    pilot.alarm(alarm, severity)
    pilot.switch(True)
    assert (pilot.wait(2) == "Disarmed") is forbids


def test_every_alarm_was_asked(board: SimulatedBoard) -> None:
    names = board["SystemAlarms"].definition.field_named("Alarm").element_names
    assert {*FORBIDDING, *TOLERATED} == set(names)


@pytest.mark.parametrize("case", ARMING, ids=lambda case: "-".join(map(str, case)))
def test_a_mode_to_arm_in(pilot: Pilot, case: ArmingCase) -> None:
    desired = pilot.board["StabilizationDesired"]
    modes = desired.row["StabilizationMode"].copy()
    modes[3] = desired.number("StabilizationMode", case.thrust)
    desired.set(StabilizationMode=modes)
    pilot.set(
        "FlightStatus",
        FlightMode=case.mode,
        FlightModeAssist=case.assist,
        AlwaysStabilizeWhenArmed=str(case.is_always_stabilized),
    )
    pilot.switch(True)
    assert (pilot.wait(2) == "Armed") is case.may_arm


def test_every_mode_was_asked(board: SimulatedBoard) -> None:
    modes = board["FlightStatus"].definition.field_named("FlightMode").options
    assert {case.mode for case in ARMING} == set(modes)


# The failsafe ---------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["Stabilized1", "Land", "ReturnToBase"])
@pytest.mark.parametrize(("value", "disarms"), [(-1.0, True), (0.0, False)])
def test_a_failsafe_on_the_arming_switch_disarms_in_every_mode(
    pilot: Pilot, mode: str, value: float, disarms: bool
) -> None:
    settings = pilot.board["ManualControlSettings"]
    failsafe = settings.row["FailsafeChannel"].copy()
    index = settings.definition.field_named("FailsafeChannel").element_index("Accessory0")
    failsafe[index] = value
    settings.set(FailsafeChannel=failsafe)
    pilot.arm()
    pilot.fly(mode)
    pilot.stick(Throttle=0.5)
    pilot.wait(1)
    Receiver(pilot.board).update(0)
    assert (pilot.wait(2) == "Disarmed") is disarms
