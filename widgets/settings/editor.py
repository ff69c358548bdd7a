"""Setting editor: one setting in a form, edited here, staged at once, sent by nobody but Apply."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, SignalInstance
from PySide6.QtGui import QHelpEvent, QWheelEvent
from PySide6.QtWidgets import QLabel, QWidget

from telemetry.configuration.settings.configuration import Configuration
from telemetry.configuration.settings.slots import Slot, slot_at
from telemetry.protocol.objects.setting_limits import setting_complaint
from telemetry.recording.sample import Value
from widgets.change_detector import ChangeDetector
from widgets.forms.editors import (
    Editor,
    NumberEditor,
    OptionEditor,
    editor_value,
    plain_editor,
    range_text,
)
from widgets.forms.formats import THIN_SPACE, format_value, shown_units
from widgets.forms.special_editors import ChoiceEditor, ScaledEditor
from widgets.forms.tips import field_tip
from widgets.labels import set_look
from widgets.parts import make_label, make_row

SpecialEditor = ChoiceEditor | ScaledEditor

_MARK = "●"
_NARROWEST_PX = 84
_TEXT_PX = 14
_MARK_PX, _GAP_PX = 12, 2
MARK_PX = _MARK_PX + _GAP_PX
"""How far the box begins from the left: a heading above it does too."""


class SettingEditor(QWidget):
    """An editor bound to one path of one object, with a mark while its value is not sent.

    Unusual values are taken and said to be so; illegal ones cannot be entered. Where the aircraft
    lacks the object or field it shows a dash and the reason. The wheel scrolls past it unless it
    has the focus. Call `refresh` regularly; it costs next to nothing while nothing changes.

    An edit is shown at once, on every step of a held arrow, so what does not depend on the value
    (limits, why it is locked) is kept from the last look at the board, and the tool tip is made
    when somebody asks for it.
    """

    def __init__(
        self,
        settings: Configuration,
        name: str,
        path: str,
        instance: int = 0,
        make: Callable[[], SpecialEditor] | None = None,
    ) -> None:
        """`make` gives another editor than the usual one, for the setting in other words."""
        super().__init__()
        self.name, self.path, self.instance = name, path, instance
        self.twin = ""
        """Another path of the object that takes every value entered here too; "" for none."""
        self._settings = settings
        self._make_special = make
        self.editor: Editor | SpecialEditor | None = None
        """The widget that is typed into; None while the aircraft does not have the setting."""
        self._slot: Slot | None = None
        self._board = 0
        self._locked = ""
        self._on_board = ChangeDetector()
        self._present: Value | None = None
        self._staged: Value | None = None
        self._is_shown = False
        self._refused = ""
        self._metadata = f"{name}Meta"
        self._fixed_px = 0
        self._narrowest_px = _NARROWEST_PX
        self._mark: QLabel | None = None
        self._dash: QLabel | None = None
        self._line = make_row(margins=(MARK_PX, 0, 0, 0), spacing=_GAP_PX)
        self.setLayout(self._line)
        self.refresh()

    def refresh(self) -> None:
        """Show the staged value, or what is on board."""
        settings, aircraft = self._settings, self._settings.aircraft
        values, metadata = aircraft.stamp(self.name, self.instance), aircraft.stamp(self._metadata)
        on_board = values, metadata, aircraft.is_complete
        staged = settings.draft.get((self.name, self.instance), self.path)
        if self._on_board.has_changed(on_board):
            self._look_at_board()
        elif staged == self._staged and self._is_shown:
            return
        self._staged, self._is_shown = staged, True
        self._show()

    def fix_width(self, width_px: int) -> None:
        """Take so much room with the mark, for tables with many columns. A larger text takes more
        in proportion."""
        self._fixed_px = width_px
        self._fit_width()

    def changeEvent(self, event: QEvent) -> None:
        """Make room for another size of text."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange and self._fixed_px:
            self._fit_width()

    def _fit_width(self) -> None:
        width_px = round(self._fixed_px * max(1.0, self.fontInfo().pixelSize() / _TEXT_PX))
        self.setFixedWidth(width_px)
        self._narrowest_px = width_px - MARK_PX
        if self.editor is not None:
            self.editor.setMinimumWidth(self._narrowest_px)

    def stage(self, value: Value) -> None:
        """Take a value as if it had been entered."""
        self._refused = ""
        try:
            self._settings.stage(self.name, self.path, value, self.instance)
            if self.twin:
                self._settings.stage(self.name, self.twin, value, self.instance)
        except ValueError as error:
            self._refused = str(error)
        self._is_shown = False  # what was typed may stand for another value, or for none
        self.refresh()

    def tip(self) -> str:
        """What it does, what it takes, and how it stands."""
        title, slot, present = f"{self.name}.{self.path}", self._slot, self._present
        if slot is None:
            is_known = self._settings.aircraft.is_complete
            why = "This aircraft does not have it." if is_known else "Not received yet."
            return f"{title}: {why}"
        words = self._settings.aircraft.explain(self.name, slot.field)
        takes = f"Takes {range_text(slot.field, slot.index)}." if slot.index is not None else ""
        lines = [title, field_tip(words, takes)]
        if self._staged is not None and present is not None:
            units = shown_units(slot.field)
            suffix = f"{THIN_SPACE}{units}" if units else ""
            lines.append(f"Not sent. On board: {format_value(slot.field, present)}{suffix}")
        if why := self._refused or self._locked or self._complaint():
            lines.append(f"{why}.")
        return "\n".join(line for line in lines if line)

    def event(self, event: QEvent) -> bool:
        """Make the tool tip when it is asked for."""
        if isinstance(event, QHelpEvent):  # asking for its type costs more than all the rest
            self.setToolTip(self.tip())
        return super().event(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        editor = self.editor
        if editor is None or watched is not editor:
            return super().eventFilter(watched, event)
        if isinstance(event, QWheelEvent) and not editor.hasFocus():
            event.ignore()
            return True
        if isinstance(event, QHelpEvent):
            editor.setToolTip(self.tip())
        return super().eventFilter(watched, event)

    def _look_at_board(self) -> None:
        """Have the right editor for this aircraft's version of the field, and what it holds."""
        settings = self._settings
        definition = settings.definition(self.name, self.instance)
        try:
            slot = slot_at(definition, self.path) if definition is not None else None
        except ValueError:
            slot = None
        if slot != self._slot or self._line.isEmpty():
            self._adopt(slot)
        self._present = settings.on_board(self.name, self.path, self.instance)
        self._locked = self._why_locked()
        self._board = settings.aircraft.board
        if self.editor is not None:
            self.editor.setEnabled(not self._locked)

    def _adopt(self, slot: Slot | None) -> None:
        self._slot = slot
        if self.editor is not None:
            self.editor.deleteLater()
        if self._dash is not None:
            self._dash.deleteLater()
        self.editor = self._dash = None
        if slot is None:
            self._dash = make_label("–", tone="muted")
            self._line.addWidget(self._dash, 1)
        else:
            self.editor = self._make(slot)
            self._line.addWidget(self.editor, 1)
            self.setFocusProxy(self.editor)

    def _make(self, slot: Slot) -> Editor | SpecialEditor:
        board = self._settings.aircraft.board
        editor = (
            self._make_special()
            if self._make_special is not None
            else plain_editor(slot.field, slot.index or 0, board=board, takes_unusual=True)
        )
        _entered(editor).connect(self._take)
        if isinstance(editor, NumberEditor | ScaledEditor):
            editor.refused.connect(self._take_refusal)
        editor.setAccessibleName(f"{self.name} {self.path}")
        editor.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        editor.installEventFilter(self)
        if isinstance(editor, NumberEditor):  # hints have room for what is rare
            editor.setMinimumWidth(self._narrowest_px)
        return editor

    def _take(self) -> None:
        if isinstance(self.editor, SpecialEditor):
            self.stage(self.editor.number())
        elif self.editor is not None:
            self.stage(editor_value(self.editor))

    def _take_refusal(self, sentence: str) -> None:
        self._refused = sentence.removesuffix(".")

    def _show(self) -> None:
        editor = self.editor
        value = self._staged if self._staged is not None else self._present
        if editor is None or value is None:
            self._show_mark("")
            return
        if not (editor.hasFocus() and isinstance(editor, NumberEditor) and _is_half_typed(editor)):
            with QSignalBlocker(editor):
                editor.set_value(value)
        is_staged = self._staged is not None
        self._show_mark("caution" if self._complaint() else "selected" if is_staged else "")

    def _complaint(self) -> str:
        """Why the value shown is unusual, as a phrase; empty if it is not."""
        value = self._staged if self._staged is not None else self._present
        slot = self._slot
        if value is None or slot is None or slot.index is None:
            return ""
        told = setting_complaint(self.name, self.path, slot.field, slot.index, value, self._board)
        return f"Unusual: {told}" if told else ""

    def _why_locked(self) -> str:
        """Why the value cannot be set here, as a phrase; empty if it can."""
        aircraft = self._settings.aircraft
        if aircraft.is_log:
            return "A log cannot be changed"
        definition = aircraft.definition(self.name)
        if definition is not None and not definition.settings:
            return "A measured or commanded value, not a setting: the object browser can send it"
        return aircraft.why_read_only(self.name).rstrip(".")

    def _show_mark(self, tone: str) -> None:
        """A dot in a tone, "" for none. Few settings ever have one: its label is made for them."""
        if self._mark is None:
            if not tone:
                return
            self._mark = QLabel()
            self._mark.setProperty("tone", tone)
            self._mark.setFixedWidth(_MARK_PX)
            self._line.setContentsMargins(0, 0, 0, 0)
            self._line.insertWidget(0, self._mark)
        elif tone:
            set_look(self._mark, "tone", tone)
        self._mark.setText(_MARK if tone else "")


def _is_half_typed(editor: NumberEditor) -> bool:
    return editor.text() != editor.textFromValue(editor.value())


def _entered(editor: Editor | SpecialEditor) -> SignalInstance:
    """What an editor emits once the user has set something."""
    if isinstance(editor, OptionEditor):
        return editor.activated
    if isinstance(editor, NumberEditor):
        return editor.valueChanged
    return editor.entered if isinstance(editor, SpecialEditor) else editor.editingFinished
