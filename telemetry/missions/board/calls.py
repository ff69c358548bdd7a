"""Board calls: many requests and writes, a few under way at once, each until its outcome."""

from collections.abc import Sequence
from typing import Final

from telemetry.protocol.session.transactions import TransactionOutcome
from telemetry.vehicle.commands import Command, Commands, Ticket

_WINDOW: Final = 16
_ROUNDS: Final = 4


class BoardCalls:
    """`poll` until it is True. What gets no answer is asked again some times. Where the link goes
    meanwhile they wait for it, or with `ends_when_cut` they end, CANCELLED: who answers afterwards
    may be another board. `outcomes` has one for each command in the end."""

    def __init__(
        self, commands: Commands, wanted: Sequence[Command], *, ends_when_cut: bool = False
    ) -> None:
        self._commands = commands
        self._ends_when_cut = ends_when_cut
        self._wanted = tuple(wanted)
        self._waiting = list(range(len(self._wanted)))
        self._rounds = [0] * len(self._wanted)
        self._running: list[tuple[int, Ticket]] = []
        self.outcomes = [TransactionOutcome.OPEN] * len(self._wanted)
        self.texts = [""] * len(self._wanted)
        self.was_cut = False

    @property
    def done(self) -> int:
        """How many have their outcome."""
        return len(self._wanted) - len(self._waiting) - len(self._running)

    def poll(self) -> bool:
        """Take the answers that have come and ask the next; whether all have one."""
        running, self._running = self._running, []
        for index, ticket in running:
            if not ticket.is_finished:
                self._running.append((index, ticket))
            else:
                self._take(index, ticket)
        if self.was_cut and self._ends_when_cut:
            self._end()
        elif self._commands.refusal() is None:
            while self._waiting and len(self._running) < _WINDOW:
                index = self._waiting.pop(0)
                self._running.append((index, self._commands.post(self._wanted[index])))
        elif self._waiting or self._running:
            self.was_cut = True
        return not self._waiting and not self._running

    def _end(self) -> None:
        for index in self._waiting:
            self.outcomes[index] = TransactionOutcome.CANCELLED
        self._waiting.clear()

    def _take(self, index: int, ticket: Ticket) -> None:
        answer = ticket.answer
        self.texts[index] = ticket.text
        if answer is TransactionOutcome.CANCELLED:
            self.was_cut = True
            self._waiting.insert(0, index)
        elif answer is TransactionOutcome.SILENT and self._rounds[index] < _ROUNDS:
            self._rounds[index] += 1
            self._waiting.append(index)
        else:
            self.outcomes[index] = answer
