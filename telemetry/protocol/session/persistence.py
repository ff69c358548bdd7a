"""Persistence on board: ObjectPersistence operations, one by one, each to its outcome.

A job is acknowledged at once, carried out by the board, and reported back as Completed or Error;
the board says nothing more for an object it does not have. After a Save the object is read back
and compared with what was meant to be saved; after Load and Delete it is read to be shown.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from telemetry.protocol.objects.definition import ObjectDefinition
from telemetry.protocol.objects.values import pack_values, read_value, row_of
from telemetry.protocol.session.transactions import (
    Address,
    Transaction,
    TransactionKind,
    TransactionOutcome,
)

OBJECT_NAME = "ObjectPersistence"

_ERASING_TAKES = 15
"""So many times as long as a job on one object: a flash is erased sector by sector."""


@dataclass(eq=False, slots=True)
class PersistenceJob:
    """One operation: "Save", "Load", "Delete" of an object instance, or "FullErase"."""

    operation: str
    definition: ObjectDefinition | None = None
    instance: int = 0
    outcome: TransactionOutcome = TransactionOutcome.OPEN


class _Stage(Enum):
    SENDING = "sending"
    WORKING = "working"
    READING = "reading"


class PersistenceConversation(Protocol):
    """What a job needs of the session."""

    def begin(self, transaction: Transaction, now: float) -> None:
        """Start a write or request."""

    def settle(self, address: Address, now: float) -> None:
        """Take an open write as acknowledged."""

    def latest(self, address: Address) -> bytes | None:
        """The values last known to be on board."""


class Persistence:
    """The queue of jobs; the first is under way."""

    def __init__(
        self,
        conversation: PersistenceConversation,
        timeout_s: float,
        on_finished: Callable[[PersistenceJob], None],
    ) -> None:
        self._conversation = conversation
        self._timeout_s = timeout_s
        self._on_finished = on_finished
        self._jobs: deque[tuple[PersistenceJob, ObjectDefinition]] = deque()
        self._stage = _Stage.SENDING
        self._transaction: Transaction | None = None
        self._expected: bytes | None = None
        self.deadline: float | None = None
        """When `tick` has something to do."""

    def begin(self, job: PersistenceJob, carrier: ObjectDefinition, now: float) -> None:
        """Queue a job. `carrier` is this aircraft's version of ObjectPersistence.

        Raises ValueError for an operation that this version does not know.
        """
        if job.operation not in carrier.field_named("Operation").options:
            raise ValueError(f"this firmware does not know the operation '{job.operation}'")
        self._jobs.append((job, carrier))
        if len(self._jobs) == 1:
            self._send(now)

    def on_transaction(self, transaction: Transaction, now: float) -> bool:
        """Take the outcome of a transaction; False if it is not one of ours."""
        if transaction is not self._transaction or not self._jobs:
            return False
        if transaction.outcome is not TransactionOutcome.DONE:
            self._finish(transaction.outcome, now)
        elif self._stage is _Stage.SENDING:
            self._stage = _Stage.WORKING
            is_long = self._jobs[0][0].operation == "FullErase"
            self.deadline = now + self._timeout_s * (_ERASING_TAKES if is_long else 1)
        elif self._stage is _Stage.READING:
            self._finish(self._compared(), now)
        return True

    def on_report(self, definition: ObjectDefinition, payload: bytes, now: float) -> None:
        """The board sent ObjectPersistence: perhaps the outcome of the job under way."""
        if not self._jobs or self._stage is _Stage.READING:
            return
        job, carrier = self._jobs[0]
        row = row_of(definition, payload)
        operation = read_value(definition, row, "Operation")
        target = job.definition.object_id if job.definition else 0
        if operation not in ("Completed", "Error") or int(row["ObjectID"]) != target:
            return
        # The report says that the job was received, even if its ACK got lost.
        self._conversation.settle((carrier.object_id, 0), now)
        if operation == "Error":
            self._finish(TransactionOutcome.FAILED, now)
        elif job.definition is None:
            self._finish(TransactionOutcome.DONE, now)
        else:
            self._read_back(job.definition, job.instance, now)

    def tick(self, now: float) -> None:
        """Give up a job that the board does not report on."""
        if self.deadline is not None and self.deadline <= now:
            self._finish(TransactionOutcome.SILENT, now)

    def cancel(self) -> None:
        """End all jobs without result."""
        for job, _ in self._jobs:
            job.outcome = TransactionOutcome.CANCELLED
            self._on_finished(job)
        self._jobs.clear()
        self._transaction = None
        self.deadline = None

    def _send(self, now: float) -> None:
        job, carrier = self._jobs[0]
        values: dict[str, int | str] = {"Operation": job.operation, "InstanceID": job.instance}
        if job.definition is not None:
            values["ObjectID"] = job.definition.object_id
        self._stage = _Stage.SENDING
        payload = pack_values(carrier, values)
        self._transaction = Transaction(TransactionKind.WRITE, carrier, 0, payload)
        self._conversation.begin(self._transaction, now)

    def _read_back(self, definition: ObjectDefinition, instance: int, now: float) -> None:
        self._expected = self._conversation.latest((definition.object_id, instance))
        self._stage = _Stage.READING
        self.deadline = None
        self._transaction = Transaction(TransactionKind.REQUEST, definition, instance)
        self._conversation.begin(self._transaction, now)

    def _compared(self) -> TransactionOutcome:
        job, _ = self._jobs[0]
        if job.operation != "Save" or job.definition is None or self._expected is None:
            return TransactionOutcome.DONE
        now_on_board = self._conversation.latest((job.definition.object_id, job.instance))
        return (
            TransactionOutcome.DONE
            if now_on_board == self._expected
            else TransactionOutcome.DIFFERENT
        )

    def _finish(self, outcome: TransactionOutcome, now: float) -> None:
        job, _ = self._jobs.popleft()
        job.outcome = outcome
        self._transaction = None
        self.deadline = None
        self._on_finished(job)
        if self._jobs:
            self._send(now)
