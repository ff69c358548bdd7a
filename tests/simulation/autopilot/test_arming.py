"""When motors may spin."""

import pytest

from simulation.autopilot.arming import Arming, Refusal
from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.receiver import Receiver


class Pilot:
    """Sticks, alarms and time for an arming machine."""

    def __init__(self, board: SimulatedBoard) -> None:
        self.board = board
        self.arming = Arming(board)
        self.mode = "Stabilized1"
        self.is_standing = True
        self.now_us = 0
        board["ManualControlCommand"].set(Throttle=-1.0, Connected=1)

    def switch(self, on: bool) -> None:
        self.board["AccessoryDesired"].set(AccessoryVal=1.0 if on else -1.0)

    def wait(self, seconds: float) -> str:
        for _ in range(round(seconds * 50)):
            self.now_us += 20_000
            self.arming.update(self.now_us, self.mode, self.is_standing)
        return self.arming.state


@pytest.fixture
def pilot(board: SimulatedBoard) -> Pilot:
    pilot = Pilot(board)
    pilot.switch(False)
    return pilot


def test_the_switch_arms_after_the_sequence_time_and_disarms(pilot: Pilot) -> None:
    assert pilot.wait(2) == "Disarmed"
    pilot.switch(True)
    assert pilot.wait(0.5) == "Arming"
    assert pilot.wait(0.7) == "Armed"
    pilot.switch(False)
    assert pilot.wait(0.5) == "Armed"
    assert pilot.wait(1.0) == "Disarmed"


def test_a_released_switch_stops_arming(pilot: Pilot) -> None:
    pilot.switch(True)
    assert pilot.wait(0.5) == "Arming"
    pilot.switch(False)
    assert pilot.wait(0.1) == "Disarmed"


def test_arming_needs_low_throttle(pilot: Pilot) -> None:
    pilot.board["ManualControlCommand"].set(Throttle=0.2)
    pilot.switch(True)
    assert pilot.wait(2) == "Disarmed"
    assert pilot.arming.refusal is Refusal.THROTTLE


def test_arming_needs_a_mode_flown_by_hand_or_take_off(pilot: Pilot) -> None:
    pilot.mode = "PositionHold"
    pilot.switch(True)
    assert pilot.wait(2) == "Disarmed"
    assert pilot.arming.refusal is Refusal.MODE
    pilot.mode = "AutoTakeoff"
    assert pilot.wait(2) == "Armed"


@pytest.mark.parametrize(
    ("alarm", "arms"), [("Attitude", False), ("GPS", True), ("Battery", False)]
)
def test_critical_alarms_forbid_arming_but_for_gps_and_telemetry(
    pilot: Pilot, alarm: str, arms: bool
) -> None:
    alarms = pilot.board["SystemAlarms"]
    index = alarms.definition.field_named("Alarm").element_index(alarm)
    alarms.row["Alarm"][index] = alarms.number("Alarm", "Critical")
    pilot.switch(True)
    assert (pilot.wait(2) == "Armed") is arms


def test_always_disarmed_says_so(pilot: Pilot) -> None:
    settings = pilot.board["FlightModeSettings"]
    settings.set(Arming=settings.number("Arming", "Always Disarmed"))
    pilot.switch(True)
    assert pilot.wait(2) == "Disarmed"


def test_yaw_right_arms_and_yaw_left_disarms(pilot: Pilot) -> None:
    settings = pilot.board["FlightModeSettings"]
    settings.set(Arming=settings.number("Arming", "Yaw Right"))
    pilot.board["ManualControlCommand"].set(Yaw=1.0)
    assert pilot.wait(2) == "Armed"
    pilot.board["ManualControlCommand"].set(Yaw=0.0)
    assert pilot.wait(2) == "Armed"
    pilot.board["ManualControlCommand"].set(Yaw=-1.0)
    assert pilot.wait(2) == "Disarmed"


@pytest.mark.parametrize(
    ("gesture", "stick", "value"),
    [
        ("Roll Left", "Roll", -1.0),
        ("Roll Right", "Roll", 1.0),
        ("Pitch Forward", "Pitch", -1.0),
        ("Pitch Aft", "Pitch", 1.0),
        ("Yaw Left", "Yaw", -1.0),
        ("Yaw Right", "Yaw", 1.0),
    ],
)
def test_every_gesture_arms_by_its_own_side_after_its_time(
    pilot: Pilot, gesture: str, stick: str, value: float
) -> None:
    settings, command = pilot.board["FlightModeSettings"], pilot.board["ManualControlCommand"]
    settings.set(Arming=settings.number("Arming", gesture), ArmingSequenceTime=1500)
    command.set(**{stick: -value})
    assert pilot.wait(3) == "Disarmed"
    command.set(**{stick: value})
    assert pilot.wait(1.3) == "Arming"
    assert pilot.wait(0.5) == "Armed"


@pytest.mark.parametrize("number", range(4))
def test_every_accessory_can_arm(pilot: Pilot, number: int) -> None:
    settings, accessory = pilot.board["FlightModeSettings"], pilot.board["AccessoryDesired"]
    settings.set(Arming=settings.number("Arming", f"Accessory {number}"))
    accessory.grow(4)
    for instance in range(4):
        accessory.rows[instance]["AccessoryVal"] = 1.0 if instance == number else -1.0
    assert pilot.wait(2) == "Armed"


def test_low_throttle_alone_never_ends_an_automatic_flight(pilot: Pilot) -> None:
    pilot.switch(True)
    pilot.wait(2)
    pilot.mode, pilot.is_standing = "PositionHold", False
    assert pilot.wait(60) == "Armed"
    pilot.is_standing = True
    assert pilot.wait(31) == "Disarmed"


@pytest.mark.parametrize("throttle", [-1.0, 0.5])
def test_in_flight_the_switch_stops_the_motors_only_with_low_throttle(
    pilot: Pilot, throttle: float
) -> None:
    pilot.switch(True)
    pilot.wait(2)
    pilot.mode, pilot.is_standing = "PositionHold", False
    pilot.board["ManualControlCommand"].set(Throttle=throttle)
    pilot.switch(False)
    assert (pilot.wait(2) == "Disarmed") is (throttle < 0.0)


def test_idling_on_the_ground_disarms_after_the_timeout(pilot: Pilot) -> None:
    pilot.switch(True)
    assert pilot.wait(25) == "Armed"
    assert pilot.wait(8) == "Disarmed"
    assert pilot.wait(5) == "Disarmed"  # the switch has not been released since


def test_losing_the_stick_stream_does_not_arm(pilot: Pilot, board: SimulatedBoard) -> None:
    pilot.switch(True)
    receiver = Receiver(board)
    receiver.update(0)
    assert pilot.wait(2) == "Disarmed"
