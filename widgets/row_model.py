"""Row model: the base of tables whose rows are values, replaced as a whole."""

from collections.abc import Sequence
from typing import Any, ClassVar, Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

TableIndex = QModelIndex | QPersistentModelIndex
_Row = TypeVar("_Row")


class RowModel(QAbstractTableModel, Generic[_Row]):
    """A table of `rows` under `column_titles`. What a cell shows is the subclass's `data`."""

    column_titles: ClassVar[tuple[str, ...]] = ()

    def __init__(self) -> None:
        super().__init__()
        self.rows: Sequence[_Row] = ()

    def put_rows(self, rows: Sequence[_Row]) -> None:
        """Show other rows, and choose and scroll anew."""
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def rowCount(self, parent: TableIndex = QModelIndex()) -> int:  # noqa: B008
        """How many rows there are."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: TableIndex = QModelIndex()) -> int:  # noqa: B008
        """As many as have titles."""
        return 0 if parent.isValid() else len(self.column_titles)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """The names of the columns."""
        is_title = orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole
        return self.column_titles[section] if is_title else None

    def touch_all(self) -> None:
        """Have everything shown anew, while the rows stay the same ones."""
        if self.rows:
            last = self.index(len(self.rows) - 1, len(self.column_titles) - 1)
            self.dataChanged.emit(self.index(0, 0), last)
