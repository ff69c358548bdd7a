"""Configuration: one aircraft's settings on board, staged, on their way, and taken back.

One per vehicle, shared by everything that configures it (`configuration_of`). Nothing here waits:
`poll` is called from the station's tick or a command line's loop.

    settings = configuration_of(vehicle)
    settings.stage("StabilizationSettingsBank1", "RollRatePID.Kp", 0.004)
    settings.apply("Roll gain", save=True)
    while settings.is_busy: settings.poll()
    settings.transfer.items     # the outcome of each object
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Literal

from telemetry.base.finding import Finding, Level
from telemetry.configuration.settings.aircraft import Aircraft
from telemetry.configuration.settings.board_watch import BoardWatch
from telemetry.configuration.settings.change_log import ChangeLog
from telemetry.configuration.settings.difference import difference, is_same
from telemetry.configuration.settings.doubt import Doubt, doubts_of
from telemetry.configuration.settings.draft import Draft, StagedKey
from telemetry.configuration.settings.draft_store import DraftStore, Staged
from telemetry.configuration.settings.edit import Edit
from telemetry.configuration.settings.release_adaptation import adapted
from telemetry.configuration.settings.slots import (
    default_values,
    held,
    judge,
    read_slot,
    read_values,
    slot_at,
)
from telemetry.configuration.settings.snapshot import Address, Skipped, Snapshot, snapshot_of
from telemetry.configuration.settings.transfer import Item, Transfer
from telemetry.configuration.settings.undo_history import Applied, History
from telemetry.configuration.settings.unsaved import Unsaved
from telemetry.protocol.objects.definition import ObjectDefinition
from telemetry.recording.sample import Value
from telemetry.vehicle.vehicle import LinkState, Vehicle

Purpose = Literal["apply", "undo", "redo"]
_PAGES = {"undo": "Undo", "redo": "Redo"}


class Configuration:
    """What can be done with the settings of one aircraft."""

    def __init__(self, vehicle: Vehicle) -> None:
        self.aircraft = Aircraft(vehicle)
        self.draft = Draft()
        self.history = History()
        self.changes = ChangeLog()
        """What was changed on board since connecting, undo and redo included."""
        self.page = ""
        """Where the user edits now, for the list of changes. Set by what shows pages."""
        self.asked_for = ""
        """The setting that somebody wants to see, until what shows pages has come to it."""
        self.transfer: Transfer | None = None
        """The transfer under way, or the last one."""
        self.purpose: Purpose = "apply"
        """What it is for."""
        self.baseline: Snapshot | None = None
        """What was on board when it was first known completely."""
        self.left_alone: tuple[str, ...] = ()
        """Values that the last undo or redo did not touch, since somebody else had."""
        self.notice = ""
        """What has happened to staged values by itself, as a sentence; "" after the next apply."""
        self.draft_store = DraftStore()
        """Keeps what is staged while its board is away. Set before the first `poll`."""
        self._vehicle = vehicle
        self._watch = BoardWatch(self.aircraft)
        self._title = ""
        self._transfers = 0
        self._continues = False
        self._unsaved = Unsaved()
        self._serial = ""
        self._board = ""
        self._has_restarted = False
        self._stored_version = -1
        self._settled: dict[Address, object] = {}

    # Reading

    @property
    def version(self) -> tuple[int, ...]:
        """Differs when the draft, the history or a transfer has moved."""
        transfer = self.transfer.version if self.transfer else 0
        return self.draft.version, self.history.version, self._transfers, transfer

    @property
    def refusal(self) -> str:
        """Why nothing can be written now, as a sentence; empty where it can."""
        return self.aircraft.refusal() or ""

    @property
    def is_busy(self) -> bool:
        """Whether a transfer is under way."""
        return self.transfer is not None and not self.transfer.is_finished

    def definition(self, name: str, instance: int = 0) -> ObjectDefinition | None:
        """This aircraft's version of an object; None if it is not on board (or not known yet)."""
        return self.aircraft.definition(name, instance)

    def has(self, name: str, field: str = "") -> bool:
        """Whether the aircraft has an object, and a field in it."""
        definition = self.definition(name)
        return definition is not None and (not field or definition.has_field(field))

    def on_board(self, name: str, path: str, instance: int = 0) -> Value | None:
        """What the aircraft holds at a path; None if unknown or not there."""
        return self.aircraft.value(name, path, instance)

    def value(self, name: str, path: str, instance: int = 0) -> Value | None:
        """What a form shows: the staged value, else the one on board."""
        staged = self.draft.get((name, instance), path)
        return staged if staged is not None else self.on_board(name, path, instance)

    def values(self, name: str, instance: int = 0) -> dict[str, Value]:
        """All values of an object as forms show them."""
        return {**self.aircraft.values(name, instance), **self.draft.of((name, instance))}

    def is_staged(self, name: str, path: str, instance: int = 0) -> bool:
        """Whether a path has an unsent value."""
        return self.draft.get((name, instance), path) is not None

    def judge(self, name: str, path: str, value: Value) -> Finding:
        """Judge a value by the limits for this board; what does not exist there is illegal."""
        definition = self.definition(name)
        if definition is None:
            return Finding(Level.ERROR, "illegal", f"This aircraft has no {name}.")
        try:
            slot = slot_at(definition, path)
        except ValueError as error:
            return Finding(Level.ERROR, "illegal", f"{error}.")
        return judge(name, slot, value, self.aircraft.board)

    def snapshot(self, title: str = "") -> Snapshot:
        """The settings on board, or in the log at its cursor."""
        t = self._vehicle.timeline.t if self.aircraft.is_log else None
        return snapshot_of(self._vehicle.recording, title or self._vehicle.name, t)

    # Staging

    def stage(
        self, name: str, path: str, value: Value, instance: int = 0, *, is_foreign: bool = False
    ) -> None:
        """Stage a value; one that is on board already takes the staged one back.

        `is_foreign`: it was taken from another aircraft. Raises ValueError naming object, field
        and reason if the field cannot hold it.
        """
        sample = self.aircraft.sample(name, instance)
        if sample is None:
            which = f"'{name}'" if not instance else f"'{name}' with instance {instance}"
            raise ValueError(f"this aircraft has no object {which}")
        slot = slot_at(sample.definition, path)
        kept = held(slot, value)
        self.changes.note_staged((name, instance), path, self.page)
        if is_same(read_slot(sample.row, slot), kept):
            self.draft.drop((name, instance), [path])
        else:
            self.draft.set((name, instance), path, kept, is_foreign=is_foreign)

    @contextmanager
    def staging_from(self, page: str) -> Iterator[None]:
        """What is staged within comes from this page."""
        shown, self.page = self.page, page
        try:
            yield
        finally:
            self.page = shown

    def stage_all(self, name: str, values: Mapping[str, Value], instance: int = 0) -> None:
        """Stage several values of one object."""
        for path, value in values.items():
            self.stage(name, path, value, instance)

    def stage_defaults(self, name: str, paths: Iterable[str] | None = None) -> None:
        """Stage the defaults of the definition, for all of an object or some paths."""
        definition = self.definition(name)
        if definition is not None:
            defaults = default_values(definition)
            chosen = defaults if paths is None else {path: defaults[path] for path in paths}
            self.stage_all(name, chosen)

    def stage_snapshot(
        self,
        wanted: Snapshot,
        only: Iterable[tuple[Address, str]] | None = None,
        *,
        is_foreign: bool = False,
        board: Snapshot | None = None,
    ) -> tuple[Skipped, ...]:
        """Stage what a set has and the board does not; return what cannot be, and why.

        `only` chooses values by address and path; `is_foreign`: they are of another aircraft;
        `board` is what it holds, where that is less than was ever heard of it.
        """
        board = board or self.snapshot("the board")
        found = difference(board, adapted(wanted, board))
        chosen = None if only is None else set(only)
        absent = (Skipped(name, "not on this board") for name, _ in found.only_b)
        skipped = [*found.skipped, *absent]
        for change in found.changed:
            address = change.name, change.instance
            if chosen is not None and (address, change.path) not in chosen:
                continue
            try:
                self.stage(
                    change.name, change.path, change.b, change.instance, is_foreign=is_foreign
                )
            except ValueError as error:
                skipped.append(Skipped(change.name, str(error)))
        return tuple(skipped)

    def stage_baseline(self) -> None:
        """Stage the way back to what was on board at connect."""
        if self.baseline is not None:
            self.draft.clear()
            with self.staging_from("As at connect"):
                self.stage_snapshot(self.baseline)

    def unstage(self, name: str, paths: Iterable[str] | None = None, instance: int = 0) -> None:
        """Forget staged values."""
        self.draft.drop((name, instance), paths)

    def staged(self) -> tuple[Edit, ...]:
        """The draft as edits, with the values on board before."""
        edits = []
        for name, instance in self.draft.addresses():
            after = self.draft.of((name, instance))
            present = self.aircraft.values(name, instance)
            before = {path: present[path] for path in after if path in present}
            edits.append(Edit(name, before, after, instance))
        return tuple(edits)

    def doubts(self) -> tuple[Doubt, ...]:
        """What of the draft needs somebody's own yes: what the limits for this board advise
        against, and what belongs to another aircraft."""
        keys = self.draft.staged_keys()
        judged = (
            (key, self.judge(key[0], key[2], self.draft.of((key[0], key[1]))[key[2]]))
            for key in keys
        )
        return doubts_of(judged, self.draft.foreign)

    def unconfirmed(self) -> frozenset[StagedKey]:
        """What nobody has said to be meant of that; it is not sent before."""
        keys = (key for doubt in self.doubts() for key in doubt.keys)
        return frozenset(key for key in keys if not self.draft.is_confirmed(key))

    def confirm(self, keys: Iterable[StagedKey], *, is_meant: bool = True) -> None:
        """Say that staged values in doubt are meant as they are, or not after all."""
        for key in keys:
            self.draft.confirm(key, is_meant=is_meant)

    @property
    def unsaved(self) -> tuple[Address, ...]:
        """Objects that were changed on board and would be lost at a restart."""
        return self._unsaved.addresses()

    # On the way

    def apply(
        self,
        title: str = "",
        *,
        save: bool = False,
        only: Iterable[StagedKey] | None = None,
        also: Iterable[Address] = (),
        continues: bool = False,
    ) -> Transfer:
        """Send what is staged, or of it what `only` names. What is `unconfirmed` stays staged.

        `also` names objects that get an outcome, and are saved, even if nothing of them differs.
        With `continues` and the title of the transaction before, Undo takes both back at once.
        Raises RuntimeError while a transfer is under way.
        """
        chosen = set(self.draft.staged_keys() if only is None else only) - self.unconfirmed()
        picked = (
            edit.only(p for p in edit.after if (edit.name, edit.instance, p) in chosen)
            for edit in self.staged()
        )
        edits = [edit for edit in picked if edit.after]
        title = title or _title_of(edits)
        sent = {edit.address for edit in edits}
        edits += [Edit(name, {}, {}, i) for name, i in also if (name, i) not in sent]
        transfer = self._begin("apply", title, edits, save=save)
        self._continues = continues
        return transfer

    def save(self, only: Iterable[StagedKey] | None = None) -> Transfer:
        """Send what is staged, and have the board keep everything that was changed on it."""
        return self.apply(save=True, only=only, also=self.unsaved)

    def undo(self) -> Transfer | None:
        """Take the last applied transaction back on board. What is saved there stays saved."""
        last = self.history.undo_next
        return self._repeat("undo", last.inverse()) if last else None

    def redo(self) -> Transfer | None:
        """Do the last undone transaction again."""
        last = self.history.redo_next
        return self._repeat("redo", last) if last else None

    def cancel(self) -> None:
        """Stop a transfer: what has not been sent stays staged."""
        if self.transfer is not None and self.is_busy:
            self.transfer.stop("stopped by you.")
            self._finish(self.transfer)

    def poll(self) -> None:
        """Move a transfer on, and notice which board this is."""
        self._notice_board()
        transfer = self.transfer
        if transfer is not None and not transfer.is_finished:
            if self._vehicle.status.state is LinkState.DISCONNECTED:
                transfer.stop(
                    "disconnected. What is still staged is kept; connect again to send it."
                )
            if transfer.poll():
                self._finish(transfer)
        self._settle()
        self._store_draft()

    # Inside

    def _begin(
        self, purpose: Purpose, title: str, edits: list[Edit], *, save: bool | Collection[Address]
    ) -> Transfer:
        if self.is_busy:
            raise RuntimeError("a transfer is under way")
        self.purpose, self._title, self._continues = purpose, title, False
        self.notice = ""
        self.transfer = Transfer(edits, self.aircraft, save=save)
        self._transfers += 1
        if self.transfer.is_finished:  # there was nothing to do
            self._finish(self.transfer)
        return self.transfer

    def _repeat(self, purpose: Purpose, applied: Applied) -> Transfer:
        """Send edits of the past, as far as the board still is as they left it."""
        # Three cases for a value: it is there already, and nothing is sent; it is as the edit left
        # it, and is taken back; or somebody has set it since, who must not lose that by our undo.
        edits, alone = [], []
        for edit in applied.edits:
            present = self.aircraft.values(*edit.address)
            paths = [p for p in edit.after if p in present and p in edit.before]
            open_paths = [p for p in paths if not is_same(present[p], edit.after[p])]
            kept = [p for p in open_paths if is_same(present[p], edit.before[p])]
            alone += [f"{edit.name}.{p}" for p in open_paths if p not in kept]
            if kept:
                before = {p: present[p] for p in kept}
                after = {p: edit.after[p] for p in kept}
                edits.append(Edit(edit.name, before, after, edit.instance))
        self.left_alone = tuple(alone)
        # Taking back what was saved is saved too, or a restart of the board would bring it again.
        # After that nothing is unsaved, so doing it again goes by what the undo found.
        addresses = {edit.address for edit in edits}
        is_undo = purpose == "undo"
        saved = addresses - set(self.unsaved) if is_undo else addresses & set(applied.saved)
        return self._begin(purpose, applied.title, edits, save=saved)

    def _finish(self, transfer: Transfer) -> None:
        self._has_restarted = False  # it has looked at the board since, and sent anew
        for item in transfer.items:
            self._note_outcome(item)
        changed = [item.edit for item in transfer.items if item.is_on_board and item.was_sent]
        if self.purpose == "apply":
            self.history.add(self._title, changed, continues=self._continues)
        elif all(item.is_on_board for item in transfer.items):
            # Only a complete undo moves on in the history; a partial one can be tried again.
            if self.purpose == "undo":
                self.history.mark_undone({i.edit.address for i in transfer.items if i.to_save})
            else:
                self.history.mark_redone()

    def _note_outcome(self, item: Item) -> None:
        edit = item.edit
        address = edit.address
        sample = self.aircraft.sample(*address)
        if item.was_sent and sample is not None:
            present = read_values(sample.definition, sample.row)
            page = _PAGES.get(self.purpose, "")
            self.changes.add(sample.t, edit, present, page, continues=self._continues)
        if item.is_saved:
            self._unsaved.forget(address)
            self.changes.mark_saved(address)
        elif item.was_sent:
            self._unsaved.take(edit)

    def _settle(self) -> None:
        """Drop staged values that the board holds by now, and is not just being asked about."""
        # Reading back shows new values before the transfer has judged them: while an object is on
        # its way its draft stays, so that a failure leaves it staged.
        items = self.transfer.items if self.transfer is not None and self.is_busy else ()
        busy = {item.edit.address for item in items if item.is_open}
        for address in self.draft.addresses():
            stamp = self.aircraft.stamp(*address), self.draft.version
            if address in busy or self._settled.get(address) == stamp:
                continue
            self._settled[address] = stamp
            present = self.aircraft.values(*address)
            staged = self.draft.of(address)
            held_now = [p for p in staged if p in present and is_same(present[p], staged[p])]
            if held_now:
                self.draft.drop(address, held_now)

    def _store_draft(self) -> None:
        if self._board and self.draft.version != self._stored_version:
            self._stored_version = self.draft.version
            self.draft_store.put(self._board, self.draft.staged(), self.draft.foreign)

    def _notice_board(self) -> None:
        if self.aircraft.is_log:
            return
        self._has_restarted = self._watch.has_restarted() or self._has_restarted
        if not self.aircraft.is_complete:
            return
        if self.baseline is None or self.aircraft.serial not in (self._serial, ""):
            self._take_board()
        elif self._has_restarted and not self.is_busy:
            self._stage_lost()

    def _take_board(self) -> None:
        """A board is here, the first one or another: each has a past of its own."""
        kept = 0
        # Boards that tell no serial number cannot be told apart; then the first one's past stays.
        if self._serial and self.baseline is not None:
            kept = self.draft.count
            self.draft.clear()
            self.history.clear()
            self.changes.clear()
            self._unsaved.clear()
        self._serial = self.aircraft.serial
        self._board = self.aircraft.board_key
        self._has_restarted = False
        self.baseline = self.snapshot("on board at connect")
        self.notice = ""
        if kept:
            self.notice = f"Another board answers now. {_changes(kept)} staged for the one before "
            self.notice += f"{'is' if kept == 1 else 'are'} kept for it."
        self._stage_anew(
            self.draft_store.get(self._board),
            "not sent when this board was last here",
            self.draft_store.foreign(self._board),
        )

    def _stage_lost(self) -> None:
        """The board has restarted: what it was given and did not save can be sent anew."""
        lost = {a: self._unsaved.lost(a, self.aircraft.values(*a)) for a in self.unsaved}
        if any(lost.values()):
            self._has_restarted = False
            self._stage_anew(lost, "not saved on board, and lost when it restarted")

    def _stage_anew(
        self, staged: Staged, why: str, foreign: frozenset[StagedKey] = frozenset()
    ) -> None:
        """Stage values of the past, as far as they fit and nothing newer is staged."""
        before = self.draft.count
        for (name, instance), values in staged.items():
            for path, value in values.items():
                if not self.is_staged(name, path, instance):
                    is_foreign = (name, instance, path) in foreign
                    # This firmware may lack it.
                    with suppress(ValueError), self.staging_from("Staged before"):
                        self.stage(name, path, value, instance, is_foreign=is_foreign)
        count = self.draft.count - before
        if count:
            self.notice = f"{_changes(count)} staged again: {why}."


def configuration_of(vehicle: Vehicle) -> Configuration:
    """The one configuration of a vehicle."""

    return vehicle.attachment("settings", lambda: Configuration(vehicle))


def _title_of(edits: Iterable[Edit]) -> str:
    names = [edit.name for edit in edits]
    if len(names) == 1:
        (edit,) = edits
        paths = list(edit.after)
        return f"{names[0]}.{paths[0]}" if len(paths) == 1 else names[0]
    return f"{len(names)} objects"


def _changes(number: int) -> str:
    return f"{number} change{'' if number == 1 else 's'}"
