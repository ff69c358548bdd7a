"""Editors that show a value in other words than the wire's: seconds for ms, a name for a number.

Like those of `widgets.forms.editors` they have `set_value(value)` and `number()`, both in the
wire's terms. `entered` is emitted once the user has set something.
"""

from collections.abc import Mapping

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QWidget

from widgets.forms.formats import THIN_SPACE, Value
from widgets.forms.spin_boxes import NumberBox


class ScaledEditor(NumberBox):
    """A number shown `factor` times as large as on the wire, with units of its own."""

    entered = Signal()

    def __init__(
        self, factor: float, units: str, span: tuple[float, float], decimals: int = 1
    ) -> None:
        """`span` is what can be entered, in the units shown."""
        step = 10.0**-decimals if span[1] - span[0] < 10.0 else 1.0
        super().__init__("", span, decimals, f"{THIN_SPACE}{units}" if units else "", step)
        self._factor = factor
        self.setKeyboardTracking(False)
        self.valueChanged.connect(self.entered)

    def number(self) -> Value:
        """The number as the wire has it, for whoever stages it to round."""
        self.interpretText()
        wire = self.value() / self._factor
        return round(wire) if self._factor < 1.0 else wire

    def set_value(self, value: Value) -> None:
        """Show a number of the wire's; one outside the span widens it."""
        shown = float(value) * self._factor
        self.setRange(min(self.minimum(), shown), max(self.maximum(), shown))
        self.setValue(shown)


class ChoiceEditor(QComboBox):
    """A whole number that stands for something: chosen by name."""

    entered = Signal()

    def __init__(self, choices: Mapping[int, str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._choices: dict[int, str] = {}
        self.set_choices(choices)
        self.activated.connect(self.entered)

    def set_choices(self, choices: Mapping[int, str]) -> None:
        """Offer other names; what is chosen stays chosen."""
        if dict(choices) == self._choices:
            return
        self._choices = dict(choices)
        chosen = self.currentData()
        with QSignalBlocker(self):
            self.clear()
            for number, text in choices.items():
                self.addItem(text, number)
            if chosen is not None:
                self.set_value(chosen)

    def number(self) -> Value:
        """The number chosen."""
        return int(self.currentData())

    def set_value(self, value: Value) -> None:
        """Choose a number; one without a name is added as it is."""
        number = int(value)
        if self.findData(number) < 0:
            self.addItem(str(number), number)
        self.setCurrentIndex(self.findData(number))
