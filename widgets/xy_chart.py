"""XY chart of values against something other than time: points, and lines through them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy

from telemetry.base.number_text import significant, ticks
from widgets.plot.window import Span
from widgets.theme import PaintedWidget, Theme

_LEFT, _RIGHT, _TOP, _BOTTOM = 62.0, 12.0, 26.0, 38.0
_MOST_POINTS = 600


@dataclass(frozen=True, slots=True, eq=False)
class ChartSeries:
    """Values `y` over `x`, both (n,), as points `points_px` wide or as a line, in a colour of the
    theme's series."""

    label: str
    x: npt.NDArray[np.float64]
    y: npt.NDArray[np.float64]
    color: int = 0
    is_line: bool = False
    points_px: float = 3.0


class XyChart(PaintedWidget):
    """Scales itself to what it shows. Lines without label belong to the points of their colour."""

    def __init__(self, title: str, x_label: str) -> None:
        super().__init__()
        self._title, self._x_label = title, x_label
        self.series: tuple[ChartSeries, ...] = ()
        """What shows."""
        self.setMinimumSize(240, 170)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(title)

    def sizeHint(self) -> QSize:
        return QSize(360, 210)

    def set_series(self, series: Sequence[ChartSeries]) -> None:
        """Show these."""
        self.series = tuple(one for one in series if len(one.x))
        self.update()

    def paint(self, painter: QPainter, theme: Theme) -> None:
        painter.setFont(theme.font("small"))
        field = QRectF(self.rect()).adjusted(_LEFT, _TOP, -_RIGHT, -_BOTTOM)
        painter.fillRect(field, theme.color("plot_background"))
        self._paint_titles(painter, theme, field)
        if not self.series:
            painter.drawText(field, Qt.AlignmentFlag.AlignCenter, "Nothing yet")
            return
        spans = _span([s.x for s in self.series]), _span([s.y for s in self.series])
        self._paint_grid(painter, theme, field, spans)
        painter.setClipRect(field)
        for series in self.series:
            _paint_series(painter, theme, series, (field, spans))

    def _paint_titles(self, painter: QPainter, theme: Theme, field: QRectF) -> None:
        painter.setPen(theme.color("text"))
        painter.drawText(QPointF(field.left(), 16.0), self._title)
        x = field.left() + painter.fontMetrics().horizontalAdvance(self._title) + 18.0
        for series in self.series:
            if series.label:
                painter.setPen(QPen(theme.series(series.color), 3.0))
                painter.drawLine(QPointF(x, 12.0), QPointF(x + 14.0, 12.0))
                painter.setPen(theme.color("text"))
                painter.drawText(QPointF(x + 18.0, 16.0), series.label)
                x += 30.0 + painter.fontMetrics().horizontalAdvance(series.label)
        painter.setPen(theme.color("muted"))
        below = QRectF(field.left(), self.height() - 18.0, field.width(), 18.0)
        painter.drawText(below, Qt.AlignmentFlag.AlignCenter, self._x_label)

    def _paint_grid(
        self, painter: QPainter, theme: Theme, field: QRectF, spans: tuple[Span, Span]
    ) -> None:
        grid, words = QPen(theme.color("plot_grid"), theme.line_px), QPen(theme.color("muted"))
        for value in ticks(spans[0].start, spans[0].stop):
            x = _across(field, spans[0], value)
            painter.setPen(grid)
            painter.drawLine(QPointF(x, field.top()), QPointF(x, field.bottom()))
            painter.setPen(words)
            below = QRectF(x - 30.0, field.bottom() + 2.0, 60.0, 16.0)
            painter.drawText(below, Qt.AlignmentFlag.AlignHCenter, significant(value, 6))
        for value in ticks(spans[1].start, spans[1].stop):
            y = _up(field, spans[1], value)
            painter.setPen(grid)
            painter.drawLine(QPointF(field.left(), y), QPointF(field.right(), y))
            painter.setPen(words)
            beside = QRectF(0.0, y - 8.0, _LEFT - 5.0, 16.0)
            painter.drawText(beside, Qt.AlignmentFlag.AlignRight, significant(value, 6))


def _across(field: QRectF, span: Span, value: float) -> float:
    return field.left() + (value - span.start) / span.length * field.width()


def _up(field: QRectF, span: Span, value: float) -> float:
    return field.bottom() - (value - span.start) / span.length * field.height()


def _span(columns: Sequence[npt.NDArray[np.float64]]) -> Span:
    low, high = (float(f(np.concatenate(columns))) for f in (np.min, np.max))
    room = max(0.05 * (high - low), 1e-3 * max(abs(low), abs(high)), 1e-6)
    return Span(low - room, high + room)


def _paint_series(
    painter: QPainter,
    theme: Theme,
    series: ChartSeries,
    frame: tuple[QRectF, tuple[Span, Span]],
) -> None:
    field, (x_span, y_span) = frame
    step = max(1, len(series.x) // _MOST_POINTS)
    points = QPolygonF(
        [
            QPointF(_across(field, x_span, float(x)), _up(field, y_span, float(y)))
            for x, y in zip(series.x[::step], series.y[::step], strict=True)
        ]
    )
    color = theme.series(series.color)
    if series.is_line:
        painter.setPen(QPen(theme.color("text") if not series.label else color, 2.0))
        painter.drawPolyline(points)
        return
    color.setAlphaF(0.6)
    style, cap = Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap
    painter.setPen(QPen(color, series.points_px, style, cap))
    painter.drawPoints(points)
