"""Flight controls, a station and the simulated aircraft, in one simulated clock without threads."""

from collections.abc import Callable
from dataclasses import replace

from plugins.testing import QuietCommands, catalogue
from simulation.autopilot.autopilot import AutopilotConfig
from simulation.autopilot.preset import load_preset
from telemetry.flying.actions import advice, why_not, why_not_take_off
from telemetry.flying.controls import FlightControls
from telemetry.flying.inputs.device_input import DeviceInput
from telemetry.flying.situation import Situation
from telemetry.flying.transmitter.transmitter import StickOutlet, Transmitter
from telemetry.recording.flight_state import FlightState
from telemetry.recording.recording import Recording
from telemetry.vehicle.commands import Command, Ticket
from telemetry.vehicle.sticks import Sticks
from telemetry.vehicle.vehicle import LinkState, LinkStatus, Vehicle
from tests.simulation.bench import Bench
from tests.telemetry.flying.transmitter.transmitting import SteppedTransmitter

LOOP_S = 0.02
_LOOPS_PER_LOOK = 2
"""The panel looks at the aircraft 20 times a second, the transmitter 50 times."""


class Radio(QuietCommands):
    """Carries sticks to the aircraft and refuses to change anything on board."""

    def __init__(self, bench: Bench) -> None:
        super().__init__()
        self._bench = bench

    def post(self, command: Command) -> Ticket:
        raise AssertionError(f"the pilot must only move sticks, not {command}")

    def set_sticks(self, sticks: Sticks | None) -> None:
        self._bench.sticks = sticks


class Cockpit:
    """A pilot's controls, a station and the aircraft, in one clock.

    The station is what is looked at: the aircraft knows its height, which INS13 has wrong by what
    GPS was off at the start.
    """

    def __init__(self, name: str) -> None:
        preset = replace(load_preset(name), has_own_filter=True)
        self.bench = Bench(AutopilotConfig(preset), catalogue())
        self.recording = Recording("test")
        self.vehicle = vehicle = Vehicle(name, self.recording, catalogue(), Radio(self.bench))
        vehicle.status = LinkStatus(state=LinkState.CONNECTED)
        self.is_window_there = True
        self.device: Callable[[], DeviceInput | None] = lambda: None
        self.take_other_controls()
        self._loops = 0
        self._seen = self.look()
        self.said: set[str] = set()
        self.told: list[str] = []
        """What the controls had to say of arming."""

    def take_other_controls(self) -> None:
        """As a station does that has just started."""
        self.controls = FlightControls(self.vehicle, self._make_transmitter)
        self.controls.join()

    def _make_transmitter(self, outlet: StickOutlet) -> Transmitter:
        self.transmitter = SteppedTransmitter(outlet, lambda: self.bench.now_s)
        return self.transmitter

    def look(self) -> tuple[FlightState, Situation]:
        return self.controls.situation_at(self.recording.last_s)

    def run(self) -> tuple[FlightState, Situation]:
        """One round of the transmitter; what was last seen of the aircraft."""
        self.transmitter.step(LOOP_S, self.device())
        heard = len(self.bench.received)
        self.bench.run(LOOP_S)
        for event in self.bench.received[heard:]:
            self.recording.append(self.bench.now_s, event.definition, event.instance, event.payload)
        self._loops += 1
        if self._loops % _LOOPS_PER_LOOK == 0:
            self._watch()
        return self._seen

    def _watch(self) -> None:
        flight, situation = self._seen = self.look()
        told = self.controls.follow(flight, situation) if self.is_window_there else ""
        if told:
            self.told.append(told)
        self.said.add(advice(situation, flight.flight_mode or ""))

    def wait(self, reached: Callable[[FlightState], bool], patience_s: float) -> None:
        end_s = self.bench.now_s + patience_s
        while not reached(self.run()[0]):
            assert self.bench.now_s < end_s, f"not within {patience_s} s: {self.look()[0]}"

    def stay(self, seconds: float) -> None:
        for _ in range(round(seconds / LOOP_S)):
            self.run()

    def arm(self) -> None:
        self.stay(8.0)  # until its filter knows where it is
        self.controls.arm(self.look()[1])
        self.wait(lambda flight: flight.is_armed, 5.0)

    def take_off(self) -> None:
        self.stay(8.0)
        situation = self.look()[1]
        assert why_not_take_off(situation) is None
        self.controls.take_off(situation)

    def act(self, action: str) -> None:
        situation = self.look()[1]
        assert why_not(action, situation) is None
        self.controls.act(action, situation)
