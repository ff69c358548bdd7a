"""Row model: tables of values, replaced as a whole, with the mark of a level in one column."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QSize, Qt
from PySide6.QtGui import QFontMetrics, QIcon
from PySide6.QtWidgets import QAbstractItemView, QTreeView

from telemetry.base.finding import Level
from widgets.level_icon import level_icon
from widgets.theme import Theme

TableIndex = QModelIndex | QPersistentModelIndex
_Row = TypeVar("_Row")
_Role = Qt.ItemDataRole


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A row on screen: the text of each cell, the level whose mark it has, if any, whether it
    counts less now, and what is told of it under the mouse."""

    texts: tuple[str, ...]
    level: Level | None
    is_muted: bool
    tip: str


class RowModel(QAbstractTableModel, Generic[_Row]):
    """A table of `rows` under `column_titles`. What a row shows is the subclass's."""

    column_titles: ClassVar[tuple[str, ...]] = ()
    level_column: ClassVar[int] = 0

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.rows: Sequence[_Row] = ()
        self.apply_theme(theme)

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours."""
        self._muted = theme.color("muted")
        self._row_size = QSize(0, theme.row_px())
        self._icons: dict[Level | None, QIcon] = {
            level: level_icon(level, theme) for level in Level
        }
        self.touch_all()

    def row_in(self, line: int) -> _Row:
        """The row that a line shows."""
        return self.rows[line]

    def shown(self, row: _Row) -> ShownRow:
        """What a row shows."""
        raise NotImplementedError

    def data(self, index: TableIndex, role: int = _Role.DisplayRole) -> Any:
        """What a cell shows."""
        row, column = self.shown(self.row_in(index.row())), index.column()
        if role == _Role.DisplayRole:
            return row.texts[column]
        if role == _Role.ForegroundRole and row.is_muted:
            return self._muted
        if role == _Role.DecorationRole and column == self.level_column:
            return self._icons.get(row.level)
        if role == _Role.SizeHintRole:
            return self._row_size
        return row.tip if role == _Role.ToolTipRole else None

    def put_rows(self, rows: Sequence[_Row]) -> None:
        """Show other rows, and choose and scroll anew."""
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def update_rows(self, rows: Sequence[_Row], key: Callable[[_Row], object]) -> None:
        """Show other rows; where they are the same ones by `key`, what is chosen stays chosen."""
        if [key(row) for row in rows] != [key(row) for row in self.rows]:
            self.put_rows(rows)
        elif rows != self.rows:
            self.rows = rows
            self.touch_all()

    def rowCount(self, parent: TableIndex = QModelIndex()) -> int:  # noqa: B008
        """How many rows there are."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: TableIndex = QModelIndex()) -> int:  # noqa: B008
        """As many as have titles."""
        return 0 if parent.isValid() else len(self.column_titles)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = _Role.DisplayRole
    ) -> Any:
        """The names of the columns."""
        is_title = orientation is Qt.Orientation.Horizontal and role == _Role.DisplayRole
        return self.column_titles[section] if is_title else None

    def touch_all(self) -> None:
        """Have everything shown anew, while the rows stay the same ones."""
        if self.rows:
            last = self.index(len(self.rows) - 1, len(self.column_titles) - 1)
            self.dataChanged.emit(self.index(0, 0), last)


class RowTable(QTreeView):
    """Shows the rows of a model, each as high as a finger needs."""

    def __init__(self, model: RowModel[Any], name: str) -> None:
        super().__init__()
        self.setModel(model)
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setAccessibleName(name)


class EventTable(RowTable):
    """Shows what happened when: `widest_kind` is the longest word of the second column."""

    def __init__(self, model: RowModel[Any], name: str, widest_kind: str) -> None:
        super().__init__(model, name)
        self._widest = ("0:00:00.0", widest_kind)
        self._followed = -1
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setIconSize(QSize(14, 14))

    def fit_columns(self, theme: Theme) -> None:
        """Have room for the time and the kind in the theme's size."""
        metrics, margin = QFontMetrics(theme.font("body", bold=True)), round(20 * theme.scale)
        for column, widest in enumerate(self._widest):
            self.setColumnWidth(column, metrics.horizontalAdvance(widest) + margin)

    def follow(self, line: int) -> None:
        """Scroll along to the line of the cursor, unless the user is at the list."""
        if line != self._followed and not (self.underMouse() or self.hasFocus()):
            self._followed = line
            hint = QAbstractItemView.ScrollHint.PositionAtCenter
            self.scrollTo(self.model().index(max(line, 0), 0), hint)
