"""Live commands of a vehicle with a link: they wait in the worker's queue, sticks beside it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from queue import Empty, SimpleQueue

from telemetry.vehicle.commands import (
    RESTART_S,
    Command,
    Commands,
    Persist,
    RestoreMetadata,
    Ticket,
    Write,
    refuse,
)
from telemetry.vehicle.output_drive import DRIVE_FRESH_S, OutputDrive
from telemetry.vehicle.sticks import STICKS_FRESH_S, Sticks


class LiveCommands(Commands):
    """Commands of a vehicle with a link. `why_not` tells what stands against sending now."""

    def __init__(self, why_not: Callable[[], str | None], clock: Callable[[], float]) -> None:
        self._why_not = why_not
        self._clock = clock
        self._posted: SimpleQueue[tuple[Command, Ticket]] = SimpleQueue()
        self._sticks: tuple[Sticks, float] | None = None
        self.beside: Write | None = None
        """See `Commands.set_beside`."""
        self.why_no_sticks = ""
        """Why the stream of sticks ended, where somebody said so."""
        self._waiting_since_s: float | None = None
        self._drive: tuple[OutputDrive, float] | None = None
        self._restart_asked_s: float | None = None
        self._protected: Mapping[str, str] = {}
        self._farewell: tuple[tuple[Write, ...], Callable[[], bool]] = ((), lambda: False)

    def refusal(self) -> str | None:
        """See `Commands.refusal`."""
        return self._why_not()

    def post(self, command: Command) -> Ticket:
        """See `Commands.post`."""
        ticket = Ticket()
        reason = self._why_not() or self._why_not_saved(command)
        if reason is None or isinstance(command, RestoreMetadata):
            self._posted.put((command, ticket))
        else:
            refuse(command, ticket, reason)
        return ticket

    def protect(self, names: Mapping[str, str]) -> None:
        """See `Commands.protect`."""
        self._protected = dict(names)

    def set_farewell(self, writes: Sequence[Write], is_due: Callable[[], bool]) -> None:
        """See `Commands.set_farewell`."""
        self._farewell = (tuple(writes), is_due)

    def expect_restart(self) -> None:
        """See `Commands.expect_restart`."""
        self._restart_asked_s = self._clock()

    def set_sticks(self, sticks: Sticks | None) -> None:
        """See `Commands.set_sticks`."""
        self.why_no_sticks = ""
        self._sticks = (sticks, self._clock()) if sticks is not None else None

    def set_beside(self, write: Write | None) -> None:
        """See `Commands.set_beside`."""
        self.beside = write

    def stop_sticks(self, why: str) -> None:
        """See `Commands.stop_sticks`."""
        self.why_no_sticks = why
        self._sticks = self.beside = None

    def drive_outputs(self, drive: OutputDrive | None) -> None:
        """See `Commands.drive_outputs`."""
        self._drive = (drive, self._clock()) if drive is not None else None

    @property
    def sticks_wait_s(self) -> float:
        """See `Commands.sticks_wait_s`."""
        since_s = self._waiting_since_s
        return 0.0 if since_s is None else self._clock() - since_s

    # For the worker

    def note_waiting_sticks(self, now: float, *, wait: bool) -> None:
        """Whether sticks that were handed over do not go out."""
        if not wait:
            self._waiting_since_s = None
        elif self._waiting_since_s is None:
            self._waiting_since_s = now

    def take_posted(self) -> Iterator[tuple[Command, Ticket]]:
        """Take what waits in the queue, the oldest first."""
        while True:
            try:
                yield self._posted.get_nowait()
            except Empty:
                return

    def farewell(self) -> tuple[Write, ...]:
        """What is to be written before leaving, as it is now."""
        writes, is_due = self._farewell
        return writes if writes and is_due() else ()

    def refuse_all(self, reason: str) -> None:
        """Fail every command that still waits."""
        for command, ticket in self.take_posted():
            refuse(command, ticket, reason)

    def is_restart_awaited(self, now: float) -> bool:
        """Whether the board was asked to restart, is not back yet and may still take its time."""
        asked_s = self._restart_asked_s
        return asked_s is not None and now - asked_s < RESTART_S

    def end_restart(self) -> None:
        """The board is back."""
        self._restart_asked_s = None

    def fresh_sticks(self, now: float) -> tuple[Sticks, float] | None:
        """The last reading and when it was handed over, if it is fresh enough to fly on."""
        latest = self._sticks
        return latest if latest is not None and now - latest[1] < STICKS_FRESH_S else None

    def _why_not_saved(self, command: Command) -> str | None:
        if isinstance(command, Persist) and command.operation == "Save":
            return self._protected.get(command.name)
        return None

    def fresh_drive(self, now: float) -> OutputDrive | None:
        """Where the outputs shall be, if somebody has said so lately."""
        latest = self._drive
        return latest[0] if latest is not None and now - latest[1] < DRIVE_FRESH_S else None
