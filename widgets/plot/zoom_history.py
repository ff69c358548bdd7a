"""Zoom history: what was zoomed and panned, to take it back."""

from dataclasses import dataclass
from typing import Protocol

_MOST = 60


class Zoomable(Protocol):
    """What remembers what part it shows."""

    def zoom_state(self) -> object:
        """What is shown."""

    def restore_zoom(self, state: object) -> None:
        """Show what `zoom_state` returned."""


@dataclass(frozen=True, slots=True)
class _Entry:
    who: Zoomable
    state: object


class ZoomHistory:
    """Undo and redo for all plots that show the same time."""

    def __init__(self) -> None:
        self._done: list[_Entry] = []
        self._undone: list[_Entry] = []

    def remember(self, who: Zoomable) -> None:
        """Keep what is shown now: it is about to change."""
        self._done = [*self._done[1 - _MOST :], _Entry(who, who.zoom_state())]
        self._undone = []

    @property
    def can_undo(self) -> bool:
        """Whether there is something to take back."""
        return bool(self._done)

    @property
    def can_redo(self) -> bool:
        """Whether something was taken back."""
        return bool(self._undone)

    def undo(self) -> None:
        """Show what was shown before. Without anything, nothing happens."""
        self._swap(self._done, self._undone)

    def redo(self) -> None:
        """Show what was shown before `undo`."""
        self._swap(self._undone, self._done)

    @staticmethod
    def _swap(source: list[_Entry], target: list[_Entry]) -> None:
        if source:
            entry = source.pop()
            target.append(_Entry(entry.who, entry.who.zoom_state()))
            entry.who.restore_zoom(entry.state)
