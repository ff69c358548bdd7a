"""Transactions: acknowledged writes and requests that wait for their answer, with retries.

There is at most one open transaction per object instance; later ones for the same instance wait
their turn. Nothing here knows bytes: `transmit` sends whatever the transaction says.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from telemetry.protocol.objects.definition import ObjectDefinition
from telemetry.protocol.session.adaptive_timeout import AdaptiveTimeout

Address = tuple[int, int]


class TransactionKind(Enum):
    """What is asked of the other side."""

    WRITE = "write"
    REQUEST = "request"


class TransactionOutcome(Enum):
    """How a transaction or a persistence job stands."""

    OPEN = "open"
    DONE = "done"
    REFUSED = "refused"  # NACK
    SILENT = "silent"  # no answer after the last retry
    FAILED = "failed"  # the board reported Error
    DIFFERENT = "different"  # reading back gave other values
    CANCELLED = "cancelled"  # the session ended first


@dataclass(eq=False, slots=True)
class Transaction:
    """One write or request on its way. `deadline` and `sent` are of the last attempt,
    `patience` is how long the first one waits."""

    kind: TransactionKind
    definition: ObjectDefinition
    instance: int
    payload: bytes = b""
    outcome: TransactionOutcome = TransactionOutcome.OPEN
    attempts: int = 0
    deadline: float = 0.0
    sent: float = 0.0
    patience: float = 0.0

    @property
    def address(self) -> Address:
        """Object id and instance."""
        return self.definition.object_id, self.instance


class Transactions:
    """The open transactions of a session."""

    def __init__(
        self,
        transmit: Callable[[Transaction], None],
        timeout_s: float,
        attempts: int,
    ) -> None:
        self._transmit = transmit
        self._timeout_s = timeout_s
        self._patience = AdaptiveTimeout(timeout_s)
        self._attempts = attempts
        self._open: dict[Address, Transaction] = {}
        self._waiting: dict[Address, deque[Transaction]] = {}
        self._answered: dict[Address, float] = {}
        self.retries = 0
        self.failures = 0

    def __contains__(self, address: Address) -> bool:
        return address in self._open

    def begin(self, transaction: Transaction, now: float) -> None:
        """Send now, or after the transactions that the same instance already has."""
        address = transaction.address
        if address in self._open:
            self._waiting.setdefault(address, deque()).append(transaction)
            return
        self._open[address] = transaction
        self._send(transaction, now)

    def on_object(self, address: Address, now: float) -> Transaction | None:
        """An object arrived: whatever its frame type, it answers an open request."""
        transaction = self._open.get(address)
        if transaction is None or transaction.kind is not TransactionKind.REQUEST:
            return None
        # Some firmware sends a NACK after the object it belongs to; it must not hit the next one.
        self._answered[address] = now + self._timeout_s
        return self._finish(transaction, TransactionOutcome.DONE, now)

    def on_ack(self, address: Address, now: float) -> Transaction | None:
        """The other side accepted a write."""
        transaction = self._open.get(address)
        if transaction is None or transaction.kind is not TransactionKind.WRITE:
            return None
        return self._finish(transaction, TransactionOutcome.DONE, now)

    def on_nack(self, address: Address, now: float) -> Transaction | None:
        """The other side refused. Late NACKs, after the object itself, undo nothing."""
        if self._answered.pop(address, 0.0) > now:
            return None
        transaction = self._open.get(address)
        if transaction is None:
            return None
        self.failures += 1
        return self._finish(transaction, TransactionOutcome.REFUSED, now)

    def open_instance(self, object_id: int) -> int | None:
        """The lowest instance of an object with an open transaction.

        Some dialects send NACKs that name no instance.
        """
        instances = [instance for known, instance in self._open if known == object_id]
        return min(instances) if instances else None

    def tick(self, now: float) -> list[Transaction]:
        """Repeat what was not answered in time; return what is given up."""
        if not self._open:
            return []
        finished = []
        for transaction in [t for t in self._open.values() if t.deadline <= now]:
            self._patience.on_timeout()
            if transaction.attempts < self._attempts:
                self.retries += 1
                self._send(transaction, now)
            else:
                self.failures += 1
                finished.append(self._finish(transaction, TransactionOutcome.SILENT, now))
        return finished

    def cancel(self) -> list[Transaction]:
        """End everything, sent or waiting."""
        ended = list(self._open.values())
        for queue in self._waiting.values():
            ended.extend(queue)
        for transaction in ended:
            transaction.outcome = TransactionOutcome.CANCELLED
        self._open.clear()
        self._waiting.clear()
        return ended

    def next_deadline(self) -> float | None:
        """When `tick` has something to do."""
        if not self._open:
            return None
        return min(t.deadline for t in self._open.values())

    def _send(self, transaction: Transaction, now: float) -> None:
        # Requests back off: a slow radio that is busy streaming answers late, not never.
        growth = 2**transaction.attempts if transaction.kind is TransactionKind.REQUEST else 1
        if not transaction.attempts:
            transaction.patience = self._patience.wait_s
        transaction.attempts += 1
        transaction.sent = now
        transaction.deadline = now + transaction.patience * growth
        self._transmit(transaction)

    def _finish(
        self, transaction: Transaction, outcome: TransactionOutcome, now: float
    ) -> Transaction:
        transaction.outcome = outcome
        if transaction.attempts == 1 and outcome is not TransactionOutcome.SILENT:
            self._patience.on_answer(now - transaction.sent)
        address = transaction.address
        del self._open[address]
        queue = self._waiting.get(address)
        if queue:
            successor = queue.popleft()
            if not queue:
                del self._waiting[address]
            self._open[address] = successor
            self._send(successor, now)
        return transaction
