"""Metadata of a board changed for a while and given back, whatever happens in between.

Who needs an object sent faster, or supplies a sensor in the board's place, borrows its metadata.
What it was before is on disk (`OriginalMetadataStore`) before anything is changed on board; it is
given back at the end, or at the next connection to the same board, read back and compared.

    borrowed = BorrowedMetadata(session, catalogue, ledger, board)
    borrowed.give_back()                       # what a former connection still owes
    borrowed.borrow(definition, lambda metadata: replace(metadata, flight_readonly=True))
    borrowed.take(session.receive(data, now) + session.tick(now))   # until it is settled

Sans-io like the session it works over.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from telemetry.objects.catalogue import Catalogue
from telemetry.objects.definition import ObjectDefinition
from telemetry.objects.metadata import Metadata, metaobject
from telemetry.session.events import ObjectReceived, SessionEvent
from telemetry.session.session import Session
from telemetry.session.transactions import Transaction, TransactionOutcome
from telemetry.vehicle.metadata_loan import Change
from telemetry.vehicle.original_metadata import OriginalMetadata, OriginalMetadataStore

_ATTEMPTS = 3


class LoanState(Enum):
    """How far an object has come, as the word a report shows."""

    READING = "being read"
    CHANGING = "being changed"
    BORROWED = "borrowed"
    REFUSED = "not borrowed"
    OWED = "owed"
    RETURNING = "being given back"
    CHECKING = "being read back"
    RETURNED = "given back"


_UNDER_WAY = {LoanState.READING, LoanState.CHANGING, LoanState.RETURNING, LoanState.CHECKING}
_TO_GIVE_BACK = {LoanState.CHANGING, LoanState.BORROWED, LoanState.OWED}
_OWED = {*_TO_GIVE_BACK, LoanState.RETURNING, LoanState.CHECKING}


@dataclass(slots=True)
class Borrowing:
    """One object on its way. `problem` says what went wrong last; "" if nothing did."""

    metaobject: ObjectDefinition
    name: str
    state: LoanState
    change: Change | None = None
    loan: OriginalMetadata | None = None
    transaction: Transaction | None = None
    heard: bytes | None = None
    attempts: int = 0
    is_altered: bool = False
    problem: str = ""

    @property
    def is_owed(self) -> bool:
        """Whether the object on board is, or may be, not as it was."""
        return self.state in _OWED

    @property
    def is_under_way(self) -> bool:
        """Whether an answer is awaited."""
        return self.state in _UNDER_WAY


class BorrowedMetadata:
    """All loans of one board, over one session at a time."""

    def __init__(
        self, session: Session, catalogue: Catalogue, ledger: OriginalMetadataStore, board: str
    ) -> None:
        """Take up what the ledger says is owed to `board`. Raises OriginalMetadataError."""
        self._session = session
        self._ledger = ledger
        self._board = board
        self._entries: dict[int, Borrowing] = {}
        for loan in ledger.of(board).values():
            parent = catalogue.get(loan.object_id)
            if parent is not None:
                meta = metaobject(parent, len(loan.metadata))
                self._entries[meta.object_id] = Borrowing(
                    meta, loan.name, LoanState.OWED, loan=loan
                )

    @property
    def borrowings(self) -> tuple[Borrowing, ...]:
        """All objects that were borrowed or are owed, for looking at."""
        return tuple(self._entries.values())

    @property
    def is_settled(self) -> bool:
        """Whether nothing is under way."""
        return not any(entry.is_under_way for entry in self._entries.values())

    @property
    def owes(self) -> bool:
        """Whether anything on board is, or may be, not as it was."""
        return any(entry.is_owed for entry in self._entries.values())

    def borrow(self, definition: ObjectDefinition, change: Change) -> None:
        """Begin to change an object's metadata. Raises ValueError while it is borrowed."""
        meta = metaobject(definition, self._session.status.dialect.metadata_bytes)
        known = self._entries.get(meta.object_id)
        if known is not None and known.state not in (LoanState.RETURNED, LoanState.REFUSED):
            raise ValueError(f"{definition.name} is borrowed already; give it back first")
        entry = Borrowing(meta, definition.name, LoanState.READING, change)
        entry.transaction = self._session.request(meta)
        self._entries[meta.object_id] = entry

    def named(self, name: str) -> Borrowing | None:
        """How far an object has come; None if it was never borrowed."""
        return next((entry for entry in self._entries.values() if entry.name == name), None)

    def alter(self, name: str, change: Change) -> None:
        """Begin to change what is borrowed otherwise, from what it was at first.

        Raises ValueError unless it is borrowed.
        """
        entry = self.named(name)
        if entry is None or entry.state is not LoanState.BORROWED or entry.loan is None:
            raise ValueError(f"{name} is not borrowed")
        entry.change, entry.is_altered = change, True
        before = entry.loan.metadata
        wanted = change(Metadata.unpack(before)).pack(len(before))
        entry.state = LoanState.CHANGING
        entry.transaction = self._session.write(entry.metaobject, 0, wanted)

    def give_back(self, name: str | None = None) -> None:
        """Begin to give back one object, or all that is borrowed or owed."""
        for entry in self._entries.values():
            if name not in (None, entry.name):
                continue
            if entry.state in _TO_GIVE_BACK:
                entry.attempts = 0
                self._return(entry)
            elif entry.state is LoanState.READING:
                entry.state, entry.problem = LoanState.REFUSED, "it was no longer wanted"

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

    def _go_on(self, entry: Borrowing, finished: Transaction) -> None:
        is_done = finished.outcome is TransactionOutcome.DONE
        if entry.state is LoanState.READING:
            self._on_read(entry, is_done)
        elif entry.state is LoanState.CHANGING:
            self._on_changed(entry, finished.outcome)
        elif entry.state is LoanState.RETURNING:
            self._on_returned(entry, is_done)
        elif entry.state is LoanState.CHECKING:
            self._on_checked(entry, is_done)

    def _on_read(self, entry: Borrowing, is_done: bool) -> None:
        if not (is_done and entry.heard is not None and entry.change is not None):
            entry.state, entry.problem = LoanState.REFUSED, "the board did not tell its metadata"
            return
        meta = entry.metaobject
        before = entry.heard
        wanted = entry.change(Metadata.unpack(before)).pack(len(before))
        entry.loan = OriginalMetadata(meta.object_id - 1, entry.name, before)
        self._ledger.add(self._board, entry.loan)
        entry.state = LoanState.CHANGING
        entry.transaction = self._session.write(meta, 0, wanted)

    def _on_changed(self, entry: Borrowing, outcome: TransactionOutcome) -> None:
        if outcome is TransactionOutcome.DONE:
            entry.state = LoanState.BORROWED
        elif (
            outcome is TransactionOutcome.REFUSED and entry.is_altered
        ):  # the change before still holds
            entry.state, entry.problem = LoanState.OWED, "the board refused the change"
        elif outcome is TransactionOutcome.REFUSED:
            entry.state, entry.problem = LoanState.REFUSED, "the board refused the change"
            self._ledger.remove(self._board, entry.metaobject.object_id - 1)
        else:  # it may hold or not
            entry.state, entry.problem = LoanState.OWED, "the board did not confirm the change"

    def _return(self, entry: Borrowing) -> None:
        if entry.loan is not None:
            entry.attempts += 1
            entry.state = LoanState.RETURNING
            entry.transaction = self._session.write(entry.metaobject, 0, entry.loan.metadata)

    def _on_returned(self, entry: Borrowing, is_done: bool) -> None:
        if not is_done:
            self._try_again(entry, "the board did not take it back")
            return
        entry.heard = None
        entry.state = LoanState.CHECKING
        entry.transaction = self._session.request(entry.metaobject)

    def _on_checked(self, entry: Borrowing, is_done: bool) -> None:
        if not (is_done and entry.loan is not None and entry.heard == entry.loan.metadata):
            self._try_again(entry, "reading it back gave something else")
            return
        entry.state, entry.problem = LoanState.RETURNED, ""
        self._ledger.remove(self._board, entry.loan.object_id)

    def _try_again(self, entry: Borrowing, problem: str) -> None:
        entry.problem = problem
        entry.state = LoanState.OWED
        if entry.attempts < _ATTEMPTS and self._session.is_connected:
            self._return(entry)
