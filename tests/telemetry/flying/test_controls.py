"""Flight controls: what is asked of them, and what asking them what is so must not change."""

import pytest

from telemetry.flying.actions import BY_HAND, NO_DEVICE, why_not, why_not_position
from telemetry.flying.controls import FlightControls
from telemetry.flying.inputs.device_input import DeviceInput
from telemetry.flying.orders.aircraft import order
from telemetry.flying.transmitter.transmitter import PERIOD_S, StickOutlet
from telemetry.vehicle.exclusive import exclusive_of
from telemetry.vehicle.sticks import Sticks
from tests.telemetry.flying.fakes import POSITIONS, Ground
from tests.telemetry.flying.transmitter.transmitting import SteppedTransmitter


class Flown:
    """An aircraft in a stabilized mode, flown from here."""

    def __init__(self) -> None:
        self.now = 100.0
        self.ground = Ground()
        self.ground.settings()
        self.ground.status(0.1, "Armed", "Stabilized1", thrust=0.5)
        vehicle = self.ground.vehicle
        self.controls = vehicle.attachment(
            "flying.controls", lambda: FlightControls(vehicle, self._make_transmitter)
        )
        self.controls.join()

    def _make_transmitter(self, outlet: StickOutlet) -> SteppedTransmitter:
        self.transmitter = SteppedTransmitter(outlet, lambda: self.now)
        return self.transmitter

    def step(self, *, stops: bool = False) -> Sticks | None:
        self.now += PERIOD_S
        device = DeviceInput(Sticks(throttle=0.5), "Pad", self.now, stops=True) if stops else None
        self.transmitter.step(PERIOD_S, device)
        return self.ground.commands.sticks[-1]


def test_asking_what_is_so_changes_no_order() -> None:
    flown = Flown()
    order(action="Land", vehicle=flown.ground.vehicle)
    before = flown.transmitter.order
    flown.ground.settings(positions=("Land", *POSITIONS[1:]))
    flown.controls.situation_at(flown.ground.vehicle.end_s)
    assert flown.transmitter.order is before


def test_what_is_under_way_does_not_go_on_over_a_stop_that_nobody_has_seen_to() -> None:
    """Land is not selected yet, and its state machine goes on whatever is in sight."""
    flown = Flown()
    order("Land", flown.ground.vehicle)
    sent = flown.step()
    assert sent is not None
    assert sent.arm
    assert flown.step(stops=True) == Sticks()
    for _ in range(3):
        flown.controls.poll(flown.controls.situation_at(flown.ground.vehicle.end_s)[1])
        assert flown.step() == Sticks()
    flown.controls.follow(*flown.controls.situation_at(flown.ground.vehicle.end_s))
    assert flown.controls.is_stopping
    assert not flown.controls.is_under_way
    assert flown.step() == Sticks()


def test_without_a_stop_it_goes_on() -> None:
    """The negative control."""
    flown = Flown()
    order("Land", flown.ground.vehicle)
    flown.controls.poll(flown.controls.situation_at(flown.ground.vehicle.end_s)[1])
    sent = flown.step()
    assert sent is not None
    assert sent.arm


def test_a_scripts_right_is_the_controls_right() -> None:
    """Both are of those that `Exclusive` keeps apart."""
    flown = Flown()
    exclusive_of(flown.ground.vehicle).take("a script", "Flying by a script")
    situation = flown.controls.situation_at(flown.ground.vehicle.end_s)[1]
    assert situation.refusal == "Flying by a script is under way. End it first."


class Plugged:
    """Devices of an aircraft, of which the pilot's is there or not."""

    def __init__(self, sticks: Sticks | None) -> None:
        self._sticks = sticks

    def present(self) -> Sticks | None:
        return self._sticks

    def read(self, now_s: float) -> DeviceInput | None:
        return None if self._sticks is None else DeviceInput(self._sticks, "Pad", now_s)

    def open(self) -> object:
        return self

    def close(self) -> None:
        pass


@pytest.mark.parametrize("is_there", [True, False])
def test_by_hand_is_refused_where_the_device_that_would_fly_is_gone(is_there: bool) -> None:
    """A guided mode would else be left to the failsafe by a press of a button."""
    flown = Flown()
    flown.controls.inputs.connect(Plugged(Sticks(throttle=0.5) if is_there else None))
    flown.controls.take_source("gamepad")
    situation = flown.controls.situation_at(flown.ground.vehicle.end_s)[1]
    assert why_not(BY_HAND, situation) == (None if is_there else NO_DEVICE)
    assert why_not_position(0, situation) == (None if is_there else NO_DEVICE)
    assert why_not("Hold", situation) is None
