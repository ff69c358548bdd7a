"""A ground station and an autopilot wired to each other in memory, in simulated time."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from simulation.autopilot.autopilot import Autopilot, AutopilotConfig
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.definition import ObjectDefinition
from telemetry.protocol.objects.values import pack_values, read_path, row_of
from telemetry.protocol.session.config import Role
from telemetry.protocol.session.events import ObjectReceived
from telemetry.protocol.session.session import Session
from telemetry.protocol.session.transactions import Transaction, TransactionOutcome
from telemetry.vehicle.sticks import Sticks, channels_us


class Bench:
    """Two ends of a conversation; `run` lets simulated time pass."""

    def __init__(self, config: AutopilotConfig, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.config = config
        self.autopilot = Autopilot(config, catalogue)
        self.station = Session(Role.GCS, catalogue)
        self.sticks: Sticks | None = None
        self.received: list[ObjectReceived] = []
        self.latest: dict[tuple[int, int], bytes] = {}
        self.now_s = 0.0
        self.reboots = 0
        self.station.start(0.0)

    def run(self, seconds: float) -> None:
        """Let time pass, streaming sticks if there are any."""
        for _ in range(round(seconds * 50)):
            self._loop()

    def write(self, name: str, values: Mapping[str, Any], instance: int = 0) -> Transaction:
        """Write an object over its present values, acknowledged, and wait for the outcome."""
        definition = self.definition(name)
        payload = self.latest.get((definition.object_id, instance))
        base = None if payload is None else row_of(definition, payload)
        data = pack_values(definition, values, base)
        transaction = self.station.write(definition, instance, data)
        self.latest[(definition.object_id, instance)] = data
        for _ in range(100):
            self._loop()
            if transaction.outcome is not TransactionOutcome.OPEN:
                break
        return transaction

    def definition(self, name: str) -> ObjectDefinition:
        """The release's definition of an object."""
        return self.catalogue.find(name, "LibrePilot-next-2019-02")

    def value(self, name: str, path: str) -> Any:
        """A value as the station last heard it."""
        definition = self.definition(name)
        payload = self.latest[(definition.object_id, 0)]
        return read_path(definition, row_of(definition, payload), path)

    def count(self, name: str) -> int:
        """How often an object was received."""
        object_id = self.definition(name).object_id
        return sum(1 for event in self.received if event.definition.object_id == object_id)

    def _loop(self) -> None:
        if self.sticks is not None:
            receiver = self.definition("GCSReceiver")
            positions = int(self.autopilot.board["ManualControlSettings"].row["FlightModeNumber"])
            self.station.stream(receiver, 0, _packed(receiver, self.sticks, positions))
        self.autopilot.receive(self.station.bytes_to_send())
        self.autopilot.run_loop()
        self.now_s += 0.02
        events = self.station.receive(self.autopilot.bytes_to_send(), self.now_s)
        for event in (*events, *self.station.tick(self.now_s)):
            if isinstance(event, ObjectReceived):
                self.received.append(event)
                self.latest[(event.definition.object_id, event.instance)] = event.payload
        if self.autopilot.wants_reboot:
            self.reboots += 1
            self.autopilot = Autopilot(self.config, self.catalogue)


@lru_cache  # a stick that is held says the same again and again
def _packed(receiver: ObjectDefinition, sticks: Sticks, positions: int) -> bytes:
    return pack_values(receiver, {"Channel": channels_us(sticks, mode_positions=positions)})
