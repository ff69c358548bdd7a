"""The cockpit of `cockpit.py` whose radio also carries objects, and a guided flight in it."""

import math
from dataclasses import replace
from typing import Any

from telemetry.configuration.settings.temporary_settings import TemporarySettings, store_in
from telemetry.flying.behaviour_flight import BehaviourFlight
from telemetry.flying.guided_flight import GuidedFlight
from telemetry.flying.inputs.device_input import DeviceInput
from telemetry.flying.situation import Situation
from telemetry.protocol.objects.values import pack_values
from telemetry.protocol.session.transactions import Transaction, TransactionOutcome
from telemetry.recording.flight_state import FlightState
from telemetry.recording.sample import Sample
from telemetry.vehicle.commands import (
    ChangeMetadata,
    Command,
    Request,
    RestoreMetadata,
    Ticket,
    Write,
)
from tests.telemetry.flying.cockpit import LOOP_S, Cockpit

_LOOPS = 4


class ObjectRadio:
    """Carries writes and requests, and says what became of them."""

    def __init__(self, cockpit: "GuidedCockpit") -> None:
        self._cockpit = cockpit
        self._open: list[tuple[Transaction, Ticket]] = []
        self.written: list[str] = []
        self.is_deaf = False
        """Whether what is written is lost on its way."""

    def post(self, command: Command) -> Ticket:
        bench, ticket = self._cockpit.bench, Ticket()
        match command:
            case Write(name, values, instance):
                self.written.append(name)
                if self.is_deaf:
                    ticket.finish("failed", "The board does not answer.")
                    return ticket
                definition = bench.definition(name)
                sample = self._cockpit.recording.latest(name, self._cockpit.vehicle.end_s)
                payload = pack_values(definition, values, None if sample is None else sample.row)
                transaction = bench.station.write(definition, instance, payload)
            case Request(name, instance):
                transaction = bench.station.request(bench.definition(name), instance)
            case ChangeMetadata() | RestoreMetadata():
                return ticket
            case _:
                raise AssertionError(f"not expected: {command}")
        self._open.append((transaction, ticket))
        return ticket

    def poll(self) -> None:
        for transaction, ticket in self._open:
            if transaction.outcome is TransactionOutcome.DONE:
                ticket.finish("done", "Done.")
            elif transaction.outcome is not TransactionOutcome.OPEN:
                ticket.finish("failed", "The board does not answer.")
        self._open = [pair for pair in self._open if not pair[1].is_finished]


class GuidedCockpit(Cockpit):
    """A pilot who asks for guided actions; `messages` is what he was told."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.radio = ObjectRadio(self)
        self.vehicle.commands.post = self.radio.post  # type: ignore[method-assign]
        self.temporary = TemporarySettings(self.vehicle, store_in(None))
        self.guided = GuidedFlight(self.vehicle, self.controls, self.temporary)
        self.behaviour = BehaviourFlight(self.vehicle, self.controls)
        self.is_watching = True
        """Whether the window gives a behaviour signs of life."""
        self.plugged: DeviceInput | None = None
        """What an input device of the pilot's says."""
        self.messages: list[str] = []
        for request in ("FirmwareIAPObj", "FlightModeSettings", "SystemSettings"):
            self.vehicle.commands.request(request)

    @property
    def board(self) -> Any:
        """The objects on board."""
        return self.bench.autopilot.board

    def run(self) -> tuple[FlightState, Situation]:
        """The radio every 20 ms, the window every 80 ms."""
        for _ in range(_LOOPS):
            now_s = self.bench.now_s
            device = self.plugged
            device = replace(device, read_s=now_s) if device is not None else None
            inputs = self.controls.inputs.behaviours
            self.transmitter.step(LOOP_S, inputs.read(now_s, device))
            heard = len(self.bench.received)
            self.bench.run(LOOP_S)
            for event in self.bench.received[heard:]:
                now_s = self.bench.now_s
                self.recording.append(now_s, event.definition, event.instance, event.payload)
        self.radio.poll()
        self.temporary.poll()
        flight, situation = self.look()
        told = self.controls.follow(flight, situation)
        if told:
            self.told.append(told)
        told = self.behaviour.poll() if self.is_watching else ""
        if told:
            self.messages.append(told)
        told = self.guided.poll(situation, flight)
        if told:
            self.messages.append(told)
        return flight, situation

    def stay(self, seconds: float) -> None:
        for _ in range(round(seconds / LOOP_S / _LOOPS)):
            self.run()

    def settle(self, patience_s: float = 10.0) -> None:
        """Until what was asked is on board or has failed."""
        end_s = self.bench.now_s + patience_s
        while self.guided.is_under_way:
            self.run()
            assert self.bench.now_s < end_s, "not settled"

    def fly_up(self, height_m: float = 2.0) -> None:
        """Take off, and hold."""
        self.take_off()
        self.wait(lambda flight: (flight.height_m or 0.0) > height_m, 30.0)
        self.guided.hold()
        self.stay(3.0)

    def read(self, name: str) -> Sample | None:
        """What the station knows of an object."""
        return self.recording.latest(name, self.vehicle.end_s)

    def positions(self) -> list[int]:
        """What the flight mode switch selects, on board."""
        numbers: list[int] = self.board["FlightModeSettings"].row["FlightModePosition"].tolist()
        return numbers

    def place(self) -> tuple[float, float]:
        """Where it is, north and east, by the truth of the simulation."""
        north, east, _ = self.bench.autopilot.simulator.output["true_position"]
        return float(north), float(east)

    def height_m(self) -> float:
        """How high it is."""
        return -float(self.bench.autopilot.simulator.output["true_position"][2])

    def speed_mps(self) -> float:
        """How fast it moves over the ground."""
        north, east, _ = self.bench.autopilot.simulator.output["true_velocity"]
        return math.hypot(north, east)

    def distance_m(self, north: float, east: float) -> float:
        """How far it is from a place."""
        return math.dist(self.place(), (north, east))

    def bearing_deg(self, north: float, east: float) -> float:
        """Where it is as seen from a place, clockwise from north."""
        here = self.place()
        return math.degrees(math.atan2(here[1] - east, here[0] - north))
