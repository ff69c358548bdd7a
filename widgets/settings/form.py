"""Object form made from a definition: every field, or some, with an editor per element."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import QAbstractItemView, QLabel, QScrollArea, QWidget

from telemetry.configuration.settings.configuration import Configuration
from telemetry.protocol.objects.definition import FieldDefinition, ObjectDefinition
from telemetry.protocol.objects.values import is_text
from widgets.forms.formats import shown_units
from widgets.forms.tips import wrapped
from widgets.labels import show_text
from widgets.parts import clear_layout, make_column, make_grid, make_label
from widgets.settings.curve import SettingCurve
from widgets.settings.editor import MARK_PX, SettingEditor

_COLUMNS = 4


class ObjectForm(QWidget):
    """The fields of one object in a grid: name, editors, units. `fields` chooses and orders them;
    none means all. Fields that this aircraft's version lacks are left out and named below."""

    def __init__(self, settings: Configuration, name: str, fields: Sequence[str] = ()) -> None:
        super().__init__()
        self.name = name
        self.editors: dict[str, SettingEditor] = {}
        self._settings = settings
        self._fields = tuple(fields)
        self._definition: ObjectDefinition | None = None
        self._grid = make_grid(spacing=(8, 4))
        self._note = make_label(tone="muted", wraps=True)
        self.setLayout(make_column(self._grid, self._note))
        self.refresh()

    def refresh(self) -> None:
        """Show what is staged and on board."""
        definition = self._settings.definition(self.name)
        if definition is not self._definition:
            self._definition = definition
            self._build()
        self._show_note()
        for editor in self.editors.values():
            editor.refresh()

    def show_setting(self, path: str) -> bool:
        """Focus a setting and scroll to it; False if it is not in here."""
        editor = self.editors.get(path)
        if editor is None:
            return False
        reveal(editor)
        return True

    def _build(self) -> None:
        clear_layout(self._grid)
        self.editors.clear()
        definition = self._definition
        if definition is None:
            return
        names = self._fields or tuple(f.name for f in definition.fields)
        row = 0
        for name in names:
            if definition.has_field(name):
                row = self._add_field(definition.field_named(name), row)
        self._grid.setColumnStretch(_COLUMNS + 2, 1)

    def _add_field(self, f: FieldDefinition, row: int) -> int:
        """Add the rows of a field; return the next free row."""
        is_plain = f.elements == 1 or is_text(f)
        align = Qt.AlignmentFlag.AlignVCenter if is_plain else Qt.AlignmentFlag.AlignTop
        label = QLabel(f.name)
        label.setToolTip(wrapped(self._settings.aircraft.explain(self.name, f)))
        self._grid.addWidget(label, row, 0, align)
        paths = [(f.name, "")]
        if not is_plain:
            labels = [f.element_label(i) for i in range(f.elements)]
            paths = [(f"{f.name}.{text}", text) for text in labels]
        for number, (path, text) in enumerate(paths):
            below, column = divmod(number, _COLUMNS)
            self._grid.addWidget(self._cell(path, text), row + below, 1 + column)
        last = row + (len(paths) - 1) // _COLUMNS
        units = make_label(shown_units(f), tone="muted")
        self._grid.addWidget(units, row, 2 if is_plain else 1 + _COLUMNS, align)
        return last + 1

    def _cell(self, path: str, text: str) -> QWidget:
        editor = SettingEditor(self._settings, self.name, path)
        self.editors[path] = editor
        if not text:
            return editor
        cell = QWidget()
        caption = make_label(text, tone="muted", size="small")
        caption.setIndent(MARK_PX)
        cell.setLayout(make_column(caption, editor, spacing=0))
        return cell

    def _show_note(self) -> None:
        definition = self._definition
        if definition is None:
            text = self._settings.aircraft.why_absent(self.name)
        else:
            missing = [name for name in self._fields if not definition.has_field(name)]
            text = f"Not in this firmware: {', '.join(missing)}." if missing else ""
        show_text(self._note, text)


def reveal(widget: QWidget, path: str = "") -> None:
    """Scroll a widget into view and give it the keyboard; of what edits several settings the part
    that edits `path`, as far as it has parts."""
    # What was just built or unfolded has no place yet.
    QCoreApplication.sendPostedEvents(None, QEvent.Type.MetaCall)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
    part = widget.rect()
    if isinstance(widget, SettingCurve) and path in widget.paths:
        widget.choose(path)
    elif isinstance(widget, QAbstractItemView):
        part = widget.visualRect(widget.currentIndex())
        part.moveTopLeft(widget.viewport().mapTo(widget, part.topLeft()))
    parent = widget.parentWidget()
    while parent is not None:
        inside = parent.widget() if isinstance(parent, QScrollArea) else None
        if isinstance(parent, QScrollArea) and inside is not None:
            for corner in (part.bottomRight(), part.topLeft()):
                place = widget.mapTo(inside, corner)
                parent.ensureVisible(place.x(), place.y())
            break
        parent = parent.parentWidget()
    widget.setFocus(Qt.FocusReason.ShortcutFocusReason)
