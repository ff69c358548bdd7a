"""Session: the conversation over a link, sans-io: bytes and time in, events and bytes out.

Both ends are this class in different roles, so a test can wire two of them to each other. It
reads no clock: every method that needs the time is told it, or uses the last one it was told.

    events = session.receive(link.read(0.02), now) + session.tick(now)
    link.write(session.bytes_to_send())
"""

from typing import Final

from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.definition import MAX_INSTANCES, ObjectDefinition
from telemetry.protocol.session.codec import Codec, KnownObject
from telemetry.protocol.session.config import Role, SessionConfig, SessionState
from telemetry.protocol.session.events import SessionEvent, UnknownObject
from telemetry.protocol.session.flight_side import Board, FlightSide
from telemetry.protocol.session.observer import Observer
from telemetry.protocol.session.persistence import PersistenceJob
from telemetry.protocol.session.station_side import StationSide
from telemetry.protocol.session.statistics import Counters, SessionStatus, count
from telemetry.protocol.session.transactions import Transaction
from telemetry.protocol.wire.frame import DATA_TYPES, FILE_TYPES, Frame, FrameType

_MOST_UNKNOWN: Final = 1000
"""More than any firmware has objects: a line of noise has ids without end."""
_WANTING_ACK = frozenset({FrameType.OBJ_ACK, FrameType.OBJ_ACK_TS})


class Session:
    """One end of a conversation. A FLIGHT session serves `board`."""

    def __init__(
        self,
        role: Role,
        catalogue: Catalogue,
        *,
        board: Board | None = None,
        config: SessionConfig | None = None,
    ) -> None:
        config = config or SessionConfig()
        self.role = role
        self._now = 0.0
        self._unknown: frozenset[int] = frozenset()
        if role is Role.FLIGHT:
            if board is None:
                raise ValueError("a FLIGHT session needs a board to serve")
            self._codec = Codec(board.definition, config.dialect, learns=False)
            self._side: StationSide | FlightSide | Observer = FlightSide(self._codec, board, config)
        else:
            self._codec = Codec(
                lambda object_id: catalogue.get(object_id, self._side.release),
                config.dialect,
                learns=True,
            )
            make = StationSide if role is Role.GCS else Observer
            self._side = make(self._codec, catalogue, config)

    # Bytes and time

    def start(self, now: float) -> None:
        """Begin; a station asks for a connection at once."""
        self._now = now
        self._side.start(now)

    def stop(self, now: float) -> None:
        """End; a station says goodbye with the next `bytes_to_send`."""
        self._now = now
        self._side.stop(now)

    def receive(self, data: bytes, now: float) -> list[SessionEvent]:
        """Take what the link delivered and return what it meant."""
        self._now = now
        codec, side = self._codec, self._side
        for frame in codec.decoder.feed(data):
            entry = codec.entry(frame.object_id)
            if entry is None:
                self._on_unknown(frame)
                continue
            if self._unknown and frame.object_id & ~1 in self._unknown:
                self._unknown -= {frame.object_id & ~1}
            kind = frame.type
            if kind in DATA_TYPES:
                parts = codec.values(frame, entry)
                if parts is None:
                    continue
                instance, payload = parts
                if instance and (entry.single or instance >= MAX_INSTANCES):
                    self._on_misplaced(entry, instance, kind in _WANTING_ACK)
                    continue
                codec.rx_objects += 1
                side.on_object(entry, instance, payload, kind in _WANTING_ACK, now)
            else:
                self._on_answer(frame, entry)
        return self._take_events()

    def tick(self, now: float) -> list[SessionEvent]:
        """Do what is due. Call when `next_deadline` has come; more often is fine."""
        self._now = now
        self._side.tick(now)
        return self._take_events() if self._side.events else []

    def bytes_to_send(self) -> bytes:
        """What the link is to carry, whole frames, given out once."""
        return self._codec.take_outgoing()

    def next_deadline(self) -> float | None:
        """When `tick` has something to do; None if only the other side can bring news."""
        return self._side.next_deadline()

    # How it stands

    @property
    def state(self) -> SessionState:
        """How far the conversation has come."""
        return self._side.state

    @property
    def is_connected(self) -> bool:
        """Whether this end says Connected (an observer: whether it hears anything)."""
        if isinstance(self._side, FlightSide):
            return self._side.handshake.is_connected
        return self._side.state in (SessionState.FETCHING, SessionState.CONNECTED)

    @property
    def status(self) -> SessionStatus:
        """The session as it is now."""
        side = self._side
        fetched, total = side.progress if isinstance(side, StationSide) else (0, 0)
        return SessionStatus(
            state=side.state,
            fetched=fetched,
            total=total,
            release=side.release,
            unknown_ids=self._unknown,
            dialect=self._codec.dialect,
            counters=self._counters(),
            last_heard=side.last_heard,
            missing=side.missing if isinstance(side, StationSide) else (),
        )

    # A station's verbs

    def write(self, definition: ObjectDefinition, instance: int, payload: bytes) -> Transaction:
        """Send values and have them acknowledged (role GCS).

        Raises ValueError for an instance or a length that no aircraft may be sent.
        """
        return self._station().write(definition, instance, payload, self._now)

    def stream(self, definition: ObjectDefinition, instance: int, payload: bytes) -> None:
        """Send values that the next ones soon replace, unacknowledged (role GCS).

        Raises ValueError as `write` does.
        """
        self._station().send_unacked(definition, instance, payload)

    def request(self, definition: ObjectDefinition, instance: int = 0) -> Transaction:
        """Ask for an object (role GCS)."""
        return self._station().request(definition, instance, self._now)

    def persist(
        self, operation: str, definition: ObjectDefinition | None, instance: int = 0
    ) -> PersistenceJob:
        """Have the board Save, Load, Delete an object or FullErase everything (role GCS).

        Raises ValueError if this firmware cannot.
        """
        return self._station().persist(operation, definition, instance, self._now)

    def definition_named(self, name: str) -> ObjectDefinition | None:
        """The version of an object that this aircraft has, as far as is known (role GCS)."""
        return self._station().definition_named(name)

    # An aircraft's verb

    def publish(self, object_id: int, instance: int = 0, acked: bool = False) -> None:
        """Send an object's present values (role FLIGHT); ALL_INSTANCES sends every one.

        Acknowledged objects are repeated once after 250 ms. Nothing is held back before the
        handshake: periodic objects stream without it.
        """
        if not isinstance(self._side, FlightSide):
            raise ValueError("only a FLIGHT session publishes")
        self._side.publish(object_id, instance, acked)

    # Inside

    def _station(self) -> StationSide:
        if not isinstance(self._side, StationSide):
            raise ValueError("only a GCS session writes and asks")
        return self._side

    def _take_events(self) -> list[SessionEvent]:
        events, self._side.events = self._side.events, []
        return events

    def _counters(self) -> Counters:
        side = self._side
        if isinstance(side, StationSide):
            return count(self._codec, side.transactions.retries, side.transactions.failures)
        if isinstance(side, FlightSide):
            return count(self._codec, side.retries, side.failures)
        return count(self._codec)

    def _on_answer(self, frame: Frame, entry: KnownObject) -> None:
        """A request, ACK or NACK of a known object."""
        parts = self._codec.split(frame, entry)
        if parts is None:
            return
        if frame.type == FrameType.OBJ_REQ:
            self._side.on_request(entry, parts.instance, self._now)
        elif frame.type == FrameType.ACK:
            self._side.on_ack(entry, parts.instance, self._now)
        elif frame.type == FrameType.NACK:
            self._side.on_nack(entry, parts.instance, self._now)

    def _on_misplaced(self, entry: KnownObject, instance: int, wants_ack: bool) -> None:
        self._codec.misfits += 1
        if isinstance(self._side, FlightSide):
            self._side.on_misplaced(entry, instance, wants_ack, self._now)

    def _on_unknown(self, frame: Frame) -> None:
        if frame.type in FILE_TYPES:
            return
        self._codec.unknown_frames += 1
        self._side.on_unknown(frame, self._now)
        object_id = frame.object_id & ~1
        if object_id not in self._unknown and len(self._unknown) < _MOST_UNKNOWN:
            self._unknown |= {object_id}
            self._side.events.append(UnknownObject(frame.object_id))
