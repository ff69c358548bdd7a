"""Curve editor: a few points that are dragged, or moved by keys: gains over thrust, throttle."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy

from widgets.forms.formats import THIN_SPACE
from widgets.theme import PaintedWidget, Theme

_REACH_PX = 18.0
_KNOB_PX = 6.0
_BIG_STEPS = 10
_ROWS = 4


@dataclass(frozen=True, slots=True)
class CurveRange:
    """What the points can be. `step` is what a key press moves a point by; values are multiples
    of it from `low` on. `scale` turns a value into what is written beside it, in `unit`."""

    low: float
    high: float
    step: float
    unit: str = ""
    scale: float = 1.0

    def held(self, value: float) -> float:
        """The nearest value that a point can have."""
        steps = round((min(max(value, self.low), self.high) - self.low) / self.step)
        return float(min(self.low + steps * self.step, self.high))

    def text(self, value: float) -> str:
        """A value as it is written beside the curve."""
        shown, step = value * self.scale, abs(self.step * self.scale)
        decimals = 0 if step >= 1.0 else 1 if step >= 0.1 else 2
        units = THIN_SPACE + self.unit if self.unit else ""
        return f"{shown:.{decimals}f}{units}"


class CurveEditor(PaintedWidget):
    """Points at even distances over `labels`, each dragged up and down.

    Left and Right choose a point, Up and Down move it by a step, Page Up and Page Down by ten,
    Home and End to its ends. `changed(index, value)` is emitted for what the user does only, while
    dragging too; `set_points` shows what somebody else set. `set_ghost` draws a second curve
    behind: what is on board, or what would be generated. `set_cursor` marks where the aircraft is.
    """

    changed = Signal(int, float)

    def __init__(self, name: str, labels: Sequence[str], span: CurveRange) -> None:
        super().__init__()
        self._labels = tuple(labels)
        self._range = span
        self._points = [span.held(0.0)] * len(self._labels)
        self._ghost: tuple[float, ...] = ()
        self._cursor: float | None = None
        self._chosen = 0
        self._dragged: int | None = None
        self._is_read_only = False
        self._name = name
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(200, 140)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setToolTip("Drag a point, or choose it with Left and Right and move it with Up, Down.")
        self._announce()

    def sizeHint(self) -> QSize:
        return QSize(360, 190)

    @property
    def points(self) -> tuple[float, ...]:
        """The values, from left to right."""
        return tuple(self._points)

    def set_points(self, values: Sequence[float]) -> None:
        """Show values; one that is being dragged stays in the hand. Raises ValueError for another
        number of points."""
        if len(values) != len(self._points):
            raise ValueError(f"this curve has {len(self._points)} points, not {len(values)}")
        fresh = [float(value) for value in values]
        if self._dragged is not None:
            fresh[self._dragged] = self._points[self._dragged]
        if fresh != self._points:
            self._points = fresh
            self._announce()
            self.update()

    def set_ghost(self, values: Sequence[float]) -> None:
        """Draw another curve behind; none for an empty one."""
        if tuple(values) != self._ghost:
            self._ghost = tuple(values)
            self.update()

    def set_cursor(self, share: float | None) -> None:
        """Mark where along the curve (0 to 1) the aircraft is now; None hides the mark."""
        if share != self._cursor:
            self._cursor = share
            self.update()

    @property
    def chosen(self) -> int:
        """The point that keys act on, from 0."""
        return self._chosen

    def choose(self, index: int) -> None:
        """Make a point (from 0) the one that keys act on."""
        self._chosen = index
        self._announce()
        self.update()

    @property
    def is_read_only(self) -> bool:
        """Whether the points stay where they are."""
        return self._is_read_only

    def set_read_only(self, is_read_only: bool) -> None:
        """Let the points be moved or not."""
        if is_read_only != self._is_read_only:
            self._is_read_only = is_read_only
            self._dragged = None
            self.update()

    def place_of(self, index: int) -> QPointF:
        """Where a point is drawn, in the widget's coordinates."""
        field, span = self._field(), self._range
        x = field.left() + field.width() * index / max(1, len(self._points) - 1)
        return QPointF(x, self._y_of(self._points[index], field, span))

    # By hand

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        index = self._nearest(event.position())
        if index is None:
            return
        self.choose(index)
        if not self._is_read_only:
            self._dragged = index

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._dragged is not None:
            field, span = self._field(), self._range
            share = (field.bottom() - event.position().y()) / field.height()
            self._move(self._dragged, span.low + share * (span.high - span.low))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._dragged = None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, value, step = event.key(), self._points[self._chosen], self._range.step
        if key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            move = 1 if key == Qt.Key.Key_Right else -1
            self.choose(min(max(self._chosen + move, 0), len(self._points) - 1))
            return
        moved = {
            Qt.Key.Key_Up: value + step,
            Qt.Key.Key_Down: value - step,
            Qt.Key.Key_PageUp: value + _BIG_STEPS * step,
            Qt.Key.Key_PageDown: value - _BIG_STEPS * step,
            Qt.Key.Key_Home: self._range.low,
            Qt.Key.Key_End: self._range.high,
        }.get(Qt.Key(key))
        if moved is None or self._is_read_only:
            super().keyPressEvent(event)
            return
        self._move(self._chosen, moved)

    def _nearest(self, place: QPointF) -> int | None:
        offsets = [abs(self.place_of(i).x() - place.x()) for i in range(len(self._points))]
        nearest = min(range(len(offsets)), key=offsets.__getitem__)
        above = abs(self.place_of(nearest).y() - place.y())
        return nearest if offsets[nearest] <= _REACH_PX and above <= 2.0 * _REACH_PX else None

    def _move(self, index: int, value: float) -> None:
        held = self._range.held(value)
        if held == self._points[index]:
            return
        self._points[index] = held
        self._announce()
        self.update()
        self.changed.emit(index, held)

    def _announce(self) -> None:
        """Say the chosen point to whoever reads the screen aloud."""
        text = self._range.text(self._points[self._chosen])
        self.setAccessibleName(f"{self._name}, at {self._labels[self._chosen]}: {text}")

    # On screen

    def paint(self, painter: QPainter, theme: Theme) -> None:
        painter.setFont(theme.font("small"))
        field = self._field()
        self._paint_field(painter, field, theme)
        self._paint_curves(painter, field, theme)

    def _paint_field(self, painter: QPainter, field: QRectF, theme: Theme) -> None:
        span = self._range
        painter.fillRect(field, theme.color("plot_background"))
        for row in range(_ROWS + 1):
            value = span.low + (span.high - span.low) * row / _ROWS
            y = self._y_of(value, field, span)
            is_zero = abs(value) < 1e-9 and span.low < 0.0
            painter.setPen(QPen(theme.color("muted" if is_zero else "plot_grid"), theme.line_px))
            painter.drawLine(QPointF(field.left(), y), QPointF(field.right(), y))
            painter.setPen(theme.color("muted"))
            box = QRectF(0.0, y - 10.0, field.left() - 6.0, 20.0)
            flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(box, flags, span.text(value))
        for index, label in enumerate(self._labels):
            x = self.place_of(index).x()
            painter.setPen(QPen(theme.color("plot_grid"), theme.line_px))
            painter.drawLine(QPointF(x, field.top()), QPointF(x, field.bottom()))
            painter.setPen(theme.color("muted"))
            box = QRectF(x - 40.0, field.bottom() + 3.0, 80.0, 20.0)
            painter.drawText(box, Qt.AlignmentFlag.AlignHCenter, label)

    def _paint_curves(self, painter: QPainter, field: QRectF, theme: Theme) -> None:
        if self._cursor is not None:
            x = field.left() + field.width() * min(max(self._cursor, 0.0), 1.0)
            painter.setPen(QPen(theme.color("commanded"), 2.0))
            painter.drawLine(QPointF(x, field.top()), QPointF(x, field.bottom()))
        if self._ghost:
            ghost = QPen(theme.color("muted"), 1.5 * theme.line_px, Qt.PenStyle.DashLine)
            painter.setPen(ghost)
            count = max(1, len(self._ghost) - 1)
            painter.drawPolyline(
                [
                    QPointF(
                        field.left() + field.width() * i / count,
                        self._y_of(value, field, self._range),
                    )
                    for i, value in enumerate(self._ghost)
                ]
            )
        colour = theme.color("disabled" if self._is_read_only else "accent")
        painter.setPen(QPen(colour, 2.0 * theme.line_px))
        places = [self.place_of(i) for i in range(len(self._points))]
        painter.drawPolyline(places)
        for index, place in enumerate(places):
            is_chosen = index == self._chosen and self.hasFocus()
            painter.setPen(QPen(theme.color("focus" if is_chosen else "plot_background"), 2.0))
            painter.setBrush(theme.color("selected") if index == self._dragged else colour)
            painter.drawEllipse(place, _KNOB_PX + is_chosen, _KNOB_PX + is_chosen)
            self._paint_value(painter, field, index, theme)

    def _paint_value(self, painter: QPainter, field: QRectF, index: int, theme: Theme) -> None:
        place, text = self.place_of(index), self._range.text(self._points[index])
        width = painter.fontMetrics().horizontalAdvance(text) + 2.0
        left = min(max(place.x() - width / 2, field.left()), field.right() - width)
        is_high = place.y() - field.top() < 28.0
        top = place.y() + 8.0 if is_high else place.y() - 26.0
        painter.setPen(theme.color("text"))
        painter.drawText(QRectF(left, top, width, 18.0), Qt.AlignmentFlag.AlignCenter, text)

    def _y_of(self, value: float, field: QRectF, span: CurveRange) -> float:
        share = (value - span.low) / (span.high - span.low)
        return float(field.bottom() - field.height() * min(max(share, 0.0), 1.0))

    def _field(self) -> QRectF:
        """Where the curve is drawn: room for numbers on the left and labels below."""
        metrics = self.fontMetrics()
        texts = (self._range.text(self._range.low), self._range.text(self._range.high))
        left = max(metrics.horizontalAdvance(text) for text in texts) + 10.0
        bottom = metrics.height() + 6.0
        return QRectF(left, 10.0, self.width() - left - 24.0, self.height() - 10.0 - bottom)
