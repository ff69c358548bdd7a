"""The drawing surface of a plot: curves by pyqtgraph, everything around them painted here.

pyqtgraph's own axes, grid and menus are left out: its grid alone costs more than all curves.
Grid, labels, events and cursor are painted in pixels below and above the curves. The surface
turns what hands do into signals and keeps no idea of recordings.
"""

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QFontMetrics,
    QMouseEvent,
    QPainter,
    QPen,
    QWheelEvent,
)

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


class PlotCanvas(pg.GraphicsView):  # type: ignore[misc]
    """Paints a picture. Times in signals are seconds, values those of the value axis."""

    seek_wanted = Signal(float)
    double_clicked = Signal()
    panned = Signal(float, float)
    zoomed_time = Signal(float, float)
    zoomed_values = Signal(float, float)
    measured = Signal(float, float)
    menu_wanted = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__(background=None)
        self._theme = theme
        self._picture = Picture(Span(-1.0, 0.0), Span(-1.0, 0.0))
        self._items: list[pg.PlotCurveItem] = []
        self._traces: list[Trace] = []
        self.levels: tuple[GridLine, ...] = ()
        self._left_px = 0
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
        self.apply_theme(theme)
        self._box.sigResized.connect(self._fit_margins)

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

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours and sizes."""
        self._theme = theme
        self.setBackground(theme.color("plot_background"))
        self._left_px = 0
        self._fit_margins()
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
        self._fit_margins()
        self.viewport().update()

    def _fit_margins(self, _box: object = None) -> None:
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
            self._layout.setContentsMargins(left, small * 0.7, small, small + 10)
            self._layout.layout.activate()

    def _take_traces(self, traces: list[Trace]) -> None:
        self._traces = traces
        while len(self._items) > len(traces):
            self._box.removeItem(self._items.pop())
        while len(self._items) < len(traces):
            item = pg.PlotCurveItem(skipFiniteCheck=False, connect="finite")
            self._items.append(item)
            self._box.addItem(item, ignoreBounds=True)
        for item, trace in zip(self._items, traces, strict=True):
            item.setPen(pg.mkPen(trace.color, width=round(self._theme.line_px)))
            item.setData(trace.x, trace.y)

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

    # Painting below and above the curves

    def drawBackground(self, painter: QPainter, rect: QRectF) -> None:
        """Paint ground, silences, grid and labels."""
        super().drawBackground(painter, rect)
        if self._picture.cursor is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setFont(self._theme.font("small"))
        sheet = self.sheet
        paint_silences(painter, sheet)
        paint_time_axis(painter, sheet, self.viewport().width())
        paint_value_axis(painter, sheet, self.levels)
        paint_silence_words(painter, sheet)

    def drawForeground(self, painter: QPainter, _rect: QRectF) -> None:
        """Paint events, states, what is measured and the cursor."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setFont(self._theme.font("small"))
        sheet = self.sheet
        painter.setClipRect(sheet.area)
        paint_events(painter, sheet, self._traces)
        paint_states(painter, sheet)
        paint_cursor(painter, sheet)
        paint_measured(painter, sheet)
        painter.setClipping(False)
        if self._has_focus_ring:
            painter.setPen(QPen(self._theme.color("focus"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(1, 1, self.viewport().width() - 2, self.viewport().height() - 2)

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
            self.viewport().setCursor(shape or Qt.CursorShape.CrossCursor)
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
