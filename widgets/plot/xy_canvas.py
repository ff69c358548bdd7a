"""XY plot canvas: grid, labels, the line, and where it is at the cursor."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QFontMetrics, QMouseEvent, QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QSizePolicy

from widgets.map.scene import SHADES
from widgets.map.track_layer import shade
from widgets.plot.axes import GridLine, value_levels
from widgets.plot.lines import paint_line
from widgets.plot.window import Span, decimals_for
from widgets.plot.xy_data import XyPoints, color_levels, thinned
from widgets.theme import Theme, ThemedWidget

_MARK_PX = 5.0
_KEY_PX = (90.0, 8.0)
_DRAG_STARTS_PX = 4


@dataclass(frozen=True, slots=True, eq=False)
class XyPicture:
    """What is painted: the part of the plane, the line, the cursor's place on it, names of x, y
    and the colour with their units."""

    x: Span
    y: Span
    points: XyPoints | None = None
    mark: tuple[float, float] | None = None
    names: tuple[str, str, str] = ("", "", "")


class XyCanvas(ThemedWidget):
    """Paints a picture, and tells how far it is to be moved or zoomed."""

    panned = Signal(float, float)
    pan_begun = Signal()
    zoomed = Signal(float, float, float)
    double_clicked = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme: Theme = theme
        self.picture = XyPicture(Span(0.0, 1.0), Span(0.0, 1.0))
        """What was shown last."""
        self._pressed: QPointF | None = None
        self._is_panning = False
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setFocusPolicy(Qt.FocusPolicy.WheelFocus)

    @property
    def area(self) -> QRectF:
        """The pixels in which the line is drawn."""
        small = self._theme.font_px("small")
        return QRectF(self.rect()).adjusted(small * 5, small * 2.2, -small, -small * 1.8)

    def show_picture(self, picture: XyPicture) -> None:
        """Paint it."""
        self.picture = picture
        self.update()

    def x_of(self, value: float) -> float:
        """The pixel column of a value."""
        span, area = self.picture.x, self.area
        return area.left() + (value - span.start) / span.length * area.width()

    def y_of(self, value: float) -> float:
        """The pixel row of a value."""
        span, area = self.picture.y, self.area
        return area.bottom() - (value - span.start) / span.length * area.height()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint everything."""
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), self._theme.color("plot_background"))
            painter.setFont(self._theme.font("small"))
            self._paint_grid(painter)
            painter.setClipRect(self.area)
            if self.picture.points is not None:
                self._paint_line(painter, self.picture.points)
            self._paint_mark(painter)

    def _paint_grid(self, painter: QPainter) -> None:
        area, metrics = self.area, QFontMetrics(painter.font())
        x_name, y_name, color_name = self.picture.names
        widest = metrics.horizontalAdvance("-00000.0") * 1.3
        columns = value_levels(self.picture.x, max(1.0, area.width()), widest / 1.6)
        rows = value_levels(self.picture.y, max(1.0, area.height()), metrics.height())
        painter.setPen(QPen(self._theme.color("plot_grid"), 1))
        painter.drawLines(
            [QLineF(x, area.top(), x, area.bottom()) for x in self._pixels(columns, self.x_of)]
            + [QLineF(area.left(), y, area.right(), y) for y in self._pixels(rows, self.y_of)]
        )
        painter.setPen(self._theme.color("muted"))
        for level in columns:
            left = self.x_of(level.value) - metrics.horizontalAdvance(level.text) / 2
            painter.drawText(QPointF(left, area.bottom() + metrics.ascent() + 4), level.text)
        for level in rows:
            left = area.left() - 6 - metrics.horizontalAdvance(level.text)
            painter.drawText(QPointF(left, self.y_of(level.value) + 4), level.text)
        end = self._paint_key(painter, color_name) if color_name else area.right()
        room = round(end - area.left() - 12)
        words = metrics.elidedText(y_name, Qt.TextElideMode.ElideMiddle, room)
        painter.drawText(QPointF(area.left(), metrics.ascent() + 4), words)
        below = area.adjusted(0, 0, -4, -2)
        painter.drawText(below, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom, x_name)

    @staticmethod
    def _pixels(levels: tuple[GridLine, ...], place: Callable[[float], float]) -> list[int]:
        return [round(place(level.value)) for level in levels]

    def _paint_key(self, painter: QPainter, name: str) -> float:
        """Paint which colour means what at the top right; return the x where it begins."""
        points = self.picture.points
        if points is None or points.color is None:
            return self.area.right()
        _, span = color_levels(points.color, SHADES)
        if span is None:
            return self.area.right()
        metrics, places = QFontMetrics(painter.font()), decimals_for(span.length / 100)
        high, low = (f"{value:.{places}f}" for value in (span.stop, span.start))
        right, baseline = self.area.right(), metrics.ascent() + 4.0
        right -= metrics.horizontalAdvance(high)
        painter.drawText(QPointF(right, baseline), high)
        width, height = _KEY_PX
        for level in range(SHADES):
            left = right - 6 - width + level * width / SHADES
            box = QRectF(left, baseline - height, width / SHADES + 1, height)
            painter.fillRect(box, shade(self._theme, level))
        room = round(self.area.width() / 3)
        words = f"{metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, room)}  {low}"
        left = right - 12 - width - metrics.horizontalAdvance(words)
        painter.drawText(QPointF(left, baseline), words)
        return left

    def _paint_line(self, painter: QPainter, points: XyPoints) -> None:
        x_span, y_span, area = self.picture.x, self.picture.y, self.area
        columns = area.left() + (points.x - x_span.start) * (area.width() / x_span.length)
        rows = area.bottom() - (points.y - y_span.start) * (area.height() / y_span.length)
        kept = thinned(columns, rows)
        columns, rows = columns[kept], rows[kept]
        width = round(self._theme.line_px)
        if points.color is None:
            painter.setPen(QPen(self._theme.series(0), width))
            paint_line(painter, columns, rows)
            return
        levels = color_levels(points.color, SHADES)[0][kept]
        for level in range(SHADES):
            painter.setPen(QPen(shade(self._theme, level), max(2, width)))
            paint_line(painter, columns, rows, levels[:-1] == level)

    def _paint_mark(self, painter: QPainter) -> None:
        if self.picture.mark is not None:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(self._theme.color("plot_background"), 1))
            painter.setBrush(self._theme.color("selected"))
            x, y = self.picture.mark
            painter.drawEllipse(QPointF(self.x_of(x), self.y_of(y)), _MARK_PX, _MARK_PX)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of the picture."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Pan."""
        if self._pressed is None:
            return
        moved = event.position() - self._pressed
        if not self._is_panning and moved.manhattanLength() < _DRAG_STARTS_PX:
            return
        if not self._is_panning:
            self._is_panning = True
            self.pan_begun.emit()
        area = self.area
        self.panned.emit(-moved.x() / area.width(), moved.y() / area.height())
        self._pressed = event.position()

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        """Let go."""
        self._pressed, self._is_panning = None, False

    def mouseDoubleClickEvent(self, _event: QMouseEvent) -> None:
        """Fit."""
        self.double_clicked.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom at the pointer."""
        area, at = self.area, event.position()
        across = (at.x() - area.left()) / area.width()
        up = (area.bottom() - at.y()) / area.height()
        self.zoomed.emit(0.8 ** (event.angleDelta().y() / 120.0), across, up)
        event.accept()
