"""Choice list: all possibilities in sight, each with a line about it, and one chosen."""

from collections.abc import Iterable
from typing import NamedTuple

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QSizePolicy

_ROLE = Qt.ItemDataRole.UserRole
_FRAME_PX = 6


class Choice(NamedTuple):
    """One possibility. One without an id is a heading."""

    id: str
    title: str
    about: str = ""


class ChoiceList(QListWidget):
    """Emits `chosen` for what the user does only. It is as high as its rows."""

    chosen = Signal(str)

    def __init__(self, name: str, most_rows: int = 12) -> None:
        super().__init__()
        self._choices: tuple[Choice, ...] = ()
        self._most_rows = most_rows
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.currentItemChanged.connect(self._take)

    def show_choices(self, choices: Iterable[Choice], chosen: str) -> None:
        """Offer these, and mark the chosen one."""
        offered = tuple(choices)
        with QSignalBlocker(self):
            if offered != self._choices:
                self._fill(offered)
            rows = [i for i, choice in enumerate(offered) if choice.id and choice.id == chosen]
            if not rows:
                self.setCurrentRow(-1)
                self.clearSelection()
            elif rows[0] != self.currentRow():
                self.setCurrentRow(rows[0])

    def item_of(self, choice_id: str) -> QListWidgetItem:
        """The row of a choice; raises KeyError if it is not offered."""
        for row, choice in enumerate(self._choices):
            item = self.item(row)
            if choice.id == choice_id and item is not None:
                return item
        raise KeyError(choice_id)

    def _fill(self, choices: tuple[Choice, ...]) -> None:
        self._choices = choices
        self.clear()
        for choice in choices:
            about = f"  –  {choice.about}" if choice.about else ""
            item = QListWidgetItem(choice.title + about)
            item.setData(_ROLE, choice.id)
            item.setToolTip(choice.about)
            if not choice.id:
                item.setFlags(Qt.ItemFlag.NoItemFlags)
            self.addItem(item)
        rows = min(len(choices), self._most_rows)
        row_px = self.sizeHintForRow(0) if choices else 0
        self.setFixedHeight(rows * row_px + _FRAME_PX)

    def _take(self, item: QListWidgetItem | None) -> None:
        if item is not None and item.data(_ROLE):
            self.chosen.emit(item.data(_ROLE))
