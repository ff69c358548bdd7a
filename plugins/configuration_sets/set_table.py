"""Set table: the kept sets, those of this board first."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem

from telemetry.configuration.settings.sets import SetEntry

_ROLE = Qt.ItemDataRole.UserRole
_HEADINGS = ("Name", "Purpose", "Date", "Aircraft", "Firmware", "Note")
_LEAST_PX, _MOST_PX = 110, 170


class SetTable(QTreeWidget):
    """One row per set. A set that cannot be read says why and cannot be compared."""

    def __init__(self) -> None:
        super().__init__()
        self.setHeaderLabels(_HEADINGS)
        self.setRootIsDecorated(False)
        self.setAlternatingRowColors(True)
        self.setMinimumHeight(_LEAST_PX)
        self.setMaximumHeight(_MOST_PX)
        self.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)

    @property
    def chosen(self) -> SetEntry | None:
        """The selected set."""
        item = self.currentItem()
        entry = item.data(0, _ROLE) if item is not None else None
        return entry if isinstance(entry, SetEntry) else None

    def show_entries(self, entries: Sequence[SetEntry], board: str) -> None:
        """Show these sets; the selection stays with its name."""
        chosen = self.chosen
        self.clear()
        for entry in sorted(entries, key=lambda e: (e.board != board, e.name.casefold())):
            item = _row(entry, is_own=entry.board == board)
            self.addTopLevelItem(item)
            if chosen is not None and entry.path == chosen.path:
                self.setCurrentItem(item)

    def choose(self, entry: SetEntry) -> None:
        """Select a set."""
        for row in range(self.topLevelItemCount()):
            item = self.topLevelItem(row)
            if item is not None and item.data(0, _ROLE) == entry:
                self.setCurrentItem(item)


def _row(entry: SetEntry, *, is_own: bool) -> QTreeWidgetItem:
    about = entry.about
    date = f"{about.date:%Y-%m-%d %H:%M}" if about.date else ""
    named = ", ".join(part for part in (about.aircraft, about.airframe) if part)
    whose = named or about.identity.board_name
    note = entry.problem or about.note
    texts = [entry.name, about.purpose, date, whose, about.identity.firmware_text, note]
    item = QTreeWidgetItem(texts)
    item.setData(0, _ROLE, entry)
    where = "of this board" if is_own else f"of the board {entry.board}"
    tip = f"{entry.name}, {where}, {entry.objects} objects\n{note}".strip()
    item.setToolTip(0, tip)
    if not is_own:
        font = item.font(0)
        font.setItalic(True)
        for column in range(len(_HEADINGS)):
            item.setFont(column, font)
    return item
