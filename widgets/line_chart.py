"""Line chart of a few lines: stick curves, a live axis, a step response."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy

from widgets.plot.axes import value_levels
from widgets.plot.window import Span, fit_values
from widgets.theme import PaintedWidget, Theme

Floats = npt.NDArray[np.floating]
_LEGEND_PX = 22.0
_SWATCH_PX = 18.0


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """Points `x` (n,) and `y` (n,), in the colour of a token, named in the legend.

    NaN breaks it. `errors` (n,) draw a band of so much on either side.
    """

    name: str
    token: str
    x: Floats
    y: Floats
    is_dashed: bool = False
    errors: Floats | None = None


@dataclass(frozen=True, slots=True)
class Mark:
    """A thin line across the chart at `at`, with a word, upright or level."""

    at: float
    text: str
    token: str = "muted"
    is_level: bool = False


class LineChart(PaintedWidget):
    """Lines over a common horizontal scale.

    `x_span` and `y_span` are fixed where given; else they follow the lines, `y` in round steps
    that rest while a signal breathes, and cover `least_y` at least, so that noise looks small. An
    empty chart shows `notice`.
    """

    def __init__(self, title: str, x_units: str, y_units: str, height: int = 170) -> None:
        super().__init__()
        self.lines: tuple[Line, ...] = ()
        self.marks: tuple[Mark, ...] = ()
        self.x_span: Span | None = None
        self.y_span: Span | None = None
        self.least_y = 0.0
        self.notice = ""
        self._title, self._x_units, self._y_units = title, x_units, y_units
        self._height = height
        self._values: Span | None = None
        self.setMinimumSize(200, min(height, 110))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(f"Chart: {title}")

    def sizeHint(self) -> QSize:
        return QSize(420, self._height)

    def retitle(self, title: str, y_units: str) -> None:
        """Say that it shows something else; the scale begins anew."""
        self._title, self._y_units, self._values = title, y_units, None
        self.setAccessibleName(f"Chart: {title}")
        self.show_lines([])

    def show_lines(self, lines: Sequence[Line], marks: Sequence[Mark] = ()) -> None:
        """Draw these from now on."""
        self.lines, self.marks = tuple(lines), tuple(marks)
        self.update()

    def paint(self, painter: QPainter, theme: Theme) -> None:
        painter.setFont(theme.font("small"))
        self._paint_legend(painter, theme)
        x, y = self._spans()
        field = self._field(painter, y)
        painter.fillRect(field, theme.color("plot_background"))
        self._paint_scales(painter, theme, field, x, y)
        painter.setClipRect(field)
        for mark in self.marks:
            self._paint_mark(painter, theme, field, x, y, mark)
        for line in self.lines:
            self._paint_line(painter, theme, field, x, y, line)
        if self.notice and not any(len(line.x) for line in self.lines):
            painter.setPen(theme.color("muted"))
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(field.adjusted(12, 4, -12, -4), flags, self.notice)

    # Inside

    def _spans(self) -> tuple[Span, Span]:
        x = self.x_span or _span_of([line.x for line in self.lines]) or Span(0.0, 1.0)
        if self.y_span is not None:
            return x, self.y_span
        found = _span_of([line.y for line in self.lines])
        if found is not None:
            room = max(0.0, self.least_y - found.length) / 2.0
            self._values = fit_values(self._values, found.start - room, found.stop + room)
        return x, self._values or Span(0.0, 1.0)

    def _field(self, painter: QPainter, y: Span) -> QRectF:
        metrics = painter.fontMetrics()
        bottom = metrics.height() + 4.0
        levels = value_levels(y, self.height() - _LEGEND_PX - bottom, metrics.height())
        left = max((metrics.horizontalAdvance(level.text) for level in levels), default=20) + 10.0
        return QRectF(
            left, _LEGEND_PX, self.width() - left - 8.0, self.height() - _LEGEND_PX - bottom
        )

    def _paint_legend(self, painter: QPainter, theme: Theme) -> None:
        metrics = painter.fontMetrics()
        units = f", {self._y_units}" if self._y_units else ""
        title = f"{self._title}{units}"
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.setPen(theme.color("text"))
        painter.drawText(QRectF(2.0, 0.0, self.width(), _LEGEND_PX), flags, title)
        right = self.width() - 8.0
        for line in reversed([line for line in self.lines if line.name]):
            width = metrics.horizontalAdvance(line.name)
            if right - width - _SWATCH_PX - 14.0 < metrics.horizontalAdvance(title) + 12.0:
                return
            painter.setPen(theme.color("muted"))
            painter.drawText(QRectF(right - width, 0.0, width + 2.0, _LEGEND_PX), flags, line.name)
            painter.setPen(self._pen(theme, line))
            y, start = _LEGEND_PX / 2, right - width - _SWATCH_PX - 6.0
            painter.drawLine(QPointF(start, y), QPointF(start + _SWATCH_PX, y))
            right = start - 14.0

    def _paint_scales(
        self, painter: QPainter, theme: Theme, field: QRectF, x: Span, y: Span
    ) -> None:
        metrics = painter.fontMetrics()
        grid = QPen(theme.color("plot_grid"), theme.line_px)
        for level in value_levels(y, field.height(), metrics.height()):
            at = _at(level.value, y, field.bottom(), field.top())
            painter.setPen(grid)
            painter.drawLine(QPointF(field.left(), at), QPointF(field.right(), at))
            painter.setPen(theme.color("muted"))
            box = QRectF(0.0, at - 9.0, field.left() - 5.0, 18.0)
            flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(box, flags, level.text)
        for level in value_levels(x, field.width() / 2.5, metrics.height() * 1.4):
            at = _at(level.value, x, field.left(), field.right())
            painter.setPen(grid)
            painter.drawLine(QPointF(at, field.top()), QPointF(at, field.bottom()))
            painter.setPen(theme.color("muted"))
            box = QRectF(at - 40.0, field.bottom() + 2.0, 80.0, metrics.height() + 2.0)
            if at < field.right() - metrics.horizontalAdvance(self._x_units) - 24.0:
                painter.drawText(box, Qt.AlignmentFlag.AlignHCenter, level.text)
        painter.setPen(theme.color("muted"))
        last = QRectF(field.right() - 120.0, field.bottom() + 2.0, 120.0, metrics.height() + 2.0)
        painter.drawText(last, Qt.AlignmentFlag.AlignRight, self._x_units)

    def _paint_mark(
        self, painter: QPainter, theme: Theme, field: QRectF, x: Span, y: Span, mark: Mark
    ) -> None:
        painter.setPen(QPen(theme.color(mark.token), theme.line_px, Qt.PenStyle.DotLine))
        if mark.is_level:
            at = _at(mark.at, y, field.bottom(), field.top())
            painter.drawLine(QPointF(field.left(), at), QPointF(field.right(), at))
            box = QRectF(field.left() + 4.0, at - 18.0, field.width() - 8.0, 18.0)
            painter.drawText(box, Qt.AlignmentFlag.AlignRight, mark.text)
        else:
            at = _at(mark.at, x, field.left(), field.right())
            painter.drawLine(QPointF(at, field.top()), QPointF(at, field.bottom()))
            width = painter.fontMetrics().horizontalAdvance(mark.text)
            left = at + 4.0 if at + 4.0 + width <= field.right() else at - 4.0 - width
            box = QRectF(left, field.top() + 2.0, width + 2.0, 18.0)
            painter.drawText(box, Qt.AlignmentFlag.AlignLeft, mark.text)

    def _paint_line(
        self, painter: QPainter, theme: Theme, field: QRectF, x: Span, y: Span, line: Line
    ) -> None:
        if len(line.x) < 2:
            return
        across = field.left() + (line.x - x.start) / x.length * field.width()
        if line.errors is not None:
            colour = theme.color(line.token)
            colour.setAlpha(50)
            edge = [_downs(line.y + sign * line.errors, y, field) for sign in (1.0, -1.0)]
            around = np.concatenate([across, across[::-1]])
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            painter.drawPolygon(_polygon(around, np.concatenate([edge[0], edge[1][::-1]])))
            painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(self._pen(theme, line))
        down = _downs(line.y, y, field)
        breaks = np.flatnonzero(~np.isfinite(down))
        for part in np.split(np.arange(len(down)), breaks):
            known = part[np.isfinite(down[part])]
            if len(known) > 1:
                painter.drawPolyline(_polygon(across[known], down[known]))

    def _pen(self, theme: Theme, line: Line) -> QPen:
        style = Qt.PenStyle.DashLine if line.is_dashed else Qt.PenStyle.SolidLine
        return QPen(theme.color(line.token), 2.0 * theme.line_px, style)


def _span_of(columns: Sequence[Floats]) -> Span | None:
    finite = [column[np.isfinite(column)] for column in columns]
    filled = [column for column in finite if len(column)]
    if not filled:
        return None
    low = float(min(column.min() for column in filled))
    high = float(max(column.max() for column in filled))
    return Span(low, high) if high > low else Span(low - 0.5, low + 0.5)


def _at(value: float, span: Span, first_px: float, last_px: float) -> float:
    return first_px + (value - span.start) / span.length * (last_px - first_px)


def _downs(values: Floats, span: Span, field: QRectF) -> Floats:
    share = (values - span.start) / span.length
    return np.asarray(field.bottom() - np.clip(share, -2.0, 3.0) * field.height())


def _polygon(across: Floats, down: Floats) -> QPolygonF:
    return QPolygonF([QPointF(float(a), float(d)) for a, d in zip(across, down, strict=True)])
