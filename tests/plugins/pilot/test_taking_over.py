"""Taking over by hand in the air: whatever a throttle was left at, the aircraft does not fall."""

from collections.abc import Sequence

import pytest

from plugins.pilot.devices.default_profiles import program_profile
from plugins.pilot.devices.device_choice import DeviceChoice
from plugins.pilot.devices.hub import DeviceHub
from plugins.pilot.devices.profile_store import ProfileStore
from plugins.pilot.devices.source import ControlSource, DeviceKind
from telemetry.flying import actions
from telemetry.flying.controls import FlightControls
from telemetry.flying.inputs.reading import Reading
from telemetry.flying.situation import Situation
from telemetry.flying.transmitter.transmitter import PERIOD_S, StickOutlet
from tests.telemetry.flying.fakes import POSITIONS, Ground
from tests.telemetry.flying.transmitter.transmitting import SteppedTransmitter

BOTTOM, MIDDLE = -1.0, 0.0


class Handset:
    """A device whose throttle stays where it is put: finder and source in one."""

    kind = DeviceKind("Handset", "handset", standard=program_profile())

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
        self.controls = FlightControls(self.ground.vehicle, self._make)
        self.controls.inputs.connect(self.devices.inputs)
        self.controls.join()
        self.controls.act("Hold", self.situation())
        self.step()

    def _make(self, outlet: StickOutlet) -> SteppedTransmitter:
        self.transmitter = SteppedTransmitter(outlet, lambda: self.now)
        return self.transmitter

    def situation(self) -> Situation:
        return self.controls.situation_at(self.ground.vehicle.end_s)[1]

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
    air.controls.take_source("gamepad")
    assert actions.why_not("Fly by hand", air.situation()) == actions.THROTTLE_DOWN
    assert actions.why_not_position(0, air.situation()) == actions.THROTTLE_DOWN
    assert actions.why_not_position(POSITIONS.index("Land"), air.situation()) is None
    assert actions.why_not("Land", air.situation()) is None
    air.handset.throttle = MIDDLE
    air.step()
    assert actions.why_not("Fly by hand", air.situation()) is None
    air.controls.act("Fly by hand", air.situation())
    assert air.step() == pytest.approx(0.5)
    air.handset.throttle = BOTTOM
    assert air.step() == 0.0, "then it is the pilot's"
    assert actions.why_not_position(1, air.situation()) is None


def test_by_on_screen_sticks_the_device_does_not_matter(air: InTheAir) -> None:
    assert actions.why_not("Fly by hand", air.situation()) is None


def test_a_position_chosen_by_a_button_begins_at_the_thrust_that_flies(air: InTheAir) -> None:
    """The on-screen throttle was never touched, and stands at 0."""
    air.controls.fly_position(0, air.situation())
    assert air.step() == pytest.approx(0.4, abs=0.01)


def test_another_input_goes_on_with_the_throttle_of_the_one_before(air: InTheAir) -> None:
    air.handset.throttle = 0.2
    air.step()
    air.controls.take_source("gamepad")
    air.controls.act("Fly by hand", air.situation())
    flown = air.step()
    assert flown == pytest.approx(0.6)
    air.controls.take_source("screen")
    assert air.step() == flown
    air.controls.take_source("keyboard")
    assert air.step() == flown
