"""Flight side of a session: answers as firmware answers, publishes, keeps the handshake.

Real firmware stops sending anything else while it waits for an acknowledgement; this one does
not, so a deaf station cannot make an acknowledged object hold up the periodic ones.
"""

from dataclasses import dataclass
from typing import Protocol

from telemetry.protocol.objects.definition import ALL_INSTANCES, ObjectDefinition
from telemetry.protocol.objects.values import read_value, row_of
from telemetry.protocol.session.codec import Codec, KnownObject
from telemetry.protocol.session.config import SessionConfig, SessionState
from telemetry.protocol.session.events import ObjectReceived, SessionSide
from telemetry.protocol.session.handshake import CONNECTED, STATS_PAIRS, FlightHandshake
from telemetry.protocol.session.statistics import Reporter, count, pack_silent
from telemetry.protocol.session.transactions import Address
from telemetry.protocol.wire.frame import Frame, FrameType

_ATTEMPTS = 2
_ONE = range(1)
_OBJECT = (FrameType.OBJ, FrameType.OBJ_ACK)
"""By whether it has to be acknowledged; looked up once, as enumerations are slow at it."""


class Board(Protocol):
    """The objects of an aircraft. Metaobjects are read and written under their own ids.

    FlightTelemetryStats is answered by the session itself and never asked of the board.
    """

    def definition(self, object_id: int) -> ObjectDefinition | None:
        """The data or settings object with this id, if this firmware has it."""

    def instance_count(self, object_id: int) -> int:
        """How many instances exist now."""

    def read(self, object_id: int, instance: int) -> bytes | None:
        """The packed values, or None if there is no such instance."""

    def write(self, object_id: int, instance: int, payload: bytes) -> bool:
        """Take over values from the station; missing instances below come into being.

        Returns False to refuse. The session has checked id, length and instance number.
        """


@dataclass(slots=True)
class _Unacknowledged:
    """An acknowledged object on its way; the deadline is set by the first tick after sending."""

    entry: KnownObject
    attempts: int = 1
    deadline: float | None = None


class FlightSide(SessionSide):
    """Role FLIGHT."""

    def __init__(self, codec: Codec, board: Board, config: SessionConfig) -> None:
        super().__init__()
        self.handshake = FlightHandshake()
        self._codec = codec
        self._board = board
        self._config = config
        self._flight_stats, self._station_stats = _stats_definitions(board)
        self._stats_payload = pack_silent(self._flight_stats, self.handshake.own)
        self._reporter = Reporter()
        self._waiting: dict[Address, _Unacknowledged] = {}
        self._next_evaluation: float | None = None
        self.retries = 0
        self.failures = 0

    def start(self, now: float) -> None:
        """Begin to answer."""
        self._next_evaluation = now
        self._set_state(SessionState.CONNECTING)

    def stop(self, now: float) -> None:
        """Fall silent."""
        self._next_evaluation = None
        self._waiting.clear()
        self._set_state(SessionState.IDLE)

    # What the owner asks for

    def publish(self, object_id: int, instance: int, acked: bool) -> None:
        """Send the present values of one instance, or of all (ALL_INSTANCES)."""
        entry = self._codec.entry(object_id)
        if entry is None:
            raise ValueError(f"this firmware has no object {object_id:08X}")
        frame_type = _OBJECT[acked]
        for each in self._instances(entry, instance):
            self._send(entry, each, frame_type)
            if acked:
                self._waiting[(object_id, each)] = _Unacknowledged(entry)

    # What arrives

    def on_object(
        self, entry: KnownObject, instance: int, payload: bytes, wants_ack: bool, now: float
    ) -> None:
        """The station writes an object."""
        self.last_heard = now
        if entry.object_id == self._station_stats.object_id:
            self._on_station_stats(payload, now)
        accepted = self._board.write(entry.object_id, instance, payload)
        if wants_ack:
            answer = FrameType.ACK if accepted else FrameType.NACK
            self._codec.put(answer, entry.definition, instance, b"")
        if accepted:
            self.events.append(ObjectReceived(entry.definition, instance, payload))

    def on_misplaced(self, entry: KnownObject, instance: int, wants_ack: bool, now: float) -> None:
        """Values for an instance that cannot exist. Nothing is answered to "all instances"."""
        self.last_heard = now
        if wants_ack and instance != ALL_INSTANCES:
            self._codec.refuse(entry.object_id, instance)

    def on_request(self, entry: KnownObject, instance: int, now: float) -> None:
        """The station asks for one instance, or for all of them: highest first, 0 last."""
        self.last_heard = now
        for each in self._instances(entry, instance):
            self._send(entry, each, FrameType.OBJ)

    def on_ack(self, entry: KnownObject, instance: int, now: float) -> None:
        """The station has got what was published."""
        self.last_heard = now
        self._waiting.pop((entry.object_id, instance), None)

    on_nack = on_ack

    def on_unknown(self, frame: Frame, now: float) -> None:
        """Refuse what this firmware does not have, unless all instances were meant."""
        self.last_heard = now
        if frame.type not in (FrameType.OBJ_REQ, FrameType.OBJ_ACK, FrameType.OBJ_ACK_TS):
            return
        instance = int.from_bytes(frame.body[:2], "little")
        if self._codec.dialect.instance_id == "multi" and len(frame.body) != 2:
            instance = 0
        if instance != ALL_INSTANCES:
            self._codec.refuse(frame.object_id, instance)

    # What time brings

    def tick(self, now: float) -> None:
        """Repeat what was not acknowledged; evaluate the handshake when it is time."""
        for address, item in list(self._waiting.items()) if self._waiting else ():
            if item.deadline is None:
                item.deadline = now + self._config.transaction_timeout_s
            elif item.deadline <= now:
                self._repeat(address, item, now)
        if self._next_evaluation is not None and self._next_evaluation <= now:
            self._evaluate(now)
            self._next_evaluation = now + self._config.stats_period_s

    def next_deadline(self) -> float | None:
        """When `tick` has something to do next; at once for what was just published."""
        times = [item.deadline or float("-inf") for item in self._waiting.values()]
        if self._next_evaluation is not None:
            times.append(self._next_evaluation)
        return min(times, default=None)

    # Inside

    def _instances(self, entry: KnownObject, instance: int) -> range:
        """The instances meant, in the order of sending."""
        if instance != ALL_INSTANCES:
            return range(instance, instance + 1)
        if entry.is_meta or entry.single:
            return _ONE
        return range(self._board.instance_count(entry.object_id) - 1, -1, -1)

    def _send(self, entry: KnownObject, instance: int, frame_type: FrameType) -> None:
        if entry.single and instance != 0:
            payload = None
        elif entry.object_id == self._flight_stats.object_id:
            payload = self._stats_payload
        else:
            payload = self._board.read(entry.object_id, instance)
        if payload is None:
            self._codec.refuse(entry.object_id, instance)
        else:
            self._codec.put(frame_type, entry.definition, instance, payload)

    def _repeat(self, address: Address, item: _Unacknowledged, now: float) -> None:
        if item.attempts >= _ATTEMPTS:
            self.failures += 1
            del self._waiting[address]
            return
        item.attempts += 1
        item.deadline = now + self._config.transaction_timeout_s
        self.retries += 1
        self._send(item.entry, address[1], FrameType.OBJ_ACK)

    def _on_station_stats(self, payload: bytes, now: float) -> None:
        status = read_value(self._station_stats, row_of(self._station_stats, payload), "Status")
        self.handshake.station = str(status)
        if not (self.handshake.is_connected and status == CONNECTED):
            self._evaluate(now)

    def _evaluate(self, now: float) -> None:
        heard = self.last_heard
        self.handshake.evaluate(heard is None or now - heard > self._config.station_loss_s)
        own = self.handshake.own
        if self.handshake.is_connected:
            counters = count(self._codec, self.retries, self.failures)
            self._stats_payload = self._reporter.pack(self._flight_stats, own, counters, now)
            self._set_state(SessionState.CONNECTED)
            return
        self._stats_payload = pack_silent(self._flight_stats, own)
        self._set_state(SessionState.CONNECTING)
        self.publish(self._flight_stats.object_id, 0, acked=False)


def _stats_definitions(board: Board) -> tuple[ObjectDefinition, ObjectDefinition]:
    """The firmware's FlightTelemetryStats and GCSTelemetryStats."""
    for pair in STATS_PAIRS:
        flight = board.definition(pair.flight_id)
        station = board.definition(pair.station_id)
        if flight is not None and station is not None:
            return flight, station
    raise ValueError("a board needs FlightTelemetryStats and GCSTelemetryStats to be reached")
