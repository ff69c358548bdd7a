"""Command runner in the worker's thread: payloads, transactions, tickets."""

from collections.abc import Sequence

import numpy as np

from telemetry.protocol.objects.catalogue import Catalogue, UnknownObjectError
from telemetry.protocol.objects.definition import ObjectDefinition
from telemetry.protocol.objects.metadata import metaobject
from telemetry.protocol.objects.setting_limits import row_complaints
from telemetry.protocol.objects.values import pack_values, row_of
from telemetry.protocol.session.events import PersistenceFinished, TransactionFinished
from telemetry.protocol.session.session import Session
from telemetry.protocol.session.transactions import Transaction, TransactionKind, TransactionOutcome
from telemetry.recording.recording import Recording
from telemetry.vehicle import outcomes
from telemetry.vehicle.commands import (
    ChangeMetadata,
    Command,
    Persist,
    Request,
    RestoreMetadata,
    SetMetadata,
    Ticket,
    Write,
)
from telemetry.vehicle.metadata_changes import MetadataChanges
from telemetry.vehicle.sticks import Sticks, channels_us

_META_SUFFIX = "Meta"
_RECEIVER = "GCSReceiver"
_OUTPUTS = "ActuatorCommand"


class CommandRunner:
    """Carries out commands over one session. Everything ends in its ticket."""

    def __init__(
        self,
        session: Session,
        catalogue: Catalogue,
        recording: Recording,
        metadata: MetadataChanges,
    ) -> None:
        self._session = session
        self._catalogue = catalogue
        self._recording = recording
        self._metadata = metadata
        self._tickets: dict[object, Ticket] = {}

    def run(self, command: Command, ticket: Ticket) -> None:
        """Begin what a command asks for; its outcome comes with `finish`."""
        try:
            self._begin(command, ticket)
        except ValueError as error:  # a name or value that this aircraft does not have
            ticket.finish("failed", f"Not sent: {error}.")

    def _begin(self, command: Command, ticket: Ticket) -> None:
        session = self._session
        match command:
            case Write(name, values, instance, is_meant):
                definition = self._definition(name)
                row = self._base_row(definition, instance)
                payload = pack_values(definition, values, row)
                if not is_meant:
                    _check_limits(definition, row, payload)
                self._tickets[session.write(definition, instance, payload)] = ticket
            case Request(name, instance):
                self._tickets[session.request(self._definition(name), instance)] = ticket
            case Persist(operation, name, instance):
                erased = None if operation == "FullErase" else self._definition(name)
                self._tickets[session.persist(operation, erased, instance)] = ticket
            case SetMetadata(name, metadata):
                definition = self._definition(name + _META_SUFFIX)
                payload = metadata.pack(definition.size)
                self._tickets[session.write(definition, 0, payload)] = ticket
            case ChangeMetadata(change):
                self._metadata.begin(change)
                ticket.finish("done", change.text)
            case RestoreMetadata(change):
                self._metadata.restore(change)
                ticket.finish("done", change.text)

    def stream_sticks(self, sticks: Sticks) -> None:
        """Send one reading of the sticks, unacknowledged.

        Over a link that was opened anew and has not answered yet, the aircraft is taken for the one
        that was flown before: an emergency stop does not wait.
        """
        receiver = self._session.definition_named(_RECEIVER)  # may change with the firmware
        if receiver is None:
            known = self._recording.track(_RECEIVER)
            if known is None:
                return
            receiver = known.definition
        row = receiver.default_row()
        row["Channel"] = channels_us(sticks, self._mode_positions(), len(row["Channel"]))
        self._session.stream(receiver, 0, row.tobytes())

    def stream_object(self, write: Write) -> None:
        """Send what is to be written once, unacknowledged: the next one follows soon."""
        definition = self._session.definition_named(write.name)
        if definition is None:
            return
        row = self._base_row(definition, write.instance)
        self._session.stream(definition, write.instance, pack_values(definition, write.values, row))

    def prepare_sticks(self) -> None:
        """Have looked up what sticks are sent as, before somebody flies."""
        self._session.definition_named(_RECEIVER)

    def stream_outputs(self, pulses: Sequence[int]) -> None:
        """Send the outputs' pulses, unacknowledged: the next ones follow soon."""
        outputs = self._session.definition_named(_OUTPUTS)
        if outputs is None:
            return
        count = outputs.field_named("Channel").elements
        payload = pack_values(outputs, {"Channel": tuple(pulses[:count])})
        self._session.stream(outputs, 0, payload)

    def finish(self, event: TransactionFinished | PersistenceFinished) -> None:
        """Put an outcome into the ticket that waits for it."""
        if isinstance(event, TransactionFinished):
            ticket, answer = self._tickets.pop(event.transaction, None), event.transaction.outcome
            state, text = _outcome_of(event.transaction)
            if ticket is not None:
                self._keep_metadata(event.transaction)
        else:
            ticket, answer = self._tickets.pop(event.job, None), event.job.outcome
            job = event.job
            name = _named(job.definition, job.instance) if job.definition else "everything"
            state, text = outcomes.persisted(job.operation, name, job.outcome)
        if ticket is not None:
            ticket.finish(state, text, answer)

    def _keep_metadata(self, done: Transaction) -> None:
        """What somebody has written of metadata is meant to last."""
        is_write = done.kind is TransactionKind.WRITE and done.definition.meta_of is not None
        if is_write and done.outcome is TransactionOutcome.DONE:
            self._metadata.keep(done.definition, done.payload)

    def cancel(self) -> None:
        """The session is over: fail what still waits."""
        for ticket in self._tickets.values():
            ticket.finish("failed", outcomes.LINK_ENDED, TransactionOutcome.CANCELLED)
        self._tickets.clear()
        self._metadata.end()

    def _base_row(self, definition: ObjectDefinition, instance: int) -> np.void | None:
        """What will be on board when a new write arrives: the last write still on its way, which
        would else be taken back by the next one, or the last row known."""
        track = self._recording.track(definition.object_id, instance)
        base = track.sample(track.count - 1).row if track is not None and track.count else None
        for job in self._tickets:
            if not isinstance(job, Transaction) or job.kind is not TransactionKind.WRITE:
                continue
            if job.address == (definition.object_id, instance):
                base = row_of(definition, job.payload)
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
            names = track.definition.dtype.names if track is not None else None
            if track is not None and names is not None and "FlightModeNumber" in names:
                return max(1, int(track.sample(track.count - 1).raw("FlightModeNumber")))
        return 3


def _check_limits(definition: ObjectDefinition, before: np.void | None, payload: bytes) -> None:
    """Raise ValueError, with a remedy, for settings beyond their limits that nobody meant."""
    present = definition.default_row() if before is None else before
    found = row_complaints(definition, present, row_of(definition, payload))
    if found:
        raise ValueError(f"{'; '.join(found)}. Choose another value, or say is_meant")


def _outcome_of(transaction: Transaction) -> outcomes.Text:
    name, outcome = _named(transaction.definition, transaction.instance), transaction.outcome
    if transaction.kind is TransactionKind.WRITE:
        return outcomes.written(name, outcome)
    return outcomes.requested(name, outcome)


def _named(definition: ObjectDefinition, instance: int) -> str:
    return definition.name if definition.single_instance else f"{definition.name}[{instance}]"
