"""Input boxes for the numbers and words that are asked for while a shape is drawn or changed."""

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QComboBox, QGridLayout, QLabel

from plugins.plan.shapes import ShapeField, Values
from widgets.forms.spin_boxes import NumberBox
from widgets.parts import make_grid, make_label

_BOX_PX = 84


class ShapeBoxes:
    """A box with its label per field; `on_change` is called when the user changes one."""

    def __init__(self, fields: Sequence[ShapeField], on_change: Callable[[], None]) -> None:
        self._on_change = on_change
        self._boxes = {field.name: self._make(field) for field in fields}
        self._labels = {field.name: make_label(field.title, tone="muted") for field in fields}

    def grid(self) -> QGridLayout:
        """Label and box of each field, two beside each other."""
        grid = make_grid(spacing=4)
        for number, (name, box) in enumerate(self._boxes.items()):
            row, column = divmod(number, 2)
            grid.addWidget(self._labels[name], row, 2 * column)
            grid.addWidget(box, row, 2 * column + 1)
        return grid

    def label(self, name: str) -> QLabel:
        """What a field is called."""
        return self._labels[name]

    def box(self, name: str) -> NumberBox | QComboBox:
        """The box of a field."""
        return self._boxes[name]

    @property
    def values(self) -> Values:
        """What stands in them; of words the number of the one chosen."""
        return {
            name: float(box.currentIndex() if isinstance(box, QComboBox) else box.value())
            for name, box in self._boxes.items()
        }

    def show_values(self, values: Mapping[str, float]) -> None:
        """Put other values in, as if nobody had changed them."""
        for name, value in values.items():
            with QSignalBlocker(self._boxes[name]):
                self.set_value(name, value)

    def set_value(self, name: str, value: float) -> None:
        """Put one to a value, or to the option of that number, as its user would."""
        box = self._boxes[name]
        if isinstance(box, QComboBox):
            box.setCurrentIndex(round(value))
        else:
            box.setValue(value)

    def _make(self, field: ShapeField) -> NumberBox | QComboBox:
        box: NumberBox | QComboBox
        if field.options:
            box = QComboBox()
            box.addItems(field.options)
            box.currentIndexChanged.connect(lambda _row: self._on_change())
        else:
            decimals = 1 if field.unit == "m/s" else 0
            suffix = f"\u202f{field.unit}" if field.unit else ""
            box = NumberBox("", (field.low, field.high), decimals, suffix)
            box.setKeyboardTracking(False)
            box.setValue(field.default)
            box.valueChanged.connect(lambda _value: self._on_change())
            box.setProperty("dense", True)
            box.setFixedWidth(_BOX_PX)
        box.setAccessibleName(field.title)
        return box
