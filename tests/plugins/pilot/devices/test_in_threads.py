"""A joystick of SDL's, the thread that reads devices and the transmitter's, as in the station."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from plugins.pilot.devices.device_choice import DeviceChoice
from plugins.pilot.devices.hub import DeviceHub
from plugins.pilot.devices.profile_store import ProfileStore
from telemetry.flying.transmitter.order import PilotRequest
from telemetry.flying.transmitter.transmitter import StickOutlet, Transmitter
from telemetry.vehicle.sticks import Sticks
from tests.sdl_joystick import SdlJoystick
from tests.waiting import wait_until

pytestmark = pytest.mark.slow


class Flown:
    """A pad, a hub and a transmitter that sends to a list."""

    def __init__(self, joystick: SdlJoystick) -> None:
        self.sent: list[Sticks] = []
        self.stopped: list[str] = []
        self.hub = DeviceHub()
        self.choice = DeviceChoice(self.hub, ProfileStore(None))
        outlet = StickOutlet(self.sent.append, self.stopped.append)
        self.transmitter = Transmitter(outlet, find_devices=self.choice.inputs.open)
        self.joystick = joystick

    def last_roll(self) -> float | None:
        self.transmitter.beat()
        return self.sent[-1].roll if self.sent else None

    def fly(self) -> None:
        self.transmitter.start()
        wait_until(lambda: self.hub.devices)
        self.choice.follow(is_flying=True)
        request = PilotRequest(transmitting=True, arm=True, throttle="stick", source="gamepad")
        order = self.transmitter.order.taken_up()
        self.transmitter.carry_out(replace(order, request=request))


@pytest.fixture
def flown() -> Iterator[Flown]:
    joystick = SdlJoystick("GAMECONTROLLER", axes=6, buttons=15)
    made = Flown(joystick)
    yield made
    made.transmitter.stop()
    joystick.end()


def test_a_joystick_moves_the_sticks_and_pulling_it_ends_the_stream(flown: Flown) -> None:
    flown.fly()
    flown.joystick.push(2, 1.0)
    wait_until(lambda: flown.last_roll() == 1.0)
    flown.joystick.push(2, -1.0)
    wait_until(lambda: flown.last_roll() == -1.0)
    flown.joystick.unplug()
    wait_until(lambda: flown.stopped)
    sent = len(flown.sent)
    steps = len(flown.stopped)
    wait_until(lambda: len(flown.stopped) > steps + 3)
    assert len(flown.sent) == sent, "no stick goes out any more"
    assert "was lost" in flown.stopped[0]
