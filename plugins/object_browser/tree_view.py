"""The tree itself: edits in place, keeps what is open, repaints only rows that changed."""

from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QSize, Qt, QTimer
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QWidget,
)

from plugins.object_browser.model import Index, ObjectModel
from plugins.object_browser.nodes import AGE, DEFAULT, NAME, UNIT, VALUE, Node, ValueNode
from widgets.forms.editors import Editor, OptionEditor, editor_value, make_editor
from widgets.forms.formats import is_text, text_of
from widgets.theme import Theme

_ROW_PX = 28
_INSET_PX = 4
_CHIP_PX = 3
_ALIGNED = int(Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine)
_EDITOR_LEAST_PX = 140
# The application's sheet gives inputs the height of a form; in a row they are as high as the row.
_IN_ROW = "min-height: 0px; padding: 0px 4px; border-radius: 3px;"
_WIDTHS = {NAME: 270, UNIT: 92, DEFAULT: 120, AGE: 64}


class ValueDelegate(QStyledItemDelegate):
    """Makes the editor that suits the field."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self.refused = ""
        self.apply_theme(theme)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(super().sizeHint(option, index).width(), self.row_px)

    def apply_theme(self, theme: Theme) -> None:
        """Take over colours and type."""
        self.row_px = round(_ROW_PX * theme.scale)
        self._selected = theme.color("accent_soft")
        self._fonts = (theme.font(), theme.font(bold=True))
        self._metrics = tuple(QFontMetrics(font) for font in self._fonts)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint a cell; several times faster than the style does it, which asks for each role."""
        model = index.model()
        assert isinstance(model, ObjectModel)
        text, color, background, is_bold = model.look(index.internalPointer(), index.column())
        rect = option.rect
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, self._selected)
        if not text:
            return
        inside = rect.adjusted(_INSET_PX, 0, -_INSET_PX, 0)
        metrics = self._metrics[is_bold]
        width = metrics.horizontalAdvance(text)
        if width > inside.width():
            width = inside.width()
            text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)
        if background is not None:
            chip = rect.adjusted(0, _CHIP_PX, 0, -_CHIP_PX)
            chip.setWidth(width + 2 * _INSET_PX)
            painter.fillRect(chip, background)
        painter.setFont(self._fonts[is_bold])
        painter.setPen(color)
        painter.drawText(inside, _ALIGNED, text)

    def createEditor(self, parent: QWidget, _option: QStyleOptionViewItem, index: Index) -> QWidget:
        node = index.internalPointer()
        assert isinstance(node, ValueNode)
        editor = make_editor(node.field, node.element or 0, parent)
        editor.setStyleSheet(_IN_ROW)
        editor.setAutoFillBackground(True)
        if isinstance(editor, OptionEditor):
            editor.activated.connect(lambda _row: self._commit(editor))
            QTimer.singleShot(0, editor, editor.showPopup)
        return editor

    def _commit(self, editor: QWidget) -> None:
        self.commitData.emit(editor)
        self.closeEditor.emit(editor, QStyledItemDelegate.EndEditHint.NoHint)

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        node = index.internalPointer()
        model = index.model()
        assert isinstance(node, ValueNode)
        assert isinstance(model, ObjectModel)
        assert isinstance(editor, Editor)
        value = node.value(model.scene)
        if isinstance(value, tuple):
            value = text_of(value) if is_text(node.field) else ""
        editor.set_value(value)

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        node = index.internalPointer()
        assert isinstance(node, ValueNode)
        assert isinstance(model, ObjectModel)
        assert isinstance(editor, Editor)
        try:
            model.draft(node, editor_value(editor))
            self.refused = ""
        except ValueError as error:
            self.refused = str(error)

    def updateEditorGeometry(
        self, editor: QWidget, option: QStyleOptionViewItem, _index: Index
    ) -> None:
        rect = option.rect
        rect.setWidth(max(rect.width(), _EDITOR_LEAST_PX))
        editor.setGeometry(rect)


class ObjectTree(QTreeView):
    """Shows an ObjectModel. Edits happen in the value column, wherever a row is activated."""

    def __init__(self, model: ObjectModel, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._delegate = ValueDelegate(theme, self)
        self._open_keys: set[str] = {"*settings", "*data"}
        self._is_restoring = False
        self._painted: dict[str, tuple[object, ...]] = {}
        self.setModel(model)
        self.setItemDelegate(self._delegate)
        self.setUniformRowHeights(True)
        self.setAlternatingRowColors(False)
        self.setAllColumnsShowFocus(True)
        self.setEditTriggers(
            QAbstractItemView.EditTrigger.DoubleClicked
            | QAbstractItemView.EditTrigger.EditKeyPressed
            | QAbstractItemView.EditTrigger.AnyKeyPressed
        )
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
        for column, width in _WIDTHS.items():
            self.setColumnWidth(column, width)
        header.setSectionResizeMode(VALUE, QHeaderView.ResizeMode.Stretch)

    def apply_theme(self, theme: Theme) -> None:
        """Take over sizes; colours come with the model."""
        self._delegate.apply_theme(theme)
        self.setIndentation(round(18 * theme.scale))
        self.scheduleDelayedItemsLayout()

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
        return {str(column): self.columnWidth(column) for column in _WIDTHS}

    def set_widths(self, widths: dict[str, int]) -> None:
        """Take over what `widths` returned."""
        for column in _WIDTHS:
            width = widths.get(str(column))
            if isinstance(width, int) and 20 <= width <= 2000:
                self.setColumnWidth(column, width)

    def open_keys(self) -> list[str]:
        """The keys of all open rows."""
        return sorted(self._open_keys)

    def set_open_keys(self, keys: set[str]) -> None:
        """Open these rows, now or when they come to be."""
        self._open_keys = keys
        self._restore(keys)

    def show_groups(self, groups: tuple[Node, ...], also_open: set[str]) -> None:
        """Show another tree, with the same rows open, selected and in sight as before."""
        current = self._model.node(self.currentIndex())
        current_key = current.key if current else ""
        scroll = self.verticalScrollBar().value()
        self._model.set_groups(groups)
        self._painted.clear()
        self._restore(self._open_keys | also_open)
        for node in self._model.find({current_key}):
            self.setCurrentIndex(self._model.index_of(node))
        self.verticalScrollBar().setValue(scroll)

    def _restore(self, keys: set[str]) -> None:
        self._is_restoring = True
        for node in self._model.find(keys):
            self.setExpanded(self._model.index_of(node), True)
        self._is_restoring = False

    def _on_expanded(self, index: QModelIndex) -> None:
        node = self._model.node(index)
        if node is not None and not self._is_restoring:
            self._open_keys.add(node.key)

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

    def edit(self, index: Index, *reason: Any) -> Any:
        """Edit the value of a row, whichever of its columns was meant.

        Without a reason this asks for an editor; with trigger and event Qt asks whether to open
        one.
        """
        return super().edit(index.sibling(index.row(), VALUE), *reason)
