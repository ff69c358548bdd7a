"""Editors for field values: an option list, a number with its range, hexadecimal, text.

`make_editor` picks the right one for a field; every editor has `value()` and `set_value(value)`
and says in its tool tip what the field is for and which values it takes.
"""

import math

from PySide6.QtCore import QRegularExpression, QSize, Signal
from PySide6.QtGui import QRegularExpressionValidator, QValidator
from PySide6.QtWidgets import QDoubleSpinBox, QLineEdit, QWidget

from telemetry.base.number_text import significant
from telemetry.protocol.objects.definition import FieldDefinition, FieldType
from telemetry.protocol.objects.field_limits import Limits, limits_of
from telemetry.protocol.objects.values import is_text
from widgets.elided_choice import ElidedChoice
from widgets.forms.formats import (
    THIN_SPACE,
    Value,
    format_value,
    is_hex,
    shown_units,
)
from widgets.forms.refusal import say_refused
from widgets.forms.spin_boxes import indent_text
from widgets.forms.tips import field_tip

_LARGEST_FLOAT = 3.4028234e38
_FLOAT_DECIMALS = 45  # what the smallest 32-bit float needs
_MOST_LETTERS = 18
_INTEGER_RANGES = {
    FieldType.INT8: (-(2**7), 2**7 - 1),
    FieldType.UINT8: (0, 2**8 - 1),
    FieldType.INT16: (-(2**15), 2**15 - 1),
    FieldType.UINT16: (0, 2**16 - 1),
    FieldType.INT32: (-(2**31), 2**31 - 1),
    FieldType.UINT32: (0, 2**32 - 1),
}


def type_range(f: FieldDefinition) -> tuple[float, float]:
    """What the type of a number field can hold."""
    return _INTEGER_RANGES.get(f.type, (-_LARGEST_FLOAT, _LARGEST_FLOAT))


def range_text(f: FieldDefinition, element: int = 0) -> str:
    """The values an element takes, as a phrase: advised range first, else that of the type."""
    limits = limits_of(f, element)
    if f.type is FieldType.ENUM:
        return ", ".join(_options(f, limits))
    units = shown_units(f)
    suffix = f"{THIN_SPACE}{units}" if units else ""
    low, high = limits.minimum, limits.maximum
    if low is not None and high is not None:
        return f"{significant(low, 6)} to {significant(high, 6)}{suffix}"
    if low is not None:
        return f"{significant(low, 6)} or more{suffix}"
    if high is not None:
        return f"{significant(high, 6)} or less{suffix}"
    if f.type is FieldType.FLOAT:
        return f"any number{suffix}"
    type_low, type_high = type_range(f)
    return f"{type_low:.0f} to {type_high:.0f}{suffix}"


class OptionEditor(ElidedChoice):
    """Chooses one option. Options advised against are offered only where already chosen. It may be
    as narrow as its widest option asks for, a very long one aside."""

    def __init__(
        self, f: FieldDefinition, element: int, parent: QWidget | None = None, board: int = 0
    ) -> None:
        super().__init__(parent)
        self.addItems(list(_options(f, limits_of(f, element, board))))
        self.setMaxVisibleItems(18)

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        return hint.boundedTo(QSize(_MOST_LETTERS * self.fontMetrics().averageCharWidth(), 9999))

    def value(self) -> Value:
        """The chosen option's text."""
        return self.currentText()

    def set_value(self, value: Value) -> None:
        """Choose an option; one that is not offered is added."""
        if self.findText(str(value)) < 0:
            self.addItem(str(value))
        self.setCurrentText(str(value))


class NumberEditor(QDoubleSpinBox):
    """A number, whole or not; steps follow the size of the number.

    It takes what the limits advise, or with `takes_unusual` all that the type can hold. What else
    is typed is refused with a sentence; `refused` tells it too.
    """

    refused = Signal(str)

    def __init__(
        self,
        f: FieldDefinition,
        element: int,
        parent: QWidget | None = None,
        *,
        takes_unusual: bool = False,
    ) -> None:
        super().__init__(parent)
        indent_text(self)
        self._is_whole = f.type is not FieldType.FLOAT
        self.setDecimals(0 if self._is_whole else _FLOAT_DECIMALS)
        self._limits = Limits() if takes_unusual else limits_of(f, element)
        type_low, type_high = type_range(f)
        low = type_low if self._limits.minimum is None else max(type_low, self._limits.minimum)
        high = type_high if self._limits.maximum is None else min(type_high, self._limits.maximum)
        self.setRange(low, high)
        self.setKeyboardTracking(False)
        self.setGroupSeparatorShown(False)

    def set_value(self, value: Value) -> None:
        """Show `value`; a value outside the advised range widens the range to take it."""
        number = float(value)
        if math.isfinite(number):
            self.setRange(min(self.minimum(), number), max(self.maximum(), number))
            self.setValue(number)

    def number(self) -> Value:
        """The number, whole where the field is, with what is still being typed."""
        self.interpretText()
        typed = super().value()
        return int(typed) if self._is_whole else typed

    def textFromValue(self, value: float) -> str:
        return f"{value:.0f}" if self._is_whole else significant(value, 7)

    def valueFromText(self, text: str) -> float:
        try:
            return float(text.strip().replace(",", "."))
        except ValueError:
            return super().value()

    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        """Take decimal and scientific notation; anything half typed may go on."""
        plain = text.strip().replace(",", ".")
        try:
            number = float(plain)
        except ValueError:
            allowed = set("0123456789+-.eE")
            unfinished = set(plain) <= allowed
            state = QValidator.State.Intermediate if unfinished else QValidator.State.Invalid
            return (state, text, position)
        is_inside = math.isfinite(number) and self.minimum() <= number <= self.maximum()
        is_good = is_inside and (not self._is_whole or number == int(number))
        state = QValidator.State.Acceptable if is_good else QValidator.State.Intermediate
        return (state, text, position)

    def fixup(self, text: str) -> str:
        """Somebody has finished typing what cannot be taken."""
        sentence = self._refusal(text.strip().replace(",", "."))
        say_refused(self, sentence)
        self.refused.emit(sentence)
        return self.textFromValue(super().value())

    def _refusal(self, plain: str) -> str:
        try:
            number = float(plain)
        except ValueError:
            return f"Not taken: “{plain}” is not a number."
        if self._is_whole and math.isfinite(number) and number != int(number):
            return f"Not taken: {plain} is not a whole number."
        low, high = (self.textFromValue(limit) for limit in (self.minimum(), self.maximum()))
        return f"Not taken: {plain} is out of range. It takes {low} to {high}."

    def stepBy(self, steps: int) -> None:
        number = super().value()
        if self._is_whole:
            step = 1.0
        elif number == 0:
            step = 0.01
        else:
            step = 10.0 ** (math.floor(math.log10(abs(number))) - 1)
        self.setValue(number + steps * step)
        self.selectAll()


class HexEditor(QLineEdit):
    """A whole number in hexadecimal."""

    def __init__(self, f: FieldDefinition, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._field = f
        pattern = QRegularExpression(f"(0[xX])?[0-9a-fA-F]{{1,{2 * f.type.size}}}")
        self.setValidator(QRegularExpressionValidator(pattern, self))

    def number(self) -> Value:
        """The number typed; 0 for nothing."""
        number = int(self.text() or "0", 16)
        low, high = type_range(self._field)
        return number if number <= high else number + int(low) * 2

    def set_value(self, value: Value) -> None:
        """Show `value`."""
        self.setText(format_value(self._field, value))


class TextEditor(QLineEdit):
    """The text in an array of characters."""

    def __init__(self, f: FieldDefinition, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMaxLength(f.elements)

    def set_value(self, value: Value) -> None:
        """Show `value`."""
        self.setText(str(value))


Editor = OptionEditor | NumberEditor | HexEditor | TextEditor


def plain_editor(
    f: FieldDefinition,
    element: int = 0,
    parent: QWidget | None = None,
    *,
    board: int = 0,
    takes_unusual: bool = False,
) -> Editor:
    """The right editor for one element of a field, or for a whole field of characters. Options are
    those of a board."""
    if is_text(f):
        return TextEditor(f, parent)
    if f.type is FieldType.ENUM:
        return OptionEditor(f, element, parent, board)
    if is_hex(f):
        return HexEditor(f, parent)
    return NumberEditor(f, element, parent, takes_unusual=takes_unusual)


def make_editor(f: FieldDefinition, element: int = 0, parent: QWidget | None = None) -> Editor:
    """The right editor, with a tool tip."""
    editor = plain_editor(f, element, parent)
    takes = "" if f.type is FieldType.ENUM else range_text(f, element)
    takes = f"Up to {f.elements} characters" if is_text(f) else takes
    editor.setToolTip(field_tip(f.description, takes))
    return editor


def editor_value(editor: Editor) -> Value:
    """What the user has set in an editor made by `make_editor`."""
    if isinstance(editor, OptionEditor):
        return editor.value()
    if isinstance(editor, TextEditor):
        return editor.text()
    return editor.number()


def _options(f: FieldDefinition, limits: Limits) -> tuple[str, ...]:
    return tuple(text for text in f.options if not limits.complaint(text))
