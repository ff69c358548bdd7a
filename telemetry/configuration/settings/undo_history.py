"""Undo history: what was applied to an aircraft, in order, to take back or do again."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace

from telemetry.configuration.settings.edit import Edit
from telemetry.configuration.settings.snapshot import Address


@dataclass(frozen=True, slots=True)
class Applied:
    """One transaction as it arrived on board: the edits that did. `saved` are the objects that were
    saved with it when it was taken back, so that doing it again saves no more than was saved."""

    title: str
    edits: tuple[Edit, ...]
    saved: Collection[Address] = ()

    def inverse(self) -> "Applied":
        """What takes it back, the last edit first. Values that were not known stay."""
        inverses = (edit.inverse() for edit in reversed(self.edits) if edit.before)
        return Applied(self.title, tuple(inverses))

    def followed_by(self, later: "Applied") -> "Applied":
        """Both as one: from the values before this one to those after `later`."""
        edits = {edit.address: edit for edit in self.edits}
        for edit in later.edits:
            first = edits.get(edit.address, edit)
            edits[edit.name, edit.instance] = replace(
                edit,
                before={**edit.before, **first.before},
                after={**first.after, **edit.after},
            )
        return Applied(later.title, tuple(edits.values()))


@dataclass
class History:
    """Undo and redo stacks. `version` rises with every change."""

    version: int = 0
    _done: list[Applied] = field(default_factory=list)
    _undone: list[Applied] = field(default_factory=list)

    @property
    def undo_next(self) -> Applied | None:
        """What *Undo* would take back."""
        return self._done[-1] if self._done else None

    @property
    def redo_next(self) -> Applied | None:
        """What *Redo* would do again."""
        return self._undone[-1] if self._undone else None

    def add(self, title: str, edits: Iterable[Edit], *, continues: bool = False) -> None:
        """Something new was applied: what was undone before it can no longer be done again.

        With `continues` it becomes one with the last transaction, if that has the same title.
        """
        changed = tuple(edits)
        if changed:
            fresh = Applied(title, changed)
            if continues and self._done and self._done[-1].title == title:
                fresh = self._done.pop().followed_by(fresh)
            self._done.append(fresh)
            self._undone.clear()
            self.version += 1

    def mark_undone(self, saved: Collection[Address]) -> None:
        """The last transaction was taken back, and these objects saved as they were before it."""
        self._undone.append(replace(self._done.pop(), saved=saved))
        self.version += 1

    def mark_redone(self) -> None:
        """The last undone transaction was done again."""
        self._done.append(self._undone.pop())
        self.version += 1

    def clear(self) -> None:
        """Forget everything: this is another board."""
        self._done.clear()
        self._undone.clear()
        self.version += 1
