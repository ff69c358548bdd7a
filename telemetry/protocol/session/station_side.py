"""Station side of a session: connect, fetch, write, persist, notice losses."""

import math

from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.definition import ObjectDefinition
from telemetry.protocol.objects.firmware_description import OBJECT_NAME as FIRMWARE
from telemetry.protocol.objects.firmware_description import read_description
from telemetry.protocol.objects.metadata import metaobject
from telemetry.protocol.objects.values import read_value, row_of
from telemetry.protocol.session.codec import Codec, KnownObject, check
from telemetry.protocol.session.config import SessionConfig, SessionState
from telemetry.protocol.session.events import (
    ObjectReceived,
    ObjectSent,
    PersistenceFinished,
    Rebooted,
    ReleaseDetected,
    SessionSide,
    TransactionFinished,
)
from telemetry.protocol.session.fetch import Fetch, wanted
from telemetry.protocol.session.handshake import (
    FLIGHT_IDS,
    STATS_PAIRS,
    StationHandshake,
    StatsPair,
)
from telemetry.protocol.session.persistence import OBJECT_NAME, Persistence, PersistenceJob
from telemetry.protocol.session.reboot import RebootWatch
from telemetry.protocol.session.release_detection import detect_release
from telemetry.protocol.session.statistics import Reporter, count
from telemetry.protocol.session.transactions import (
    Address,
    Transaction,
    TransactionKind,
    TransactionOutcome,
    Transactions,
)
from telemetry.protocol.wire.dialect import Dialect
from telemetry.protocol.wire.frame import Frame, FrameType

_STATS_GAP_S = 0.1  # answers to a talkative handshake are not sent closer together than this
_TRIES_PER_GENERATION = 2
_FRAME_TYPES = {
    TransactionKind.WRITE: FrameType.OBJ_ACK,
    TransactionKind.REQUEST: FrameType.OBJ_REQ,
}


class StationSide(SessionSide):
    """Role GCS. Events collect in `events` until the session hands them out."""

    def __init__(self, codec: Codec, catalogue: Catalogue, config: SessionConfig) -> None:
        super().__init__()
        self.handshake = StationHandshake()
        self.transactions = Transactions(
            self._transmit, config.transaction_timeout_s, config.attempts
        )
        self._codec = codec
        self._catalogue = catalogue
        self._config = config
        self._fetch = Fetch(self.transactions.begin, config.fetch_window)
        self._persistence = Persistence(self, config.persistence_timeout_s, self._on_job)
        self._reporter = Reporter()
        self._owned: set[Transaction] = set()
        self._latest: dict[Address, bytes] = {}
        self._seen: set[int] = set()
        self._named: dict[str, ObjectDefinition | None] = {}
        """What `definition_named` has found."""
        self._release_ids: frozenset[int] = frozenset()
        self._tag = ""
        self._reboot = RebootWatch()
        self._pair_index = 0
        self._tries = 0
        self._last_stats = float("-inf")
        self._next_stats: float | None = None
        self._watched = {
            "FlightTelemetryStats": self._on_flight_stats,
            "SystemStats": self._on_system_stats,
            FIRMWARE: self._on_firmware,
            OBJECT_NAME: self._on_persistence_report,
        }

    @property
    def progress(self) -> tuple[int, int]:
        """Objects fetched, of how many."""
        return self._fetch.fetched, self._fetch.total

    @property
    def missing(self) -> tuple[str, ...]:
        """The wanted objects that the aircraft did not answer for, by name."""
        return self._fetch.missing

    # Beginning and end

    def start(self, now: float) -> None:
        """Begin to ask for a connection."""
        self.handshake.begin()
        self._set_state(SessionState.CONNECTING)
        self._send_stats(now)

    def stop(self, now: float) -> None:
        """Say goodbye and end what is under way. Stopping twice is fine."""
        if self.state is SessionState.IDLE:
            return
        self.handshake.end()
        self._send_stats(now)
        self._next_stats = None
        self._cancel(now)
        self._set_state(SessionState.IDLE)

    # What the owner asks for

    def write(
        self, definition: ObjectDefinition, instance: int, payload: bytes, now: float
    ) -> Transaction:
        """Send values and have them acknowledged."""
        return self._own(Transaction(TransactionKind.WRITE, definition, instance, payload), now)

    def request(self, definition: ObjectDefinition, instance: int, now: float) -> Transaction:
        """Ask for an object."""
        return self._own(Transaction(TransactionKind.REQUEST, definition, instance), now)

    def send_unacked(self, definition: ObjectDefinition, instance: int, payload: bytes) -> None:
        """Send values and go on."""
        self._codec.put(FrameType.OBJ, definition, instance, payload)
        self.events.append(ObjectSent(definition, instance, payload))

    def persist(
        self, operation: str, definition: ObjectDefinition | None, instance: int, now: float
    ) -> PersistenceJob:
        """Have the board save, load or erase. Raises ValueError if this firmware cannot."""
        carrier = self.definition_named(OBJECT_NAME)
        if carrier is None:
            raise ValueError("this firmware has no ObjectPersistence, so nothing can be saved")
        job = PersistenceJob(operation, definition, instance)
        self._persistence.begin(job, carrier, now)
        return job

    def definition_named(self, name: str) -> ObjectDefinition | None:
        """This aircraft's version of an object: one it sent, else its release's."""
        if name not in self._named:
            self._named[name] = self._find(name)
        return self._named[name]

    def _find(self, name: str) -> ObjectDefinition | None:
        seen = self._catalogue.named(name, self._seen, self.release)
        if seen is not None or not self.release:
            return seen
        release = self._catalogue.release(self.release)
        return next((d for d in release if d.name == name), None)

    # What arrives

    def on_object(
        self, entry: KnownObject, instance: int, payload: bytes, wants_ack: bool, now: float
    ) -> None:
        """Values of a known object arrived."""
        definition = entry.definition
        object_id = entry.object_id
        address = (object_id, instance)
        if wants_ack:
            self._codec.put(FrameType.ACK, definition, instance, b"")
        self.events.append(ObjectReceived(definition, instance, payload))
        self._latest[address] = payload
        self.last_heard = now
        if object_id not in self._seen:
            self._on_first_sight(entry)
        if self.state in (SessionState.FETCHING, SessionState.CONNECTED):
            self._fetch.on_object(address)
        if address in self.transactions:
            self._route(self.transactions.on_object(address, now), now)
        watcher = self._watched.get(definition.name)
        if watcher is not None:
            watcher(definition, payload, now)

    def on_request(self, entry: KnownObject, instance: int, now: float) -> None:
        """The aircraft asks for an object: only our statistics are ours to give."""
        self.last_heard = now
        if entry.object_id == self._pair.station_id:
            self._send_stats(now)

    def on_ack(self, entry: KnownObject, instance: int, now: float) -> None:
        """The aircraft took over what was written."""
        self.last_heard = now
        self._route(self.transactions.on_ack((entry.object_id, instance), now), now)

    def on_nack(self, entry: KnownObject, instance: int, now: float) -> None:
        """The aircraft refused, perhaps without naming the instance."""
        self.last_heard = now
        address = (entry.object_id, instance)
        if address not in self.transactions and self._codec.dialect.instance_id == "multi":
            named = self.transactions.open_instance(entry.object_id)
            address = (entry.object_id, instance if named is None else named)
        self._route(self.transactions.on_nack(address, now), now)

    def on_unknown(self, frame: Frame, now: float) -> None:
        """A whole frame of an object nobody knows still shows that the link lives."""
        self.last_heard = now

    # What time brings

    def tick(self, now: float) -> None:
        """Do what is due."""
        if self.state is SessionState.IDLE:
            return
        for transaction in self.transactions.tick(now):
            self._route(transaction, now)
        if self._persistence.deadline is not None:
            self._persistence.tick(now)
        self._watch_link(now)
        if self.state is SessionState.FETCHING:
            self._advance_fetch(now)
        if self._next_stats is not None and self._next_stats <= now:
            self._send_stats(now)

    def next_deadline(self) -> float | None:
        """When `tick` has something to do next."""
        if self.state is SessionState.IDLE:
            return None
        due = math.inf
        is_up = self.state in (SessionState.FETCHING, SessionState.CONNECTED)
        if is_up and self.last_heard is not None:
            due = self.last_heard + self._config.link_loss_s
        answers_s = self.transactions.next_deadline()
        for at_s in (answers_s, self._persistence.deadline, self._next_stats):
            if at_s is not None and at_s < due:
                due = at_s
        return due if math.isfinite(due) else None

    # For the persistence queue (its `Conversation`)

    def begin(self, transaction: Transaction, now: float) -> None:
        """Start a transaction that the owner is not told about."""
        self.transactions.begin(transaction, now)

    def settle(self, address: Address, now: float) -> None:
        """Take an open write as acknowledged."""
        self._route(self.transactions.on_ack(address, now), now)

    def latest(self, address: Address) -> bytes | None:
        """The values last known to be on board."""
        return self._latest.get(address)

    # Inside

    @property
    def _pair(self) -> StatsPair:
        return STATS_PAIRS[self._pair_index]

    def _own(self, transaction: Transaction, now: float) -> Transaction:
        frame_type = _FRAME_TYPES[transaction.kind]
        check(frame_type, transaction.definition, transaction.instance, transaction.payload)
        self.transactions.begin(transaction, now)
        self._owned.add(transaction)
        return transaction

    def _transmit(self, transaction: Transaction) -> None:
        frame_type = _FRAME_TYPES[transaction.kind]
        self._codec.put(
            frame_type, transaction.definition, transaction.instance, transaction.payload
        )

    def _route(self, transaction: Transaction | None, now: float) -> None:
        """Hand an outcome to whoever waits for it."""
        if transaction is None:
            return
        is_write = transaction.kind is TransactionKind.WRITE
        if is_write and transaction.outcome is TransactionOutcome.DONE:
            self._latest[transaction.address] = transaction.payload
            self.events.append(
                ObjectSent(transaction.definition, transaction.instance, transaction.payload)
            )
        if self._persistence.on_transaction(transaction, now):
            return
        self._fetch.on_transaction(transaction)
        if transaction in self._owned:
            self._owned.discard(transaction)
            self.events.append(TransactionFinished(transaction))
            if is_write and transaction.outcome in (
                TransactionOutcome.REFUSED,
                TransactionOutcome.SILENT,
            ):
                self._ask_again(transaction, now)

    def _ask_again(self, failed: Transaction, now: float) -> None:
        """After a failed write, learn what is really on board."""
        self.transactions.begin(
            Transaction(TransactionKind.REQUEST, failed.definition, failed.instance), now
        )

    def _on_job(self, job: PersistenceJob) -> None:
        self.events.append(PersistenceFinished(job))

    def _on_persistence_report(
        self, definition: ObjectDefinition, payload: bytes, now: float
    ) -> None:
        self._persistence.on_report(definition, payload, now)

    def _on_first_sight(self, entry: KnownObject) -> None:
        if entry.is_meta:
            return
        self._seen.add(entry.object_id)
        name = entry.definition.name.lower()
        for known in self._named:
            if known.lower() == name:
                self._named[known] = self._find(known)
        is_connected = self.state in (SessionState.FETCHING, SessionState.CONNECTED)
        if is_connected and entry.object_id not in self._release_ids:
            self._choose_release()
            if not self._fetch.is_done:
                self._set_state(SessionState.FETCHING)

    def _on_flight_stats(self, definition: ObjectDefinition, payload: bytes, now: float) -> None:
        self._adopt_generation(definition.object_id)
        status = str(read_value(definition, row_of(definition, payload), "Status"))
        if not self.handshake.on_flight(status):
            return
        is_new = self.state in (SessionState.CONNECTING, SessionState.LOST)
        if self.handshake.own == "Connected" and is_new:
            self._set_state(SessionState.FETCHING)
            self._choose_release()
        if now - self._last_stats >= _STATS_GAP_S:
            self._send_stats(now)
        else:
            self._next_stats = self._last_stats + _STATS_GAP_S

    def _on_firmware(self, definition: ObjectDefinition, payload: bytes, now: float) -> None:
        """Its tag tells releases with the same objects from each other."""
        if definition.has_field("Description"):
            found = read_description(row_of(definition, payload)["Description"].tobytes())
            self._tag = found.tag if found is not None else ""

    def _on_system_stats(self, definition: ObjectDefinition, payload: bytes, now: float) -> None:
        if self._reboot.has_rebooted(definition, payload):
            self.events.append(Rebooted())
            self._begin_anew(now)

    def _begin_anew(self, now: float) -> None:
        """The aircraft has forgotten us, and may have other values or even other firmware."""
        self._cancel(now)
        self._fetch.forget()
        self._seen.clear()
        self._named.clear()
        self._latest.clear()
        self._codec.learn_anew()
        self.handshake.begin()
        self._set_state(SessionState.CONNECTING)
        self._send_stats(now)

    def _adopt_generation(self, flight_id: int) -> None:
        if flight_id in FLIGHT_IDS and flight_id != self._pair.flight_id:
            ids = [pair.flight_id for pair in STATS_PAIRS]
            self._pair_index = ids.index(flight_id)
            self._speak(self._pair.dialect)

    def _speak(self, dialect: Dialect) -> None:
        """Use a dialect, unless the aircraft has shown its own."""
        if self._codec.heard_instance_id == "?":
            self._codec.dialect = dialect

    def _choose_release(self) -> None:
        release = detect_release(self._catalogue, self._seen, self._fetch.refused, self._tag)
        if release != self.release:
            self.release = release
            self._named.clear()
            self._codec.define_anew()
            self.events.append(ReleaseDetected(release))
        definitions = self._catalogue.release(release)
        self._release_ids = self._catalogue.ids(release)
        metadata_bytes = self._codec.dialect.metadata_bytes
        self._fetch.plan(wanted(definitions))
        self._fetch.plan(metaobject(definition, metadata_bytes) for definition in definitions)

    def _advance_fetch(self, now: float) -> None:
        self._fetch.pump(now)
        if self._fetch.is_done:
            self._choose_release()
            self._fetch.pump(now)
            if self._fetch.is_done:
                self._set_state(SessionState.CONNECTED)

    def _watch_link(self, now: float) -> None:
        if self.last_heard is None:
            return
        is_silent = now - self.last_heard > self._config.link_loss_s
        if is_silent and self.state in (SessionState.FETCHING, SessionState.CONNECTED):
            self._lose_link(now)
        elif not is_silent and self.state is SessionState.LOST:
            self._set_state(SessionState.CONNECTING)

    def _lose_link(self, now: float) -> None:
        self.handshake.begin()
        self._cancel(now)
        # On-change objects that moved meanwhile were missed; settings do not move by themselves.
        release = self._catalogue.release(self.release) if self.release else ()
        self._fetch.forget(d.object_id for d in release if not d.settings)
        self._set_state(SessionState.LOST)
        self._send_stats(now)

    def _cancel(self, now: float) -> None:
        self._persistence.cancel()
        for transaction in self.transactions.cancel():
            self._route(transaction, now)

    def _send_stats(self, now: float) -> None:
        """Send GCSTelemetryStats and say when the next one is due."""
        if not self.handshake.is_agreed:
            self._try_generations()
        definition = self._catalogue.get(self._pair.station_id)
        if definition is not None:
            transactions = self.transactions
            counters = count(self._codec, transactions.retries, transactions.failures)
            payload = self._reporter.pack(definition, self.handshake.own, counters, now)
            self.send_unacked(definition, 0, payload)
        self._last_stats = now
        is_agreed = self.handshake.is_agreed
        period_s = self._config.stats_period_s if is_agreed else self._config.connecting_period_s
        self._next_stats = now + period_s

    def _try_generations(self) -> None:
        """While nobody has told which statistics object he knows, try one after the other."""
        if self._seen & FLIGHT_IDS:
            return
        heard = self._codec.heard_instance_id
        fitting = [
            index
            for index, pair in enumerate(STATS_PAIRS)
            if heard in ("?", pair.dialect.instance_id)
        ]
        self._pair_index = fitting[(self._tries // _TRIES_PER_GENERATION) % len(fitting)]
        self._tries += 1
        self._speak(self._pair.dialect)
