"""Choice table: rows of which several can be chosen, on screens that may be low."""

from collections.abc import Sequence
from typing import Generic, TypeVar

from PySide6.QtCore import QSize
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QAbstractItemView

from widgets.row_model import RowModel, RowTable
from widgets.theme import Theme

Row = TypeVar("Row")
_LEAST_PX = 104
_MARGIN_PX = 24


class ChoiceTable(RowTable, Generic[Row]):
    """Takes what height is left over and asks for a few rows only. `widest` are the usual texts of
    its columns."""

    def __init__(self, model: RowModel[Row], name: str, widest: Sequence[str]) -> None:
        super().__init__(model, name)
        self._rows, self._widest = model, widest
        self.setMinimumHeight(_LEAST_PX)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), _LEAST_PX)

    @property
    def chosen(self) -> tuple[Row, ...]:
        """The rows that are chosen, in their order."""
        lines = sorted(index.row() for index in self.selectionModel().selectedRows())
        return tuple(map(self._rows.row_in, lines))

    def fit_columns(self, theme: Theme) -> None:
        """Have room for the usual texts in the theme's size."""
        metrics, margin = QFontMetrics(theme.font("body")), round(_MARGIN_PX * theme.scale)
        for column, widest in enumerate(self._widest):
            self.setColumnWidth(column, metrics.horizontalAdvance(widest) + margin)
