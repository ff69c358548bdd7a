"""What is on its way to one aircraft, what became of it, and how to take it back."""

from collections.abc import Callable, Iterable

from plugins.object_browser.errands import Errand, Step
from plugins.object_browser.operations import Asked, asked_steps, save_step, send_step
from plugins.object_browser.rows import RowContext
from plugins.object_browser.sources import ObjectSource, SourceKey
from telemetry.configuration.settings.edit import Edit, EditState, changes
from telemetry.objects.definition import FieldDefinition
from telemetry.objects.values import is_text
from telemetry.recording.sample import Value, read_element
from telemetry.vehicle.vehicle import Commands
from widgets.forms.formats import text_of


class Outbox:
    """Starts errands for the rows of a scene and follows them. Edits remember what was before."""

    def __init__(
        self, scene: RowContext, note: Callable[[Edit], None] = lambda _edit: None
    ) -> None:
        """`note` is told of every edit of a setting that arrives on board or is saved there."""
        self._scene = scene
        self._note = note
        self._edits: dict[SourceKey, Edit] = {}
        self._undone: set[SourceKey] = set()

    def send(self, commands: Commands, source: ObjectSource) -> None:
        """Write the drafts of a source, unless an answer about it is still awaited."""
        errand = self._scene.errands.get(source.key)
        is_waiting = errand is not None and errand.state == "waiting"
        edit = self._edit(source)
        if edit is not None and not is_waiting:
            self._run(source, [send_step(commands, source, edit.after)], edit)

    def save(self, commands: Commands, source: ObjectSource) -> None:
        """Keep a source on board; drafts are sent first."""
        edit = self._edit(source)
        save = save_step(commands, source)
        if edit is None:
            self._run(source, [save], self._edits.get(source.key))
        else:
            self._run(source, [send_step(commands, source, edit.after), save], edit)

    def ask(self, asked: Asked, commands: Commands, source: ObjectSource) -> None:
        """Request, load or erase. What loading and erasing replace cannot be taken back."""
        if asked != "request":
            self._edits.pop(source.key, None)
        self._start(source, Errand(asked_steps(asked, commands, source)))

    def undo(self, commands: Commands, sources: Iterable[ObjectSource]) -> None:
        """Send again what was there before the last change, and save it if that was saved.

        Undoing twice brings the change back.
        """
        for source in sources:
            edit = self._edits.get(source.key)
            if edit is None or not edit.is_on_board or not edit.before:
                continue
            was_undone = source.key in self._undone
            done, values = ("Done again", "new") if was_undone else ("Undone", "previous")
            sentence = f"{done}: {edit.name} has its {values} values on board, not saved yet."
            steps = [send_step(commands, source, edit.before, done, sentence)]
            if edit.is_saved:
                steps.append(save_step(commands, source))
            self._run(source, steps, edit.inverse())
            if not was_undone:
                self._undone.add(source.key)

    def undo_title(self, sources: Iterable[ObjectSource]) -> str:
        """ "Undo", or "Redo" after that; empty where there is nothing to take back."""
        for source in sources:
            edit = self._edits.get(source.key)
            if edit is not None and edit.is_on_board and edit.before:
                return "Redo" if source.key in self._undone else "Undo"
        return ""

    def forget(self, source: ObjectSource) -> None:
        """Say no more of the last errand of a source, unless it still runs."""
        errand = self._scene.errands.get(source.key)
        if errand is not None and errand.state != "waiting":
            del self._scene.errands[source.key]

    def poll(self) -> list[Errand]:
        """Take the board's answers; return the errands that moved on."""
        return [errand for errand in self._scene.errands.values() if errand.poll()]

    def _edit(self, source: ObjectSource) -> Edit | None:
        """The edit from what the board has to what is drafted."""
        drafts = self._scene.drafts.of(source)
        before = {path: _value(source, path) for path in drafts} if source.is_received else {}
        return changes(source.definition.name, before, drafts, source.instance)

    def _run(self, source: ObjectSource, steps: list[Step], edit: Edit | None) -> None:
        """Run steps that carry an edit."""
        key = source.key
        if edit is not None:
            self._edits[key] = edit
        self._undone.discard(key)

        def follow(state: EditState, reason: str) -> None:
            carried = self._edits.get(key)
            if carried is None:
                return
            self._edits[key] = edit = carried.stepped(state, reason)
            if edit.is_on_board and source.definition.settings and not key.is_metadata:
                self._note(edit)
            if state is EditState.APPLIED:  # no draft any more, unless edited again meanwhile
                self._scene.drafts.drop(key, dict(carried.after))

        self._start(source, Errand(steps, follow))

    def _start(self, source: ObjectSource, errand: Errand) -> None:
        self._scene.errands[source.key] = errand


def _value(source: ObjectSource, path: str) -> Value:
    """What the board has at a path, as `Commands.send` takes it."""
    name, _, label = path.partition(".")
    f: FieldDefinition = source.form.field_named(name)
    value = read_element(source.shown_row(), f, f.element_index(label) if label else None)
    return text_of(value) if isinstance(value, tuple) and is_text(f) else value
