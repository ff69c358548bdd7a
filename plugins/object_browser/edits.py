"""Unsent edits in the rows of an aircraft, what was asked of its board, and what came of that.

Settings are staged, applied, saved and taken back by the aircraft's `Configuration`, as on every
page. What is no setting (measured and commanded objects, metadata) is kept here until it is sent,
object by object, and can be taken back until something else is asked about the object.
"""

from collections.abc import Iterable, Sequence

from plugins.object_browser.commands import (
    Asked,
    ObjectCommand,
    Progress,
    persist_step,
    requested,
    send_step,
)
from plugins.object_browser.sources import ObjectSource, SourceKey, field_slice
from telemetry.configuration.settings.configuration import configuration_of
from telemetry.configuration.settings.draft import Draft
from telemetry.configuration.settings.edit import Edit
from telemetry.configuration.settings.snapshot import Address
from telemetry.configuration.settings.transfer import Item, Transfer
from telemetry.protocol.objects.definition import FieldDefinition
from telemetry.protocol.objects.values import is_text, pack_values
from telemetry.recording.sample import Value, read_element
from telemetry.vehicle.vehicle import Vehicle
from widgets.forms.formats import text_of

PAGE = "Object browser"
_DONE = {"apply": "Applied", "undo": "Undone", "redo": "Done again"}
_UNDO, _REDO = "Undo", "Redo"


def value_path(f: FieldDefinition, element: int | None) -> str:
    """How commands name a field, or one element of it."""
    return f.name if element is None else f"{f.name}.{f.element_label(element)}"


class RowEdits:
    """Unsent values by source and path, and the commands under way."""

    def __init__(self, vehicle: Vehicle) -> None:
        self.settings = configuration_of(vehicle)
        self._commands = vehicle.commands
        self._own = Draft()
        self._asked: dict[SourceKey, ObjectCommand] = {}
        self._transfer: Transfer | None = None
        self._items: dict[Address, Item] = {}

    @property
    def version(self) -> object:
        """Differs when something unsent or a transfer has moved."""
        return self.settings.version, self._own.version

    # Unsent values

    def can_edit(self, source: ObjectSource) -> bool:
        """Settings can be staged while the link is away; all else only while it can be sent."""
        if not source.is_setting:
            return self._commands.refusal() is None
        on_board = self.settings.definition(*source.address)
        is_present = on_board is not None and on_board.object_id == source.definition.object_id
        return is_present and not self.settings.aircraft.is_log

    def set(
        self, source: ObjectSource, f: FieldDefinition, element: int | None, value: Value
    ) -> None:
        """Take an edited value; one that is what the board has already takes the edit back.

        Raises ValueError naming field and reason if the field cannot hold it.
        """
        path = value_path(f, element)
        if source.is_setting:
            with self.settings.staging_from(PAGE):
                self.settings.stage(source.address[0], path, value, source.instance)
        elif _is_on_board(source, f, element, value):
            self._own.drop(source.address, [path])
        else:
            self._own.set(source.address, path, value)

    def get(self, source: ObjectSource, f: FieldDefinition, element: int | None) -> Value | None:
        """The unsent value, or None."""
        return self._draft(source).get(source.address, value_path(f, element))

    def of(self, source: ObjectSource) -> dict[str, Value]:
        """All unsent values of a source, by path."""
        return dict(self._draft(source).of(source.address))

    def count(self, source: ObjectSource) -> int:
        """How many values of a source are unsent."""
        return len(self._draft(source).of(source.address))

    def discard(self, source: ObjectSource) -> None:
        """Forget the unsent values of a source, and what became of the last command."""
        self._draft(source).drop(source.address)
        command = self._asked.get(source.key)
        if command is not None and not command.is_waiting:
            del self._asked[source.key]

    def settle(self, source: ObjectSource) -> None:
        """Drop what the board has taken over, after a new sample of a source. The configuration
        does so by itself for settings."""
        if source.is_setting or not source.is_received:
            return
        for path, value in self._own.of(source.address).items():
            f, element = _field_at(source, path)
            if _is_on_board(source, f, element, value):
                self._own.drop(source.address, [path])

    def _draft(self, source: ObjectSource) -> Draft:
        return self.settings.draft if source.is_setting else self._own

    # To the board

    def send(self, sources: Sequence[ObjectSource], *, save: bool = False) -> None:
        """Write what is unsent of some sources; with `save` have the board keep them too.

        Raises RuntimeError while settings are on their way already.
        """
        settings, draft = [s.address for s in sources if s.is_setting], self.settings.draft
        only = [(*address, path) for address in settings for path in draft.of(address)]
        if only or (settings and save):
            self.settings.apply(save=save, only=only, also=settings if save else ())
        for source in sources:
            after = {} if source.is_setting else self.of(source)
            before = {path: _board_value(source, path) for path in after if source.is_received}
            edit = Edit(source.address[0], before, after, source.instance) if after else None
            if not source.is_setting:
                self._put(source, edit, _DONE["apply"], save=save)

    def ask(self, asked: Asked, source: ObjectSource) -> None:
        """Request, load or erase. What loading and erasing replace cannot be taken back."""
        self._asked[source.key] = requested(asked, self._commands, source)

    def undo(self, sources: Iterable[ObjectSource]) -> None:
        """Take back, or do again, what `undo_title` offers: of settings the last transaction with
        all its objects, wherever it came from; of an object that is none, its last sending."""
        for source in sources:
            title = self.undo_title([source])
            command = self._asked.get(source.key)
            if title and command is not None and command.edit is not None:
                done = _DONE["undo" if title == _UNDO else "redo"]
                self._put(source, command.edit.inverse(), done, save=False)
            elif title == _UNDO:
                self.settings.undo()
            elif title == _REDO:
                self.settings.redo()
            if title:
                return

    def undo_title(self, sources: Iterable[ObjectSource]) -> str:
        """ "Undo", or "Redo" after that; empty where there is nothing to take back."""
        for source in sources:
            command = self._asked.get(source.key)
            if command is not None:
                edit, is_done = command.edit, command.progress.state == "done"
                if edit is not None and edit.before and is_done:
                    return _REDO if command.done == _DONE["undo"] else _UNDO
            elif source.is_setting and (title := self._history_title(source.address)):
                return title
        return ""

    def progress(self, source: ObjectSource) -> Progress | None:
        """What was asked last about a source, and how far that is."""
        command = self._asked.get(source.key)
        if command is not None:
            return command.progress
        item = self._items.get(source.address) if source.is_setting else None
        return self._progress_of(item) if item is not None else None

    def poll(self) -> list[Progress]:
        """Take the board's answers; return what moved on."""
        transfer = self.settings.transfer
        if transfer is not self._transfer:
            self._transfer = transfer
            items = transfer.items if transfer is not None else ()
            self._items = {item.edit.address: item for item in items}
            self._asked = {  # what is newer is shown
                key: command
                for key, command in self._asked.items()
                if command.is_waiting or command.source.address not in self._items
            }
        moved = [command for command in self._asked.values() if command.poll()]
        for command in moved:
            self._drop_sent(command)
        return [command.progress for command in moved]

    def _put(
        self, source: ObjectSource, edit: Edit | None, done: str, *, save: bool = False
    ) -> None:
        """Send an edit of what is no setting."""
        steps = [send_step(self._commands, source, edit.after)] if edit is not None else []
        if save:
            steps.append(persist_step(self._commands, source, "Save", "Saving on board…"))
            done = "Saved on board"
        if steps:
            self._asked[source.key] = ObjectCommand(source, steps, done, edit)

    def _drop_sent(self, command: ObjectCommand) -> None:
        """What has arrived is no draft any more, unless it was edited again meanwhile."""
        if command.edit is not None and command.progress.state == "done":
            address = command.source.address
            sent = command.edit.after.items()
            self._own.drop(address, [p for p, v in sent if self._own.get(address, p) == v])

    def _history_title(self, address: Address) -> str:
        """Whether the next undo, or the redo after one, concerns an object."""
        history, was_undone = self.settings.history, self.settings.purpose == "undo"
        applied = history.redo_next if was_undone else history.undo_next
        addresses = [e.address for e in applied.edits] if applied is not None else []
        return "" if address not in addresses else _REDO if was_undone else _UNDO

    def _progress_of(self, item: Item) -> Progress | None:
        """How far the transfer is with an object; None for what was given up since."""
        settings, transfer = self.settings, self._transfer
        address, done = item.edit.address, _DONE[settings.purpose]
        if item.is_open:
            is_cut = transfer is not None and transfer.is_interrupted
            text = "Waiting for the link…" if is_cut else "Sending…"
            return Progress("waiting", text, text)
        if not item.is_on_board:
            is_given_up = settings.purpose == "apply" and not settings.draft.of(address)
            return None if is_given_up else Progress("failed", item.reason, item.reason)
        if item.is_saved:
            return Progress("done", "Saved on board", f"{done}, read back and saved on board.")
        if item.to_save and settings.is_busy:
            return Progress("waiting", "Saving on board…", "Saving on board…")
        if item.to_save:
            return Progress("failed", "Not saved on board", item.reason)
        unsaved = " Not saved on board yet." if address in settings.unsaved else ""
        return Progress("done", done, f"{done} and read back.{unsaved}")


def _field_at(source: ObjectSource, path: str) -> tuple[FieldDefinition, int | None]:
    name, _, label = path.partition(".")
    f: FieldDefinition = source.form.field_named(name)
    return f, f.element_index(label) if label else None


def _board_value(source: ObjectSource, path: str) -> Value:
    """What the board has at a path, as `Commands.send` takes it."""
    f, element = _field_at(source, path)
    value = read_element(source.shown_row(), f, element)
    return text_of(value) if isinstance(value, tuple) and is_text(f) else value


def _is_on_board(
    source: ObjectSource, f: FieldDefinition, element: int | None, value: Value
) -> bool:
    row = source.shown_row()
    start, stop = field_slice(source.form, f, element)
    packed = pack_values(source.form, {value_path(f, element): value}, row)
    return source.is_received and packed[start:stop] == row.tobytes()[start:stop]
