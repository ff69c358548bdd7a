"""Exchange with a board: an object written and another asked for at once, waited for.

For a job or a command, not for the window's thread. Nothing waits without an end: what gets no
answer is asked again some times, and a link that is gone for long ends it.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Event
from typing import Final

from telemetry.base.clock import monotonic_s
from telemetry.configuration.board_logs.errors import (
    BoardLogError,
    BoardLogStopped,
    BoardSilentError,
    EraseNotKnownError,
)
from telemetry.configuration.settings.aircraft import Aircraft
from telemetry.protocol.objects.firmware_description import OBJECT_NAME as IDENTITY
from telemetry.protocol.session.transactions import TransactionOutcome
from telemetry.recording.sample import Sample
from telemetry.vehicle.commands import Command, Request, Ticket, Write
from telemetry.vehicle.vehicle import LinkState, Vehicle

_LOOK_S: Final = 0.001
"""An entry takes 15 ms over USB and 50 over a radio: looking takes a few per cent of that."""
LINK_BACK_S: Final = 30.0
_ROUNDS: Final = 5
_UNANSWERED: Final = (TransactionOutcome.SILENT, TransactionOutcome.CANCELLED)
_RETRY_S: Final = 0.2
"""What took longer was sent again: no answer is waited for less than 250 ms."""
_LEAST_LAG_S, _MOST_LAG_S = 0.005, 0.25
_LAG_GROWS, _LAG_SHRINKS = 1.3, 0.99


class BoardExchange:
    """Talks with the board of one vehicle. `was_cut` counts how often the link was gone."""

    def __init__(
        self,
        vehicle: Vehicle,
        clock: Callable[[], float] = monotonic_s,
        pause: Callable[[float], object] | None = None,
    ) -> None:
        """`pause` waits some seconds; a test steps its board instead."""
        self.aircraft = Aircraft(vehicle)
        self.catalogue = vehicle.catalogue
        self.clock = clock
        self.was_cut = 0
        self._vehicle = vehicle
        self._lag_s = 0.0
        self._was_repeated = False
        self._stop = Event()
        self._pause = pause or self._stop.wait

    def stop(self) -> None:
        """End what is going on, from any thread, by BoardLogStopped."""
        self._stop.set()

    def ask(self, *names: str) -> tuple[Sample | None, ...]:
        """The present values of some objects; None for one that the board has not got.

        Raises BoardSilentError.
        """
        tickets = self._carry_out([Request(name) for name in names])
        for name, ticket in zip(names, tickets, strict=True):
            _check_answered(name, ticket)
        done = TransactionOutcome.DONE
        pairs = zip(names, tickets, strict=True)
        return tuple(self.aircraft.sample(n) if t.answer is done else None for n, t in pairs)

    def present(self, name: str) -> Sample:
        """The present value of an object without which there is no log. Raises BoardLogError."""
        (sample,) = self.ask(name)
        if sample is None:
            raise BoardLogError(
                f"This board keeps no log of its own: it has no {name}. Where its firmware has a "
                "module Logging, switch that on."
            )
        return sample

    def write_and_ask(self, write: Write, name: str) -> Sample:
        """Write, and ask for `name` without waiting for the acknowledgement: one turn of the link.
        The answer may still be that from before the writing took effect; `was_early` then has the
        next question wait a little longer.

        Raises BoardLogError where the board refuses, BoardSilentError.
        """
        began_s = self.clock()
        tickets = self._carry_out([write, Request(name)], self._lag_s)
        for what, ticket in zip((write.name, name), tickets, strict=True):
            _check_answered(what, ticket)
            if ticket.answer is TransactionOutcome.REFUSED:
                raise BoardLogError(f"The board refuses {what}: it keeps no log of its own.")
            if ticket.answer is not TransactionOutcome.DONE:
                raise BoardLogError(ticket.text)
        self._was_repeated = self.clock() - began_s > _RETRY_S + self._lag_s
        sample = self.aircraft.sample(name)
        assert sample is not None
        return sample

    def was_early(self, *, is_so: bool) -> None:
        """Whether the last question came before the board had done what was written. Where frames
        were lost that says nothing of how long the board takes."""
        if not is_so:
            self._lag_s *= _LAG_SHRINKS
        elif not self._was_repeated:
            self._lag_s = min(max(self._lag_s * _LAG_GROWS, _LEAST_LAG_S), _MOST_LAG_S)

    def write(self, write: Write) -> None:
        """Write, whatever becomes of it. Raises BoardLogError."""
        self._once([write])

    @contextmanager
    def erasing(self) -> Iterator[None]:
        """Within it the board is told to erase, and is asked whether it has: whatever ends that
        leaves it unknown. Raises EraseNotKnownError."""
        try:
            yield
        except BoardLogError as error:
            raise EraseNotKnownError(
                f"{error} It was told to erase its log: whether it has is not known. Restart it, "
                "and look again."
            ) from error

    def wait(self, seconds: float) -> None:
        """Let time pass. Raises BoardLogStopped."""
        until_s = self.clock() + seconds
        while self.clock() < until_s:
            self._look(min(_LOOK_S * 10, until_s - self.clock()))

    def _carry_out(self, commands: Sequence[Command], lag_s: float = 0.0) -> list[Ticket]:
        """Their tickets, after some rounds where there is no answer."""
        tickets = self._once(commands, lag_s)
        for _ in range(_ROUNDS):
            missing = [i for i, ticket in enumerate(tickets) if ticket.answer in _UNANSWERED]
            if not missing:
                break
            for i, ticket in zip(missing, self._once([commands[i] for i in missing]), strict=True):
                tickets[i] = ticket
        return tickets

    def _once(self, commands: Sequence[Command], lag_s: float = 0.0) -> list[Ticket]:
        self._wait_for_link()
        tickets: list[Ticket] = []
        for command in commands:
            if tickets and lag_s > _LEAST_LAG_S / 2:
                self.wait(lag_s)
            tickets.append(self._vehicle.commands.post(command))
        while not all(ticket.is_finished for ticket in tickets):
            self._look(_LOOK_S)
        if any(ticket.answer is TransactionOutcome.CANCELLED for ticket in tickets):
            self.was_cut += 1
        return tickets

    def _wait_for_link(self) -> None:
        """Where the link was gone meanwhile another board may answer now."""
        refusal = self._vehicle.commands.refusal()
        if refusal is None:
            return
        self.was_cut += 1
        serial, until_s = self.aircraft.serial, self.clock() + LINK_BACK_S
        while (refusal := self._vehicle.commands.refusal()) is not None:
            has_ended = self._vehicle.status.state is LinkState.DISCONNECTED
            if has_ended or self.clock() > until_s:
                raise BoardLogError(f"{refusal} What was fetched is kept; connect and go on.")
            self._look(_LOOK_S * 10)
        self.ask(IDENTITY)
        if serial and self.aircraft.serial != serial:
            raise BoardLogError("Another board answers now. Connect the one that was being read.")

    def _look(self, seconds: float) -> None:
        if self._stop.is_set():
            raise BoardLogStopped("Stopped. What was fetched is kept.")
        self._pause(seconds)


def _check_answered(name: str, ticket: Ticket) -> None:
    if ticket.answer in _UNANSWERED:
        raise BoardSilentError(f"The board does not answer for {name}. Try again.")
