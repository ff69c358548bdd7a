"""What was applied to an aircraft, in order, and how to take it back or do it again."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from telemetry.settings.edit import Edit


@dataclass(frozen=True, slots=True)
class Applied:
    """One transaction as it arrived on board: the edits that did, and whether they were saved."""

    title: str
    edits: tuple[Edit, ...]
    is_saved: bool = False

    def inverse(self) -> "Applied":
        """What takes it back, the last edit first. Values that were not known stay."""
        inverses = (edit.inverse() for edit in reversed(self.edits) if edit.before)
        return Applied(self.title, tuple(inverses), self.is_saved)


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

    def add(self, title: str, edits: Iterable[Edit], *, is_saved: bool) -> None:
        """Something new was applied: what was undone before it can no longer be done again."""
        changed = tuple(edits)
        if changed:
            self._done.append(Applied(title, changed, is_saved))
            self._undone.clear()
            self.version += 1

    def mark_undone(self) -> None:
        """The last transaction was taken back."""
        self._undone.append(self._done.pop())
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
