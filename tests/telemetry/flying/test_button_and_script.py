"""The same manoeuvre asked for by a button and by a script: the board hears the same sticks."""

from collections.abc import Callable
from functools import cache

import pytest

from telemetry.flying.controls import FlightControls
from telemetry.flying.orders.aircraft import order, why_not_order
from telemetry.flying.transmitter.transmitter import PERIOD_S, StickOutlet
from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue
from tests.flown_bench import FlownBench
from tests.telemetry.flying.robot.bench import RobotBench
from tests.telemetry.flying.transmitter.transmitting import SteppedTransmitter

pytestmark = pytest.mark.slow

Heard = list[tuple[int, ...]]
UP_M = 2.0


def note(heard: Heard, bench: FlownBench) -> None:
    """What the board holds of the sticks, each once."""
    channels = tuple(bench.autopilot.board["GCSReceiver"].fields["Channel"].tolist())
    if not heard or heard[-1] != channels:
        heard.append(channels)


class ByScript(RobotBench):
    """A script's pilot."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.heard: Heard = []
        super().__init__(catalogue)
        self.pass_time(8.0)

    def step(self) -> None:
        super().step()
        note(self.heard, self)

    def take_off(self) -> None:
        self.robot.take_off(wait=False)

    def hold(self) -> None:
        self.robot.hold(wait=False)

    def land(self) -> None:
        self.robot.land(wait=False)

    def stop(self) -> None:
        self.robot.disarm(wait=False)


class ByButton(FlownBench):
    """The controls, which a window follows."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.heard: Heard = []
        self._next_s = 0.0
        self.controls: FlightControls | None = None
        super().__init__(catalogue)
        self.controls = self.vehicle.attachment("flying.controls", self._make_controls)
        self.controls.join()
        self.pass_time(8.0)

    def _make_controls(self) -> FlightControls:
        return FlightControls(self.vehicle, self._make_transmitter)

    def _make_transmitter(self, outlet: StickOutlet) -> SteppedTransmitter:
        self.transmitter = SteppedTransmitter(outlet, self.clock)
        return self.transmitter

    def step(self) -> None:
        super().step()
        if self.controls is not None and self.clock.now >= self._next_s:
            self._next_s = self.clock.now + PERIOD_S
            flight, situation = self.controls.situation_at(self.vehicle.end_s)
            self.controls.follow(flight, situation)
            self.controls.poll(situation)
            self.transmitter.step(PERIOD_S, None)
        note(self.heard, self)

    def take_off(self) -> None:
        assert self.controls is not None
        self.controls.take_off(self.controls.situation_at(self.vehicle.end_s)[1])

    def hold(self) -> None:
        self._order("Hold")

    def land(self) -> None:
        self._order("Land")

    def stop(self) -> None:
        self._order("Motors off")

    def _order(self, action: str) -> None:
        assert why_not_order(action, self.vehicle) == ""
        order(action, self.vehicle)


@cache
def heard(kind: type[ByScript | ByButton]) -> tuple[Heard, Heard]:
    """What it hears while it takes off, holds and lands, and while it then takes off and falls."""
    bench = kind(load_catalogue())
    return _heard(bench, bench.land), _heard(bench, bench.stop)


def _heard(bench: ByScript | ByButton, end: Callable[[], None]) -> Heard:
    bench.heard = []
    output = bench.autopilot.simulator.output
    bench.take_off()
    bench.run(lambda: -output["true_position"][2] > UP_M, 40.0)
    bench.hold()
    bench.pass_time(2.0)
    end()
    bench.run(lambda: bench.autopilot.board["FlightStatus"].option("Armed") == "Disarmed", 60.0)
    bench.pass_time(1.0)
    return bench.heard


@pytest.mark.parametrize("end", [0, 1], ids=["lands", "stops"])
def test_the_board_hears_the_same_sticks(end: int) -> None:
    script = heard(ByScript)[end]
    assert len(script) > 4, "at rest, armed, raised, in the middle, held, and down"
    assert heard(ByButton)[end] == script


def test_another_manoeuvre_gives_others() -> None:
    """The negative control."""
    assert heard(ByScript)[0] != heard(ByButton)[1]
