"""Device bars, live: the axes as bars, the buttons as lights."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy

from telemetry.flying.inputs.reading import Reading
from widgets.theme import Theme, ThemedWidget

_ROW_PX = 20.0
_LIGHT_PX = 22.0
_GAP_PX = 4.0
_MOST_AXES = 16
_MOST_BUTTONS = 48
_VALUE_PX = 54.0


class ShareBar(ThemedWidget):
    """One value of -1..1 as a bar from its middle, or with `from_left` of 0..1 from its end.
    None is nothing."""

    def __init__(self, name: str, *, from_left: bool = False) -> None:
        super().__init__()
        self.value: float | None = None
        self._from_left = from_left
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        scale = _scale(self._theme)
        return QSize(round(110 * scale), round(24 * scale))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def show_value(self, value: float | None) -> None:
        """Show where it is; repaint only if that is news."""
        shown = None if value is None else round(value, 2)
        if shown != self.value:
            self.value = shown
            self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._theme is None:
            return
        value_px = _VALUE_PX * _scale(self._theme)
        field = QRectF(self.rect()).adjusted(0.5, 2.5, -value_px, -2.5)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            paint_bar(painter, self._theme, field, self.value, from_left=self._from_left)
            text = "-" if self.value is None else f"{100 * self.value:.0f} %".replace("-", "−")
            painter.setPen(self._theme.color("muted" if self.value is None else "text"))
            place = QRectF(field.right(), 0, value_px - 2, self.height())
            painter.drawText(
                place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text
            )


def paint_bar(
    painter: QPainter, theme: Theme, field: QRectF, value: float | None, *, from_left: bool
) -> None:
    """A bar in `field`, with a mark where nothing is pushed."""
    painter.setPen(QPen(theme.color("line"), 1))
    painter.setBrush(theme.color("input"))
    painter.drawRect(field)
    rest = field.left() if from_left else field.center().x()
    if value is not None:
        size = value * field.width() / (1.0 if from_left else 2.0)
        bar = QRectF(rest, field.top() + 2, size, field.height() - 4).normalized()
        painter.fillRect(bar, theme.color("accent"))
    painter.setPen(QPen(theme.color("text"), 1))
    painter.drawLine(QPointF(rest, field.top()), QPointF(rest, field.bottom()))


class ReadingView(ThemedWidget):
    """All axes and buttons of one device as it says them, before anything is made of them."""

    def __init__(self) -> None:
        super().__init__()
        self.reading: Reading | None = None
        self._names: tuple[str, ...] = ()
        self._shown: object = None
        self.setAccessibleName("What the device says")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_reading(self, reading: Reading | None, names: tuple[str, ...] = ()) -> None:
        """Show what it says now; None while there is no device."""
        shown = None
        if reading is not None:
            shown = (tuple(round(axis, 2) for axis in reading.axes), reading.buttons, names)
        if shown == self._shown:
            return
        grows = _sizes(self.reading) != _sizes(reading)
        self.reading, self._names, self._shown = reading, names, shown
        if grows:
            self.updateGeometry()
        self.update()

    @property
    def _row_px(self) -> float:
        return _ROW_PX * _scale(self._theme)

    @property
    def _light_px(self) -> float:
        return _LIGHT_PX * _scale(self._theme)

    def sizeHint(self) -> QSize:
        axes, buttons = _sizes(self.reading)
        columns = max(1, int(self.width() // self._light_px))
        rows = -(-buttons // columns)
        return QSize(200, round(axes * self._row_px + rows * self._light_px + 2 * _GAP_PX))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, reading = self._theme, self.reading
        if theme is None or reading is None:
            return
        axes, buttons = _sizes(reading)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setFont(theme.font("small"))
            for axis in range(axes):
                self._paint_axis(painter, theme, axis, reading.axes[axis])
            top = axes * self._row_px + _GAP_PX
            columns = max(1, int(self.width() // self._light_px))
            for button in range(buttons):
                column, row = button % columns, button // columns
                corner = QPointF(column * self._light_px, top + row * self._light_px)
                self._paint_light(painter, theme, corner, button)

    def _paint_axis(self, painter: QPainter, theme: Theme, axis: int, value: float) -> None:
        name = axis_name(axis, self._names)
        name_px = max(52.0, painter.fontMetrics().horizontalAdvance("Throttle") + 6.0)
        top = axis * self._row_px
        painter.setPen(theme.color("muted"))
        centred = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.drawText(QRectF(0, top, name_px, self._row_px), centred, name)
        field = QRectF(name_px, top + 3.5, self.width() - name_px - 1.0, self._row_px - 7.0)
        paint_bar(painter, theme, field, max(-1.0, min(1.0, value)), from_left=False)

    def _paint_light(self, painter: QPainter, theme: Theme, corner: QPointF, button: int) -> None:
        is_down = self.reading is not None and self.reading.buttons[button]
        light = QRectF(corner.x() + 0.5, corner.y() + 0.5, self._light_px - 3, self._light_px - 3)
        painter.setPen(QPen(theme.color("line"), 1))
        painter.setBrush(theme.color("accent" if is_down else "input"))
        painter.drawRoundedRect(light, 3, 3)
        painter.setPen(theme.color("text_on_accent" if is_down else "muted"))
        painter.drawText(light, Qt.AlignmentFlag.AlignCenter, str(button + 1))


def _scale(theme: Theme | None) -> float:
    return 1.0 if theme is None else theme.scale


def axis_name(axis: int, names: tuple[str, ...]) -> str:
    """What an axis is called on the screen, from 1."""
    return names[axis] if axis < len(names) else f"Axis {axis + 1}"


def _sizes(reading: Reading | None) -> tuple[int, int]:
    if reading is None:
        return 0, 0
    return min(_MOST_AXES, len(reading.axes)), min(_MOST_BUTTONS, len(reading.buttons))
