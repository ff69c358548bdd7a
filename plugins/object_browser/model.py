"""Object tree model for Qt. Values come from the nodes when a visible row is painted."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from PySide6.QtCore import (
    QAbstractItemModel,
    QMimeData,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)
from PySide6.QtGui import QColor

from plugins.object_browser.field_drop import field_mime, path_of_field
from plugins.object_browser.nodes import GroupNode, ObjectNode, SourceNode
from plugins.object_browser.rows import (
    AGE,
    COLUMN_TITLES,
    DEFAULT,
    NAME,
    RATE,
    VALUE,
    RowContext,
    TreeNode,
)
from plugins.object_browser.sources import ObjectSource
from plugins.object_browser.values import ValueNode
from telemetry.base.measurement_units import short_unit
from widgets.forms.formats import THIN_SPACE, shown_units
from widgets.forms.tips import wrapped
from widgets.plot.fields import FIELD_MIME
from widgets.theme import Theme

Index = QModelIndex | QPersistentModelIndex

_Role = Qt.ItemDataRole
_GLOW_ALPHA = 0.30
RIGHT_ALIGNED = (AGE, RATE)
_TOKENS = ("text", "muted", "disabled", "accent", "accent_soft", "danger")
_READABLE = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
_EDITABLE = _READABLE | Qt.ItemFlag.ItemIsEditable


class Look(NamedTuple):
    """A painted cell: text, its colour, the glow or mark behind it, and its weight."""

    text: str
    color: QColor
    background: QColor | None
    is_bold: bool


class ObjectModel(QAbstractItemModel):
    """Rows are nodes; `scene` is what they look at, set before there are any.

    `refusal` says why nothing can be sent, or is None. `is_compact` says that there are only names
    and values, so that units stand with the values.
    """

    scene: RowContext

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.refusal: str | None = None
        self.is_compact = False
        self._groups: tuple[TreeNode, ...] = ()
        self._retired: tuple[TreeNode, ...] = ()
        self.apply_theme(theme)

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours."""
        self._colors = {token: theme.color(token) for token in _TOKENS}

    def set_groups(self, groups: tuple[TreeNode, ...]) -> None:
        """Show another tree."""
        self.beginResetModel()
        self._retired = self._groups  # Qt may still hold pointers to them until it is told
        self._groups = groups
        self.endResetModel()

    @property
    def groups(self) -> tuple[TreeNode, ...]:
        """The top rows."""
        return self._groups

    def node(self, index: Index) -> TreeNode | None:
        """The row's node, None for the root."""
        return index.internalPointer() if index.isValid() else None

    def index_of(self, node: TreeNode, column: int = 0) -> QModelIndex:
        """Where a node stands."""
        return self.createIndex(node.row, column, node)

    def find(self, keys: set[str]) -> Iterator[TreeNode]:
        """The nodes with these keys, parents before children; closed branches stay unbuilt."""
        waiting: list[TreeNode] = list(self._groups)
        while waiting:
            node = waiting.pop()
            if node.key in keys:
                yield node
            if isinstance(node, GroupNode) or any(_is_below(key, node.key) for key in keys):
                waiting.extend(node.children)

    # Qt's questions

    def columnCount(self, _parent: Index = QModelIndex()) -> int:  # noqa: B008  Qt's signature
        return len(COLUMN_TITLES)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        if not parent.isValid():
            return len(self._groups)
        return len(parent.internalPointer().children) if parent.column() == 0 else 0

    def hasChildren(self, parent: Index = QModelIndex()) -> bool:  # noqa: B008
        if not parent.isValid():
            return bool(self._groups)
        return parent.column() == 0 and bool(parent.internalPointer().has_children)

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: B008
        rows = parent.internalPointer().children if parent.isValid() else self._groups
        if 0 <= row < len(rows) and 0 <= column < len(COLUMN_TITLES):
            return self.createIndex(row, column, rows[row])
        return QModelIndex()

    def parent(self, index: Index | None = None) -> Any:
        if index is None:
            return QObject.parent(self)
        node = index.internalPointer().parent if index.isValid() else None
        return self.createIndex(node.row, 0, node) if node is not None else QModelIndex()

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = _Role.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == _Role.DisplayRole:
            return COLUMN_TITLES[section]
        if role == _Role.TextAlignmentRole and section in RIGHT_ALIGNED:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        node = self.node(index)
        if node is None:
            return Qt.ItemFlag.NoItemFlags
        flags = _EDITABLE if self.can_edit(node) else _READABLE
        return flags | Qt.ItemFlag.ItemIsDragEnabled if path_of_field(node) else flags

    def mimeTypes(self) -> list[str]:
        return [FIELD_MIME]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """What plots take when a field is dragged onto them."""
        return field_mime(path_of_field(self.node(indexes[0])) if indexes else "")

    def supportedDragActions(self) -> Qt.DropAction:
        return Qt.DropAction.CopyAction

    def data(self, index: Index, role: int = _Role.DisplayRole) -> Any:
        node = index.internalPointer()
        column = index.column()
        if role == _Role.DisplayRole:
            return node.text(column, self.scene)
        if role == _Role.ToolTipRole:
            return self._tool_tip(node, column) or None
        return None

    def look(self, node: TreeNode, column: int) -> Look:
        """How a cell is painted. The delegate asks once instead of for every role."""
        scene = self.scene
        text = node.text(column, scene)
        is_value = isinstance(node, ValueNode)
        if column == VALUE:
            if self.is_compact and isinstance(node, ValueNode):
                unit = short_unit(shown_units(node.field))
                text += f"{THIN_SPACE}{unit}" if unit else ""
            is_draft = node.is_draft(scene)
            is_bold = is_value and (is_draft or node.differs_from_default(scene))
            token = self._value_token(node, is_draft=is_draft)
            back = self._background(node, is_draft=is_draft) if is_value else None
            return Look(text, self._colors[token], back, is_bold)
        if node.is_faint():
            token = "disabled"
        elif column == NAME or (column == DEFAULT and node.differs_from_default(scene)):
            token = "text"
        else:
            token = "muted"
        back = self._background(node, is_draft=False) if column == AGE else None
        return Look(text, self._colors[token], back, column == NAME and isinstance(node, GroupNode))

    def aside(self, node: TreeNode) -> Look:
        """What a row without a value of its own says at its right end where it is compact."""
        has_state = not isinstance(node, SourceNode) or bool(node.state_text(self.scene))
        return self.look(node, VALUE if has_state else RATE)

    def _value_token(self, node: TreeNode, *, is_draft: bool) -> str:
        if is_draft:
            return "accent"
        if isinstance(node, ValueNode):
            return "disabled" if node.is_faint() else "text"
        if isinstance(node, SourceNode):
            progress = self.scene.edits.progress(node.source)
            if progress is not None and progress.state == "failed":
                return "danger"
        return "muted"

    def _background(self, node: TreeNode, *, is_draft: bool) -> QColor | None:
        glow = node.glow(self.scene)
        if glow > 0.0:
            color = QColor(self._colors["accent"])
            color.setAlphaF(_GLOW_ALPHA * glow)
            return color
        return self._colors["accent_soft"] if is_draft else None

    def _tool_tip(self, node: TreeNode, column: int) -> str | None:
        if isinstance(node, ObjectNode) and column == NAME:
            return wrapped(node.entry.definition.description) or None
        if isinstance(node, SourceNode) and column == VALUE:
            return node.state_text(self.scene) or None
        if isinstance(node, ValueNode) and column == NAME:
            return wrapped(self.scene.explain(node.source.definition.name, node.field)) or None
        if isinstance(node, ValueNode) and column == VALUE:
            text = node.board_text()
            return f"On board: {text}" if node.is_draft(self.scene) else text
        if isinstance(node, ValueNode) and column == DEFAULT:
            return node.default_text or None
        return None

    def can_edit(self, node: TreeNode) -> bool:
        """Whether another value can be typed into a row now."""
        if not isinstance(node, ValueNode) or not node.is_editable:
            return False
        return self.scene.edits.can_edit(node.source)

    def draft(self, node: ValueNode, value: Any) -> None:
        """Take over an edited value as a draft; raise ValueError if the field cannot hold it."""
        self.scene.edits.set(node.source, node.field, node.element, value)
        top: TreeNode = node
        while top.parent is not None and not isinstance(top, GroupNode):
            row = self.index_of(top)
            self.dataChanged.emit(row, row.siblingAtColumn(len(COLUMN_TITLES) - 1))
            top = top.parent


def source_of(node: TreeNode | None) -> ObjectSource | None:
    """The source that a row belongs to."""
    return node.source if isinstance(node, SourceNode | ValueNode) else None


def object_of(node: TreeNode | None) -> ObjectNode | None:
    """The object that a row belongs to."""
    while node is not None and not isinstance(node, ObjectNode):
        node = node.parent
    return node


def _is_below(key: str, ancestor: str) -> bool:
    return key.startswith(ancestor) and key[len(ancestor) : len(ancestor) + 1] in (".", "[", "@")
