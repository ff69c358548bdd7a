"""Vehicle commands: what can be asked of an aircraft, posted by `Commands.post`.

A new command is a class here and a case in `command_runner.py`.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from telemetry.protocol.objects.metadata import Metadata
from telemetry.protocol.session.transactions import TransactionOutcome
from telemetry.vehicle.metadata_change import MetadataChange, MetadataEdit
from telemetry.vehicle.output_drive import OutputDrive
from telemetry.vehicle.sticks import Sticks

Operation = Literal["Save", "Load", "Delete", "FullErase"]
RESTART_S: Final = 60.0
"""So long a board that was asked to restart may be silent."""


@dataclass(frozen=True, slots=True)
class Write:
    """Write an object, acknowledged: `values` over the latest known row or the defaults.

    Keys are fields ("Roll"), or single elements ("Channel.3", "Alarm.GPS"). A setting beyond its
    limits (`setting_limits.py`) is not sent, unless somebody has said that it `is_meant`.
    """

    name: str
    values: Mapping[str, Any]
    instance: int = 0
    is_meant: bool = False


@dataclass(frozen=True, slots=True)
class Request:
    """Ask the board for an object's present values."""

    name: str
    instance: int = 0


@dataclass(frozen=True, slots=True)
class Persist:
    """Save to, load from or erase from the board's flash. Save is verified by reading back.

    "FullErase" ignores `name`.
    """

    operation: Operation
    name: str
    instance: int = 0


@dataclass(frozen=True, slots=True)
class SetMetadata:
    """Change for good how an object is sent and logged."""

    name: str
    metadata: Metadata


@dataclass(frozen=True, slots=True)
class ChangeMetadata:
    """Change temporarily how an object is sent; `change` says how it goes."""

    change: MetadataChange


@dataclass(frozen=True, slots=True)
class RestoreMetadata:
    """End a temporary change. It is never refused: while the link is lost, it waits."""

    change: MetadataChange


Command = Write | Request | Persist | SetMetadata | ChangeMetadata | RestoreMetadata


class Ticket:
    """The outcome of a command, to be looked at until it is finished.

    Written once by the worker, read by anyone. `text` is a sentence for the user.
    """

    def __init__(self, text: str = "Waiting for the board.") -> None:
        self._outcome: tuple[Literal["waiting", "done", "failed"], str] = ("waiting", text)
        self.answer = TransactionOutcome.OPEN
        """What the board answered. FAILED if it was not even asked; CANCELLED if the link was
        not there, so that it can be asked again when it is back."""

    @property
    def state(self) -> Literal["waiting", "done", "failed"]:
        """Whether the command still runs, was carried out, or failed."""
        return self._outcome[0]

    @property
    def text(self) -> str:
        """What happened, what it means, what to do."""
        return self._outcome[1]

    @property
    def is_finished(self) -> bool:
        """Whether the outcome is final."""
        return self._outcome[0] != "waiting"

    def finish(
        self, state: Literal["done", "failed"], text: str, answer: TransactionOutcome | None = None
    ) -> None:
        """Set the final outcome. Only the first call counts. Without `answer`, it is DONE or
        FAILED as `state` says."""
        if not self.is_finished:
            self.answer = answer or (
                TransactionOutcome.DONE if state == "done" else TransactionOutcome.FAILED
            )
            self._outcome = (state, text)


class Commands(ABC):
    """The door to an aircraft. Nothing blocks; every outcome is in the ticket."""

    @abstractmethod
    def refusal(self) -> str | None:
        """Why nothing can be sent now, as a sentence, or None when commands are possible."""

    @abstractmethod
    def post(self, command: Command) -> Ticket:
        """Have a command carried out."""

    def send(
        self,
        name: str,
        values: Mapping[str, Any],
        instance: int = 0,
        *,
        is_meant: bool = False,
    ) -> Ticket:
        """See `Write`."""
        return self.post(Write(name, dict(values), instance, is_meant))

    def request(self, name: str, instance: int = 0) -> Ticket:
        """See `Request`."""
        return self.post(Request(name, instance))

    def persist(self, operation: Operation, name: str, instance: int = 0) -> Ticket:
        """See `Persist`."""
        return self.post(Persist(operation, name, instance))

    def set_metadata(self, name: str, metadata: Metadata) -> Ticket:
        """See `SetMetadata`."""
        return self.post(SetMetadata(name, metadata))

    def change_metadata(self, name: str, edit: MetadataEdit) -> MetadataChange:
        """Change how an object is sent for a while; what it was is kept on disk first.

        It is restored with the last `MetadataChange.restore` of the object, at disconnection, and
        after a crash or a lost link at the next connection to the same board.
        """
        change = MetadataChange(name, edit, lambda change: self.post(RestoreMetadata(change)))
        self.post(ChangeMetadata(change))
        return change

    def protect(self, names: Mapping[str, str]) -> None:  # noqa: B027 - nothing to protect
        """Refuse to save these objects on board, each with its reason; replaces the former ones."""

    def set_farewell(self, writes: Sequence[Write], is_due: Callable[[], bool]) -> None:  # noqa: B027
        """Write these when the station leaves the board, if `is_due` says so then, in the worker's
        thread; replaces the former ones."""

    # Streams are no commands: of these only the latest counts, and only while it is fresh. Who
    # cannot be commanded ignores them.

    def expect_restart(self) -> None:  # noqa: B027 - nothing to expect
        """The board was just asked to restart: its silence is no lost link for `RESTART_S`."""

    def set_sticks(self, sticks: Sticks | None) -> None:  # noqa: B027 - ignored by default
        """Fly: the worker streams these while they are fresh (younger than 100 ms).

        Call at 20 Hz or more; None stops the stream at once.
        """

    def set_beside(self, write: Write | None) -> None:  # noqa: B027 - as above
        """What goes out beside the sticks while those do, unacknowledged: at once where it is
        another one than before, and four times a second; None: nothing."""

    @property
    def sticks_wait_s(self) -> float:
        """For how long the link has taken none of the sticks that are handed over; 0 while it takes
        them, and where none are."""
        return 0.0

    def stop_sticks(self, why: str) -> None:
        """End the stream of sticks; `why`, a sentence, is told in the flight if it was armed."""
        self.set_sticks(None)

    def drive_outputs(self, drive: OutputDrive | None) -> None:  # noqa: B027 - as above
        """Move outputs: the worker streams ActuatorCommand while this is fresh (younger than
        250 ms), then tells the board to rest, several times over.

        Call at 20 Hz or more; None lets them rest at once. It only moves anything while the
        board leaves ActuatorCommand to stations; whoever drives sees to that.
        """


class RefusedCommands(Commands):
    """Commands of a vehicle that cannot be sent anything, ever, for one reason."""

    def __init__(self, reason: str) -> None:
        self._reason = reason

    def refusal(self) -> str | None:
        """The reason."""
        return self._reason

    def post(self, command: Command) -> Ticket:
        """Refused."""
        ticket = Ticket()
        refuse(command, ticket, self._reason, TransactionOutcome.FAILED)
        return ticket


def refuse(
    command: Command,
    ticket: Ticket,
    reason: str,
    answer: TransactionOutcome = TransactionOutcome.CANCELLED,
) -> None:
    """Fail a command that is not carried out, for the reason."""
    ticket.finish("failed", reason, answer)
    if isinstance(command, ChangeMetadata):
        command.change.end(reason)
