"""Interval chart: values by name as bars from zero, each with the interval that it lies in."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy

from widgets.theme import PaintedWidget, Theme

_PAD_PX, _CAP_PX = 6.0, 4.0
_NAME_SHARE, _TEXT_SHARE = 0.3, 0.36


@dataclass(frozen=True, slots=True)
class IntervalRow:
    """A value under a name, the ends of its interval (NaN: not known), and all of it in words."""

    name: str
    value: float
    low: float
    high: float
    text: str


class IntervalChart(PaintedWidget):
    """One row for each value, on a scale from `least` to `most`; what lies outside is cut off."""

    def __init__(self, name: str, least: float, most: float) -> None:
        super().__init__()
        self.rows: tuple[IntervalRow, ...] = ()
        self._least, self._most = least, most
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_rows(self, rows: Sequence[IntervalRow]) -> None:
        """Show these from now on."""
        self.rows = tuple(rows)
        self.setToolTip("\n".join(f"{row.name}: {row.text}" for row in rows))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(360, round(len(self.rows) * self._row_px() + _PAD_PX))

    def minimumSizeHint(self) -> QSize:
        return QSize(200, self.sizeHint().height())

    def paint(self, painter: QPainter, theme: Theme) -> None:
        painter.setFont(theme.font("small"))
        height = self._row_px()
        for number, row in enumerate(self.rows):
            place = QRectF(0.0, _PAD_PX / 2 + number * height, self.width(), height)
            self._paint_row(painter, theme, place, row)

    def _row_px(self) -> float:
        px = self._theme.font_px("small") if self._theme is not None else 12
        return 1.7 * px

    def _paint_row(self, painter: QPainter, theme: Theme, place: QRectF, row: IntervalRow) -> None:
        name_px, text_px = _NAME_SHARE * place.width(), _TEXT_SHARE * place.width()
        field = place.adjusted(name_px, 0.0, -text_px, 0.0)
        painter.setPen(theme.color("text"))
        metrics = painter.fontMetrics()
        _paint_text(
            painter, metrics, place.adjusted(0.0, 0.0, name_px - place.width(), 0.0), row.name
        )
        _paint_text(
            painter, metrics, place.adjusted(field.right() + _PAD_PX, 0.0, 0.0, 0.0), row.text
        )
        middle, zero = place.center().y(), self._at(0.0, field)
        end = self._at(row.value, field)
        bar = QRectF(min(zero, end), place.top() + 4.0, abs(end - zero), place.height() - 8.0)
        colour = theme.series(0)
        colour.setAlphaF(0.5)
        painter.fillRect(bar, colour)
        painter.setPen(QPen(theme.color("muted"), theme.line_px))
        painter.drawLine(QLineF(zero, place.top(), zero, place.bottom()))
        if np.isfinite(row.low) and np.isfinite(row.high):
            left, right = self._at(row.low, field), self._at(row.high, field)
            painter.setPen(QPen(theme.color("text"), 1.5 * theme.line_px))
            painter.drawLine(QLineF(left, middle, right, middle))
            for x in (left, right):
                down = QPointF(x, middle + _CAP_PX)
                painter.drawLine(QLineF(QPointF(x, middle - _CAP_PX), down))

    def _at(self, value: float, field: QRectF) -> float:
        inside = min(max(value, self._least), self._most)
        return field.left() + (inside - self._least) / (self._most - self._least) * field.width()


def _paint_text(painter: QPainter, metrics: QFontMetrics, place: QRectF, text: str) -> None:
    shown = metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, int(place.width()))
    painter.drawText(place, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)
