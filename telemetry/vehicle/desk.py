"""Commands in the worker's thread: builds payloads, starts transactions, finishes tickets."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from telemetry.objects.catalogue import Catalogue, UnknownObjectError
from telemetry.objects.definition import ObjectDefinition
from telemetry.objects.metadata import Metadata, metaobject
from telemetry.objects.values import pack_values, row_of
from telemetry.recording.recording import Recording
from telemetry.session.events import PersistenceFinished, TransactionFinished
from telemetry.session.session import Session
from telemetry.session.transactions import Transaction, TransactionKind, TransactionOutcome
from telemetry.vehicle import outcomes
from telemetry.vehicle.loan_desk import LoanDesk
from telemetry.vehicle.sticks import Sticks, channels_us
from telemetry.vehicle.vehicle import Operation, Ticket

_META_SUFFIX = "Meta"
_RECEIVER = "GCSReceiver"
_OUTPUTS = "ActuatorCommand"


class CommandDesk:
    """Carries out what panels ask for, over one session. Everything ends in its ticket."""

    def __init__(
        self, session: Session, catalogue: Catalogue, recording: Recording, loans: LoanDesk
    ) -> None:
        self.loans = loans
        """What panels borrow of the board's metadata."""
        self._session = session
        self._catalogue = catalogue
        self._recording = recording
        self._tickets: dict[object, Ticket] = {}

    def send(self, ticket: Ticket, name: str, values: Mapping[str, Any], instance: int) -> None:
        """Write `values` over the latest known row, acknowledged."""
        definition = self._definition(name)
        base = self._base_row(definition, instance)
        self._write(ticket, definition, instance, pack_values(definition, values, base))

    def set_metadata(self, ticket: Ticket, name: str, metadata: Metadata) -> None:
        """Write an object's metaobject."""
        definition = self._definition(name + _META_SUFFIX)
        self._write(ticket, definition, 0, metadata.pack(definition.size))

    def request(self, ticket: Ticket, name: str, instance: int) -> None:
        """Ask for present values."""
        transaction = self._session.request(self._definition(name), instance)
        self._tickets[transaction] = ticket

    def persist(self, ticket: Ticket, operation: Operation, name: str, instance: int) -> None:
        """Save, load or erase on board."""
        definition = None if operation == "FullErase" else self._definition(name)
        self._tickets[self._session.persist(operation, definition, instance)] = ticket

    def stream_sticks(self, sticks: Sticks) -> None:
        """Send one reading of the sticks, unacknowledged."""
        receiver = self._session.definition_named(_RECEIVER)  # may change with the firmware
        if receiver is None:
            return
        count = receiver.field_named("Channel").elements
        channels = channels_us(sticks, self._mode_positions(), count)
        payload = pack_values(receiver, {"Channel": channels})
        self._session.write(receiver, 0, payload, acked=False)

    def stream_outputs(self, pulses: Sequence[int]) -> None:
        """Send the outputs' pulses, unacknowledged: the next ones follow soon."""
        outputs = self._session.definition_named(_OUTPUTS)
        if outputs is None:
            return
        count = outputs.field_named("Channel").elements
        payload = pack_values(outputs, {"Channel": tuple(pulses[:count])})
        self._session.write(outputs, 0, payload, acked=False)

    def finish(self, event: TransactionFinished | PersistenceFinished) -> None:
        """Put an outcome into the ticket that waits for it."""
        if isinstance(event, TransactionFinished):
            ticket, answer = self._tickets.pop(event.transaction, None), event.transaction.outcome
            state, text = _outcome_of(event.transaction)
        else:
            ticket, answer = self._tickets.pop(event.job, None), event.job.outcome
            job = event.job
            name = _named(job.definition, job.instance) if job.definition else "everything"
            state, text = outcomes.persisted(job.operation, name, job.outcome)
        if ticket is not None:
            ticket.finish(state, text, answer)

    def cancel(self) -> None:
        """The session is over: fail what still waits."""
        for ticket in self._tickets.values():
            ticket.finish("failed", outcomes.LINK_ENDED, TransactionOutcome.CANCELLED)
        self._tickets.clear()
        self.loans.end()

    def _write(
        self, ticket: Ticket, definition: ObjectDefinition, instance: int, payload: bytes
    ) -> None:
        transaction = self._session.write(definition, instance, payload)
        if transaction is not None:
            self._tickets[transaction] = ticket

    def _base_row(self, definition: ObjectDefinition, instance: int) -> np.void | None:
        """What will be on board when a new write arrives: the last write still on its way, which
        would else be taken back by the next one, or the last row known."""
        track = self._recording.track(definition.object_id, instance)
        base = track.sample(track.count - 1).row if track is not None and track.count else None
        for order in self._tickets:
            if not isinstance(order, Transaction) or order.kind is not TransactionKind.WRITE:
                continue
            if order.address == (definition.object_id, instance):
                base = row_of(definition, order.payload)
        return base

    def _definition(self, name: str) -> ObjectDefinition:
        """This aircraft's version of an object or metaobject; UnknownObjectError if none."""
        found = self._session.definition_named(name)
        if found is not None:
            return found
        parent = self._session.definition_named(name.removesuffix(_META_SUFFIX))
        if parent is None or not name.endswith(_META_SUFFIX):
            raise UnknownObjectError(f"this aircraft has no object '{name}'")
        return metaobject(parent, self._session.status.dialect.metadata_bytes)

    def _mode_positions(self) -> int:
        """How many positions the flight mode switch has, from the aircraft's own settings."""
        for name in ("ManualControlSettings", "FlightModeSettings"):
            track = self._recording.track(name)
            if track is not None and track.definition.has_field("FlightModeNumber"):
                return max(1, int(track.sample(track.count - 1).raw("FlightModeNumber")))
        return 3


def _outcome_of(transaction: Transaction) -> outcomes.Text:
    name, outcome = _named(transaction.definition, transaction.instance), transaction.outcome
    if transaction.kind is TransactionKind.WRITE:
        return outcomes.written(name, outcome)
    return outcomes.requested(name, outcome)


def _named(definition: ObjectDefinition, instance: int) -> str:
    return definition.name if definition.single_instance else f"{definition.name}[{instance}]"
