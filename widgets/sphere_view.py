"""Sphere view: points on a sphere seen from outside, as a sensor has seen the directions."""

import math

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy

from widgets.solid import seen_from
from widgets.theme import PaintedWidget, Theme

Array = npt.NDArray[np.float64]
_FAR_DEVIATION, _POOR_DEVIATION = 0.05, 0.02
_NONE = np.empty((0, 3))
_SIDES = ("nose", "right side", "belly", "tail", "left side", "top")
_AXES = np.vstack([np.eye(3), -np.eye(3)])
_DRAG_DEG_PER_PX = 0.5


class SphereView(PaintedWidget):
    """Vectors (n, 3) in lengths of the sphere's radius, along the axes of an aircraft.

    With `is_judged`, those within 2 % of the radius are small dots, those within 5 % larger, and
    the rest crosses. Directions that are missing show as rings; the last vector is marked.
    """

    def __init__(self, title: str, *, is_judged: bool = False) -> None:
        super().__init__()
        self._title = title
        self._is_judged = is_judged
        self._points = _NONE
        self._missing = _NONE
        self._turn = (-38.0, 24.0)
        self._dragged_from: QPointF | None = None
        self.setMinimumSize(220, 220)
        policy = QSizePolicy.Policy.Expanding
        self.setSizePolicy(policy, policy)
        self.setAccessibleName(title)
        self.setToolTip("Drag to look from another side.")

    def sizeHint(self) -> QSize:
        return QSize(300, 280)

    @property
    def count(self) -> int:
        """How many points show."""
        return len(self._points)

    @property
    def missing(self) -> int:
        """How many directions are marked as missing."""
        return len(self._missing)

    def set_points(self, points: Array, missing: Array = _NONE) -> None:
        """Show these, and these directions (m, 3) as missing."""
        if len(points) != len(self._points) or len(missing) != len(self._missing):
            self._points, self._missing = points, missing
            self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._dragged_from = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._dragged_from is None:
            return
        moved = event.position() - self._dragged_from
        self._dragged_from = event.position()
        azimuth = self._turn[0] - moved.x() * _DRAG_DEG_PER_PX
        elevation = min(max(self._turn[1] + moved.y() * _DRAG_DEG_PER_PX, -89.0), 89.0)
        self._turn = (azimuth, elevation)
        self.update()

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        self._dragged_from = None

    # Inside

    def paint(self, painter: QPainter, theme: Theme) -> None:
        text_height = self.fontMetrics().height() + 4.0
        unit = (min(self.width(), self.height() - text_height) / 2.0 - 14.0) / 1.12
        middle = QPointF(self.width() / 2.0, text_height + (self.height() - text_height) / 2.0)
        look = seen_from(*self._turn)
        painter.setPen(theme.color("muted"))
        painter.setFont(theme.font("small"))
        across = QRectF(0, 0, self.width(), text_height)
        painter.drawText(across, Qt.AlignmentFlag.AlignCenter, self._title)
        painter.setPen(QPen(theme.color("line"), theme.line_px))
        painter.setBrush(theme.color("raised"))
        painter.drawEllipse(middle, unit, unit)
        self._paint_circles(painter, look, middle, unit)
        self._paint_missing(painter, theme, look, (middle, unit))
        self._paint_points(painter, theme, look, (middle, unit))
        self._paint_axes(painter, theme, look, (middle, unit))

    def _paint_circles(self, painter: QPainter, look: Array, middle: QPointF, unit: float) -> None:
        """The three great circles, front halves only."""
        painter.setBrush(Qt.BrushStyle.NoBrush)
        turns = np.linspace(0.0, 2.0 * math.pi, 73)
        flat = np.stack([np.cos(turns), np.sin(turns), np.zeros_like(turns)], axis=1)
        for axis in range(3):
            seen = (look @ np.roll(flat, axis, axis=1).T).T
            run: list[QPointF] = []
            for x, y, away in seen:
                if away <= 0.0:
                    run.append(middle + QPointF(float(x), float(y)) * unit)
                elif run:
                    painter.drawPolyline(QPolygonF(run))
                    run = []
            painter.drawPolyline(QPolygonF(run))

    def _paint_missing(
        self, painter: QPainter, theme: Theme, look: Array, place: tuple[QPointF, float]
    ) -> None:
        middle, unit = place
        for x, y, away in (look @ self._missing.T).T:
            color = theme.color("caution")
            color.setAlphaF(1.0 if away <= 0.0 else 0.25)
            painter.setPen(QPen(color, 1.5))
            painter.drawEllipse(middle + QPointF(float(x), float(y)) * unit, 7.0, 7.0)

    def _paint_points(
        self, painter: QPainter, theme: Theme, look: Array, place: tuple[QPointF, float]
    ) -> None:
        middle, unit = place
        if not len(self._points):
            return
        seen = (look @ self._points.T).T
        off = np.abs(np.linalg.norm(self._points, axis=1) - 1.0)
        is_far, is_poor = off > _FAR_DEVIATION, off > _POOR_DEVIATION
        if not self._is_judged:
            is_far = is_poor = np.zeros(len(off), dtype=bool)
        groups = (
            (~is_poor, "ok" if self._is_judged else "accent", 4.0),
            (is_poor & ~is_far, "caution", 6.0),
        )
        for is_front in (False, True):
            side = (seen[:, 2] <= 0.0) == is_front
            for chosen, token, size in groups:
                color = theme.color(token)
                color.setAlphaF(1.0 if is_front else 0.25)
                pen = QPen(color, size)
                pen.setCapStyle(Qt.PenCapStyle.RoundCap)
                painter.setPen(pen)
                points = [_on_screen(row, middle, unit) for row in seen[chosen & side]]
                painter.drawPoints(QPolygonF(points))
        painter.setPen(QPen(theme.color("danger"), 1.5))
        for row in seen[is_far]:
            at = _on_screen(row, middle, unit)
            painter.drawLine(at - QPointF(3, 3), at + QPointF(3, 3))
            painter.drawLine(at - QPointF(3, -3), at + QPointF(3, -3))
        if not self._is_judged:
            painter.setPen(QPen(theme.color("commanded"), 2.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(_on_screen(seen[-1], middle, unit), 8.0, 8.0)

    def _paint_axes(
        self, painter: QPainter, theme: Theme, look: Array, place: tuple[QPointF, float]
    ) -> None:
        middle, unit = place
        painter.setFont(theme.font("small"))
        for name, (x, y, away) in zip(_SIDES, (look @ _AXES.T).T, strict=True):
            if away > 0.0:
                continue
            at = middle + QPointF(float(x), float(y)) * unit
            painter.setPen(QPen(theme.color("text"), 5.0))
            painter.drawPoint(at)
            painter.setPen(theme.color("text"))
            painter.drawText(at + QPointF(6.0, -4.0), name)


def _on_screen(row: Array, middle: QPointF, unit: float) -> QPointF:
    return middle + QPointF(float(row[0]), float(row[1])) * unit
