"""Mixer table, cell by cell: staged or on board, beside what the frame would generate."""

from typing import Any

from PySide6.QtCore import QAbstractItemModel, QAbstractTableModel, QModelIndex, QSize, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from plugins.airframe.channel_names import channel_title
from telemetry.base.finding import Level
from telemetry.configuration.airframe.mixer import MixerChannel
from telemetry.configuration.settings.airframe_draft import MIXER, AirframeDraft
from telemetry.configuration.settings.slots import field_paths
from telemetry.protocol.objects.definition import ObjectDefinition
from widgets.forms.editors import NumberEditor, OptionEditor, editor_value
from widgets.theme import Theme

_Index = QModelIndex
_CHANNEL, _TYPE, _FIRST_WEIGHT = 0, 1, 2


class MixerModel(QAbstractTableModel):
    """A row for each output: the frame's channel, its type and its weights."""

    def __init__(self, draft: AirframeDraft) -> None:
        super().__init__()
        self._draft = draft
        self._elements: tuple[str, ...] = ()
        self._theme: Theme | None = None
        self._paths: tuple[tuple[str, ...], ...] = ()
        self._wrong: frozenset[int] = frozenset()

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours."""
        self._theme = theme
        self._tell()

    def refresh(self) -> None:
        """Show what is staged now; another release may have more or fewer outputs."""
        definition = self._draft.definition
        dangers = (f for f in self._draft.findings if f.level is Level.ERROR)
        self._wrong = frozenset(output for f in dangers for output in f.outputs)
        elements: tuple[str, ...] = ()
        paths: tuple[tuple[str, ...], ...] = ()
        if definition is not None:
            vector = definition.field_named("Mixer1Vector")
            elements = tuple(vector.element_label(i) for i in range(vector.elements))
            outputs = range(1, self._draft.mixer.size + 1)
            paths = tuple(_paths_of(definition, output) for output in outputs)
        if (elements, paths) != (self._elements, self._paths):
            self.beginResetModel()
            self._elements, self._paths = elements, paths
            self.endResetModel()
        else:
            self._tell()

    def path(self, index: _Index) -> str:
        """The path of a cell in MixerSettings; empty for what cannot be set."""
        return self._paths[index.row()][index.column()]

    def index_of(self, path: str) -> QModelIndex:
        """The cell of a path, invalid if there is none."""
        for row, paths in enumerate(self._paths):
            for column, known in enumerate(paths):
                if known == path or known.startswith(f"{path}."):
                    return self.index(row, column)
        return QModelIndex()

    def rowCount(self, parent: Any = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._paths)

    def columnCount(self, parent: Any = None) -> int:
        is_child = parent is not None and parent.isValid()
        return 0 if is_child else _FIRST_WEIGHT + len(self._elements)

    def headerData(self, section: int, way: Qt.Orientation, role: int = 0) -> Any:
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if way == Qt.Orientation.Vertical:
            return str(section + 1)
        return ("Channel", "Type", *map(_heading, self._elements))[section]

    def flags(self, index: Any) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if self.path(index) and not self._draft.is_read_only:
            flags |= Qt.ItemFlag.ItemIsEditable
        return flags

    def data(self, index: Any, role: int = 0) -> Any:
        path = self.path(index)
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(index, path)
        if role == Qt.ItemDataRole.EditRole:
            return self._value(self._draft.shown(index.row() + 1), index.column())
        if role == Qt.ItemDataRole.ToolTipRole and path:
            return self._tip(index, path)
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() >= _FIRST_WEIGHT:
            return Qt.AlignmentFlag.AlignCenter
        if role == Qt.ItemDataRole.FontRole and self._is_staged(path):
            font = QFont(self._theme.font(bold=True)) if self._theme else QFont()
            font.setBold(True)
            return font
        return self._colour(index, path, role)

    def setData(self, index: Any, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        path = self.path(index)
        if role != Qt.ItemDataRole.EditRole or not path:
            return False
        try:
            self._draft.settings.stage(MIXER, path, value)
        except ValueError:
            return False
        return True

    def _tell(self) -> None:
        last = self.index(self.rowCount() - 1, self.columnCount() - 1)
        if last.isValid():
            self.dataChanged.emit(self.index(0, 0), last)

    def _is_staged(self, path: str) -> bool:
        return bool(path) and self._draft.settings.is_staged(MIXER, path)

    def _value(self, channel: MixerChannel, column: int) -> str | int:
        if column == _CHANNEL:
            is_wrong = channel.output in self._wrong
            title = channel_title(self._draft.channel_on(channel.output))
            return f"✖ {title}".rstrip() if is_wrong else title
        if column == _TYPE:
            return channel.type
        element = column - _FIRST_WEIGHT
        return channel.vector[element] if element < len(channel.vector) else 0

    def _text(self, index: QModelIndex, path: str) -> str:
        output, column = index.row() + 1, index.column()
        value = self._value(self._draft.shown(output), column)
        mark = "● " if self._is_staged(path) else ""
        if path in self._draft.differing:
            expected = self._value(self._draft.expected(output), column)
            return f"{mark}{value} ({expected})"
        is_idle = self._draft.shown(output).type == "Disabled" and column >= _FIRST_WEIGHT
        return "·" if is_idle and value == 0 and not mark else f"{mark}{value}"

    def _colour(self, index: QModelIndex, path: str, role: int) -> Any:
        if self._theme is None:
            return None
        if role == Qt.ItemDataRole.BackgroundRole and path in self._draft.differing:
            return self._theme.color("caution_soft")
        if role == Qt.ItemDataRole.ForegroundRole:
            if index.column() == _CHANNEL and index.row() + 1 in self._wrong:
                return self._theme.color("danger")
            if path in self._draft.differing:
                return self._theme.color("caution")
            if self._draft.shown(index.row() + 1).type == "Disabled":
                return self._theme.color("muted")
        return None

    def _tip(self, index: QModelIndex, path: str) -> str:
        draft, output, column = self._draft, index.row() + 1, index.column()
        lines = [f"{MIXER}.{path}"]
        if path in draft.differing:
            expected = self._value(draft.expected(output), column)
            lines.append(f"{draft.frame.title} would have {expected} here.")
        if self._is_staged(path):
            lines.append(f"Not sent. On board: {draft.settings.on_board(MIXER, path)}.")
        return "\n".join(lines)


class MixerTable(QTableView):
    """The mixer as a table as high as it needs to be; cells are typed into."""

    def __init__(self, draft: AirframeDraft) -> None:
        super().__init__()
        self.cells = MixerModel(draft)
        self.setModel(self.cells)
        self.setItemDelegate(_CellEditor(draft, self.cells))
        self.setAccessibleName("Mixer")
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        triggers = QAbstractItemView.EditTrigger
        self.setEditTriggers(
            triggers.DoubleClicked
            | triggers.EditKeyPressed
            | triggers.AnyKeyPressed
            | triggers.SelectedClicked
        )
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabKeyNavigation(False)
        across = self.horizontalHeader()
        across.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        down = self.verticalHeader()
        down.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.cells.modelReset.connect(self._fit)
        self._fit()

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours and sizes."""
        self.verticalHeader().setDefaultSectionSize(theme.row_px())
        self.cells.apply_theme(theme)
        self._fit()

    def show_setting(self, path: str) -> bool:
        """Choose the cell of a path; False if there is none."""
        index = self.cells.index_of(path)
        if index.isValid():
            self.setCurrentIndex(index)
        return bool(index.isValid())

    def sizeHint(self) -> QSize:
        return QSize(760, self.height())

    def _fit(self) -> None:
        rows = self.cells.rowCount() * self.verticalHeader().defaultSectionSize()
        self.setFixedHeight(self.horizontalHeader().sizeHint().height() + rows + 4)


class _CellEditor(QStyledItemDelegate):
    """Edits a type by choosing and a weight by typing, as everywhere else."""

    def __init__(self, draft: AirframeDraft, cells: MixerModel) -> None:
        super().__init__()
        self._draft, self._cells = draft, cells

    def createEditor(self, parent: QWidget, _option: QStyleOptionViewItem, index: Any) -> QWidget:
        definition, path = self._draft.definition, self._cells.path(index)
        assert definition is not None
        f = definition.field_named(path.partition(".")[0])
        if index.column() == _TYPE:
            options = OptionEditor(f, 0, parent, board=self._draft.settings.aircraft.board)
            options.activated.connect(lambda _index: self.commitData.emit(options))
            return options
        return NumberEditor(f, index.column() - _FIRST_WEIGHT, parent, takes_unusual=True)

    def setEditorData(self, editor: QWidget, index: Any) -> None:
        assert isinstance(editor, OptionEditor | NumberEditor)
        editor.set_value(index.data(Qt.ItemDataRole.EditRole))

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Any) -> None:
        assert isinstance(editor, OptionEditor | NumberEditor)
        model.setData(index, editor_value(editor))


def _paths_of(definition: ObjectDefinition, output: int) -> tuple[str, ...]:
    """The paths of a row's cells in MixerSettings; empty for what cannot be set."""
    vector = field_paths(definition.field_named(f"Mixer{output}Vector"))
    return ("", f"Mixer{output}Type", *vector)


def _heading(element: str) -> str:
    """The name on the wire, in two lines where it is long."""
    return element.replace("ThrottleCurve", "Throttle\nCurve")
