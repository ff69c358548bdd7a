"""Temporary metadata: changed on a board for a while and restored, whatever happens meanwhile.

Who needs an object sent faster, or supplies a sensor in the board's place, changes its metadata
temporarily. What it was is on disk (`OriginalMetadataStore`) before anything is changed on board;
it is restored at the end, or at the next connection to the same board, read back and compared.

    temporary = TemporaryMetadata(session, catalogue, originals, board)
    temporary.restore()                        # what a former connection has left changed
    temporary.change(definition, lambda metadata: replace(metadata, flight_readonly=True))
    temporary.take(session.receive(data, now) + session.tick(now))   # until it is settled

Sans-io like the session it works over. Each object goes its own way:

    READING -> CHANGING -> CHANGED -> RESTORING -> CHECKING -> RESTORED
       |          |  |                    |           |
    REFUSED <-----+  +---> UNRESTORED <---+-----------+
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum

from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.definition import ObjectDefinition
from telemetry.protocol.objects.metadata import Metadata, metaobject
from telemetry.protocol.session.events import ObjectReceived, SessionEvent
from telemetry.protocol.session.session import Session
from telemetry.protocol.session.transactions import Transaction, TransactionOutcome
from telemetry.vehicle.metadata_change import MetadataEdit
from telemetry.vehicle.original_metadata import OriginalMetadata, OriginalMetadataStore

_ATTEMPTS = 3


class MetadataState(Enum):
    """How far an object has come, as the word a report shows."""

    READING = "being read"
    CHANGING = "being changed"
    CHANGED = "changed"
    REFUSED = "not changed"
    UNRESTORED = "not restored"
    RESTORING = "being restored"
    CHECKING = "being read back"
    RESTORED = "restored"


# Asked for in every round of a conversation: tuples, since hashing a state for a set takes longer.
_UNDER_WAY = (
    MetadataState.READING,
    MetadataState.CHANGING,
    MetadataState.RESTORING,
    MetadataState.CHECKING,
)
_TO_RESTORE = (MetadataState.CHANGING, MetadataState.CHANGED, MetadataState.UNRESTORED)
_DIFFERING = (*_TO_RESTORE, MetadataState.RESTORING, MetadataState.CHECKING)


@dataclass(slots=True)
class ChangedObject:
    """One object on its way. `problem` says what went wrong last; "" if nothing did."""

    metaobject: ObjectDefinition
    name: str
    state: MetadataState
    edit: MetadataEdit | None = None
    original: OriginalMetadata | None = None
    transaction: Transaction | None = None
    heard: bytes | None = None
    attempts: int = 0
    is_altered: bool = False
    problem: str = ""

    def end(self, state: MetadataState, problem: str) -> None:
        """Come to where no answer is awaited."""
        self.state, self.problem = state, problem

    @property
    def differs(self) -> bool:
        """Whether the object on board is, or may be, not as it was."""
        return self.state in _DIFFERING

    @property
    def is_under_way(self) -> bool:
        """Whether an answer is awaited."""
        return self.state in _UNDER_WAY


class TemporaryMetadata:
    """All objects of one board that were changed, over one session at a time."""

    def __init__(
        self, session: Session, catalogue: Catalogue, originals: OriginalMetadataStore, board: str
    ) -> None:
        """Take up what is kept of `board` and was not restored. Raises OriginalMetadataError."""
        self._session = session
        self._originals = originals
        self._board = board
        self._entries: dict[int, ChangedObject] = {}
        for original in originals.of(board).values():
            parent = catalogue.get(original.object_id)
            if parent is not None:
                meta = metaobject(parent, len(original.metadata))
                self._entries[meta.object_id] = ChangedObject(
                    meta, original.name, MetadataState.UNRESTORED, original=original
                )

    @property
    def objects(self) -> tuple[ChangedObject, ...]:
        """All objects that were changed or are to be restored, for looking at."""
        return tuple(self._entries.values())

    @property
    def is_settled(self) -> bool:
        """Whether nothing is under way."""
        return not any(entry.is_under_way for entry in self._entries.values())

    @property
    def differs(self) -> bool:
        """Whether anything on board is, or may be, not as it was."""
        return any(entry.differs for entry in self._entries.values())

    def change(self, definition: ObjectDefinition, edit: MetadataEdit) -> None:
        """Begin to change an object's metadata. Raises ValueError while it is changed."""
        meta = metaobject(definition, self._session.status.dialect.metadata_bytes)
        known = self._entries.get(meta.object_id)
        if known is not None and known.state not in (MetadataState.RESTORED, MetadataState.REFUSED):
            raise ValueError(f"{definition.name} is changed already; restore it first")
        entry = ChangedObject(meta, definition.name, MetadataState.READING, edit)
        entry.transaction = self._session.request(meta)
        self._entries[meta.object_id] = entry

    def named(self, name: str) -> ChangedObject | None:
        """How far an object has come; None if it was never changed."""
        return next((entry for entry in self._entries.values() if entry.name == name), None)

    def alter(self, name: str, edit: MetadataEdit) -> None:
        """Begin to change what is changed otherwise, from what it was at first.

        Raises ValueError unless it is changed.
        """
        entry = self.named(name)
        if entry is None or entry.state is not MetadataState.CHANGED or entry.original is None:
            raise ValueError(f"{name} is not changed")
        entry.edit, entry.is_altered = edit, True
        before = entry.original.metadata
        wanted = edit(Metadata.unpack(before)).pack(len(before))
        entry.state = MetadataState.CHANGING
        entry.transaction = self._session.write(entry.metaobject, 0, wanted)

    def restore(self, name: str | None = None) -> None:
        """Begin to restore one object, or all that are, or may be, not as they were."""
        for entry in self._entries.values():
            if name not in (None, entry.name):
                continue
            if entry.state in _TO_RESTORE:
                entry.attempts = 0
                self._restore(entry)
            elif entry.state is MetadataState.READING:
                entry.end(MetadataState.REFUSED, "it was no longer wanted")

    def keep(self, meta: ObjectDefinition, payload: bytes) -> None:
        """The board has taken a lasting change of this metaobject. If it is changed for a while as
        well, that is what is restored. Raises OriginalMetadataError."""
        entry = self._entries.get(meta.object_id)
        if entry is not None and entry.differs and entry.original is not None:
            entry.original = replace(entry.original, metadata=payload)
            self._originals.replace(self._board, entry.original)

    def take(self, events: Iterable[SessionEvent]) -> None:
        """Go on with what the session's events make possible. Raises OriginalMetadataError."""
        for event in events:
            if isinstance(event, ObjectReceived):
                entry = self._entries.get(event.definition.object_id)
                if entry is not None:
                    entry.heard = event.payload
        for entry in self._entries.values():
            transaction = entry.transaction
            if transaction is not None and transaction.outcome is not TransactionOutcome.OPEN:
                entry.transaction = None
                self._go_on(entry, transaction)

    # Inside

    def _go_on(self, entry: ChangedObject, finished: Transaction) -> None:
        is_done = finished.outcome is TransactionOutcome.DONE
        if entry.state is MetadataState.READING:
            self._on_read(entry, is_done)
        elif entry.state is MetadataState.CHANGING:
            self._on_changed(entry, finished.outcome)
        elif entry.state is MetadataState.RESTORING:
            self._on_restored(entry, is_done)
        elif entry.state is MetadataState.CHECKING:
            self._on_checked(entry, is_done)

    def _on_read(self, entry: ChangedObject, is_done: bool) -> None:
        if not (is_done and entry.heard is not None and entry.edit is not None):
            entry.end(MetadataState.REFUSED, "the board did not tell its metadata")
            return
        meta = entry.metaobject
        before = entry.heard
        wanted = entry.edit(Metadata.unpack(before)).pack(len(before))
        entry.original = OriginalMetadata(meta.object_id - 1, entry.name, before)
        # On disk before the write leaves: a crash at any later moment finds it there. Had the
        # write gone first, a crash in between would leave the board changed for good.
        self._originals.add(self._board, entry.original)
        entry.state = MetadataState.CHANGING
        entry.transaction = self._session.write(meta, 0, wanted)

    def _on_changed(self, entry: ChangedObject, outcome: TransactionOutcome) -> None:
        if outcome is TransactionOutcome.DONE:
            entry.state = MetadataState.CHANGED
        elif outcome is TransactionOutcome.REFUSED and entry.is_altered:
            # The edit before this one still holds, so there is something to restore.
            entry.end(MetadataState.UNRESTORED, "the board refused the change")
        elif outcome is TransactionOutcome.REFUSED:
            entry.end(MetadataState.REFUSED, "the board refused the change")
            self._originals.remove(self._board, entry.metaobject.object_id - 1)
        else:  # unconfirmed: it may hold or not, so restore it as if it did
            entry.end(MetadataState.UNRESTORED, "the board did not confirm the change")

    def _restore(self, entry: ChangedObject) -> None:
        if entry.original is not None:
            entry.attempts += 1
            entry.state = MetadataState.RESTORING
            entry.transaction = self._session.write(entry.metaobject, 0, entry.original.metadata)

    def _on_restored(self, entry: ChangedObject, is_done: bool) -> None:
        if not is_done:
            self._try_again(entry, "the board did not take the original")
            return
        # An acknowledged write is no proof: some firmware acknowledges what it then ignores.
        entry.heard = None
        entry.state = MetadataState.CHECKING
        entry.transaction = self._session.request(entry.metaobject)

    def _on_checked(self, entry: ChangedObject, is_done: bool) -> None:
        if not (is_done and entry.original is not None and entry.heard == entry.original.metadata):
            self._try_again(entry, "reading it back gave something else")
            return
        entry.end(MetadataState.RESTORED, "")
        self._originals.remove(self._board, entry.original.object_id)

    def _try_again(self, entry: ChangedObject, problem: str) -> None:
        entry.end(MetadataState.UNRESTORED, problem)
        if entry.attempts < _ATTEMPTS and self._session.is_connected:
            self._restore(entry)
