"""Buttons of an input device, done as by the buttons of Controls."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from plugins.api import PanelContext
from plugins.pilot.device_button_actions import LAND_FIRST, NOT_IN_SIGHT, do_command
from plugins.pilot.devices.buttons import ACTION, ARM, DISARM, MARKER, POSITION
from telemetry.flying.controls import FlightControls
from telemetry.flying.transmitter.transmitter import StickOutlet
from telemetry.review.flights.flight import flight_of
from telemetry.vehicle.vehicle import Fleet
from tests.telemetry.flying.fakes import POSITIONS, Ground
from tests.telemetry.flying.transmitter.transmitting import SteppedTransmitter
from widgets.theme import load_theme


class Pressed:
    """A station whose pilot presses buttons of a device."""

    def __init__(self, jobs: ThreadPoolExecutor) -> None:
        self.ground = Ground()
        self.ground.settings()
        fleet = Fleet()
        fleet.add(self.ground.vehicle)
        self.ran: list[str] = []
        self.context = PanelContext(fleet, load_theme("light"), jobs, run_action=self.ran.append)
        vehicle = self.ground.vehicle
        self.controls: FlightControls = vehicle.attachment(
            "flying.controls", lambda: FlightControls(vehicle, self._make_transmitter)
        )
        self.controls.join()

    def press(self, command: str, *, in_sight: bool = True) -> str:
        situation = self.controls.situation_at(self.ground.recording.last_s)[1]
        return do_command(command, self.context, self.controls, situation, in_sight=in_sight)

    def _make_transmitter(self, outlet: StickOutlet) -> SteppedTransmitter:
        return SteppedTransmitter(outlet, lambda: 100.0)


@pytest.fixture
def pressed() -> Iterator[Pressed]:
    with ThreadPoolExecutor(1) as jobs:
        yield Pressed(jobs)


def test_a_position_of_the_switch_is_flown_by_hand(pressed: Pressed) -> None:
    pressed.ground.status(0.0, "Armed", "Stabilized1", thrust=0.5)
    said = pressed.press(f"{POSITION}4")
    assert POSITIONS[3] == "PositionHold"
    assert said == "Flight mode switch: Position hold."
    request = pressed.controls.request
    assert (request.transmitting, request.flight_mode_position) == (True, 3)
    assert request.throttle == "spring", "the middle of the throttle holds the height"
    pressed.press(f"{POSITION}1")
    assert pressed.controls.request.throttle == "stick"


@pytest.mark.parametrize(
    ("armed", "position", "said"),
    [("Disarmed", 1, "Arm the aircraft first."), ("Armed", 7, "has 6 positions")],
)
def test_a_position_that_cannot_be_had_is_refused_with_the_reason(
    pressed: Pressed, armed: str, position: int, said: str
) -> None:
    pressed.ground.status(0.0, armed, "Stabilized1", thrust=0.0)
    assert said in pressed.press(f"{POSITION}{position}")
    assert not pressed.controls.request.transmitting


def test_disarming_is_refused_in_flight_and_done_on_the_ground(pressed: Pressed) -> None:
    pressed.ground.status(0.0, "Armed", "Stabilized1", thrust=0.5)
    assert pressed.press(DISARM) == LAND_FIRST
    assert not pressed.controls.is_stopping
    pressed.ground.status(1.0, "Armed", "Stabilized1", thrust=0.0)
    pressed.press(DISARM)
    assert pressed.controls.is_stopping


def test_arming_says_why_it_cannot(pressed: Pressed) -> None:
    pressed.ground.status(0.0, "Armed", "Stabilized1", thrust=0.5)
    assert pressed.press(ARM) == "The aircraft is armed."


def test_a_marker_is_set_now_and_an_action_is_run_by_its_id(pressed: Pressed) -> None:
    pressed.ground.status(5.0, "Armed", "Stabilized1", thrust=0.5)
    pressed.press(MARKER)
    [marker] = flight_of(pressed.ground.vehicle).markers
    assert marker.t == pytest.approx(pressed.ground.vehicle.end_s)
    pressed.press(f"{ACTION}pilot.pause")
    assert pressed.ran == ["pilot.pause"]


def test_out_of_sight_what_is_guided_is_done_and_nothing_is_armed(pressed: Pressed) -> None:
    pressed.ground.status(0.0, "Disarmed", "Stabilized1")
    assert pressed.press(ARM, in_sight=False) == NOT_IN_SIGHT
    assert pressed.press(f"{ACTION}pilot.land", in_sight=False) == "Arm the aircraft first."
    assert not pressed.controls.request.transmitting
    pressed.ground.status(1.0, "Armed", "Stabilized1", thrust=0.5)
    assert pressed.press(f"{ACTION}pilot.land", in_sight=False) == "Land: asked for."
    request = pressed.controls.request
    assert POSITIONS[request.flight_mode_position] == "Land"
    assert request.transmitting
