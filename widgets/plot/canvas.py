"""The drawing surface of a plot: curves by pyqtgraph, everything around them painted here.

pyqtgraph's own axes, grid and menus are left out: its grid alone costs more than all curves.
Grid, labels, events and cursor are painted in pixels below and above the curves. The surface
turns what hands do into signals and keeps no idea of recordings.
"""

from dataclasses import dataclass, field

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QFontMetrics,
    QMouseEvent,
    QPainter,
    QPen,
    QWheelEvent,
)

from widgets.plot.peaks import Floats
from widgets.plot.window import Span, decimals_for, ticks, time_label, time_ticks
from widgets.theme import Theme

_BY_KEYBOARD = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
_GRAB_PX = 6
_DRAG_STARTS_PX = 4
_STATE_TEXT_ABOVE_PX = 4
_LABELLED_FROM_PX = 90


@dataclass(frozen=True, slots=True)
class EventMark:
    """A thin line at an instant, with a short text and the token of its colour."""

    t: float
    text: str
    color: str = "muted"


@dataclass(frozen=True, slots=True)
class StateMark:
    """A text along a stretch of an enum curve at a height of the value axis."""

    start: float
    stop: float
    height: float
    text: str
    color: QColor


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """A curve ready to be painted."""

    x: Floats
    y: Floats
    color: QColor


@dataclass(frozen=True, slots=True)
class Picture:
    """Everything a plot paints. `states` are written along enum curves.

    Without a cursor there is nothing to read, and neither grid nor labels are painted.
    """

    time: Span
    values: Span
    cursor: float | None = None
    has_value_grid: bool = True
    has_value_labels: bool = True
    events: tuple[EventMark, ...] = ()
    states: tuple[StateMark, ...] = field(default=(), compare=False)


class PlotCanvas(pg.GraphicsView):  # type: ignore[misc]
    """Paints a picture. Times in signals are seconds, values those of the value axis."""

    seek_wanted = Signal(float)
    double_clicked = Signal()
    panned = Signal(float, float)
    zoomed_time = Signal(float, float)
    zoomed_values = Signal(float, float)
    menu_wanted = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__(background=None)
        self._theme = theme
        self._picture = Picture(Span(-1.0, 0.0), Span(-1.0, 0.0))
        self._items: list[pg.PlotCurveItem] = []
        self._pressed: QPointF | None = None
        self._drag: str = ""
        self._has_focus_ring = False
        self._layout = pg.GraphicsLayout()
        self._box = pg.ViewBox(enableMenu=False, enableMouse=False)
        self._box.disableAutoRange()
        self._layout.addItem(self._box)
        self.setCentralItem(self._layout)
        self.setCacheMode(self.CacheModeFlag(0))
        self.setViewportUpdateMode(self.ViewportUpdateMode.FullViewportUpdate)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)
        self.set_theme(theme)

    @property
    def picture(self) -> Picture:
        """What was shown last."""
        return self._picture

    @property
    def area(self) -> QRectF:
        """The pixels in which curves are drawn."""
        area: QRectF = self._box.sceneBoundingRect()
        return area

    @property
    def columns(self) -> int:
        """How many pixel columns curves have."""
        return max(50, round(self.area.width()))

    def set_theme(self, theme: Theme) -> None:
        """Take over new colours and sizes."""
        self._theme = theme
        self.setBackground(theme.color("plot_background"))
        small = theme.font_px("small")
        self._layout.setContentsMargins(small * 4, small * 0.7, small, small + 10)
        self.viewport().update()

    def show_picture(self, picture: Picture, traces: list[Trace] | None) -> None:
        """Paint `picture`; `traces` None leaves the curves as they are."""
        if picture.time != self._picture.time:
            self._box.setXRange(picture.time.start, picture.time.stop, padding=0)
        if picture.values != self._picture.values:
            self._box.setYRange(picture.values.start, picture.values.stop, padding=0)
        self._picture = picture
        if traces is not None:
            self._take_traces(traces)
        self.viewport().update()

    def _take_traces(self, traces: list[Trace]) -> None:
        while len(self._items) > len(traces):
            self._box.removeItem(self._items.pop())
        while len(self._items) < len(traces):
            item = pg.PlotCurveItem(skipFiniteCheck=False, connect="finite")
            self._items.append(item)
            self._box.addItem(item, ignoreBounds=True)
        for item, trace in zip(self._items, traces, strict=True):
            item.setPen(pg.mkPen(trace.color, width=1))
            item.setData(trace.x, trace.y)

    # Pixels and what they stand for

    def x_of(self, t: float) -> float:
        """The pixel column of a time."""
        area, span = self.area, self._picture.time
        return area.left() + (t - span.start) / span.length * area.width()

    def y_of(self, value: float) -> float:
        """The pixel row of a value."""
        area, span = self.area, self._picture.values
        return area.bottom() - (value - span.start) / span.length * area.height()

    def time_at(self, x: float) -> float:
        """The time at a pixel column."""
        area, span = self.area, self._picture.time
        return span.start + (x - area.left()) / max(1.0, area.width()) * span.length

    def value_at(self, y: float) -> float:
        """The value at a pixel row."""
        area, span = self.area, self._picture.values
        return span.start + (area.bottom() - y) / max(1.0, area.height()) * span.length

    # Painting below and above the curves

    def drawBackground(self, painter: QPainter, rect: QRectF) -> None:
        """Paint ground, grid and labels."""
        super().drawBackground(painter, rect)
        if self._picture.cursor is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setFont(self._theme.font("small"))
        metrics = QFontMetrics(painter.font())
        self._paint_time_axis(painter, metrics)
        self._paint_value_axis(painter, metrics)

    def drawForeground(self, painter: QPainter, _rect: QRectF) -> None:
        """Paint events, states and the cursor."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setFont(self._theme.font("small"))
        metrics = QFontMetrics(painter.font())
        area = self.area
        painter.setClipRect(area)
        self._paint_events(painter, metrics, area)
        self._paint_states(painter, metrics, area)
        cursor = self._picture.cursor
        if cursor is not None:
            x = round(self.x_of(cursor))
            painter.setPen(QPen(self._theme.color("selected"), 1))
            painter.drawLine(QLineF(x, area.top(), x, area.bottom()))
        painter.setClipping(False)
        if self._has_focus_ring:
            painter.setPen(QPen(self._theme.color("focus"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(1, 1, self.viewport().width() - 2, self.viewport().height() - 2)

    def _paint_time_axis(self, painter: QPainter, metrics: QFontMetrics) -> None:
        area = self.area
        wanted = max(2, int(area.width() / (metrics.horizontalAdvance("0:00:00") * 1.3)))
        instants, step = time_ticks(self._picture.time, wanted)
        lines = []
        for t in instants:
            x = round(self.x_of(t))
            lines.append(QLineF(x, area.top(), x, area.bottom()))
            text = time_label(t, step)
            half = metrics.horizontalAdvance(text) / 2
            painter.setPen(self._theme.color("muted"))
            left = min(max(x - half, 2), self.width() - 2 * half - 2)
            painter.drawText(QPointF(left, area.bottom() + metrics.ascent() + 4), text)
        painter.setPen(QPen(self._theme.color("plot_grid"), 1))
        painter.drawLines(lines)

    def _paint_value_axis(self, painter: QPainter, metrics: QFontMetrics) -> None:
        if not self._picture.has_value_grid:
            return
        area, height = self.area, metrics.height()
        levels, step = ticks(self._picture.values, max(2, int(area.height() / (height * 1.6))))
        decimals = decimals_for(step)
        lines = [
            QLineF(area.left(), y, area.right(), y) for y in (round(self.y_of(v)) for v in levels)
        ]
        painter.setPen(QPen(self._theme.color("plot_grid"), 1))
        painter.drawLines(lines)
        if not self._picture.has_value_labels:
            return
        painter.setPen(self._theme.color("muted"))
        for value, line in zip(levels, lines, strict=True):
            text = axis_label(value, step, decimals)
            box = QRectF(0, line.y1() - height / 2, area.left() - 5, height)
            if box.top() >= 0 and box.bottom() <= area.bottom() + height / 2:
                painter.drawText(box, _RIGHT, text)

    def _paint_events(self, painter: QPainter, metrics: QFontMetrics, area: QRectF) -> None:
        free_from = area.left()
        if area.height() < _LABELLED_FROM_PX:
            free_from = area.right()
        for mark in self._picture.events:
            x = round(self.x_of(mark.t))
            color = self._theme.color(mark.color)
            line = "disabled" if mark.color == "muted" else mark.color
            painter.setPen(QPen(self._theme.color(line), 1, Qt.PenStyle.DotLine))
            painter.drawLine(QLineF(x, area.top(), x, area.bottom()))
            width = metrics.horizontalAdvance(mark.text) + 8
            if x >= free_from and x + width <= area.right():
                painter.setPen(color)
                painter.drawText(QPointF(x + 4, area.top() + metrics.ascent() + 1), mark.text)
                free_from = x + width

    def _paint_states(self, painter: QPainter, metrics: QFontMetrics, area: QRectF) -> None:
        for state in self._picture.states:
            left, right = self.x_of(state.start), self.x_of(state.stop)
            left = max(left, area.left())
            if min(right, area.right()) - left >= metrics.horizontalAdvance(state.text) + 8:
                y = self.y_of(state.height) - _STATE_TEXT_ABOVE_PX
                if y - metrics.ascent() < area.top():
                    y += metrics.height() + _STATE_TEXT_ABOVE_PX
                painter.setPen(state.color)
                painter.drawText(QPointF(left + 4, y), state.text)

    # Hands

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of the cursor line or of the picture."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        self._pressed = event.position()
        self._drag = "cursor" if self._is_on_cursor(event.position()) else ""

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the cursor line, or pan."""
        position = event.position()
        if self._pressed is None:
            shape = Qt.CursorShape.SplitHCursor if self._is_on_cursor(position) else None
            self.viewport().setCursor(shape or Qt.CursorShape.CrossCursor)
            return
        if self._drag == "cursor":
            self.seek_wanted.emit(self.time_at(position.x()))
            return
        moved = position - self._pressed
        if self._drag == "pan" or moved.manhattanLength() >= _DRAG_STARTS_PX:
            self._drag = "pan"
            self.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
            self.panned.emit(
                self.time_at(self._pressed.x()) - self.time_at(position.x()),
                self.value_at(self._pressed.y()) - self.value_at(position.y()),
            )
            self._pressed = position

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A press that did not drag is a click: go to that time."""
        if self._pressed is not None and not self._drag and self.area.contains(event.position()):
            self.seek_wanted.emit(self.time_at(event.position().x()))
        self._pressed, self._drag = None, ""

    def mouseDoubleClickEvent(self, _event: QMouseEvent) -> None:
        """Fit."""
        self._pressed = None
        self.double_clicked.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom time at the pointer; with Shift, values."""
        # With Shift, some platforms report the wheel as horizontal.
        delta = event.angleDelta().y() or event.angleDelta().x()
        factor = 0.8 ** (delta / 120.0)
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.zoomed_values.emit(factor, self.value_at(event.position().y()))
        else:
            self.zoomed_time.emit(factor, self.time_at(event.position().x()))
        event.accept()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Have the owner say what can be done."""
        self.menu_wanted.emit(event.globalPos())
        event.accept()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show who has the keyboard to those who came here by keyboard."""
        self._has_focus_ring = event.reason() in _BY_KEYBOARD
        self.viewport().update()

    def focusOutEvent(self, _event: QFocusEvent) -> None:
        """The keyboard is elsewhere now."""
        self._has_focus_ring = False
        self.viewport().update()

    def leaveEvent(self, _event: QEvent) -> None:
        """Nothing follows a pointer that left."""

    def _is_on_cursor(self, position: QPointF) -> bool:
        cursor = self._picture.cursor
        return cursor is not None and abs(self.x_of(cursor) - position.x()) <= _GRAB_PX


_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


def axis_label(value: float, step: float, decimals: int) -> str:
    """A number that fits beside the axis: large ones with k or M."""
    for limit, suffix in ((1e6, "M"), (1e4, "k")):
        if abs(value) >= limit or (step * 10 >= limit and value):
            scaled = limit if suffix == "M" else 1e3
            return f"{value / scaled:.{decimals_for(step / scaled)}f}{suffix}"
    return f"{value + 0.0:.{decimals}f}"
