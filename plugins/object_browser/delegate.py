"""Item delegate of the tree: paints its cells and makes the editor that suits a field."""

from PySide6.QtCore import QAbstractItemModel, QObject, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QWidget,
)

from plugins.object_browser.model import RIGHT_ALIGNED, Index, Look, ObjectModel
from plugins.object_browser.rows import DEFAULT, NAME, UNIT, VALUE
from plugins.object_browser.values import ValueNode
from telemetry.protocol.objects.values import is_text
from widgets.forms.editors import Editor, OptionEditor, editor_value, make_editor
from widgets.forms.formats import text_of
from widgets.theme import Theme

_INSET_PX = 4
_CHIP_PX = 3
_LEFT = int(Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine)
_RIGHT = _LEFT | int(Qt.AlignmentFlag.AlignRight)
_EDITOR_LEAST_PX = 140
_OPENED_WITH = "openedWith"
# The application's sheet gives inputs the height of a form; in a row they are as high as the row.
_IN_ROW = "min-height: 0px; padding: 0px 4px; border-radius: 3px;"


class ValueDelegate(QStyledItemDelegate):
    """Makes the editor that suits the field."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self.refused = ""
        self.is_compact = False
        self.apply_theme(theme)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(super().sizeHint(option, index).width(), self.row_px)

    def apply_theme(self, theme: Theme) -> None:
        """Take over colours and type."""
        self.row_px = theme.row_px()
        self._selected = theme.color("accent_soft")
        self._fonts = (theme.font(), theme.font(bold=True))
        self._metrics = tuple(QFontMetrics(font) for font in self._fonts)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint a cell; several times faster than the style does it, which asks for each role."""
        model = index.model()
        assert isinstance(model, ObjectModel)
        node, column, rect = index.internalPointer(), index.column(), option.rect
        if not isinstance(node, ValueNode):
            if column in (UNIT, DEFAULT):
                return  # here stands the summary
            if column == VALUE:
                view = option.widget
                assert isinstance(view, QTreeView)
                rect.setWidth(rect.width() + view.columnWidth(UNIT) + view.columnWidth(DEFAULT))
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, self._selected)
        look = model.look(node, column)
        if self.is_compact and column == NAME and not isinstance(node, ValueNode):
            aside = model.aside(node)
            name_px = self._metrics[look.is_bold].horizontalAdvance(look.text)
            room = rect.adjusted(name_px + 3 * _INSET_PX, 0, -_INSET_PX, 0)
            if self._metrics[aside.is_bold].horizontalAdvance(aside.text) <= room.width():
                self._paint_text(painter, aside, room, is_right=True)
        self._paint_text(painter, look, rect, is_right=column in RIGHT_ALIGNED)

    def _paint_text(self, painter: QPainter, look: Look, rect: QRect, *, is_right: bool) -> None:
        text, color, background, is_bold = look
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
            if is_right:
                chip.moveRight(rect.right())
            painter.fillRect(chip, background)
        painter.setFont(self._fonts[is_bold])
        painter.setPen(color)
        painter.drawText(inside, _RIGHT if is_right else _LEFT, text)

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
        editor.setProperty(_OPENED_WITH, editor_value(editor))

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        node = index.internalPointer()
        assert isinstance(node, ValueNode)
        assert isinstance(model, ObjectModel)
        assert isinstance(editor, Editor)
        if editor_value(editor) == editor.property(_OPENED_WITH):
            return  # only looked at; the value may have moved on meanwhile
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
