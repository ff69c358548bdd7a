"""Findings list: findings, events and markers as a table."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView

from plugins.findings.rows import FindingRow
from telemetry.recording.timeline import format_time
from telemetry.review.flights.marker import words_of
from widgets.row_model import EventTable, RowModel, ShownRow, TableIndex
from widgets.theme import Theme

_KIND, _WHAT = 1, 2
_WIDE_PX = 460


class FindingModel(RowModel[FindingRow]):
    """Rows in order of time; those after the cursor are muted. `edited` carries a row whose marker
    was given other words."""

    column_titles = ("Time", "Kind", "What")
    level_column = _WHAT
    edited = Signal(object, str)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._t = 0.0

    def show_rows(self, rows: Sequence[FindingRow], t: float) -> None:
        """Show these rows as seen at `t`. A row that only grew keeps its place."""
        before, self._t = self._t, t
        if [row.identity for row in rows] != [row.identity for row in self.rows]:
            self.put_rows(rows)
            return
        passed = any(min(before, t) < row.t <= max(before, t) for row in rows)
        if rows != self.rows or passed:
            self.rows = rows
            self.touch_all()

    def flags(self, index: TableIndex) -> Qt.ItemFlag:
        """The words of a marker can be edited."""
        flags = super().flags(index)
        is_marker = index.isValid() and self.rows[index.row()].marker is not None
        can_edit = is_marker and index.column() == _WHAT
        return flags | Qt.ItemFlag.ItemIsEditable if can_edit else flags

    def shown(self, row: FindingRow) -> ShownRow:
        """A row, muted while it is still to come."""
        texts, tip = (format_time(row.t), row.kind, row.text), f"{row.text}\n{row.remedy}".rstrip()
        return ShownRow(texts, row.level, row.t > self._t, tip)

    def data(self, index: TableIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What a cell shows; of a marker, also the words to edit."""
        marker = self.rows[index.row()].marker
        if role == Qt.ItemDataRole.EditRole and marker is not None:
            return words_of(marker)
        return super().data(index, role)

    def setData(self, index: TableIndex, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Take over the words of a marker."""
        row = self.rows[index.row()]
        if role != Qt.ItemDataRole.EditRole or row.marker is None:
            return False
        self.edited.emit(row, str(value))
        return True


class FindingView(EventTable):
    """The table. `wanted` carries a row to go to, and whether its stretch is to be chosen."""

    wanted = Signal(object, bool)
    deletion_wanted = Signal(list)
    undo_wanted = Signal(bool)

    def __init__(self, theme: Theme) -> None:
        findings = FindingModel(theme)
        name = "Events, findings and markers of this flight"
        super().__init__(findings, name, "Estimator jump")
        self.findings = findings
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.apply_theme(theme)

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours and sizes."""
        self.findings.apply_theme(theme)
        self._wide_px = round(_WIDE_PX * theme.scale)
        self.fit_columns(theme)

    def show_rows(self, rows: Sequence[FindingRow], t: float) -> None:
        """Show rows as seen at `t`, and scroll along unless the user is at the list."""
        self.findings.show_rows(rows, t)
        self.follow(sum(row.t <= t for row in rows) - 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is little room, the words must do without the kind."""
        super().resizeEvent(event)
        self.setColumnHidden(_KIND, self.width() < self._wide_px)

    def edit_row(self, row: int) -> None:
        """Have the words of a marker edited."""
        self.setCurrentIndex(self.findings.index(row, _WHAT))
        self.edit(self.currentIndex())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click goes there, with Shift it chooses the stretch."""
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and event.button() is Qt.MouseButton.LeftButton:
            has_shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self.wanted.emit(self.findings.rows[index.row()], has_shift)

    def event(self, event: QEvent) -> bool:
        """Keep undo for the markers while the list has the focus."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.ShortcutOverride:
            undoes = event.matches(QKeySequence.StandardKey.Undo)
            if undoes or event.matches(QKeySequence.StandardKey.Redo):
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter goes there, Delete takes markers away, Ctrl+Z and Shift+Ctrl+Z undo and redo."""
        row = self.currentIndex().row()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and row >= 0:
            has_shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self.wanted.emit(self.findings.rows[row], has_shift)
        elif event.key() == Qt.Key.Key_F2 and row >= 0:
            self.edit_row(row)
        elif event.matches(QKeySequence.StandardKey.Delete):
            self.deletion_wanted.emit(self.chosen_rows())
        elif event.matches(QKeySequence.StandardKey.Undo):
            self.undo_wanted.emit(True)
        elif event.matches(QKeySequence.StandardKey.Redo):
            self.undo_wanted.emit(False)
        else:
            super().keyPressEvent(event)

    def chosen_rows(self) -> list[FindingRow]:
        """The rows that are selected."""
        chosen = {index.row() for index in self.selectedIndexes()}
        return [self.findings.rows[row] for row in sorted(chosen)]
