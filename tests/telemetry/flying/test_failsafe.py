"""Flown by an input device in the simulator: whatever ends the sticks, the aircraft does what its
settings say, and goes on with the sticks when the pilot asks for it again.

Nothing heard for one to two turns of 256 ms (pios_gcsrcvr.c), then more than ten cycles of 20 ms
without valid input (receiver.c): FailsafeFlightModeSwitchPosition and FailsafeChannel, and the
alarm Receiver says Warning.
"""

from collections.abc import Callable

import pytest

from telemetry.flying.inputs.device_input import DeviceInput
from telemetry.flying.transmitter.lost_sticks import HOLDS_HEIGHT
from telemetry.flying.transmitter.release import FADE_S, HOLD_AFTER_S, LOST_FOCUS, RELEASED
from telemetry.vehicle.exclusive import exclusive_of
from telemetry.vehicle.sticks import Sticks
from tests.telemetry.flying.cockpit import LOOP_S, Cockpit

pytestmark = pytest.mark.slow

FAILSAFE_S = (0.256 + 10 * 0.02, 2 * 0.256 + 12 * 0.02)
"""The soonest and the latest that the failsafe acts after the last stick."""
WITHIN_S = 0.1
SETTINGS = "ManualControlSettings"
ENOUGH_M = 3.0
LAND, RETURN, STAYS = 4, 3, -1


class DeviceCockpit(Cockpit):
    """The cockpit with a device on which the pilot holds the height, and with a window."""

    def __init__(self) -> None:
        super().__init__("ar100b")
        self.throttle = 0.5
        self.device = self.held
        self.take_off()
        self.wait(lambda flight: (flight.height_m or 0.0) > 2.0, 30.0)

    def held(self) -> DeviceInput:
        return DeviceInput(Sticks(throttle=self.throttle), "Pad", self.bench.now_s)

    def fly_by_hand(self, source: str = "gamepad") -> None:
        """In the mode that holds the height, whatever was before."""
        self.device, self.is_window_there = self.held, True
        exclusive_of(self.vehicle).free("the test")
        self.controls.take_source("gamepad")
        self.act("Fly by hand")
        self.throttle = 0.9
        self.wait(lambda flight: (flight.height_m or 0.0) > ENOUGH_M, 30.0)
        self.throttle = 0.5
        self.act("Hold")
        self.wait(lambda flight: flight.flight_mode == "PositionHold", 3.0)
        self.controls.take_source("gamepad" if source == "gamepad" else "screen")
        self.act("Fly by hand")
        self.wait(lambda flight: flight.flight_mode == "Stabilized2", 3.0)
        self.stay(0.3)
        assert self.board_hears

    def set_failsafe(self, position: int) -> None:
        self.bench.write(SETTINGS, {"FailsafeFlightModeSwitchPosition": position})

    def seconds_to_failsafe(self) -> tuple[float, float]:
        """How long sticks went on being sent, and after how long from the last the board was on its
        failsafe; fails where it is not within three seconds."""
        began = last_s = self.bench.now_s
        while self.board_hears:
            self.run()
            if self.bench.sticks is not None:
                last_s = self.bench.now_s
            assert self.bench.now_s < began + 3.0, "no failsafe"
        heard_s = last_s - LOOP_S  # what is sent in a round reaches the board before it
        return last_s - began, self.bench.now_s - heard_s

    @property
    def board_hears(self) -> bool:
        """What stands on board now, told or not."""
        return bool(self.bench.autopilot.board["ManualControlCommand"].fields["Connected"])


@pytest.fixture(scope="module")
def in_flight() -> DeviceCockpit:
    """One flight for all: every test begins by flying by hand, at some height."""
    return DeviceCockpit()


def unplug(cockpit: DeviceCockpit) -> None:
    cockpit.device = lambda: None


def fall_silent(cockpit: DeviceCockpit) -> None:
    last = cockpit.held()
    cockpit.device = lambda: last


def lose_right(cockpit: DeviceCockpit) -> None:
    cockpit.controls.right.free()
    exclusive_of(cockpit.vehicle).take("the test", "The motor test")


def hang(cockpit: DeviceCockpit) -> None:
    cockpit.is_window_there = False


def lose_focus(cockpit: DeviceCockpit) -> None:
    cockpit.controls.release(LOST_FOCUS)


def let_go(cockpit: DeviceCockpit) -> None:
    cockpit.controls.release(RELEASED)


HELD_S = HOLDS_HEIGHT.for_s
CAUSES = [
    ("gamepad", unplug, HELD_S),
    ("gamepad", fall_silent, HOLD_AFTER_S + HELD_S),
    ("gamepad", lose_right, 0.0),
    ("screen", lose_right, 0.0),
    ("screen", hang, HOLD_AFTER_S + HELD_S),
    ("screen", lose_focus, HELD_S),
    ("screen", let_go, HELD_S),
]


@pytest.mark.parametrize(("source", "cause", "held_s"), CAUSES)
def test_it_goes_to_the_mode_of_its_failsafe(
    in_flight: DeviceCockpit, source: str, cause: Callable[[DeviceCockpit], None], held_s: float
) -> None:
    cockpit = in_flight
    cockpit.set_failsafe(LAND)
    cockpit.fly_by_hand(source)
    cause(cockpit)
    sent_s, failsafe_s = cockpit.seconds_to_failsafe()
    assert held_s - WITHIN_S <= sent_s <= held_s + WITHIN_S
    assert FAILSAFE_S[0] <= failsafe_s <= FAILSAFE_S[1]
    cockpit.stay(1.2)  # alarms are told once a second
    flight = cockpit.look()[0]
    assert (flight.flight_mode, flight.armed) == ("Land", "Armed")
    assert cockpit.bench.value("SystemAlarms", "Alarm.Receiver") == "Warning"
    told = cockpit.controls.stopped(flight)
    assert told is not None
    assert told.text.endswith("The aircraft says that its failsafe acts: Land.")
    assert told.about == cockpit.vehicle.name


@pytest.mark.parametrize("source", ["gamepad", "screen"])
def test_without_a_cause_it_is_flown_on(in_flight: DeviceCockpit, source: str) -> None:
    """The negative control of all of them."""
    cockpit = in_flight
    cockpit.fly_by_hand(source)
    cockpit.stay(3.0)
    assert cockpit.board_hears
    assert cockpit.look()[0].flight_mode == "Stabilized2"
    assert cockpit.controls.state.stopped == ""


@pytest.mark.parametrize(
    ("position", "mode"), [(RETURN, "ReturnToBase"), (STAYS, "Stabilized2"), (LAND, "Land")]
)
def test_it_is_its_settings_that_say_where_to(
    in_flight: DeviceCockpit, position: int, mode: str
) -> None:
    cockpit = in_flight
    cockpit.set_failsafe(position)
    cockpit.fly_by_hand()
    unplug(cockpit)
    cockpit.seconds_to_failsafe()
    cockpit.stay(0.4)
    assert cockpit.look()[0].flight_mode == mode


def test_a_device_that_is_back_does_not_take_it_from_its_failsafe(
    in_flight: DeviceCockpit,
) -> None:
    cockpit = in_flight
    cockpit.set_failsafe(RETURN)
    cockpit.fly_by_hand()
    unplug(cockpit)
    cockpit.seconds_to_failsafe()
    cockpit.device = cockpit.held
    cockpit.stay(2.0)
    assert not cockpit.board_hears
    assert cockpit.look()[0].flight_mode == "ReturnToBase"
    cockpit.act("Hold")
    cockpit.wait(lambda flight: flight.flight_mode == "PositionHold", 2.0)
    assert cockpit.board_hears


def test_a_hang_shorter_than_the_receivers_patience_is_not_felt(in_flight: DeviceCockpit) -> None:
    cockpit = in_flight
    cockpit.fly_by_hand("screen")
    cockpit.is_window_there = False
    cockpit.stay(0.2)
    assert cockpit.controls.state.held
    cockpit.is_window_there = True
    cockpit.stay(FADE_S)
    assert cockpit.board_hears
    assert cockpit.look()[0].flight_mode == "Stabilized2"


def test_new_controls_take_over_what_was_left_flying(in_flight: DeviceCockpit) -> None:
    """A station that was killed and started anew: its arming switch must not be off."""
    cockpit = in_flight
    cockpit.set_failsafe(RETURN)
    cockpit.fly_by_hand()
    cockpit.bench.sticks = None
    cockpit.bench.run(1.5)
    cockpit.controls.right.free()
    cockpit.take_other_controls()
    cockpit.act("Hold")
    cockpit.wait(lambda flight: flight.flight_mode == "PositionHold", 3.0)
    cockpit.stay(3.0)
    flight = cockpit.look()[0]
    assert (flight.armed, flight.flight_mode) == ("Armed", "PositionHold")


def test_and_at_last_it_lands_and_disarms(in_flight: DeviceCockpit) -> None:
    cockpit = in_flight
    cockpit.set_failsafe(LAND)
    cockpit.fly_by_hand()
    unplug(cockpit)
    cockpit.seconds_to_failsafe()
    cockpit.wait(lambda flight: flight.armed == "Disarmed", 60.0)
    assert abs(cockpit.look()[0].height_m or 0.0) < 0.5
