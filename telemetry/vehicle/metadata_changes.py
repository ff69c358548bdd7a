"""Metadata changes in the worker's thread: several users, one board, its originals on disk.

What a former connection (or a crash) has left changed is restored first, as soon as the board has
said which one it is.
"""

from collections.abc import Iterable, Sequence
from functools import reduce

from telemetry.base.board_store import board_key
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.definition import ObjectDefinition
from telemetry.protocol.objects.values import read_value, row_of
from telemetry.protocol.session.config import Role, SessionState
from telemetry.protocol.session.events import (
    ObjectReceived,
    Rebooted,
    SessionEvent,
    StateChanged,
    TransactionFinished,
)
from telemetry.protocol.session.session import Session
from telemetry.protocol.session.transactions import Transaction, TransactionOutcome
from telemetry.vehicle.metadata_change import MetadataChange, MetadataEdit
from telemetry.vehicle.original_metadata import OriginalMetadataError, OriginalMetadataStore
from telemetry.vehicle.temporary_metadata import ChangedObject, MetadataState, TemporaryMetadata

_WHO = "FirmwareIAPObj"


class MetadataChanges:
    """All temporary changes of one board over one session. `address` stands in for a serial number
    where the board has none."""

    def __init__(
        self, session: Session, catalogue: Catalogue, originals: OriginalMetadataStore, address: str
    ) -> None:
        self._session = session
        self._catalogue = catalogue
        self._originals = originals
        self._address = address
        self._temporary: TemporaryMetadata | None = None
        self._asking: Transaction | None = None
        # What is asked for by object, and what of it has been written: while the two differ, the
        # object is changed anew from its original, since edits cannot be taken back one by one.
        self._wanted: dict[str, list[MetadataChange]] = {}
        self._applied: dict[str, tuple[MetadataChange, ...]] = {}
        self._given_up: set[str] = set()
        self._broken = ""

    @property
    def is_settled(self) -> bool:
        """Whether the board has been told all there is to tell."""
        return not self._wanted and (self._temporary is None or self._temporary.is_settled)

    def begin(self, change: MetadataChange) -> None:
        """Begin to change an object's metadata."""
        if self._broken:
            change.end(self._broken)
            return
        self._wanted.setdefault(change.name, []).append(change)
        self._given_up.discard(change.name)

    def restore(self, change: MetadataChange) -> None:
        """`change` is no longer needed; with the last one, the object is restored."""
        change.end(f"{change.name} is sent as before.")
        changes = self._wanted.get(change.name, [])
        if change in changes:
            changes.remove(change)

    def keep(self, meta: ObjectDefinition, payload: bytes) -> None:
        """The board has taken a lasting change of this metaobject: no restoring takes it back."""
        if self._temporary is None:
            return
        try:
            self._temporary.keep(meta, payload)
        except OriginalMetadataError as error:
            self._broken = str(error)
            self._end_changes(self._broken)

    def restore_all(self) -> None:
        """The station is leaving; go on with `take` until it is settled."""
        for change in [change for changes in self._wanted.values() for change in changes]:
            self.restore(change)
        self.take(())

    def end(self) -> None:
        """The session is over. What is still changed on board stays on disk."""
        self._end_changes(
            "The link ended. How often it is sent is restored when the board is back."
        )

    def take(self, events: Iterable[SessionEvent]) -> None:
        """Go on with what the session's events make possible."""
        events = tuple(events)
        if self._broken or self._session.role is not Role.GCS:
            return
        if self._temporary is not None and not (events or self._wanted):
            return  # nothing is under way that could go on
        try:
            self._watch(events)
            if self._temporary is None or not self._session.is_connected:
                return
            self._temporary.take(events)
            self._restore_what_nobody_wants(self._temporary)
            for name in list(self._wanted):
                self._reconcile(self._temporary, name, self._wanted[name])
        except OriginalMetadataError as error:
            self._broken = str(error)
            self._end_changes(self._broken)

    # Which board it is

    def _watch(self, events: Sequence[SessionEvent]) -> None:
        for event in events:
            if isinstance(event, ObjectReceived) and event.definition.name == _WHO:
                serial = read_value(
                    event.definition, row_of(event.definition, event.payload), "CPUSerial"
                )
                self._identify(bytes(map(int, serial)) if isinstance(serial, tuple) else b"")
            elif isinstance(event, TransactionFinished) and event.transaction is self._asking:
                self._asking = None
                if event.transaction.outcome is TransactionOutcome.REFUSED:
                    self._identify(b"")
            elif isinstance(event, StateChanged) and event.state is SessionState.CONNECTED:
                self._given_up.clear()
            elif isinstance(event, Rebooted):
                self._forget_session()
        if self._temporary is None and self._session.state is SessionState.CONNECTED:
            self._ask_who_it_is()

    def _ask_who_it_is(self) -> None:
        definition = self._session.definition_named(_WHO)
        if definition is None:
            self._identify(b"")
        elif self._asking is None:
            self._asking = self._session.request(definition)

    def _identify(self, serial: bytes) -> None:
        if self._temporary is None:
            board = board_key(serial, self._address)
            self._temporary = TemporaryMetadata(
                self._session, self._catalogue, self._originals, board
            )

    def _forget_session(self) -> None:
        """A board that started anew has its stored metadata again; writing it back is no harm."""
        self._end_changes("The board started anew and sends at its usual rates.")
        self._temporary, self._asking = None, None
        self._given_up.clear()

    # Whether what is on board is what is wanted

    def _restore_what_nobody_wants(self, temporary: TemporaryMetadata) -> None:
        for entry in temporary.objects:
            if entry.is_under_way or not entry.differs or self._wanted.get(entry.name):
                continue
            self._applied.pop(entry.name, None)
            self._restore_once(temporary, entry)

    def _restore_once(self, temporary: TemporaryMetadata, entry: ChangedObject) -> None:
        """Restore once: what the board did not take back waits for the next connection, so that a
        board that cannot take it is not written to for ever."""
        if entry.state is MetadataState.UNRESTORED and entry.name in self._given_up:
            return
        self._given_up.add(entry.name)
        temporary.restore(entry.name)

    def _reconcile(
        self, temporary: TemporaryMetadata, name: str, changes: list[MetadataChange]
    ) -> None:
        """Move one object a step towards what is asked for. Called after every round of the
        conversation, so each call does one thing only and looks again at the next."""
        if not changes:
            del self._wanted[name]
            return
        entry = temporary.named(name)
        if entry is not None and entry.is_under_way:
            return
        if entry is None or entry.state is MetadataState.RESTORED:
            self._begin(temporary, name, changes)
        elif entry.state is MetadataState.CHANGED and self._applied.get(name) == tuple(changes):
            for change in changes:
                change.activate()
        elif entry.state is MetadataState.CHANGED:
            self._applied[name] = tuple(changes)
            temporary.alter(name, _all_edits(changes))
        elif entry.state is MetadataState.REFUSED and name not in self._applied:  # earlier
            self._begin(temporary, name, changes)
        elif entry.state is MetadataState.UNRESTORED and name not in self._given_up:
            # Left changed by a former connection: what a change starts from must be the original.
            self._applied.pop(name, None)
            self._restore_once(temporary, entry)
        else:
            self._fail(name, f"The rate of {name} was not changed: {entry.problem}.")

    def _begin(
        self, temporary: TemporaryMetadata, name: str, changes: list[MetadataChange]
    ) -> None:
        definition = self._session.definition_named(name)
        if definition is None:
            if self._session.state is SessionState.CONNECTED:
                self._fail(name, f"This aircraft has no {name}.")
            return
        self._applied[name] = tuple(changes)
        self._given_up.discard(name)
        temporary.change(definition, _all_edits(changes))

    def _fail(self, name: str, text: str) -> None:
        self._applied.pop(name, None)
        for change in self._wanted.pop(name, []):
            change.end(text)

    def _end_changes(self, text: str) -> None:
        for changes in self._wanted.values():
            for change in changes:
                change.end(text)
        self._wanted.clear()
        self._applied.clear()


def _all_edits(changes: Iterable[MetadataChange]) -> MetadataEdit:
    edits = [change.edit for change in changes]
    return lambda metadata: reduce(lambda edited, edit: edit(edited), edits, metadata)
