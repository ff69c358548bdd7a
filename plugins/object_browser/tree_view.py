"""Tree view: keeps what is open, repaints only rows that changed, fits its columns."""

from typing import Any

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeView, QWidget

from plugins.object_browser.delegate import ValueDelegate
from plugins.object_browser.model import Index, ObjectModel
from plugins.object_browser.rows import AGE, DEFAULT, NAME, RATE, UNIT, VALUE, TreeNode
from plugins.object_browser.values import ValueNode
from widgets.theme import Theme

_WIDTHS = {NAME: 270, UNIT: 104, DEFAULT: 120, AGE: 100, RATE: 68}
_COMPACT_BELOW_PX, _FULL_FROM_PX = 600, 840
_INDENT_PX, _COMPACT_INDENT_PX = 18, 12
_NAME_SHARE = 0.56


class ObjectTree(QTreeView):
    """Shows an ObjectModel. Edits happen in the value column, wherever a row is activated.

    `chosen` says that Enter or a double click meant a row that is not edited by it; `left` that
    Esc was pressed.
    """

    chosen = Signal()
    left = Signal()

    def __init__(self, model: ObjectModel, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._delegate = ValueDelegate(theme, self)
        self._open_keys: set[str] = {"*settings", "*data"}
        self._is_restoring = False
        self._painted: dict[str, tuple[object, ...]] = {}
        self._theme = theme
        self._level = ""
        self._widths = {column: round(px * theme.scale) for column, px in _WIDTHS.items()}
        self.setModel(model)
        self.setItemDelegate(self._delegate)
        self.setUniformRowHeights(True)
        self.setAlternatingRowColors(False)
        self.setAllColumnsShowFocus(True)
        self.setEditTriggers(
            QAbstractItemView.EditTrigger.EditKeyPressed
            | QAbstractItemView.EditTrigger.AnyKeyPressed
        )
        self.setDragEnabled(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setMinimumHeight(64)
        self.setAccessibleName("Objects and their fields")
        self._shape_header()
        self.expanded.connect(self._on_expanded)
        self.collapsed.connect(self._on_collapsed)

    def _shape_header(self) -> None:
        header = self.header()
        header.setSectionsMovable(False)
        header.setStretchLastSection(False)
        header.setStyleSheet("QHeaderView::section { padding-left: 4px; }")  # above the texts
        header.setMinimumSectionSize(40)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(VALUE, QHeaderView.ResizeMode.Stretch)

    def apply_theme(self, theme: Theme) -> None:
        """Take over sizes; colours come with the model."""
        factor = theme.scale / self._theme.scale
        self._theme = theme
        self._delegate.apply_theme(theme)
        if factor == 1.0:
            return
        self._widths = {column: round(px * factor) for column, px in self.full_widths().items()}
        self._level = ""
        self._fit_columns()
        self.scheduleDelayedItemsLayout()

    # Its columns

    @property
    def is_compact(self) -> bool:
        """Whether there is room for names and values only."""
        return self._level == "compact"

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show the columns there is room for, and keep the current row in sight."""
        super().resizeEvent(event)
        row = self.visualRect(self.currentIndex())
        if 0 <= row.top() < event.oldSize().height() and row.bottom() > event.size().height():
            self.scrollTo(self.currentIndex())
        self._fit_columns()

    def _fit_columns(self) -> None:
        width, scale = self.viewport().width(), self._theme.scale
        is_compact = self.width() < _COMPACT_BELOW_PX * scale
        is_full = self.width() >= _FULL_FROM_PX * scale
        level = "full" if is_full else "compact" if is_compact else "medium"
        if level != self._level:
            self._enter_level(level)
        if is_compact:
            self.setColumnWidth(NAME, round(width * _NAME_SHARE))
        elif not is_full:
            rest = width - self._widths[UNIT] - self._widths[AGE]
            self.setColumnWidth(NAME, round(rest * _NAME_SHARE))

    def _enter_level(self, level: str) -> None:
        """Another set of columns; the widths of the full set are kept meanwhile."""
        self._widths = self.full_widths()
        self._level = level
        is_compact = level == "compact"
        for column in (DEFAULT, RATE):
            self.setColumnHidden(column, level != "full")
        for column in (UNIT, AGE):
            self.setColumnHidden(column, is_compact)
        for column, px in self._widths.items():
            self.setColumnWidth(column, px)
        self._delegate.is_compact = self._model.is_compact = is_compact
        indent_px = _COMPACT_INDENT_PX if is_compact else _INDENT_PX
        self.setIndentation(round(indent_px * self._theme.scale))
        self._span_all()

    def full_widths(self) -> dict[int, int]:
        """The widths of the columns as the user has set them where all are shown."""
        if self._level != "full":
            return dict(self._widths)
        return {column: self.columnWidth(column) for column in _WIDTHS}

    def _span_all(self) -> None:
        """Let names of objects use the whole row where there are only two columns."""
        self._span(None)
        for node in self._model.find(self._open_keys):
            self._span(node)

    def _span(self, parent: TreeNode | None) -> None:
        rows = self._model.groups if parent is None else parent.children
        index = QModelIndex() if parent is None else self._model.index_of(parent)
        for node in rows:
            is_spanned = self.is_compact and not isinstance(node, ValueNode)
            if self.isFirstColumnSpanned(node.row, index) != is_spanned:
                self.setFirstColumnSpanned(node.row, index, is_spanned)

    # What it remembers

    @property
    def is_editing(self) -> bool:
        """Whether an editor is open."""
        return self.state() == QAbstractItemView.State.EditingState

    @property
    def refused(self) -> str:
        """Why the last edit was not taken over, as a phrase."""
        return self._delegate.refused

    def widths(self) -> dict[str, int]:
        """The widths of the columns that can be moved, by column number."""
        return {str(column): px for column, px in self.full_widths().items()}

    def set_widths(self, widths: dict[str, int]) -> None:
        """Take over what `widths` returned."""
        for column in _WIDTHS:
            width = widths.get(str(column))
            if isinstance(width, int) and 20 <= width <= 2000:
                self._widths[column] = width
                if self._level == "full":
                    self.setColumnWidth(column, width)

    def open_keys(self) -> list[str]:
        """The keys of all open rows."""
        return sorted(self._open_keys)

    def set_open_keys(self, keys: set[str]) -> None:
        """Open these rows, now or when they come to be."""
        self._open_keys = keys
        self._restore(keys)

    def show_groups(self, groups: tuple[TreeNode, ...], also_open: set[str]) -> None:
        """Show another tree, with the same rows open, selected and in sight as before."""
        current = self._model.node(self.currentIndex())
        current_key = current.key if current else ""
        scroll = self.verticalScrollBar().value()
        self._model.set_groups(groups)
        self._painted.clear()
        self._span(None)
        self._restore(self._open_keys | also_open)
        for node in self._model.find({current_key}):
            self.setCurrentIndex(self._model.index_of(node))
        self.verticalScrollBar().setValue(scroll)

    def _restore(self, keys: set[str]) -> None:
        self._is_restoring = True
        for node in self._model.find(keys):
            self._open(node)
        self._is_restoring = False

    def _open(self, node: TreeNode) -> None:
        index = self._model.index_of(node)
        self.setExpanded(index, True)
        if self.is_compact:
            self._span(node)

    def _on_expanded(self, index: QModelIndex) -> None:
        node = self._model.node(index)
        if node is not None and not self._is_restoring:
            self._open_keys.add(node.key)
            if self.is_compact:
                self._span(node)

    def _on_collapsed(self, index: QModelIndex) -> None:
        node = self._model.node(index)
        if node is not None and not self._is_restoring:
            self._open_keys.discard(node.key)

    def repaint_changed(self) -> int:
        """Repaint the rows in sight whose text or glow moved; return how many."""
        scene = self._model.scene
        bottom = self.viewport().height()
        width = self.viewport().width()
        index = self.indexAt(self.viewport().rect().topLeft())
        rect = self.visualRect(index)
        top, height = rect.top(), rect.height()  # all rows are equally high
        painted: dict[str, tuple[object, ...]] = {}
        count = 0
        while index.isValid() and top < bottom:
            node = index.internalPointer()
            stamp = painted[node.key] = node.stamp(scene)
            if self._painted.get(node.key) != stamp:
                self.viewport().update(0, top, width, height)
                count += 1
            index = self.indexBelow(index)
            top += height
        self._painted = painted
        return count

    # Hands

    def edit(self, index: Index, *reason: Any) -> Any:
        """Edit the value of a row, whichever of its columns was meant.

        Without a reason this asks for an editor; with trigger and event Qt asks whether to open
        one.
        """
        return super().edit(index.sibling(index.row(), VALUE), *reason)

    def edit_current(self) -> bool:
        """Open the editor of the current row; False if it cannot be edited."""
        value = self.currentIndex().siblingAtColumn(VALUE)
        if not value.isValid() or not self._model.flags(value) & Qt.ItemFlag.ItemIsEditable:
            return False
        self.edit(value)
        return True

    def open_all(self) -> None:
        """Open every object, down to its fields."""
        self._open_deep(list(self._model.groups))

    def open_below(self, index: Index) -> None:
        """Open a row and all below it."""
        node = self._model.node(index)
        if node is not None:
            self._open_deep([node], with_elements=True)

    def close_all(self) -> None:
        """Close every object."""
        self.collapseAll()
        self._open_keys = {group.key for group in self._model.groups}
        self._restore(self._open_keys)

    def _open_deep(self, waiting: list[TreeNode], *, with_elements: bool = False) -> None:
        while waiting:
            node = waiting.pop()
            if node.has_children and (with_elements or not isinstance(node, ValueNode)):
                self._open_keys.add(node.key)
                self._open(node)
                waiting.extend(node.children)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter edits, opens or plots; Esc leaves."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not self.is_editing:
            self.chosen.emit()
        elif event.key() == Qt.Key.Key_Escape and not self.is_editing:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Edit or plot a value; open and close others as usual."""
        node = self._model.node(self.indexAt(event.position().toPoint()))
        if isinstance(node, ValueNode) and event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit()
        else:
            super().mouseDoubleClickEvent(event)
