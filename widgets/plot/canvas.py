"""Plot canvas: grid, labels, curves, events and cursor, painted in pixels.

Without pyqtgraph, whose scene of items costs more for each picture than all that is painted, and
whose import as much as all else of a first plot. The surface turns what hands do into signals and
keeps no idea of recordings.
"""

from dataclasses import replace

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFontMetrics,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy

from widgets.change_detector import ChangeDetector
from widgets.focus_ring import RingedWidget
from widgets.plot.axes import GridLine, value_levels
from widgets.plot.axis_columns import AxisColumns, paint_columns
from widgets.plot.lines import paint_line
from widgets.plot.marks import (
    paint_bands,
    paint_box,
    paint_cursor,
    paint_events,
    paint_measured,
    paint_silence_words,
    paint_silences,
    paint_states,
    paint_time_axis,
    paint_value_grid,
)
from widgets.plot.picture import Picture, Sheet, Trace
from widgets.plot.pixmap_cache import PixmapCache
from widgets.plot.window import Span
from widgets.text_layout_cache import TextLayoutCache
from widgets.theme import Theme

_GRAB_PX = 6
_DRAG_STARTS_PX = 4
_SMALLEST_BOX_PX = 8
_SHIFT, _CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
_DRAGS = {_SHIFT: "measure", _CTRL: "box", _SHIFT | _CTRL: "shift"}


class PlotCanvas(RingedWidget):
    """Paints a picture. Times in signals are seconds, values those of the first value axis; the
    part in `zoomed_box` and `zoomed_axis` is told in shares of the height. `shifted` tells by how
    many seconds another log is dragged; while `shifts_logs`, dragging does nothing else.
    """

    seek_wanted = Signal(float)
    double_clicked = Signal()
    panned = Signal(float, float)
    zoomed_time = Signal(float, float)
    zoomed_values = Signal(float, float)
    zoomed_axis = Signal(str, float, float)
    zoomed_box = Signal(object, object)
    pan_begun = Signal()
    measured = Signal(float, float)
    shift_begun = Signal(float, float)
    shifted = Signal(float)
    menu_wanted = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme: Theme = theme
        self.picture = Picture(Span(-1.0, 0.0), Span(-1.0, 0.0))
        """What was shown last."""
        self.traces: list[Trace] = []
        """The curves shown last."""
        self.levels: tuple[GridLine, ...] = ()
        self.shifts_logs = False
        self.is_narrow = False
        """Whether no room is kept beside the curves for wider numbers to come."""
        self._columns = AxisColumns()
        self._labelled = ChangeDetector()
        self._still = PixmapCache()
        self._area = QRectF()
        self._band_px = 0
        self._margins = (0, 0)
        self._box: QRectF | None = None
        self._pressed: QPointF | None = None
        self._drag: str = ""
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setFocusPolicy(Qt.FocusPolicy.WheelFocus)
        self.setMouseTracking(True)
        self.apply_theme(theme)

    @property
    def area(self) -> QRectF:
        """The pixels in which curves are drawn."""
        return QRectF(self._area)

    def _place_area(self) -> None:
        """Leave room for the axes beside the curves, and for bands and time below."""
        small = self._theme.font_px("small")
        top, below = small * 0.7, small + 10 + len(self.picture.bands) * self._band_px
        left, right = (max(pair) for pair in zip(self.margins, self._margins, strict=True))
        width, height = self.width() - left - right, self.height() - top - below
        self._area = QRectF(left, top, max(0.0, width), max(0.0, height))

    @property
    def margins(self) -> tuple[int, int]:
        """The pixels left and right of the curves that the axes need."""
        small = self._theme.font_px("small")
        left = max(self._least_column_px, self._columns.margin_px(left=True))
        return left, max(small, self._columns.margin_px(left=False))

    @property
    def _least_column_px(self) -> int:
        return self._theme.font_px("small") * (3 if self.is_narrow else 4)

    @property
    def kept_margins(self) -> tuple[int, int]:
        """What `keep_margins` was told last."""
        return self._margins

    def keep_margins(self, margins: tuple[int, int]) -> None:
        """Leave at least so many pixels, as other plots do that show the same time."""
        if margins != self._margins:
            self._margins = margins
            self._place_area()
            self.update()

    @property
    def columns(self) -> int:
        """How many pixel columns curves have."""
        return max(50, round(self.area.width()))

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours and sizes."""
        self._theme = theme
        self._text_cache = TextLayoutCache(theme.font("small"))
        self._columns.forget()
        self._band_px = QFontMetrics(theme.font("small")).height() + 1
        self._fit_margins()
        self.update()

    def show_picture(self, picture: Picture, traces: list[Trace] | None) -> None:
        """Paint `picture`; `traces` None leaves the curves as they are."""
        self.picture = picture
        if traces is not None:
            self.traces = traces
        self._fit_margins()
        self.update()

    def resizeEvent(self, _event: QResizeEvent) -> None:
        """Choose the labels for the new height."""
        self._fit_margins()

    def _fit_margins(self) -> None:
        """Choose the labels of the value axis, and make room for the widest."""
        self._place_area()
        metrics = QFontMetrics(self._theme.font("small"))
        picture, height = self.picture, self._area.height()
        has_labels = picture.has_value_labels and picture.cursor is not None
        axes = picture.axes if has_labels else ()
        self._columns.lay_out(axes, height, metrics, self._least_column_px)
        if self._labelled.has_changed(picture.values, height, self._theme):
            self.levels = value_levels(picture.values, max(1.0, height), metrics.height())
        self._place_area()

    # Pixels and what they stand for

    @property
    def sheet(self) -> Sheet:
        """The picture as it lies on the surface."""
        return Sheet(self.picture, self.area, self._theme, self._band_px)

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
        """Paint what stays while only the cursor moves, and what stands before it."""
        theme, sheet = self._theme, self.sheet
        with QPainter(self) as painter:
            self._still.paint(painter, self, self._looks(), self._paint_still)
            painter.setFont(theme.font("small"))
            painter.setClipRect(sheet.area)
            paint_cursor(painter, sheet)
            paint_measured(painter, sheet)
            paint_box(painter, sheet, self._box)
            painter.setClipping(False)
            self.paint_ring(painter, theme.color("focus"))

    def _looks(self) -> tuple[object, ...]:
        """All that `_paint_still` depends on."""
        picture = self.picture
        is_empty = picture.cursor is None
        seen = (replace(picture, cursor=None), picture.states, picture.bands, is_empty)
        laid_out = (self._area, self._band_px, self._columns.columns, self.levels)
        return (*seen, *laid_out, list(self.traces), self._theme)

    def _paint_still(self, painter: QPainter) -> None:
        """Paint grid and labels, the curves, and the words among them."""
        theme, sheet = self._theme, self.sheet
        painter.fillRect(self.rect(), theme.color("plot_background"))
        painter.setFont(theme.font("small"))
        if self.picture.cursor is not None:
            paint_silences(painter, sheet)
            paint_time_axis(painter, sheet, self.width(), self._text_cache)
            paint_value_grid(painter, sheet, self.levels)
            paint_columns(painter, sheet, self._columns.columns, self._text_cache)
            paint_silence_words(painter, sheet)
        painter.setClipRect(sheet.area.adjusted(0, 0, 0, sheet.foot - sheet.area.bottom()))
        paint_bands(painter, sheet)
        painter.setClipRect(sheet.area)
        for trace in self.traces:
            painter.setPen(QPen(trace.color, trace.width_px or round(theme.line_px)))
            paint_line(painter, sheet.columns_of(trace.x), sheet.rows_of(trace.y))
        paint_events(painter, sheet, self.traces)
        paint_states(painter, sheet)
        painter.setClipping(False)

    # Hands

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of the cursor line or of the picture; with Shift, begin to measure, with Ctrl
        a box to zoom to, with both to move another log in time."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        position = event.position()
        self._pressed = position
        self._drag = "cursor" if self._is_on_cursor(position) else ""
        keys = event.modifiers() & (_SHIFT | _CTRL)
        self._drag = _DRAGS.get(keys, self._drag)
        if self.shifts_logs or self._drag == "shift":
            self._drag = "shift"
            self.shift_begun.emit(self.time_at(position.x()), self.value_at(position.y()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the cursor line or the end of what is measured, or pan."""
        position = event.position()
        if self._pressed is None:
            shape = Qt.CursorShape.SplitHCursor if self._is_on_cursor(position) else None
            self.setCursor(shape or Qt.CursorShape.CrossCursor)
            return
        moved = position - self._pressed
        if self._drag == "cursor":
            self.seek_wanted.emit(self.time_at(position.x()))
        elif self._drag == "measure":
            if abs(moved.x()) >= _DRAG_STARTS_PX:
                self.measured.emit(self.time_at(self._pressed.x()), self.time_at(position.x()))
        elif self._drag == "box":
            self._box = QRectF(self._pressed, position).normalized().intersected(self.area)
            self.update()
        elif self._drag == "shift":
            self.shifted.emit(self.time_at(position.x()) - self.time_at(self._pressed.x()))
            self._pressed = position
        elif self._drag == "pan" or moved.manhattanLength() >= _DRAG_STARTS_PX:
            self._pan_to(position, self._pressed)

    def _pan_to(self, position: QPointF, pressed: QPointF) -> None:
        if self._drag != "pan":
            self._drag = "pan"
            self.pan_begun.emit()
        self.setCursor(Qt.CursorShape.ClosedHandCursor)
        self.panned.emit(
            self.time_at(pressed.x()) - self.time_at(position.x()),
            self.value_at(pressed.y()) - self.value_at(position.y()),
        )
        self._pressed = position

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A press that did not drag is a click: go to that time. A box is zoomed to."""
        if self._pressed is not None and not self._drag and self.area.contains(event.position()):
            self.seek_wanted.emit(self.time_at(event.position().x()))
        if self._box is not None:
            self._zoom_to(self._box)
        self._pressed, self._drag, self._box = None, "", None
        self.update()

    def _zoom_to(self, box: QRectF) -> None:
        """Zoom to a box; one that is flat means only the other direction."""
        area, time, heights = self.area, None, None
        if box.width() >= _SMALLEST_BOX_PX:
            time = Span(self.time_at(box.left()), self.time_at(box.right()))
        if box.height() >= _SMALLEST_BOX_PX:
            shares = [(area.bottom() - y) / area.height() for y in (box.bottom(), box.top())]
            heights = Span(*shares)
        if time is not None or heights is not None:
            self.zoomed_box.emit(time, heights)

    def mouseDoubleClickEvent(self, _event: QMouseEvent) -> None:
        """Fit."""
        self._pressed = None
        self.double_clicked.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom time at the pointer; with Shift, values; beside the curves, one value axis."""
        # With Shift, some platforms report the wheel as horizontal.
        delta = event.angleDelta().y() or event.angleDelta().x()
        factor = 0.8 ** (delta / 120.0)
        area = self.area
        for column in self._columns.columns:
            if column.box(area).contains(event.position()):
                share = (area.bottom() - event.position().y()) / area.height()
                self.zoomed_axis.emit(column.axis.name, factor, share)
                event.accept()
                return
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.zoomed_values.emit(factor, self.value_at(event.position().y()))
        else:
            self.zoomed_time.emit(factor, self.time_at(event.position().x()))
        event.accept()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Have the owner say what can be done."""
        self.menu_wanted.emit(event.globalPos())
        event.accept()

    def _is_on_cursor(self, position: QPointF) -> bool:
        cursor = self.picture.cursor
        return cursor is not None and abs(self.x_of(cursor) - position.x()) <= _GRAB_PX
