"""The drawing surface of a plot: grid, labels, curves, events and cursor, painted in pixels.

pyqtgraph turns arrays into what Qt paints; its scene of items is left out, which costs more for
each picture than all that is painted. The surface turns what hands do into signals and keeps no
idea of recordings.
"""

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QFontMetrics,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from widgets.plot.axes import GridLine, value_levels
from widgets.plot.marks import (
    paint_cursor,
    paint_events,
    paint_measured,
    paint_silence_words,
    paint_silences,
    paint_states,
    paint_time_axis,
    paint_value_axis,
)
from widgets.plot.picture import Picture, Sheet, Trace
from widgets.plot.window import Span
from widgets.theme import Theme

_BY_KEYBOARD = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
_GRAB_PX = 6
_DRAG_STARTS_PX = 4
_MARGIN_STEP_PX = 12


class PlotCanvas(QWidget):
    """Paints a picture. Times in signals are seconds, values those of the value axis."""

    seek_wanted = Signal(float)
    double_clicked = Signal()
    panned = Signal(float, float)
    zoomed_time = Signal(float, float)
    zoomed_values = Signal(float, float)
    measured = Signal(float, float)
    menu_wanted = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._picture = Picture(Span(-1.0, 0.0), Span(-1.0, 0.0))
        self._traces: list[Trace] = []
        self.levels: tuple[GridLine, ...] = ()
        self._left_px = 0
        self._pressed: QPointF | None = None
        self._drag: str = ""
        self._has_focus_ring = False
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.apply_theme(theme)

    @property
    def picture(self) -> Picture:
        """What was shown last."""
        return self._picture

    @property
    def traces(self) -> list[Trace]:
        """The curves shown last."""
        return self._traces

    @property
    def area(self) -> QRectF:
        """The pixels in which curves are drawn."""
        small = self._theme.font_px("small")
        below = small + 10
        left, top = float(self._left_px), small * 0.7
        return QRectF(
            left,
            top,
            max(0.0, self.width() - left - small),
            max(0.0, self.height() - top - below),
        )

    @property
    def columns(self) -> int:
        """How many pixel columns curves have."""
        return max(50, round(self.area.width()))

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours and sizes."""
        self._theme = theme
        self._left_px = 0
        self._fit_margins()
        self.update()

    def show_picture(self, picture: Picture, traces: list[Trace] | None) -> None:
        """Paint `picture`; `traces` None leaves the curves as they are."""
        self._picture = picture
        if traces is not None:
            self._traces = traces
        self._fit_margins()
        self.update()

    def resizeEvent(self, _event: QResizeEvent) -> None:
        """Choose the labels for the new height."""
        self._fit_margins()

    def _fit_margins(self) -> None:
        """Choose the labels of the value axis, and make room for the widest."""
        metrics = QFontMetrics(self._theme.font("small"))
        height = self.area.height()
        self.levels = value_levels(self._picture.values, max(1.0, height), metrics.height())
        small = self._theme.font_px("small")
        left = small * 4
        if self._picture.has_value_labels and self._picture.cursor is not None:
            widest = max(
                (metrics.horizontalAdvance(level.text) for level in self.levels), default=0
            )
            while left < widest + 7:
                left += _MARGIN_STEP_PX
        # Once grown, the margin stays while the same kind of numbers comes and goes.
        if left > self._left_px or left < self._left_px - 2 * _MARGIN_STEP_PX:
            self._left_px = left

    # Pixels and what they stand for

    @property
    def sheet(self) -> Sheet:
        """The picture as it lies on the surface."""
        return Sheet(self._picture, self.area, self._theme)

    def x_of(self, t: float) -> float:
        """The pixel column of a time."""
        return self.sheet.x_of(t)

    def y_of(self, value: float) -> float:
        """The pixel row of a value."""
        return self.sheet.y_of(value)

    def time_at(self, x: float) -> float:
        """The time at a pixel column."""
        return self.sheet.time_at(x)

    def value_at(self, y: float) -> float:
        """The value at a pixel row."""
        return self.sheet.value_at(y)

    # Painting

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint grid and labels, the curves, and what stands before them."""
        theme, sheet = self._theme, self.sheet
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.color("plot_background"))
            painter.setFont(theme.font("small"))
            if self._picture.cursor is not None:
                paint_silences(painter, sheet)
                paint_time_axis(painter, sheet, self.width())
                paint_value_axis(painter, sheet, self.levels)
                paint_silence_words(painter, sheet)
            painter.setClipRect(sheet.area)
            for trace in self._traces:
                painter.setPen(QPen(trace.color, round(theme.line_px)))
                x, y = sheet.columns_of(trace.x), sheet.rows_of(trace.y)
                painter.drawPath(pg.arrayToQPath(x, y, "finite"))
            paint_events(painter, sheet, self._traces)
            paint_states(painter, sheet)
            paint_cursor(painter, sheet)
            paint_measured(painter, sheet)
            painter.setClipping(False)
            if self._has_focus_ring:
                painter.setPen(QPen(theme.color("focus"), 2))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(1, 1, self.width() - 2, self.height() - 2)

    # Hands

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of the cursor line or of the picture; with Shift, begin to measure."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        self._pressed = event.position()
        self._drag = "cursor" if self._is_on_cursor(event.position()) else ""
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._drag = "measure"

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the cursor line or the end of what is measured, or pan."""
        position = event.position()
        if self._pressed is None:
            shape = Qt.CursorShape.SplitHCursor if self._is_on_cursor(position) else None
            self.setCursor(shape or Qt.CursorShape.CrossCursor)
            return
        if self._drag == "cursor":
            self.seek_wanted.emit(self.time_at(position.x()))
            return
        moved = position - self._pressed
        if self._drag == "measure":
            if abs(moved.x()) >= _DRAG_STARTS_PX:
                self.measured.emit(self.time_at(self._pressed.x()), self.time_at(position.x()))
            return
        if self._drag == "pan" or moved.manhattanLength() >= _DRAG_STARTS_PX:
            self._drag = "pan"
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
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
        self.update()

    def focusOutEvent(self, _event: QFocusEvent) -> None:
        """The keyboard is elsewhere now."""
        self._has_focus_ring = False
        self.update()

    def leaveEvent(self, _event: QEvent) -> None:
        """Nothing follows a pointer that left."""

    def _is_on_cursor(self, position: QPointF) -> bool:
        cursor = self._picture.cursor
        return cursor is not None and abs(self.x_of(cursor) - position.x()) <= _GRAB_PX
