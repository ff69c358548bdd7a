"""Number boxes (spin boxes): what they have in common and a style sheet cannot say."""

import re

from PySide6.QtCore import Signal
from PySide6.QtGui import QValidator
from PySide6.QtWidgets import QAbstractSpinBox, QDoubleSpinBox

from widgets.forms.refusal import say_refused

_INDENT_PX = 6
_NUMBER = re.compile(r"[+-]?\d*[.]?\d*")


def indent_text(box: QAbstractSpinBox) -> None:
    """Have the text begin where that of other editors does, and not on the border: padding of
    the box or of the line in it is ignored where the arrows are styled."""
    box.lineEdit().setTextMargins(_INDENT_PX, 0, 0, 0)


class NumberBox(QDoubleSpinBox):
    """A number in a range. One beyond it can be typed and is refused with a sentence, which
    `refused` tells, too; Qt swallows its digits or puts the old number back without a word. One
    with more decimals than are shown, as it may be copied from elsewhere, is rounded.
    `name` is for those who do not see the box.
    """

    refused = Signal(str)

    def __init__(
        self,
        name: str = "",
        span: tuple[float, float] = (0.0, 99.99),
        decimals: int = 2,
        suffix: str = "",
        step: float = 1.0,
    ) -> None:
        super().__init__()
        indent_text(self)
        self.setAccessibleName(name)
        self.setDecimals(decimals)
        self.setRange(*span)
        self.setSuffix(suffix)
        self.setSingleStep(step)

    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        """Let a number be typed to its end, and pasted with the minus sign of texts."""
        state, text, position = super().validate(text.replace("\N{MINUS SIGN}", "-"), position)
        if state is QValidator.State.Invalid and _NUMBER.fullmatch(self._typed(text)):
            state = QValidator.State.Intermediate
        return (state, text, position)

    def fixup(self, text: str) -> str:
        """Somebody has finished typing what cannot be taken as it is."""
        typed = self._typed(text)
        is_inside = typed.strip("+-.") and self.minimum() <= float(typed) <= self.maximum()
        if is_inside and self.decimals():
            return f"{self.textFromValue(float(typed))}{self.suffix()}"
        low, high = (self.textFromValue(limit) for limit in (self.minimum(), self.maximum()))
        takes = f"It takes {low} to {high}{self.suffix()}."
        what = "not a whole number" if is_inside else "out of range"
        sentence = f"Not taken: {typed} is {what}. {takes}"
        say_refused(self, sentence)
        self.refused.emit(sentence)
        return f"{self.textFromValue(self.value())}{self.suffix()}"

    def _typed(self, text: str) -> str:
        """The number in a text; what is pasted brings a unit to the one that stands there."""
        number = text.removesuffix(self.suffix()).removesuffix(self.suffix())
        return number.strip().replace(",", ".")
