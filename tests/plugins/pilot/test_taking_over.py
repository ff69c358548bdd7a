"""Taking over by hand in the air: whatever a throttle was left at, the aircraft does not fall."""

from collections.abc import Callable, Sequence

import pytest

from plugins.pilot import guide
from plugins.pilot.devices.default_profiles import written_profile
from plugins.pilot.devices.device_choice import DeviceChoice
from plugins.pilot.devices.hub import DeviceHub
from plugins.pilot.devices.profile_store import ProfileStore
from plugins.pilot.devices.reading import Reading
from plugins.pilot.devices.source import ControlSource, DeviceKind
from plugins.pilot.seat import Seat
from plugins.pilot.transmitter import PERIOD_S
from telemetry.vehicle.sticks import Sticks
from tests.plugins.pilot.cockpit import StillTransmitter
from tests.plugins.pilot.fakes import POSITIONS, Ground

BOTTOM, MIDDLE = -1.0, 0.0


class Handset:
    """A device whose throttle stays where it is put: finder and source in one."""

    kind = DeviceKind("Handset", "handset", standard=written_profile())

    def __init__(self) -> None:
        self.throttle = BOTTOM
        self._is_found = False

    def find(self, _now_s: float) -> Sequence[ControlSource]:
        is_new, self._is_found = not self._is_found, True
        return (self,) if is_new else ()

    def poll(self, now_s: float) -> Reading:
        return Reading((0.0, 0.0, 0.0, self.throttle), (), now_s)

    def close(self) -> None:
        self._is_found = False


class InTheAir:
    """A quadrotor that holds, and what a pilot may take it over by."""

    def __init__(self) -> None:
        self.now = 100.0
        self.ground = Ground()
        self.ground.settings()
        self.ground.status(0.1, "Armed", "PositionHold", thrust=0.4)
        self.handset = Handset()
        self.hub = DeviceHub(clock=lambda: self.now)
        self.hub.add(self.handset)
        self.devices = DeviceChoice(self.hub, ProfileStore(None))
        self.ground.vehicle.attachment("pilot.devices", lambda: self.devices)
        self.seat = Seat(self.ground.vehicle, self._make)
        self.seat.join()
        self.seat.act("Hold", self.situation())
        self.step()

    def _make(self, send: Callable[[Sticks | None], None]) -> StillTransmitter:
        self.transmitter = StillTransmitter(send, lambda: self.now, lambda: None)
        return self.transmitter

    def situation(self) -> guide.Situation:
        return self.seat.look(self.ground.vehicle.end_s)[1]

    def step(self) -> float:
        """The throttle that goes out next."""
        self.now += PERIOD_S
        self.hub.step()
        self.devices.follow(is_flying=True)
        self.transmitter.beat()
        self.transmitter.step(PERIOD_S, self.devices.inputs.read(self.now))
        sent = self.ground.commands.sticks[-1]
        assert sent is not None
        return sent.throttle


@pytest.fixture
def air() -> InTheAir:
    return InTheAir()


def test_by_a_device_whose_throttle_is_at_the_bottom_it_is_refused(air: InTheAir) -> None:
    air.seat.take_source("gamepad")
    assert guide.why_not("Fly by hand", air.situation()) == guide.THROTTLE_DOWN
    assert guide.why_not_position(0, air.situation()) == guide.THROTTLE_DOWN
    assert guide.why_not_position(POSITIONS.index("Land"), air.situation()) is None
    assert guide.why_not("Land", air.situation()) is None
    air.handset.throttle = MIDDLE
    air.step()
    assert guide.why_not("Fly by hand", air.situation()) is None
    air.seat.act("Fly by hand", air.situation())
    assert air.step() == pytest.approx(0.5)
    air.handset.throttle = BOTTOM
    assert air.step() == 0.0, "then it is the pilot's"
    assert guide.why_not_position(1, air.situation()) is None


def test_by_on_screen_sticks_the_device_does_not_matter(air: InTheAir) -> None:
    assert guide.why_not("Fly by hand", air.situation()) is None


def test_a_position_chosen_by_a_button_begins_at_the_thrust_that_flies(air: InTheAir) -> None:
    """The on-screen throttle was never touched, and stands at 0."""
    air.seat.fly_position(0, air.situation())
    assert air.step() == pytest.approx(0.4, abs=0.01)


def test_another_input_goes_on_with_the_throttle_of_the_one_before(air: InTheAir) -> None:
    air.handset.throttle = 0.2
    air.step()
    air.seat.take_source("gamepad")
    air.seat.act("Fly by hand", air.situation())
    flown = air.step()
    assert flown == pytest.approx(0.6)
    air.seat.take_source("screen")
    assert air.step() == flown
    air.seat.take_source("keyboard")
    assert air.step() == flown
