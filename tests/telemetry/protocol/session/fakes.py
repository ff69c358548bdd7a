"""A board made of memory, and a network made of lists, for two ends of a conversation."""

import random
from collections.abc import Callable, Iterable

from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue
from telemetry.protocol.objects.definition import ObjectDefinition
from telemetry.protocol.objects.metadata import Metadata, metaobject
from telemetry.protocol.objects.values import pack_values, read_value, row_of
from telemetry.protocol.session.config import Role, SessionConfig
from telemetry.protocol.session.events import ObjectReceived, SessionEvent
from telemetry.protocol.session.handshake import FLIGHT_IDS
from telemetry.protocol.session.session import Session

SMALL = (
    "FlightTelemetryStats",
    "GCSTelemetryStats",
    "ObjectPersistence",
    "FirmwareIAPObj",
    "SystemStats",
    "FlightStatus",
    "AttitudeState",
    "StabilizationSettingsBank1",
    "MixerSettings",
    "SystemSettings",
    "Waypoint",
    "PathAction",
    "GCSReceiver",
)


class MemoryBoard:
    """The objects of an imaginary firmware, in a dictionary. Refuses what is in `refused`."""

    def __init__(self, definitions: Iterable[ObjectDefinition], metadata_bytes: int = 8) -> None:
        self.definitions = {d.object_id: d for d in definitions}
        self.metadata_bytes = metadata_bytes
        self.refused: set[int] = set()
        self.stored: dict[tuple[int, int], bytes] = {}
        self.forgets_on_save = False
        self.values: dict[tuple[int, int], bytes] = {}
        for d in self.definitions.values():
            self.values[(d.object_id, 0)] = d.default_row().tobytes()
            self.values[(d.object_id + 1, 0)] = Metadata.of(d).pack(metadata_bytes)

    def named(self, name: str) -> ObjectDefinition:
        return next(d for d in self.definitions.values() if d.name == name)

    def definition(self, object_id: int) -> ObjectDefinition | None:
        return self.definitions.get(object_id)

    def instance_count(self, object_id: int) -> int:
        return sum(known == object_id for known, _ in self.values)

    def read(self, object_id: int, instance: int) -> bytes | None:
        return self.values.get((object_id, instance))

    def write(self, object_id: int, instance: int, payload: bytes) -> bool:
        if object_id in self.refused:
            return False
        definition = self.definitions.get(object_id) or metaobject(
            self.definitions[object_id - 1], self.metadata_bytes
        )
        for missing in range(self.instance_count(object_id), instance):
            self.values[(object_id, missing)] = bytes(definition.size)
        self.values[(object_id, instance)] = payload
        return True

    def carry_out(self) -> bool:
        """Do the ObjectPersistence job that was written; False if there is none to report on."""
        carrier = self.named("ObjectPersistence")
        row = row_of(carrier, self.values[(carrier.object_id, 0)])
        operation = read_value(carrier, row, "Operation")
        target = (int(row["ObjectID"]), int(row["InstanceID"]))
        if operation in ("NOP", "Completed", "Error") or target not in self.values:
            return False
        outcome = "Completed"
        if operation == "Save":
            self.stored[target] = self.values[target]
            if self.forgets_on_save:
                self.values[target] = bytes(len(self.values[target]))
        elif operation == "Load" and target in self.stored:
            self.values[target] = self.stored[target]
        else:
            outcome = "Error"
        payload = pack_values(carrier, {"Operation": outcome}, row)
        self.values[(carrier.object_id, 0)] = payload
        return True


def small_board(catalogue: Catalogue) -> MemoryBoard:
    """A firmware with a handful of objects of the default release."""
    return MemoryBoard(catalogue.find(name, DEFAULT_RELEASE) for name in SMALL)


class Wire:
    """One direction of a network that loses and doubles whole writes and delays all alike."""

    def __init__(self, seed: int, loss: float, doubling: float, delay_s: float) -> None:
        self._random = random.Random(seed)
        self._loss, self._doubling, self._delay_s = loss, doubling, delay_s
        self._under_way: list[tuple[float, bytes]] = []

    def send(self, data: bytes, now: float) -> None:
        if not data or self._random.random() < self._loss:
            return
        copies = 2 if self._random.random() < self._doubling else 1
        self._under_way += [(now + self._delay_s, data)] * copies

    def arrived(self, now: float) -> bytes:
        ready = b"".join(data for due, data in self._under_way if due <= now)
        self._under_way = [(due, data) for due, data in self._under_way if due > now]
        return ready


class Pair:
    """A station and an aircraft wired to each other, in simulated time."""

    def __init__(
        self,
        catalogue: Catalogue,
        board: MemoryBoard,
        *,
        loss: float = 0.0,
        doubling: float = 0.0,
        delay_s: float = 0.002,
        seed: int = 1,
        flight_config: SessionConfig | None = None,
    ) -> None:
        self.board = board
        self.station = Session(Role.GCS, catalogue)
        self._power_up: Callable[[], Session] = lambda: Session(
            Role.FLIGHT, catalogue, board=board, config=flight_config
        )
        self.flight = self._power_up()
        self._flight_stats = next(i for i in board.definitions if i in FLIGHT_IDS)
        self._next_stats = 0.0
        self.now = 100.0
        self.is_cut = False
        self.station_events: list[SessionEvent] = []
        self.flight_events: list[SessionEvent] = []
        self._up = Wire(seed, loss, doubling, delay_s)
        self._down = Wire(seed + 1, loss, doubling, delay_s)
        self.flight.start(self.now)
        self.station.start(self.now)

    def reboot(self) -> None:
        """The aircraft has forgotten the conversation, not its objects."""
        self.flight = self._power_up()
        self.flight.start(self.now)

    def run(self, seconds: float, step_s: float = 0.005) -> None:
        """Let time pass. The board sends its statistics every second, as firmware does."""
        for _ in range(round(seconds / step_s)):
            self.now += step_s
            self._exchange()

    def _exchange(self) -> None:
        up, down = self._up.arrived(self.now), self._down.arrived(self.now)
        if self.is_cut:
            up = down = b""
        self.station_events += self.station.receive(down, self.now) + self.station.tick(self.now)
        events = self.flight.receive(up, self.now) + self.flight.tick(self.now)
        self.flight_events += events
        if any(isinstance(e, ObjectReceived) for e in events) and self.board.carry_out():
            self.flight.publish(self.board.named("ObjectPersistence").object_id, 0, acked=True)
        if self.now >= self._next_stats:
            self._next_stats = self.now + 1.0
            self.flight.publish(self._flight_stats)
        # Cut what is sent into single frames: a datagram or burst is what gets lost.
        for frame in frames_of(self.station.bytes_to_send()):
            self._up.send(frame, self.now)
        for frame in frames_of(self.flight.bytes_to_send()):
            self._down.send(frame, self.now)

    def send_flight_time(self, milliseconds: int) -> None:
        """The aircraft publishes SystemStats with this FlightTime."""
        definition = self.board.named("SystemStats")
        payload = pack_values(definition, {"FlightTime": milliseconds})
        self.board.values[(definition.object_id, 0)] = payload
        self.flight.publish(definition.object_id)

    def of(self, kind: type) -> list[SessionEvent]:
        """The station's events of one kind."""
        return [event for event in self.station_events if isinstance(event, kind)]


def frames_of(data: bytes) -> list[bytes]:
    """Whole frames, cut apart by their length."""
    frames = []
    while data:
        size = int.from_bytes(data[2:4], "little") + 1
        frames.append(data[:size])
        data = data[size:]
    return frames
