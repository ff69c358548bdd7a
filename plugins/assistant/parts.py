"""Layout helpers of the assistant's steps."""

from collections.abc import Callable

from PySide6.QtWidgets import QComboBox, QLabel, QSpinBox, QWidget

from plugins.assistant.state import AssistantState
from widgets.forms.spin_boxes import indent_text
from widgets.parts import make_column, make_label


class AssistantStepView(QWidget):
    """One step. `show_answers` is called while it is visible and something has changed."""

    def __init__(self, state: AssistantState, about: str) -> None:
        super().__init__()
        self.state = state
        self.column = make_column(muted(about), spacing=8)
        self.setLayout(self.column)

    def show_answers(self) -> None:
        """Show what is answered now."""
        raise NotImplementedError


def muted(text: str = "") -> QLabel:
    """A quiet sentence."""
    return make_label(text, tone="muted", wraps=True)


def heading(text: str) -> QLabel:
    """What the next part is about."""
    label = QLabel(text)
    font = label.font()
    font.setBold(True)
    label.setFont(font)
    return label


def number_box(name: str, least: int, most: int, take: Callable[[int], object]) -> QSpinBox:
    """A box for whole numbers of that accessible name; `take` gets what it is set to."""
    box = QSpinBox()
    indent_text(box)
    box.setAccessibleName(name)
    box.setRange(least, most)
    box.valueChanged.connect(take)
    return box


def fill(box: QComboBox, entries: dict[str, str], chosen: str) -> None:
    """Offer `entries` (words by value) in a box, without telling anybody."""
    box.blockSignals(True)
    present = {box.itemData(row): box.itemText(row) for row in range(box.count())}
    if present != entries:
        box.clear()
        for value, words in entries.items():
            box.addItem(words, value)
    box.setCurrentIndex(box.findData(chosen))
    box.blockSignals(False)
