"""Value table: rows of texts, of which the last one in a row wraps."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHeaderView, QTableWidget, QTableWidgetItem

from widgets.theme import Theme

_PAD_PX = 6
_FIRST_SHARE, _LEAST_SHARE = 0.45, 0.2
"""The first column takes so much of the width at most, and so much at least; it wraps."""


@dataclass(frozen=True, slots=True)
class ValueRow:
    """What stands in the columns, in a colour of the theme; `tip` says more."""

    texts: tuple[str, ...]
    token: str = "text"
    tip: str = ""


class ValueTable(QTableWidget):
    """Shows rows; the user can look only."""

    def __init__(self, name: str, heads: Sequence[str]) -> None:
        super().__init__(0, len(heads))
        self._rows: tuple[ValueRow, ...] = ()
        self._theme: Theme | None = None
        self._is_whole = False
        self.setAccessibleName(name)
        self.setHorizontalHeaderLabels(list(heads))
        self.setShowGrid(False)
        self.setWordWrap(True)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QTableWidget.SelectionBehavior.SelectRows)
        self.setSelectionMode(QTableWidget.SelectionMode.SingleSelection)
        self.verticalHeader().hide()
        self.verticalHeader().setMinimumSectionSize(1)
        head = self.horizontalHeader()
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        head.setHighlightSections(False)
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        head.setSectionResizeMode(0, QHeaderView.ResizeMode.Fixed)
        head.setSectionResizeMode(len(heads) - 1, QHeaderView.ResizeMode.Stretch)

    def show_rows(self, rows: Sequence[ValueRow]) -> None:
        """Show these from now on."""
        self._rows = tuple(rows)
        self.setRowCount(len(rows))
        for number, row in enumerate(rows):
            for column, text in enumerate(row.texts):
                item = QTableWidgetItem(text)
                item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
                item.setToolTip(row.tip or text)
                if self._theme is not None:
                    item.setForeground(self._theme.color(row.token))
                self.setItem(number, column, item)
        self._fit_rows()

    def fit_height(self) -> None:
        """Be as high as the rows, for a page that scrolls."""
        self._is_whole = True
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours."""
        self._theme = theme
        self.show_rows(self._rows)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_rows()

    def _fit_rows(self) -> None:
        self.setColumnWidth(0, self._first_px())
        least = self._theme.row_px() if self._theme is not None else 0
        for row in range(self.rowCount()):
            self.setRowHeight(row, max(least, self.sizeHintForRow(row) + _PAD_PX))
        if self._is_whole:
            height = self.horizontalHeader().sizeHint().height() + 4
            self.setFixedHeight(height + sum(map(self.rowHeight, range(self.rowCount()))))

    def _first_px(self) -> int:
        """What the other columns leave, where they are figures: those do not wrap."""
        width = self.viewport().width()
        most = round(_FIRST_SHARE * width)
        others = range(1, self.columnCount())
        if len(others) > 1:
            figures = sum(self.sizeHintForColumn(column) + _PAD_PX for column in others)
            most = min(most, max(width - figures, round(_LEAST_SHARE * width)))
        return min(self.sizeHintForColumn(0) + _PAD_PX, most)
