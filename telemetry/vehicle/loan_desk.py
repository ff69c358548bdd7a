"""Borrowed metadata in the worker's thread: several borrowers, one board, one ledger on disk.

What a former connection (or a crash) still owes this board is given back first, as soon as the
board has said which one it is.
"""

from collections.abc import Iterable, Sequence
from functools import reduce

from telemetry.board_store import board_key
from telemetry.objects.catalogue import Catalogue
from telemetry.objects.metadata import Metadata
from telemetry.objects.values import read_value, row_of
from telemetry.session.config import Role, SessionState
from telemetry.session.events import (
    ObjectReceived,
    Rebooted,
    SessionEvent,
    StateChanged,
    TransactionFinished,
)
from telemetry.session.session import Session
from telemetry.session.transactions import Transaction, TransactionOutcome
from telemetry.vehicle.borrowed_metadata import BorrowedMetadata, Borrowing, LoanState
from telemetry.vehicle.metadata_loan import Change, MetadataLoan
from telemetry.vehicle.original_metadata import OriginalMetadataError, OriginalMetadataStore

_WHO = "FirmwareIAPObj"


class LoanDesk:
    """All loans of one board over one session. `address` stands in for a board without serial."""

    def __init__(
        self, session: Session, catalogue: Catalogue, ledger: OriginalMetadataStore, address: str
    ) -> None:
        self._session = session
        self._catalogue = catalogue
        self._ledger = ledger
        self._address = address
        self._borrowed: BorrowedMetadata | None = None
        self._asking: Transaction | None = None
        self._wanted: dict[str, list[MetadataLoan]] = {}
        self._applied: dict[str, tuple[MetadataLoan, ...]] = {}
        self._given_up: set[str] = set()
        self._broken = ""

    @property
    def is_settled(self) -> bool:
        """Whether the board has been told all there is to tell."""
        return not self._wanted and (self._borrowed is None or self._borrowed.is_settled)

    def borrow(self, loan: MetadataLoan) -> None:
        """Begin to change an object's metadata on behalf of `loan`."""
        if self._broken:
            loan.end(self._broken)
            return
        self._wanted.setdefault(loan.name, []).append(loan)
        self._given_up.discard(loan.name)

    def give_back(self, loan: MetadataLoan) -> None:
        """`loan` is no longer needed; the last borrower's return restores the object."""
        loan.end(f"{loan.name} was given back.")
        holders = self._wanted.get(loan.name, [])
        if loan in holders:
            holders.remove(loan)

    def give_all_back(self) -> None:
        """The station is leaving; go on with `take` until it is settled."""
        for loan in [loan for holders in self._wanted.values() for loan in holders]:
            self.give_back(loan)
        self.take(())

    def end(self) -> None:
        """The session is over. What is still on board stays owed, on disk."""
        self._end_loans("The link ended. How often it is sent is restored when the board is back.")

    def take(self, events: Iterable[SessionEvent]) -> None:
        """Go on with what the session's events make possible."""
        events = tuple(events)
        if self._broken or self._session.role is not Role.GCS:
            return
        try:
            self._watch(events)
            if self._borrowed is None or not self._session.is_connected:
                return
            self._borrowed.take(events)
            self._restore_what_nobody_wants(self._borrowed)
            for name in list(self._wanted):
                self._reconcile(self._borrowed, name, self._wanted[name])
        except OriginalMetadataError as error:
            self._broken = str(error)
            self._end_loans(self._broken)

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
        if self._borrowed is None and self._session.state is SessionState.CONNECTED:
            self._ask_who_it_is()

    def _ask_who_it_is(self) -> None:
        definition = self._session.definition_named(_WHO)
        if definition is None:
            self._identify(b"")
        elif self._asking is None:
            self._asking = self._session.request(definition)

    def _identify(self, serial: bytes) -> None:
        if self._borrowed is None:
            board = board_key(serial, self._address)
            self._borrowed = BorrowedMetadata(self._session, self._catalogue, self._ledger, board)

    def _forget_session(self) -> None:
        """A board that started anew has its stored metadata again; writing it back is no harm."""
        self._end_loans("The board started anew and sends at its usual rates.")
        self._borrowed, self._asking = None, None
        self._given_up.clear()

    # Whether what is on board is what is wanted

    def _restore_what_nobody_wants(self, borrowed: BorrowedMetadata) -> None:
        for entry in borrowed.borrowings:
            if entry.is_under_way or not entry.is_owed or self._wanted.get(entry.name):
                continue
            self._applied.pop(entry.name, None)
            self._return_once(borrowed, entry)

    def _return_once(self, borrowed: BorrowedMetadata, entry: Borrowing) -> None:
        """Give back what was held; what the board did not take back waits for the next time."""
        if entry.state is LoanState.OWED and entry.name in self._given_up:
            return
        self._given_up.add(entry.name)
        borrowed.give_back(entry.name)

    def _reconcile(
        self, borrowed: BorrowedMetadata, name: str, holders: list[MetadataLoan]
    ) -> None:
        if not holders:
            del self._wanted[name]
            return
        entry = borrowed.named(name)
        if entry is not None and entry.is_under_way:
            return
        if entry is None or entry.state is LoanState.RETURNED:
            self._begin(borrowed, name, holders)
        elif entry.state is LoanState.BORROWED and self._applied.get(name) == tuple(holders):
            for loan in holders:
                loan.hold()
        elif entry.state is LoanState.BORROWED:
            self._applied[name] = tuple(holders)
            borrowed.alter(name, _all_of(holders))
        elif entry.state is LoanState.REFUSED and name not in self._applied:
            self._begin(borrowed, name, holders)
        elif entry.state is LoanState.OWED and name not in self._given_up:
            self._applied.pop(name, None)
            self._return_once(borrowed, entry)
        else:
            self._fail(name, f"The rate of {name} was not changed: {entry.problem}.")

    def _begin(self, borrowed: BorrowedMetadata, name: str, holders: list[MetadataLoan]) -> None:
        definition = self._session.definition_named(name)
        if definition is None:
            if self._session.state is SessionState.CONNECTED:
                self._fail(name, f"This aircraft has no {name}.")
            return
        self._applied[name] = tuple(holders)
        self._given_up.discard(name)
        borrowed.borrow(definition, _all_of(holders))

    def _fail(self, name: str, text: str) -> None:
        self._applied.pop(name, None)
        for loan in self._wanted.pop(name, []):
            loan.end(text)

    def _end_loans(self, text: str) -> None:
        for holders in self._wanted.values():
            for loan in holders:
                loan.end(text)
        self._wanted.clear()
        self._applied.clear()


def _all_of(holders: Iterable[MetadataLoan]) -> Change:
    changes = [loan.change for loan in holders]

    def change(metadata: Metadata) -> Metadata:
        return reduce(lambda changed, one: one(changed), changes, metadata)

    return change
