"""Curve settings popup: one curve's colour, width, axis and scale."""

from dataclasses import replace

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QFormLayout, QFrame, QWidget

from widgets.choices import make_choice
from widgets.forms.spin_boxes import NumberBox
from widgets.parts import make_column, make_label, make_row
from widgets.plot.curve import Curve
from widgets.plot.value_axes import AXES
from widgets.theme import SERIES_COUNT, Theme

_SWATCH_PX = 28
_WIDTH_TITLES = ("Usual", "1 px", "2 px", "3 px", "4 px", "5 px")
_LARGEST = 1e6
_AXIS_TITLES = ("By its unit", "Left", "Right", "Right, outer", "Left, outer")


class CurveSettings(QFrame):
    """Sets one curve at once, with every change. `changed` carries the number of the colour and a
    CurveStyle."""

    changed = Signal(int, object)

    def __init__(self, parent: QWidget, curve: Curve, theme: Theme) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self._series, self._style = curve.series % SERIES_COUNT, curve.style
        self._colors = QButtonGroup(self)
        self.width_box = make_choice("Width", list(_WIDTH_TITLES))
        self.width_box.setCurrentIndex(min(curve.style.width_px, len(_WIDTH_TITLES) - 1))
        self.axis_box = make_choice("Value axis", list(_AXIS_TITLES))
        self.axis_box.setCurrentIndex(AXES.index(curve.style.axis) + 1 if curve.style.axis else 0)
        self.gain_box = _number("Scale", curve.style.gain)
        self.offset_box = _number("Offset", curve.style.offset)
        form = QFormLayout()
        form.addRow("Colour", self._swatches(theme))
        form.addRow("Width", self.width_box)
        form.addRow("Value axis", self.axis_box)
        form.addRow("Scale", self.gain_box)
        form.addRow("Offset", self.offset_box)
        note = make_label(
            "Drawn at value × scale + offset; the legend tells the value itself.",
            tone="muted",
            wraps=True,
        )
        title = make_label(curve.path, wraps=True)
        self.setLayout(make_column(title, form, note, margins=(10, 8, 10, 8)))
        self._connect()

    def choose_color(self, series: int) -> None:
        """Take the colour of this number."""
        self._colors.button(series).click()

    def _swatches(self, theme: Theme) -> QWidget:
        half = SERIES_COUNT // 2
        rows = []
        for first in (0, half):
            buttons = [ColorSwatch(theme, first + number) for number in range(half)]
            for button in buttons:
                self._colors.addButton(button, button.series)
                button.setChecked(button.series == self._series)
            rows.append(make_row(*buttons, spacing=2))
        holder = QWidget()
        holder.setLayout(make_column(*rows, spacing=2))
        return holder

    def _connect(self) -> None:
        self._colors.idClicked.connect(lambda _number: self._tell())
        self.width_box.currentIndexChanged.connect(lambda _index: self._tell())
        self.axis_box.currentIndexChanged.connect(lambda _index: self._tell())
        self.gain_box.valueChanged.connect(lambda _value: self._tell())
        self.offset_box.valueChanged.connect(lambda _value: self._tell())

    def _tell(self) -> None:
        axis = self.axis_box.currentIndex()
        self._style = replace(
            self._style,
            width_px=self.width_box.currentIndex(),
            gain=self.gain_box.value() or 1.0,
            offset=self.offset_box.value(),
            axis=AXES[axis - 1] if axis else "",
        )
        self.changed.emit(self._colors.checkedId(), self._style)


class ColorSwatch(QAbstractButton):
    """A colour of curves to choose."""

    def __init__(self, theme: Theme, series: int) -> None:
        super().__init__()
        self.series = series
        self._theme = theme
        self.setCheckable(True)
        self.setFixedSize(_SWATCH_PX, _SWATCH_PX)
        self.setAccessibleName(f"Colour {series + 1}")
        self.setToolTip(self.accessibleName())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the colour, framed if it is chosen."""
        with QPainter(self) as painter:
            inner = QRectF(self.rect()).adjusted(4, 4, -4, -4)
            painter.fillRect(inner, self._theme.series(self.series))
            if self.isChecked() or self.hasFocus():
                token = "text" if self.isChecked() else "focus"
                painter.setPen(QPen(self._theme.color(token), 2))
                painter.drawRect(QRectF(self.rect()).adjusted(1, 1, -1, -1))


def _number(name: str, value: float) -> NumberBox:
    box = NumberBox(name, (-_LARGEST, _LARGEST), 4)
    box.setValue(value)
    box.setKeyboardTracking(False)
    return box
