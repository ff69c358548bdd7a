"""Spectrum canvas: grid, lines with their peaks or a map, and a readout."""

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QEnterEvent,
    QFontMetrics,
    QImage,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from widgets.plot.axes import GridLine, value_levels
from widgets.plot.window import Span, time_label, time_ticks
from widgets.spectrum.colour_key import KEY_STEPS, colour_table, paint_key
from widgets.spectrum.frequency_scale import Floats, FrequencyScale
from widgets.spectrum.picture import TIME, PeakLabel, SpectrumPicture, shaded
from widgets.spectrum.readout import read_off
from widgets.theme import Theme

_DRAG_STARTS_PX = 4
_PEAK_PX = 3.5


class SpectrumCanvas(QWidget):
    """Paints a picture; the wheel zooms its frequencies, a drag moves them, a double click shows
    all. `seek_wanted` tells the time that was clicked in a spectrogram.
    """

    seek_wanted = Signal(float)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.picture = SpectrumPicture(FrequencyScale(0.0, 1.0))
        """What was shown last."""
        self.scale = self.picture.scale
        self._t: float | None = None
        self._pointer: QPointF | None = None
        self._pressed: QPointF | None = None
        self._is_panning = False
        self._map: tuple[object, QImage] | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(200, 120)
        self.setFocusPolicy(Qt.FocusPolicy.WheelFocus)
        self.setMouseTracking(True)
        self.setAccessibleName("Spectrum")

    @property
    def area(self) -> QRectF:
        """The pixels in which the spectrum is drawn."""
        small = self._theme.font_px("small")
        return QRectF(self.rect()).adjusted(small * 4.5, small * 2.0, -small, -small * 3.2)

    def show_picture(self, picture: SpectrumPicture) -> None:
        """Paint it; a zoom stays while the limits of the frequencies do."""
        if picture.scale != self.picture.scale:
            self.scale = picture.scale
        self.picture, self._map = picture, None
        self.update()

    def show_time(self, t: float | None) -> None:
        """Mark the cursor in a spectrogram."""
        if t != self._t:
            self._t = t
            self.update()

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours."""
        self._theme, self._map = theme, None
        self.update()

    # Painting

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint everything."""
        picture = self.picture
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), self._theme.color("plot_background"))
            painter.setFont(self._theme.font("small"))
            if picture.image is not None:
                self._paint_map(painter)
            if not picture.lines and picture.image is None:
                painter.setPen(self._theme.color("muted"))
                flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
                painter.drawText(self.area.adjusted(12, 4, -12, -4), flags, picture.notice)
                return
            self._paint_axes(painter)
            painter.save()
            painter.setClipRect(self.area)
            self._paint_lines(painter)
            self._paint_usable(painter)
            self._paint_cursor(painter)
            painter.restore()
            self._paint_readout(painter)

    def _paint_axes(self, painter: QPainter) -> None:
        area, metrics, picture = self.area, QFontMetrics(painter.font()), self.picture
        widest = metrics.horizontalAdvance("00000.0")
        if picture.image is None:
            columns, rows = self.scale.levels(area.width(), widest), self._decibels(metrics)
            column_pixels = [self._along(level.value) for level in columns]
            row_pixels = self._y_of_db(np.array([level.value for level in rows])).tolist()
            names = "Frequency in Hz", f"dB of {_power(picture.unit)}/Hz"
        else:
            columns = self._across_levels(widest)
            rows = self.scale.levels(area.height(), metrics.height())
            column_pixels = [self._x_of(level.value) for level in columns]
            row_pixels = [self._along(level.value) for level in rows]
            names = picture.across, "Frequency in Hz"
        if picture.image is None:
            painter.setPen(QPen(self._theme.color("plot_grid"), 1))
            painter.drawLines([QLineF(x, area.top(), x, area.bottom()) for x in column_pixels])
            painter.drawLines([QLineF(area.left(), y, area.right(), y) for y in row_pixels])
        painter.setPen(self._theme.color("muted"))
        for level, x in zip(columns, column_pixels, strict=True):
            left = x - metrics.horizontalAdvance(level.text) / 2
            painter.drawText(QPointF(left, area.bottom() + metrics.ascent() + 4), level.text)
        for level, y in zip(rows, row_pixels, strict=True):
            left = area.left() - 6 - metrics.horizontalAdvance(level.text)
            painter.drawText(QPointF(left, y + 4), level.text)
        below = QRectF(area.left(), self.height() - metrics.height() - 2.0, area.width(), 20.0)
        painter.drawText(below, Qt.AlignmentFlag.AlignHCenter, names[0])
        painter.drawText(QPointF(4.0, metrics.ascent() + 4.0), names[1])
        self._paint_names(painter, 4.0 + metrics.horizontalAdvance(names[1]) + 16.0)

    def _paint_names(self, painter: QPainter, left: float) -> None:
        """The legend of lines, or the key of a map's colours."""
        picture, metrics = self.picture, QFontMetrics(painter.font())
        if picture.image is not None:
            unit = f"dB of {_power(picture.unit)}/Hz"
            paint_key(painter, self._theme, picture.image.levels, unit, self.area.right())
            return
        for line in picture.lines:
            painter.setPen(QPen(self._theme.series(line.series), 2.0 * self._theme.line_px))
            painter.drawLine(QPointF(left, 10.0), QPointF(left + 14.0, 10.0))
            painter.setPen(self._theme.color("text"))
            painter.drawText(QPointF(left + 18.0, metrics.ascent() + 4.0), line.name)
            left += 34.0 + metrics.horizontalAdvance(line.name)

    def _decibels(self, metrics: QFontMetrics) -> tuple[GridLine, ...]:
        return value_levels(self.picture.levels, max(1.0, self.area.height()), metrics.height())

    def _across_levels(self, label_px: float) -> tuple[GridLine, ...]:
        span = self._across
        if self.picture.across != TIME:
            return value_levels(span, max(1.0, self.area.width()), label_px)
        times, step = time_ticks(span, max(2, int(self.area.width() / (2.0 * label_px))))
        return tuple(GridLine(t, time_label(t, step)) for t in times)

    def _paint_lines(self, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for line in self.picture.lines:
            across = self.area.left() + self.scale.share(line.frequencies) * self.area.width()
            rows = self._y_of_db(line.level_db)
            painter.setPen(QPen(self._theme.series(line.series), 1.5 * self._theme.line_px))
            painter.drawPath(pg.arrayToQPath(across, rows, "finite"))
        written: list[QRectF] = []
        for peak in (peak for line in self.picture.lines for peak in line.peaks):
            self._paint_peak(painter, peak, written)

    def _paint_peak(self, painter: QPainter, peak: PeakLabel, written: list[QRectF]) -> None:
        """A ring, and its words where they lie on no others that are `written`."""
        if not self.scale.low <= peak.frequency_hz <= self.scale.high:
            return
        at = QPointF(self._along(peak.frequency_hz), float(self._y_of_db(np.array(peak.level_db))))
        painter.setPen(QPen(self._theme.color("selected"), 1.5 * self._theme.line_px))
        painter.drawEllipse(at, _PEAK_PX, _PEAK_PX)
        metrics = QFontMetrics(painter.font())
        width, ascent = metrics.horizontalAdvance(peak.text), metrics.ascent()
        left = min(at.x() + 6.0, self.area.right() - width)
        baseline = max(at.y() - 5.0, self.area.top() + 12.0)
        box = QRectF(left, baseline - ascent, width, ascent)
        if not any(box.intersects(other) for other in written):
            written.append(box)
            painter.setPen(self._theme.color("text"))
            painter.drawText(QPointF(left, baseline), peak.text)

    def _paint_map(self, painter: QPainter) -> None:
        area, image = self.area, self.picture.image
        width, height = max(1, int(area.width())), max(1, int(area.height()))
        key = (self.scale, width, height)
        if image is None:
            return
        if self._map is None or self._map[0] != key:
            shades = shaded(image, self.scale, width, height, KEY_STEPS)
            pixels = np.ascontiguousarray(colour_table(self._theme)[shades])
            made = QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_RGB32).copy()
            self._map = key, made
        painter.drawImage(area, self._map[1])

    def _paint_usable(self, painter: QPainter) -> None:
        """Where samples cannot show more."""
        usable = self.picture.usable_hz
        if usable >= self.scale.high * (1.0 - 1e-3):
            return
        painter.setPen(QPen(self._theme.color("caution"), 1.0, Qt.PenStyle.DashLine))
        painter.drawLine(self._line_at(usable))

    def _paint_cursor(self, painter: QPainter) -> None:
        if self._t is not None and self.picture.across == TIME and self.picture.image is not None:
            x = self._x_of(self._t)
            painter.setPen(QPen(self._theme.color("selected"), 1.5 * self._theme.line_px))
            painter.drawLine(QPointF(x, self.area.top()), QPointF(x, self.area.bottom()))
        if self._is_pointed:
            painter.setPen(QPen(self._theme.color("muted"), 1.0, Qt.PenStyle.DotLine))
            painter.drawLine(self._line_at(self._pointed_hz()))

    def _paint_readout(self, painter: QPainter) -> None:
        text = self.readout
        if not text:
            return
        metrics = QFontMetrics(painter.font())
        box = QRectF(0.0, 0.0, metrics.horizontalAdvance(text) + 12.0, metrics.height() + 6.0)
        box.moveTopRight(self.area.topRight() + QPointF(-4.0, 4.0))
        painter.fillRect(box, self._theme.color("readout"))
        painter.setPen(self._theme.color("text_on_readout"))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)

    # Places

    @property
    def readout(self) -> str:
        """What is under the pointer, in words."""
        if not self._is_pointed or self._pointer is None:
            return ""
        across = self._across
        share = (self._pointer.x() - self.area.left()) / max(1.0, self.area.width())
        return read_off(self.picture, self._pointed_hz(), across.start + share * across.length)

    @property
    def _is_pointed(self) -> bool:
        return self._pointer is not None and self.area.contains(self._pointer)

    @property
    def _across(self) -> Span:
        image = self.picture.image
        return Span(*image.edges[[0, -1]].tolist()) if image is not None else Span(0.0, 1.0)

    def _pointed_hz(self) -> float:
        share = self._share_of(self._pointer) if self._pointer is not None else 0.0
        return float(self.scale.frequency(np.array([share]))[0])

    def _share_of(self, at: QPointF) -> float:
        """How far along the axis of frequencies a pixel is."""
        area = self.area
        if self.picture.image is None:
            return (at.x() - area.left()) / max(1.0, area.width())
        return (area.bottom() - at.y()) / max(1.0, area.height())

    def _along(self, hz: float) -> float:
        """The pixel column or row of a frequency."""
        share = float(self.scale.share(np.array([hz]))[0])
        area = self.area
        if self.picture.image is None:
            return area.left() + share * area.width()
        return area.bottom() - share * area.height()

    def _line_at(self, hz: float) -> QLineF:
        area, at = self.area, self._along(hz)
        if self.picture.image is None:
            return QLineF(at, area.top(), at, area.bottom())
        return QLineF(area.left(), at, area.right(), at)

    def _x_of(self, value: float) -> float:
        span, area = self._across, self.area
        return area.left() + (value - span.start) / span.length * area.width()

    def _y_of_db(self, level_db: Floats) -> Floats:
        span, area = self.picture.levels, self.area
        return np.asarray(
            area.bottom() - (level_db - span.start) / span.length * area.height(), dtype=np.float64
        )

    # The mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of the picture."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed, self._is_panning = event.position(), False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Read off, or move the frequencies."""
        self._pointer = event.position()
        self.update()
        if self._pressed is None:
            return
        moved = event.position() - self._pressed
        if self._is_panning or moved.manhattanLength() >= _DRAG_STARTS_PX:
            by = self._share_of(self._pressed) - self._share_of(event.position())
            self.scale = self.scale.moved(by, self.picture.scale)
            self._pressed, self._is_panning = event.position(), True

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click in a spectrogram goes there."""
        is_click = self._pressed is not None and not self._is_panning
        self._pressed = None
        if is_click and self.picture.across == TIME and self.area.contains(event.position()):
            share = (event.position().x() - self.area.left()) / max(1.0, self.area.width())
            self.seek_wanted.emit(self._across.start + share * self._across.length)

    def mouseDoubleClickEvent(self, _event: QMouseEvent) -> None:
        """Show all frequencies."""
        self.scale = self.picture.scale
        self.update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom the frequencies at the pointer."""
        factor = 0.8 ** (event.angleDelta().y() / 120.0)
        at = min(max(self._share_of(event.position()), 0.0), 1.0)
        self.scale = self.scale.zoomed(factor, at, self.picture.scale)
        self.update()
        event.accept()

    def enterEvent(self, event: QEnterEvent) -> None:
        """Read off from now on."""
        self._pointer = event.position()

    def leaveEvent(self, _event: QEvent) -> None:
        """Read nothing off."""
        self._pointer = None
        self.update()


def _power(unit: str) -> str:
    """The unit of the power of a signal."""
    if not unit:
        return "1²"
    return f"{unit}²" if unit.isalpha() or unit in ("°", "%") else f"({unit})²"
