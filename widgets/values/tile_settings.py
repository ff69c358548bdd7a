"""Tile settings popup: title, look, range of its bar, limits."""

from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QDoubleValidator
from PySide6.QtWidgets import QCheckBox, QFormLayout, QFrame, QLineEdit, QWidget

from widgets.choices import make_choice
from widgets.parts import make_column, make_label
from widgets.values.tile import LONGEST_TITLE, STYLES, TileSpec, ValueLimits

_STYLE_TITLES = ("Digits", "Bar", "Word")
_LIMITS = (
    ("danger_low", "Danger below"),
    ("caution_low", "Caution below"),
    ("caution_high", "Caution above"),
    ("danger_high", "Danger above"),
)


class TileSettings(QFrame):
    """Sets one tile at once, with every change; `changed` carries a TileSpec. `unit` is the one
    that its value is recorded in."""

    changed = Signal(object)

    def __init__(self, parent: QWidget, spec: TileSpec, unit: str = "") -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self._spec = spec
        self.title_box = QLineEdit(spec.title)
        self.title_box.setMaxLength(LONGEST_TITLE)
        self.title_box.setPlaceholderText("The field's name")
        self.title_box.setAccessibleName("Title")
        self.style_box = make_choice("Look", _STYLE_TITLES)
        self.style_box.setCurrentIndex(STYLES.index(spec.style))
        self.wide_box = QCheckBox("Twice as wide")
        self.wide_box.setChecked(spec.is_wide)
        self.low_box = _number_line("Bar begins at", spec.low)
        self.high_box = _number_line("Bar ends at", spec.high)
        self.limit_boxes = {
            name: _number_line(title, getattr(spec.limits, name)) for name, title in _LIMITS
        }
        form = QFormLayout()
        form.addRow("Title", self.title_box)
        form.addRow("Look", self.style_box)
        form.addRow("", self.wide_box)
        form.addRow("Bar begins at", self.low_box)
        form.addRow("Bar ends at", self.high_box)
        for name, title in _LIMITS:
            form.addRow(title, self.limit_boxes[name])
        recorded = f" Limits are in {unit}." if unit else ""
        note = make_label(f"An empty limit is none.{recorded}", tone="muted")
        path = make_label(spec.path, wraps=True)
        self.setLayout(make_column(path, form, note, margins=(8, 8, 8, 8)))
        self._connect()

    def _connect(self) -> None:
        self.title_box.textChanged.connect(lambda _text: self._tell())
        self.style_box.currentIndexChanged.connect(lambda _index: self._tell())
        self.wide_box.toggled.connect(lambda _is_on: self._tell())
        for box in (self.low_box, self.high_box, *self.limit_boxes.values()):
            box.textChanged.connect(lambda _text: self._tell())

    def _tell(self) -> None:
        limits = ValueLimits(**{name: _value(box) for name, box in self.limit_boxes.items()})
        low, high = _value(self.low_box), _value(self.high_box)
        spec = replace(
            self._spec,
            title=self.title_box.text().strip(),
            style=STYLES[self.style_box.currentIndex()],
            is_wide=self.wide_box.isChecked(),
            limits=limits,
        )
        if low is not None and high is not None and low < high:
            spec = replace(spec, low=low, high=high)
        self._spec = spec
        self.changed.emit(spec)


def _number_line(name: str, value: float | None) -> QLineEdit:
    line = QLineEdit("" if value is None else f"{value:g}")
    validator = QDoubleValidator(line)
    validator.setNotation(QDoubleValidator.Notation.StandardNotation)
    line.setValidator(validator)
    line.setAccessibleName(name)
    return line


def _value(line: QLineEdit) -> float | None:
    """The number typed; None for none, and while it is half typed."""
    try:
        return float(line.text().replace(",", "."))
    except ValueError:
        return None
