"""A joystick of SDL's, the thread that reads devices and the transmitter's, as in the station."""

from collections.abc import Iterator
from types import ModuleType

import pytest

from plugins.pilot.devices.device_choice import DeviceChoice
from plugins.pilot.devices.hub import DeviceHub
from plugins.pilot.devices.joysticks import load_sdl
from plugins.pilot.devices.profile_store import ProfileStore
from plugins.pilot.transmitter import PilotRequest, Transmitter
from telemetry.vehicle.sticks import Sticks
from tests.waiting import wait_until

pytestmark = pytest.mark.slow


class Flown:
    """A pad, a hub and a transmitter that sends to a list."""

    def __init__(self, sdl: ModuleType) -> None:
        self.sdl = sdl
        self.sent: list[Sticks] = []
        self.stopped: list[str] = []
        self.hub = DeviceHub()
        self.choice = DeviceChoice(self.hub, ProfileStore(None))
        self.transmitter = Transmitter(self._send, find_devices=self.choice.inputs.open)
        self.transmitter.on_stop = self.stopped.append
        self.handle = None
        self.plug_in()

    def plug_in(self) -> None:
        kind = self.sdl.SDL_JOYSTICK_TYPE_GAMECONTROLLER
        self.index = self.sdl.SDL_JoystickAttachVirtual(kind, 6, 15, 0)
        self.handle = self.sdl.SDL_JoystickOpen(self.index)

    def pull(self) -> None:
        self.sdl.SDL_JoystickClose(self.handle)
        self.sdl.SDL_JoystickDetachVirtual(self.index)

    def push(self, axis: int, value: int) -> None:
        self.sdl.SDL_JoystickSetVirtualAxis(self.handle, axis, value)

    def last_roll(self) -> float | None:
        self.transmitter.beat()
        return self.sent[-1].roll if self.sent else None

    def fly(self) -> None:
        self.transmitter.start()
        wait_until(lambda: self.hub.devices)
        self.choice.follow(is_flying=True)
        self.transmitter.take_up()
        self.transmitter.request = PilotRequest(
            transmitting=True, arm=True, throttle="stick", source="gamepad"
        )

    def _send(self, sticks: Sticks | None) -> None:
        if sticks is not None:
            self.sent.append(sticks)


@pytest.fixture
def flown() -> Iterator[Flown]:
    sdl = load_sdl()
    if sdl is None:
        pytest.skip("no SDL library on this machine")
    made = Flown(sdl)
    yield made
    made.transmitter.stop()
    sdl.SDL_QuitSubSystem(sdl.SDL_INIT_GAMECONTROLLER | sdl.SDL_INIT_JOYSTICK)


def test_a_joystick_moves_the_sticks_and_pulling_it_ends_the_stream(flown: Flown) -> None:
    flown.fly()
    flown.push(2, 32767)
    wait_until(lambda: flown.last_roll() == 1.0)
    flown.push(2, -32768)
    wait_until(lambda: flown.last_roll() == -1.0)
    flown.pull()
    wait_until(lambda: flown.stopped)
    sent = len(flown.sent)
    steps = len(flown.stopped)
    wait_until(lambda: len(flown.stopped) > steps + 3)
    assert len(flown.sent) == sent, "no stick goes out any more"
    assert "device is gone" in flown.stopped[0]
