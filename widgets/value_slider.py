"""Value slider: title, slider and box for a number in one row of a grid, with a way back."""

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QGridLayout,
    QLabel,
    QSizePolicy,
    QSlider,
    QWidget,
)

from widgets.forms.spin_boxes import NumberBox
from widgets.parts import make_grid

_NO_BREAK_SPACE = "\u202f"
_LONG_TITLE = 24
"""A title of more letters is not worth a line of its own."""
_BOX_PX, _SLIDER_PX, _SPARE_PX = 104, 40, 2


class ValueSlider(QWidget):
    """A number from `low` to `high` in steps of `step`. Flags (0 or 1 in whole steps) are a
    check box. A double click on the title puts the default back.

    It shows itself as a row; `add_to` hands its parts to a grid instead, so that rows align, and
    `add_cell_to` only what the number is typed into. The wheel scrolls past it unless it has the
    focus. `changed` is emitted for what the user does only, never for `show_value`.
    """

    changed = Signal(float)

    def __init__(
        self,
        title: str,
        unit: str,
        span: tuple[float, float],
        step: float,
        default: float,
        help: str = "",
    ) -> None:
        super().__init__()
        self._low, self._step = span[0], step
        self.default = default
        """What a double click on the title puts back."""
        self.is_flag = (*span, step) == (0.0, 1.0, 1.0)
        self._check: QCheckBox | None = None
        self._grid = make_grid(self)
        if self.is_flag:
            self._check = QCheckBox(title)
            self._check.setToolTip(help)
            self._check.toggled.connect(self._take_check)
            self._grid.addWidget(self._check, 0, 0)
        else:
            self._title = _Title(title)
            words = f"{help} {_range_words(span, unit, default)}".strip()
            self._title.setToolTip(words)
            self._slider = _slider(title, round((span[1] - span[0]) / step))
            self._slider.setProperty("twoSided", span[0] < 0.0 < span[1])
            self._slider.valueChanged.connect(self._take_tick)
            self._box = _box(title, unit, span, step)
            self._box.setToolTip(words)
            for watched in (self._title, self._slider, self._box):
                watched.installEventFilter(self)
            self._box.valueChanged.connect(self._take)
            for column, part in enumerate((self._title, self._slider, self._box)):
                self._grid.addWidget(part, 0, column)
        self._show(default)

    @property
    def value(self) -> float:
        """The number shown."""
        return self._box.value() if self._check is None else float(self._check.isChecked())

    def add_to(self, grid: QGridLayout, row: int) -> None:
        """Put the parts into three columns of `grid`; this widget itself stays hidden there."""
        if self._check is not None:
            grid.addWidget(self._check, row, 0, 1, 3)
        else:
            for column, part in enumerate((self._title, self._slider, self._box)):
                grid.addWidget(part, row, column)
        self.setParent(grid.parentWidget())
        self.hide()

    def add_cell_to(self, grid: QGridLayout, row: int, column: int) -> None:
        """Put only the box or the check box into a cell of `grid`, whose heads say the title."""
        cell: QWidget = self._box if self._check is None else self._check
        if self._check is not None:
            self._check.setAccessibleName(self._check.text())
            self._check.setText("")
        grid.addWidget(cell, row, column)
        self.setParent(grid.parentWidget())
        self.hide()

    def set_title_width(self, width_px: int) -> None:
        """Give the title a width, so that rows which come and go by themselves align."""
        if self._check is None:
            self._title.setMinimumWidth(width_px)

    @property
    def is_normal(self) -> bool:
        """Whether it shows its default."""
        return abs(self.value - self.default) < self._step / 2

    def show_value(self, value: float) -> None:
        """Show a number without telling anybody; not while the user is at it."""
        is_held = self._check is None and (self._slider.isSliderDown() or self._box.hasFocus())
        if not is_held:
            self._show(value)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QWheelEvent) and isinstance(watched, QWidget):
            if not watched.hasFocus():
                event.ignore()  # whoever scrolls past must not change anything
                return True
        elif watched is self._title and event.type() == QEvent.Type.MouseButtonDblClick:
            if self.value != self.default:
                self._take(self.default)
            return True
        return super().eventFilter(watched, event)

    def _take_check(self, is_on: bool) -> None:
        self._take(float(is_on))

    def _take_tick(self, tick: int) -> None:
        self._take(self._low + tick * self._step)

    def _take(self, value: float) -> None:
        self._show(value)
        self.changed.emit(value)

    def _show(self, value: float) -> None:
        if self._check is not None:
            with QSignalBlocker(self._check):
                self._check.setChecked(value >= 0.5)
            return
        with QSignalBlocker(self._slider), QSignalBlocker(self._box):
            self._slider.setValue(round((value - self._low) / self._step))
            self._box.setValue(value)


class _Title(QLabel):
    """In one line while there is room; it wraps once the slider has none left to give."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.setWordWrap(True)

    def sizeHint(self) -> QSize:
        hint, text = super().sizeHint(), self.text()
        if len(text) > _LONG_TITLE:
            return hint
        width = self.fontMetrics().horizontalAdvance(text) + 2 * self.margin() + _SPARE_PX
        return QSize(width, self.heightForWidth(width))


def _slider(title: str, ticks: int) -> QSlider:
    slider = QSlider(Qt.Orientation.Horizontal)
    slider.setAccessibleName(title)
    slider.setRange(0, ticks)
    slider.setPageStep(max(1, ticks // 10))
    slider.setMinimumSize(_SLIDER_PX, 32)
    slider.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
    slider.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return slider


def _box(title: str, unit: str, span: tuple[float, float], step: float) -> NumberBox:
    suffix = f"{_NO_BREAK_SPACE}{unit}" if unit else ""
    box = NumberBox(title, span, decimals_of(step), suffix, step)
    box.setKeyboardTracking(False)
    box.setMinimumWidth(_BOX_PX)
    box.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
    box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return box


def decimals_of(step: float) -> int:
    """How many digits behind the point a step of this size needs, at most 6."""
    for decimals in range(6):
        if abs(step * 10**decimals - round(step * 10**decimals)) < 1e-9:
            return decimals
    return 6


def _range_words(span: tuple[float, float], unit: str, default: float) -> str:
    suffix = f"{_NO_BREAK_SPACE}{unit}" if unit else ""
    return f"{span[0]:g} to {span[1]:g}{suffix}. Double click: back to {default:g}{suffix}."
