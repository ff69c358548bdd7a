"""Video overlay: lines in the picture's own pixels, and values in its lower right corner."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from widgets.theme import RADIUS_PX, Theme

Points = npt.NDArray[np.float64]

_PAD_PX = 6.0


@dataclass(frozen=True, slots=True, eq=False)
class OverlayLine:
    """Points (n, 2) in pixels of the picture, the centre of the top left one being (0, 0); NaN
    breaks it. `label` stands at its right end."""

    points: Points
    label: str = ""
    is_strong: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class VideoOverlay:
    """`values` are (name, value) pairs; `opacity` goes from 0 to 1."""

    lines: tuple[OverlayLine, ...] = ()
    values: tuple[tuple[str, str], ...] = ()
    opacity: float = 0.8


def paint_overlay(
    painter: QPainter, theme: Theme, overlay: VideoOverlay, size: tuple[int, int], place: QRectF
) -> None:
    """Draw over a picture of `size` pixels that stands at `place`."""
    painter.save()
    painter.setOpacity(overlay.opacity)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setClipRect(place)
    painter.setFont(theme.font("small", bold=True))
    for line in overlay.lines:
        _paint_line(painter, theme, line, size, place)
    if overlay.values:
        visible = place.intersected(QRectF(painter.viewport()))
        _paint_values(painter, theme, overlay.values, visible)
    painter.restore()


def _paint_line(
    painter: QPainter, theme: Theme, line: OverlayLine, size: tuple[int, int], place: QRectF
) -> None:
    """A light line on a dark one: it shows on sky and on snow."""
    shown = line.points[np.isfinite(line.points).all(axis=1)]
    if len(shown) < 2:
        return
    scale = np.array([place.width() / size[0], place.height() / size[1]])
    points = (shown + 0.5) * scale + np.array([place.left(), place.top()])
    polygon = QPolygonF([QPointF(x, y) for x, y in points.tolist()])
    width = (2.0 if line.is_strong else 1.0) * max(1.0, theme.line_px)
    for token, extra in (("readout", 2.0), ("text_on_readout", 0.0)):
        pen = QPen(theme.color(token), width + extra)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        painter.setPen(pen)
        painter.drawPolyline(polygon)
    if line.label:
        _paint_label(painter, theme, line.label, points, place)


def _paint_label(painter: QPainter, theme: Theme, text: str, points: Points, place: QRectF) -> None:
    """At the last point within the picture, with a shadow."""
    inside = [point for point in points.tolist() if place.contains(QPointF(*point))]
    if not inside:
        return
    metrics = QFontMetricsF(painter.font())
    width = metrics.horizontalAdvance(text)
    x, y = min(inside[-1][0], place.right() - width) + _PAD_PX / 2, inside[-1][1] + 4.0
    for token, shift in (("readout", 1.0), ("text_on_readout", 0.0)):
        painter.setPen(theme.color(token))
        painter.drawText(QPointF(x + shift, y + shift), text)


def _paint_values(
    painter: QPainter, theme: Theme, values: tuple[tuple[str, str], ...], visible: QRectF
) -> None:
    """Names and values on one plate in the lower right corner: above stand a camera's own time and
    the titles of panels, at the left what is said of the picture."""
    metrics = QFontMetricsF(painter.font())
    names = max(metrics.horizontalAdvance(name) for name, _ in values)
    numbers = max(metrics.horizontalAdvance(value) for _, value in values)
    width = names + numbers + 4 * _PAD_PX
    height = metrics.height() * len(values) + 2 * _PAD_PX
    corner = visible.bottomRight() - QPointF(width + _PAD_PX, height + _PAD_PX)
    plate = QRectF(corner, QSizeF(width, height))
    ground = QColor(theme.color("readout"))
    ground.setAlphaF(0.6)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ground)
    painter.drawRoundedRect(plate, RADIUS_PX, RADIUS_PX)
    painter.setPen(theme.color("text_on_readout"))
    row = QRectF(plate.left() + _PAD_PX, plate.top() + _PAD_PX, width - 2 * _PAD_PX, 0)
    row.setHeight(metrics.height())
    for name, value in values:
        painter.drawText(row, Qt.AlignmentFlag.AlignLeft, name)
        painter.drawText(row, Qt.AlignmentFlag.AlignRight, value)
        row.translate(0.0, metrics.height())
