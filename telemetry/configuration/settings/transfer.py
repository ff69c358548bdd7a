"""Settings transfer: edits written, read back and saved on board, each to its own outcome.

    transfer = Transfer(edits, aircraft, save=True)
    while not transfer.is_finished:
        transfer.poll()                     # from a tick or a loop; it never waits
    for item in transfer.items: item.edit.name, item.outcome, item.reason

A few objects are under way at once. What gets no answer is read and, if need be, sent again.
When the link drops the transfer waits; when it is back it reads what is on board and goes on, from
the beginning: the board may have restarted and forgotten what had been written and not saved.
"""

from collections.abc import Collection, Generator, Sequence
from dataclasses import dataclass
from enum import Enum

from telemetry.configuration.settings.aircraft import Aircraft
from telemetry.configuration.settings.difference import is_same
from telemetry.configuration.settings.edit import Edit
from telemetry.configuration.settings.snapshot import Address
from telemetry.protocol.session.transactions import TransactionOutcome
from telemetry.vehicle.commands import Ticket

_WINDOW = 4
_ROUNDS = 4
_DIFFERENT = (
    "{name} was taken by the board, but reading it back gives other values. "
    "Compare them and apply again."
)

_Steps = Generator[Ticket, None, None]


class EditOutcome(Enum):
    """What became of one object, as the word a report shows."""

    WAITING = "waiting"
    UNDER_WAY = "under way"
    WRITTEN = "written"
    UNCHANGED = "unchanged"
    REFUSED = "refused"
    NO_ANSWER = "no answer"
    NOT_ON_BOARD = "not on this board"
    READ_ONLY = "read-only"
    DIFFERENT = "different"
    NOT_SENT = "not sent"


_OPEN = (EditOutcome.WAITING, EditOutcome.UNDER_WAY)
_GOOD = (EditOutcome.WRITTEN, EditOutcome.UNCHANGED)


@dataclass(slots=True)
class Item:
    """One edit and how far it is. `reason` is a sentence where something went wrong."""

    edit: Edit
    outcome: EditOutcome = EditOutcome.WAITING
    reason: str = ""
    is_saved: bool = False
    was_sent: bool = False
    to_save: bool = False

    @property
    def is_open(self) -> bool:
        """Whether it has no outcome yet."""
        return self.outcome in _OPEN

    @property
    def is_on_board(self) -> bool:
        """Whether the board is known to hold the edit's values."""
        return self.outcome in _GOOD


class Transfer:
    """A list of edits carried to one aircraft. `version` rises with every step.

    `save` has all objects kept on board over a restart, or those at some addresses. An object is
    sent as a whole, so it is read before: what another station has set in it meanwhile stays.
    """

    def __init__(
        self,
        edits: Sequence[Edit],
        aircraft: Aircraft,
        *,
        save: bool | Collection[Address] = False,
    ) -> None:
        self.items = tuple(Item(edit, to_save=_is_among(edit, save)) for edit in edits)
        self.save = any(item.to_save for item in self.items) or save is True
        self.version = 0
        self._aircraft = aircraft
        self._waiting = list(self.items)
        self._running: list[tuple[Item, _Steps, Ticket]] = []
        self._is_cut = False
        self._was_cut = False
        self._serial = aircraft.serial
        self._is_other_board = False

    @property
    def is_finished(self) -> bool:
        """Whether every object has its outcome."""
        return not self._waiting and not self._running

    @property
    def is_interrupted(self) -> bool:
        """Whether it waits for the link to come back."""
        return not self.is_finished and self._aircraft.refusal() is not None

    @property
    def is_verified(self) -> bool:
        """Whether every object holds its values on board, read back, and saved if so wanted."""
        return self.is_finished and all(
            item.is_on_board and (item.is_saved or not item.to_save) for item in self.items
        )

    @property
    def done(self) -> int:
        """How many objects have their outcome."""
        return sum(not item.is_open for item in self.items)

    def poll(self) -> bool:
        """Take the answers that have come and ask the next questions; True when all is done."""
        running, self._running = self._running, []
        for item, steps, ticket in running:
            if not ticket.is_finished:
                self._running.append((item, steps, ticket))
            elif ticket.answer is TransactionOutcome.CANCELLED:
                self._set_back(item)
            else:
                self._advance(item, steps)
        if self._is_other_board:
            self.stop("another board answers now. Connect the one that was being changed.")
        if self._aircraft.refusal() is not None:
            self._is_cut = True
        elif self._waiting:
            if self._is_cut:
                self._look_again()
            self._start()
        return self.is_finished

    def stop(self, why: str) -> None:
        """Give up what has no outcome yet; what is on board stays there."""
        for item in self.items:
            if item.is_open:
                item.outcome, item.reason = EditOutcome.NOT_SENT, f"Not sent: {why}"
                if item.was_sent:
                    item.outcome = EditOutcome.NO_ANSWER
                    item.reason = f"It may be on board or not: {why}"
        self._waiting.clear()
        self._running.clear()
        self.version += 1

    def _start(self) -> None:
        while self._waiting and len(self._running) < _WINDOW:
            item = self._waiting.pop(0)
            item.outcome = EditOutcome.UNDER_WAY
            self._advance(item, self._steps(item))

    def _set_back(self, item: Item) -> None:
        """The link went: begin anew with this object when it is back."""
        self._is_cut = True
        item.outcome = EditOutcome.WAITING
        self._waiting.insert(0, item)
        self.version += 1

    def _look_again(self) -> None:
        """The link is back: what was written and not saved may be gone by now."""
        self._is_cut, self._was_cut = False, True
        for item in self.items:
            if item.is_on_board and not item.is_saved:
                item.outcome = EditOutcome.WAITING
                self._waiting.append(item)
        self.version += 1

    def _advance(self, item: Item, steps: _Steps) -> None:
        self.version += 1
        ticket = next(steps, None)
        if ticket is not None:
            self._running.append((item, steps, ticket))

    # One object from beginning to end. A generator, since the steps follow each other as on paper
    # and each waits for an answer: it yields the ticket it waits for, and `poll` resumes it.

    def _steps(self, item: Item) -> _Steps:
        edit, aircraft = item.edit, self._aircraft
        if self._was_cut:
            # Whoever answers now may be another board behind the same link: ask before sending.
            ticket = aircraft.ask_identity()
            yield ticket
            if ticket.answer is TransactionOutcome.SILENT:
                self._end_unread(item, ticket)
                return
        if self._serial not in ("", aircraft.serial):
            self._is_other_board = True
            return
        if self._was_cut or aircraft.sample(*edit.address) is None:
            ticket = aircraft.request(*edit.address)
            yield ticket
            if ticket.answer is not TransactionOutcome.DONE:
                self._end_unread(item, ticket)
                return
        why = aircraft.why_read_only(edit.name)
        if why:
            item.outcome, item.reason = EditOutcome.READ_ONLY, why
            return
        # Held already: an answer was lost and the values were not, or somebody else has set them.
        if self.is_held(edit):
            item.outcome = EditOutcome.WRITTEN if item.was_sent else EditOutcome.UNCHANGED
        else:
            yield from self._write(item)
        if item.to_save and item.is_on_board:
            yield from self._save(item)

    def _write(self, item: Item) -> _Steps:
        """Send until reading back shows the values; at most so many rounds."""
        edit, aircraft = item.edit, self._aircraft
        # The rest of the object goes out with it, so it must be what the board has at this moment.
        yield aircraft.request(*edit.address)
        worst = EditOutcome.NO_ANSWER, f"{edit.name}: the board did not answer."
        for _ in range(_ROUNDS):
            item.was_sent = True
            sent = aircraft.send(edit.name, edit.after, edit.instance)
            yield sent
            if sent.answer in (TransactionOutcome.REFUSED, TransactionOutcome.FAILED):
                item.outcome, item.reason = EditOutcome.REFUSED, sent.text
                return
            # Read back whatever the answer was: an acknowledgement says that it was received, not
            # that it was kept, and a missing one not that it was not.
            read = aircraft.request(*edit.address)
            yield read
            if read.answer is not TransactionOutcome.DONE:
                continue
            if self.is_held(edit):
                item.outcome, item.reason = EditOutcome.WRITTEN, ""
                return
            if sent.answer is TransactionOutcome.DONE:
                worst = EditOutcome.DIFFERENT, _DIFFERENT.format(name=edit.name)
        item.outcome, item.reason = worst

    def _save(self, item: Item) -> _Steps:
        edit = item.edit
        for _ in range(_ROUNDS):
            ticket = self._aircraft.save(*edit.address)
            yield ticket
            if ticket.answer is TransactionOutcome.DONE:
                item.is_saved, item.reason = True, ""
                return
            item.reason = ticket.text
            if ticket.answer in (TransactionOutcome.REFUSED, TransactionOutcome.FAILED):
                return
            # Saving reads back too. Another station may have set other fields meanwhile, which is
            # no failure; without values of our own there is nothing to tell that by.
            if ticket.answer is TransactionOutcome.DIFFERENT and not (
                edit.after and self.is_held(edit)
            ):
                item.outcome = EditOutcome.DIFFERENT
                return

    def _end_unread(self, item: Item, ticket: Ticket) -> None:
        is_silent = ticket.answer is TransactionOutcome.SILENT
        item.outcome = EditOutcome.NO_ANSWER if is_silent else EditOutcome.NOT_ON_BOARD
        item.reason = ticket.text

    def is_held(self, edit: Edit) -> bool:
        """Whether the board is known to hold an edit's values."""
        values = self._aircraft.values(*edit.address)
        return all(
            path in values and is_same(values[path], value) for path, value in edit.after.items()
        )


def _is_among(edit: Edit, save: bool | Collection[Address]) -> bool:
    return save if isinstance(save, bool) else edit.address in save
