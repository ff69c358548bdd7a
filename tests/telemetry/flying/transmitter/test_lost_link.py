"""The link is lost in flight, under the worker that streams the sticks: the aircraft goes to its
failsafe (receiver.c), and nothing from before reaches it when the link is back.
"""

from collections.abc import Callable

import pytest

from telemetry.flying.controls import FlightControls
from telemetry.flying.inputs.device_input import DeviceInput
from telemetry.flying.transmitter.release import DEVICE, NOT_RESUMED, RELEASED, UNHEARD
from telemetry.flying.transmitter.transmitter import PERIOD_S, StickOutlet, Transmitter
from telemetry.protocol.links.faulty import Faults
from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue
from telemetry.recording.flight_state import FlightState
from telemetry.vehicle.sticks import Sticks
from tests.flown_bench import FlownBench
from tests.telemetry.flying.transmitter.transmitting import SteppedTransmitter

pytestmark = pytest.mark.slow

DEAD = Faults(loss=1.0)
LATEST_S = 2 * 0.256 + 12 * 0.02
LOST_S = 3.0
FAILSAFE_LANDS, FAILSAFE_STAYS = 4, -1
LOOK_S = 0.05
"""The panel's 20 times a second."""


class Flight(FlownBench):
    """Flown by a device through controls, worker and link."""

    def __init__(self, catalogue: Catalogue) -> None:
        super().__init__(catalogue)
        self.stick = Sticks(throttle=0.5)
        self.hold_back = False
        self._next_s = self._look_s = 0.0
        self.controls = FlightControls(self.vehicle, self._make)
        self.controls.join()
        self.controls.take_source("gamepad")
        self.pass_time(8.0)
        self.controls.take_off(self.controls.situation_at(self.vehicle.end_s)[1])
        self.until(lambda flight: self.climbed_m > 2.0)
        self.controls.act("Fly by hand", self.controls.situation_at(self.vehicle.end_s)[1])
        self.until(lambda flight: flight.flight_mode == "Stabilized2")
        assert self.hears

    def _make(self, outlet: StickOutlet) -> Transmitter:
        self.transmitter = SteppedTransmitter(outlet, self.clock)
        return self.transmitter

    def step(self) -> None:
        """A round of the worker, of the transmitter, and of the window."""
        super().step()
        if hasattr(self, "transmitter") and self.clock.now >= self._next_s:
            self._next_s = self.clock.now + PERIOD_S
            held = DeviceInput(self.stick, "Pad", self.clock.now)
            self.transmitter.step(PERIOD_S, None if self.hold_back else held)
        if hasattr(self, "transmitter") and self.clock.now >= self._look_s:
            self._look_s = self.clock.now + LOOK_S
            self.controls.follow(*self.controls.situation_at(self.vehicle.end_s))

    def until(self, reached: Callable[[FlightState], bool], limit_s: float = 40.0) -> None:
        self.run(lambda: reached(self.controls.situation_at(self.vehicle.end_s)[0]), limit_s)

    @property
    def hears(self) -> bool:
        """Whether the board takes sticks for valid, known here or not."""
        return bool(self.autopilot.board["ManualControlCommand"].fields["Connected"])

    @property
    def mode(self) -> str:
        return self.autopilot.board["FlightStatus"].option("FlightMode")

    @property
    def roll_pulse(self) -> int:
        """What the board was last sent for roll."""
        return int(self.autopilot.board["GCSReceiver"].fields["Channel"][1])

    def stall(self, seconds: float) -> None:
        """The computer stands still, and the aircraft flies on."""
        for _ in range(round(seconds / 0.02)):
            self.autopilot.run_loop()
        self.clock.now += seconds

    def lose_link(self, seconds: float = LOST_S) -> None:
        self.link.faults = DEAD
        self.pass_time(seconds)


@pytest.fixture(scope="module")
def flight() -> Flight:
    return Flight(load_catalogue())


def take_over(flight: Flight, height_m: float = 3.0) -> None:
    flight.link.faults = Faults()
    flight.controls.act("Fly by hand", flight.controls.situation_at(flight.vehicle.end_s)[1])
    flight.stick = Sticks(throttle=0.8)
    flight.until(lambda state: flight.climbed_m > height_m)
    flight.stick = Sticks(throttle=0.5)
    flight.pass_time(1.0)
    assert (flight.hears, flight.mode) == (True, "Stabilized2")


def test_a_lost_link_is_a_failsafe_and_its_end_gives_no_sticks_back(flight: Flight) -> None:
    """Six seconds of it, and sticks that resumed left the failsafe's Land."""
    take_over(flight)
    flight.link.faults = DEAD
    lost_s = flight.clock.now
    flight.run(lambda: not flight.hears, 3.0)
    assert flight.clock.now - lost_s <= LATEST_S + 0.05
    flight.stick = Sticks(roll=-0.2, throttle=0.5)
    flight.pass_time(LOST_S)
    assert flight.mode == "Land"
    flight.link.faults = Faults()
    flight.pass_time(2.0)
    assert (flight.hears, flight.mode) == (False, "Land")
    assert flight.controls.has_let_go
    take_over(flight)


def test_a_fade_shorter_than_the_receivers_patience_is_not_felt(flight: Flight) -> None:
    take_over(flight)
    flight.lose_link(0.3)
    flight.link.faults = Faults()
    flight.pass_time(2.0)
    assert (flight.hears, flight.mode) == (True, "Stabilized2")
    assert flight.controls.stopped(flight.controls.situation_at(flight.vehicle.end_s)[0]) is None


@pytest.mark.parametrize("position", [FAILSAFE_LANDS, FAILSAFE_STAYS])
def test_a_guided_mode_is_resumed_only_if_the_board_says_that_it_stands(
    flight: Flight, position: int
) -> None:
    """Return became Land 616 m from home; and by leaving the failsafe's Land nobody was asked."""
    take_over(flight)
    name = "ManualControlSettings"
    flight.vehicle.commands.send(name, {"FailsafeFlightModeSwitchPosition": position})
    flight.pass_time(0.5)
    flight.controls.act("Hold", flight.controls.situation_at(flight.vehicle.end_s)[1])
    flight.until(lambda state: state.flight_mode == "PositionHold")
    flight.pass_time(1.0)
    flight.lose_link()
    assert not flight.hears
    flight.link.faults = Faults()
    flight.pass_time(3.0)
    assert not flight.hears, "it waits for the pilot"
    told = flight.controls.stopped(flight.controls.situation_at(flight.vehicle.end_s)[0])
    assert told is not None
    assert told.about == flight.vehicle.name
    why = UNHEARD if position == FAILSAFE_STAYS else NOT_RESUMED
    assert told.text.startswith(f"Nothing is sent. {why.format(mode='Position hold')}")
    assert "The aircraft says that its failsafe acts" in told.text
    flight.controls.act("Hold", flight.controls.situation_at(flight.vehicle.end_s)[1])
    flight.run(lambda: flight.hears, 2.0)
    flight.until(lambda state: state.flight_mode == "PositionHold", 2.0)
    flight.vehicle.commands.send(name, {"FailsafeFlightModeSwitchPosition": FAILSAFE_LANDS})
    flight.pass_time(0.5)


@pytest.mark.parametrize("stall_s", [0.2, 0.4])
def test_a_short_stall_of_the_station_does_not_end_a_guided_mode(
    flight: Flight, stall_s: float
) -> None:
    """Of the whole station: neither its worker nor its transmitter run."""
    take_over(flight)
    flight.controls.act("Hold", flight.controls.situation_at(flight.vehicle.end_s)[1])
    flight.until(lambda state: state.flight_mode == "PositionHold")
    flight.stall(stall_s)
    flight.pass_time(3.0)
    assert (flight.hears, flight.mode) == (True, "PositionHold")


@pytest.mark.parametrize("stall_s", [1.0, 5.0, 20.0])
def test_after_a_long_stall_of_the_station_the_pilot_is_asked(
    flight: Flight, stall_s: float
) -> None:
    take_over(flight, height_m=20.0)
    flight.controls.act("Hold", flight.controls.situation_at(flight.vehicle.end_s)[1])
    flight.until(lambda state: state.flight_mode == "PositionHold")
    flight.stall(stall_s)
    flight.pass_time(3.0)
    assert (flight.hears, flight.mode) == (False, "Land")
    assert flight.controls.has_let_go


def test_what_was_let_go_meanwhile_does_not_come_late(flight: Flight) -> None:
    take_over(flight)
    flight.stick = Sticks(roll=0.2, throttle=0.5)
    flight.pass_time(0.2)
    flight.lose_link()
    flight.stick = Sticks(roll=-0.2, throttle=0.5)
    flight.controls.release(RELEASED)
    flight.pass_time(0.2)
    flight.link.faults = Faults()
    flight.pass_time(2.0)
    assert (flight.hears, flight.mode) == (False, "Land")
    assert flight.roll_pulse in (1500, 1600), "the last before the link went, or neutral"


def test_a_station_that_is_gone_leaves_it_to_its_failsafe(flight: Flight) -> None:
    """Killed: neither the transmitter nor the worker does anything any more."""
    take_over(flight)
    end_s = flight.autopilot.now_s + LATEST_S + 0.05
    while flight.hears:
        flight.autopilot.run_loop()
        assert flight.autopilot.now_s < end_s
    flight.autopilot.run_loop()
    assert flight.mode == "Land"


def test_with_its_link_and_its_station_it_flies_on(flight: Flight) -> None:
    """The negative control of all of them."""
    take_over(flight)
    flight.pass_time(LOST_S)
    assert (flight.hears, flight.mode) == (True, "Stabilized2")


def test_what_was_lost_and_came_back_stands_in_the_recording(flight: Flight) -> None:
    take_over(flight)
    before = len(flight.vehicle.recording.events())
    flight.hold_back = True
    flight.pass_time(0.3)
    flight.hold_back = False
    flight.pass_time(0.5)
    flight.stall(0.5)
    flight.pass_time(0.5)
    noted = [(e.kind, e.text) for e in flight.vehicle.recording.events()[before:]]
    assert ("device", f"{DEVICE} was lost; neutral sticks are sent") in noted
    assert ("sticks", "The pilot's sticks are sent again") not in noted, "the pilot has not asked"
    take_over(flight)
    noted = [(e.kind, e.text) for e in flight.vehicle.recording.events()[before:]]
    assert ("hang", "The station stood still for 0.5 s") in noted
    assert ("sticks", "The pilot's sticks are sent again") in noted
