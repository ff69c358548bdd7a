"""Study model: the flights of a study as rows, over the columns of its table."""

import json
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from plugins.simulator.study_reading import ReadStudy
from simulation.studies.flight import PASSED
from telemetry.base.number_text import significant
from widgets.theme import Theme

FLIGHT: Final = "Flight"
OUTCOME: Final = "Outcome"
_REASON, _SECONDS = "Reason", "Seconds"
_OUTCOME_COLUMN: Final = 1
_WIDTHS_PX: Final = {FLIGHT: 64, OUTCOME: 100, _REASON: 220, _SECONDS: 76}
_LEAST_PX, _MOST_PX = 76, 190
_DIGITS: Final = 4
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_Role = Qt.ItemDataRole
_Index = QModelIndex | QPersistentModelIndex
_Column = npt.NDArray[Any]


class StudyModel(QAbstractTableModel):
    """Failures first, or by any column."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.titles: list[str] = []
        self._columns: list[_Column] = []
        self._rows: npt.NDArray[np.int64] = np.zeros(0, np.int64)
        self._read: ReadStudy | None = None
        self._sorted_by = OUTCOME, Qt.SortOrder.DescendingOrder
        self.apply_theme(theme)

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours."""
        self._passed, self._failed = theme.color("ok"), theme.color("danger")

    def put(self, read: ReadStudy | None) -> None:
        """Show what was read, None for nothing."""
        self.beginResetModel()
        self._read = read
        columns: dict[str, _Column] = {}
        if read is not None:
            table = read.table
            metrics = {name: one for name, one in table.metrics.items() if name != PASSED}
            columns = {FLIGHT: table.index, OUTCOME: table.outcome, _REASON: table.reason}
            columns |= {**table.parameters, **metrics, _SECONDS: table.seconds}
        self.titles, self._columns = list(columns), list(columns.values())
        self._rows = self._sorted()
        self.endResetModel()

    def flight(self, row: int) -> int:
        """The number of the flight in a row."""
        return int(self._columns[0][self._rows[row]])

    def row_of(self, flight: int) -> int:
        """The row of a flight, -1 if it has none."""
        if not self._columns:
            return -1
        found = np.flatnonzero(self._columns[0][self._rows] == flight)
        return int(found[0]) if len(found) else -1

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        """How many flights there are."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        """How many columns the study has."""
        return 0 if parent.isValid() else len(self._columns)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = _Role.DisplayRole
    ) -> Any:
        """The names of the columns."""
        is_title = role in (_Role.DisplayRole, _Role.ToolTipRole)
        return self.titles[section] if is_title and orientation is _ACROSS else None

    def data(self, index: _Index, role: int = _Role.DisplayRole) -> Any:
        """What a cell shows."""
        column = self._columns[index.column()]
        if role in (_Role.DisplayRole, _Role.ToolTipRole):
            return _text(column[self._rows[index.row()]])
        if role == _Role.TextAlignmentRole and column.dtype != object:
            return _RIGHT
        if role == _Role.ForegroundRole and index.column() == _OUTCOME_COLUMN:
            has_passed = column[self._rows[index.row()]] == PASSED
            return self._passed if has_passed else self._failed
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; equal flights by their numbers."""
        if 0 <= column < len(self.titles):
            self._sorted_by = self.titles[column], order
            self.beginResetModel()
            self._rows = self._sorted()
            self.endResetModel()

    def _sorted(self) -> npt.NDArray[np.int64]:
        title, order = self._sorted_by
        if self._read is None or title not in self.titles:
            return np.arange(len(self._columns[0]) if self._columns else 0)
        is_falling = order is Qt.SortOrder.DescendingOrder
        if title == OUTCOME:
            keys: _Column = self._read.severity.astype(np.float64)
        else:
            keys = self._columns[self.titles.index(title)]
        if keys.dtype == object:
            texts = [_text(value) for value in keys]
            rows = sorted(range(len(texts)), key=texts.__getitem__, reverse=is_falling)
            return np.array(rows, np.int64)
        return np.argsort(-keys if is_falling else keys, kind="stable")


_ACROSS = Qt.Orientation.Horizontal


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        return "–" if np.isnan(value) else significant(value, _DIGITS)
    return str(int(value)) if isinstance(value, np.integer) else json.dumps(value)


class StudyTableView(QTableView):
    """The flights; the one chosen stays chosen while others come."""

    def __init__(self, model: StudyModel) -> None:
        super().__init__()
        self.flights = model
        self.setModel(model)
        self.setAccessibleName("Flights of the study")
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.setShowGrid(False)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        head = self.horizontalHeader()
        head.setHighlightSections(False)
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        head.setSortIndicator(_OUTCOME_COLUMN, Qt.SortOrder.DescendingOrder)
        head.setSortIndicatorShown(True)
        head.setSectionsClickable(True)
        head.sortIndicatorChanged.connect(self._sort)
        self._scale = 1.0

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours and sizes."""
        self._scale = theme.scale
        self.verticalHeader().setDefaultSectionSize(theme.row_px())
        self.flights.apply_theme(theme)
        self._fit_columns()
        self.viewport().update()

    @property
    def chosen(self) -> int | None:
        """The number of the flight that is chosen."""
        rows = self.selectionModel().selectedRows()
        return self.flights.flight(rows[0].row()) if rows else None

    def put(self, read: ReadStudy | None) -> None:
        """Show what was read."""
        before = list(self.flights.titles)
        self._keeping_place(lambda: self.flights.put(read))
        if self.flights.titles != before:
            self._fit_columns()

    def _sort(self, column: int, order: Qt.SortOrder) -> None:
        self._keeping_place(lambda: self.flights.sort(column, order))

    def _keeping_place(self, change: Callable[[], None]) -> None:
        chosen, scrolled = self.chosen, self.verticalScrollBar().value()
        change()
        row = self.flights.row_of(chosen) if chosen is not None else -1
        if row >= 0:
            self.selectRow(row)
        self.verticalScrollBar().setValue(scrolled)

    def _fit_columns(self) -> None:
        metrics = self.fontMetrics()
        for number, title in enumerate(self.flights.titles):
            wanted = metrics.horizontalAdvance(title) + round(34 * self._scale)
            usual = round(min(max(wanted, _LEAST_PX), _MOST_PX))
            self.setColumnWidth(number, round(_WIDTHS_PX.get(title, 0) * self._scale) or usual)
