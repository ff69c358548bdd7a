"""Commands as panels see them: orders are put into the worker's queue, outcomes into tickets."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any

from telemetry.objects.metadata import Metadata
from telemetry.session.transactions import TransactionOutcome
from telemetry.vehicle.desk import CommandDesk
from telemetry.vehicle.metadata_loan import Change, MetadataLoan
from telemetry.vehicle.output_drive import DRIVE_FRESH_S, OutputDrive
from telemetry.vehicle.sticks import Sticks
from telemetry.vehicle.vehicle import Operation, Ticket

STICKS_FRESH_S = 0.1


@dataclass(frozen=True, slots=True)
class Order:
    """Something for the worker to do, and the ticket that learns how it went."""

    ticket: Ticket
    run: Callable[[CommandDesk, Ticket], None]
    on_refusal: Callable[[str], None] = lambda reason: None


class LiveCommands:
    """Commands of a vehicle with a link. `why_not` tells what stands against sending now."""

    def __init__(self, why_not: Callable[[], str | None], clock: Callable[[], float]) -> None:
        self._why_not = why_not
        self._clock = clock
        self._orders: SimpleQueue[Order] = SimpleQueue()
        self._sticks: tuple[Sticks, float] | None = None
        self._drive: tuple[OutputDrive, float] | None = None

    def refusal(self) -> str | None:
        """See `Commands.refusal`."""
        return self._why_not()

    def send(self, name: str, values: Mapping[str, Any], instance: int = 0) -> Ticket:
        """See `Commands.send`."""
        wanted = dict(values)
        return self._post(lambda desk, ticket: desk.send(ticket, name, wanted, instance))

    def request(self, name: str, instance: int = 0) -> Ticket:
        """See `Commands.request`."""
        return self._post(lambda desk, ticket: desk.request(ticket, name, instance))

    def persist(self, operation: Operation, name: str, instance: int = 0) -> Ticket:
        """See `Commands.persist`."""
        return self._post(lambda desk, ticket: desk.persist(ticket, operation, name, instance))

    def set_metadata(self, name: str, metadata: Metadata) -> Ticket:
        """See `Commands.set_metadata`."""
        return self._post(lambda desk, ticket: desk.set_metadata(ticket, name, metadata))

    def borrow_metadata(self, name: str, change: Change) -> MetadataLoan:
        """See `Commands.borrow_metadata`."""
        loan = MetadataLoan(name, change, self._take_back)
        reason = self.refusal()
        if reason is not None:
            loan.end(reason)
        else:
            self._orders.put(
                Order(Ticket(), lambda desk, ticket: desk.loans.borrow(loan), loan.end)
            )
        return loan

    def set_sticks(self, sticks: Sticks | None) -> None:
        """See `Commands.set_sticks`."""
        self._sticks = (sticks, self._clock()) if sticks is not None else None

    def drive_outputs(self, drive: OutputDrive | None) -> None:
        """See `Commands.drive_outputs`."""
        self._drive = (drive, self._clock()) if drive is not None else None

    # For the worker

    def fresh_drive(self, now: float) -> OutputDrive | None:
        """Where the outputs shall be, if somebody has said so lately."""
        latest = self._drive
        if latest is None or now - latest[1] >= DRIVE_FRESH_S:
            return None
        return latest[0]

    def fresh_sticks(self, now: float) -> Sticks | None:
        """The last reading if it is fresh enough to fly on."""
        latest = self._sticks
        if latest is None or now - latest[1] >= STICKS_FRESH_S:
            return None
        return latest[0]

    def next_order(self) -> Order | None:
        """Take the oldest order from the queue."""
        try:
            return self._orders.get_nowait()
        except Empty:
            return None

    def refuse_all(self, reason: str) -> None:
        """Fail every order that still waits."""
        while (order := self.next_order()) is not None:
            order.ticket.finish("failed", reason, TransactionOutcome.CANCELLED)
            order.on_refusal(reason)

    def _take_back(self, loan: MetadataLoan) -> None:
        """A loan whose session has ended is owed, on disk, and no order can reach it."""
        self._orders.put(Order(Ticket(), lambda desk, ticket: desk.loans.give_back(loan)))

    def _post(self, run: Callable[[CommandDesk, Ticket], None]) -> Ticket:
        ticket = Ticket()
        reason = self.refusal()
        if reason is not None:
            ticket.finish("failed", reason, TransactionOutcome.CANCELLED)
        else:
            self._orders.put(Order(ticket, run))
        return ticket


class RefusedCommands:
    """Commands of a vehicle that cannot be sent anything, ever, for one reason."""

    def __init__(self, reason: str) -> None:
        self._reason = reason

    def refusal(self) -> str | None:
        """The reason."""
        return self._reason

    def send(self, name: str, values: Mapping[str, Any], instance: int = 0) -> Ticket:
        """Refused."""
        return self._refused()

    def request(self, name: str, instance: int = 0) -> Ticket:
        """Refused."""
        return self._refused()

    def persist(self, operation: Operation, name: str, instance: int = 0) -> Ticket:
        """Refused."""
        return self._refused()

    def set_metadata(self, name: str, metadata: Metadata) -> Ticket:
        """Refused."""
        return self._refused()

    def borrow_metadata(self, name: str, change: Change) -> MetadataLoan:
        """Refused."""
        loan = MetadataLoan(name, change)
        loan.end(self._reason)
        return loan

    def set_sticks(self, sticks: Sticks | None) -> None:
        """Ignored: nothing flies here."""

    def drive_outputs(self, drive: OutputDrive | None) -> None:
        """Ignored: nothing moves here."""

    def _refused(self) -> Ticket:
        ticket = Ticket()
        ticket.finish("failed", self._reason)
        return ticket
