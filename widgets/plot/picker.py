"""Field picker of a plot: search as you type, tick what you want."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QLineEdit,
    QTreeView,
    QWidget,
)

from telemetry.review.analysis.field_paths import FieldEntry
from widgets.parts import make_column, make_label
from widgets.plot.expression_entry import completed, offers
from widgets.plot.fields import search_fields
from widgets.plot.readers import is_expression
from widgets.popup import show_on_screen

_ROW_PX = 28
_EXPRESSION_HINT = (
    "Type an expression over fields: + - * / ^ and functions. Tab completes, Enter plots it."
)

_Index = QModelIndex | QPersistentModelIndex


class _Entries(QAbstractTableModel):
    """The entries found, with a tick at those plotted."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.entries: list[FieldEntry] = []
        self.plotted: frozenset[str] = frozenset()

    def show(self, entries: list[FieldEntry], plotted: frozenset[str]) -> None:
        self.beginResetModel()
        self.entries, self.plotted = entries, plotted
        self.endResetModel()

    def set_plotted(self, plotted: frozenset[str]) -> None:
        self.plotted = plotted
        if self.entries:
            last = self.index(len(self.entries) - 1, 0)
            self.dataChanged.emit(self.index(0, 0), last, [Qt.ItemDataRole.CheckStateRole])

    def rowCount(self, parent: _Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.entries)

    def columnCount(self, parent: _Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else 2

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        entry = self.entries[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return entry.path if index.column() == 0 else entry.unit
        if role == Qt.ItemDataRole.CheckStateRole and index.column() == 0:
            is_plotted = entry.path in self.plotted
            return Qt.CheckState.Checked if is_plotted else Qt.CheckState.Unchecked
        if role == Qt.ItemDataRole.SizeHintRole:
            return QSize(0, _ROW_PX)
        return None


Judge = Callable[[str], tuple[bool, str]]
"""Says whether an expression can be plotted, and a sentence about it."""


class FieldPicker(QFrame):
    """A popup over a plot. It stays open while fields are ticked; Esc or a click beside closes.

    What begins with "=" is an expression: the list then completes the word at the cursor.
    """

    picked = Signal(str)
    entered = Signal(str, str)
    """An expression with its mark, and the path of the curve it replaces, "" for none."""

    def __init__(self, parent: QWidget, judge: Judge) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self._judge = judge
        self._replaced = ""
        self._is_chosen = False
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self._all: list[FieldEntry] = []
        self._model = _Entries(self)
        self._search = QLineEdit()
        self._search.setPlaceholderText("Search fields, or compute: =norm(AccelState.x, …)")
        self._search.setClearButtonEnabled(True)
        self._search.setAccessibleName("Search fields")
        self._search.textChanged.connect(self._filter)
        self._search.installEventFilter(self)
        self._list = self._make_list()
        self._hint = make_label(tone="muted", wraps=True)
        self.setLayout(make_column(self._search, self._list, self._hint, margins=(8, 8, 8, 8)))

    def _make_list(self) -> QTreeView:
        view = QTreeView()
        view.setModel(self._model)
        view.setRootIsDecorated(False)
        view.setUniformRowHeights(True)
        view.setHeaderHidden(True)
        view.setAlternatingRowColors(True)
        view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.header().setStretchLastSection(False)
        view.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        view.header().setSectionResizeMode(1, QHeaderView.ResizeMode.Interactive)
        view.header().resizeSection(1, 80)
        view.clicked.connect(self._pick)
        return view

    def open_at(
        self,
        position: QPoint,
        entries: list[FieldEntry],
        plotted: frozenset[str],
        text: str = "",
        replaced: str = "",
    ) -> None:
        """Open with its top left corner at a global position, kept on the screen. `text` stands in
        the search already; an expression takes the place of the curve `replaced`."""
        self._all, self._replaced = entries, replaced
        self.resize(420, 440)
        self._search.setText(text)
        self._model.set_plotted(plotted)
        self._filter(text)
        show_on_screen(self, position)
        self._search.setFocus()

    def set_plotted(self, plotted: frozenset[str]) -> None:
        """Tick the fields that are plotted now."""
        self._model.set_plotted(plotted)

    @property
    def shown_paths(self) -> list[str]:
        """The fields that the search has left."""
        return [entry.path for entry in self._model.entries]

    def _filter(self, text: str) -> None:
        self._is_chosen = False
        self._list.header().resizeSection(1, 190 if is_expression(text) else 80)
        if is_expression(text):
            self._offer(text)
            return
        found = search_fields(self._all, text)
        self._model.show(found, self._model.plotted)
        if found:
            self._list.setCurrentIndex(self._model.index(0, 0))
        self._hint.setText(self._hint_for(len(found)))

    def _offer(self, text: str) -> None:
        """Complete the word at the cursor, and say what is wrong with the expression."""
        found = offers(self._all, text, self._search.cursorPosition())
        self._model.show(found, self._model.plotted)
        if found:
            self._list.setCurrentIndex(self._model.index(0, 0))
        _, sentence = self._judge(text) if text[1:].strip() else (False, _EXPRESSION_HINT)
        self._hint.setText(sentence)

    def _complete(self) -> None:
        index = self._list.currentIndex()
        if index.isValid():
            offer = self._model.entries[index.row()].path
            text, cursor = completed(self._search.text(), self._search.cursorPosition(), offer)
            self._search.setText(text)
            self._search.setCursorPosition(cursor)
            self._filter(text)

    def _enter(self) -> None:
        """Plot the expression, if it makes sense."""
        text = self._search.text().strip()
        is_good, sentence = self._judge(text)
        self._hint.setText(sentence)
        if is_good:
            self.entered.emit(text, self._replaced)
            self.close()

    def _hint_for(self, found: int) -> str:
        if not self._all:
            return "Nothing recorded yet. Connect to an aircraft or open a log, then add fields."
        if not found:
            return "No field is called so. Try fewer letters, or part of the object's name."
        fields = "1 field" if found == 1 else f"{found} fields"
        return f"{fields}. Enter or a click adds and removes, Esc closes."

    def _pick(self, index: QModelIndex) -> None:
        if is_expression(self._search.text()):
            self._complete()
        elif index.isValid():
            self.picked.emit(self._model.entries[index.row()].path)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the search line steer the list: arrows move, Enter picks."""
        if watched is self._search and isinstance(event, QKeyEvent):
            return event.type() == QEvent.Type.KeyPress and self._steer(event)
        return super().eventFilter(watched, event)

    def _steer(self, event: QKeyEvent) -> bool:
        steps = {
            Qt.Key.Key_Up: -1,
            Qt.Key.Key_Down: 1,
            Qt.Key.Key_PageUp: -10,
            Qt.Key.Key_PageDown: 10,
        }
        is_computed = is_expression(self._search.text())
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if is_computed and not self._is_chosen:
                self._enter()
            else:
                self._pick(self._list.currentIndex())
            return True
        if event.key() == Qt.Key.Key_Tab and is_computed:
            self._complete()
            return True
        step = steps.get(Qt.Key(event.key()))
        if step is None or not self._model.entries:
            return False
        row = self._list.currentIndex().row() + step
        row = max(0, min(len(self._model.entries) - 1, row))
        self._list.setCurrentIndex(self._model.index(row, 0))
        self._is_chosen = True
        return True
