"""Level marks, four of them, for how much something matters: shapes as well as colours."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from telemetry.base.finding import Level
from widgets.theme import Theme

LEVEL_TOKENS = {
    Level.UNKNOWN: "muted",
    Level.OK: "ok",
    Level.INFO: "muted",
    Level.WARNING: "caution",
    Level.ERROR: "danger",
}
"""The token of the theme, also a tone of the style sheet, that each level is shown in."""
LEVEL_SIGNS = {
    Level.UNKNOWN: "–",
    Level.OK: "✔",
    Level.INFO: "•",
    Level.WARNING: "▲",
    Level.ERROR: "✖",
}
"""The mark of each level in a line of text."""


def draw_level_mark(painter: QPainter, rect: QRectF, level: Level, theme: Theme) -> None:
    """Draw a mark into the square `rect`: dash, tick, triangle or octagon with a bar."""
    color = theme.color(LEVEL_TOKENS[level])
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    stroke = QPen(color, max(1.6, rect.width() / 8.0) * theme.line_px**0.4)
    stroke.setCapStyle(Qt.PenCapStyle.RoundCap)
    stroke.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    if level < Level.WARNING:
        shares = [(0.22, 0.5), (0.78, 0.5)]
        if level is Level.OK:
            shares = [(0.14, 0.54), (0.40, 0.80), (0.88, 0.24)]
        painter.setPen(stroke)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline(_points(rect, shares))
        return
    outline = [(0.5, 0.06), (0.98, 0.92), (0.02, 0.92)]
    if level is Level.ERROR:
        a, b = 0.30, 0.70
        outline = [(a, 0), (b, 0), (1, a), (1, b), (b, 1), (a, 1), (0, b), (0, a)]
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    painter.drawPolygon(_points(rect, outline))
    _draw_bang(painter, rect, theme, is_triangle=level is Level.WARNING)


def _draw_bang(painter: QPainter, rect: QRectF, theme: Theme, *, is_triangle: bool) -> None:
    """The bar and dot inside a warning sign."""
    token = "text_on_caution" if is_triangle else "text_on_danger"
    painter.setBrush(theme.color(token))
    width = rect.width() * 0.13
    x, top = (
        rect.center().x() - width / 2,
        rect.y() + rect.height() * (0.36 if is_triangle else 0.2),
    )
    painter.drawRect(QRectF(x, top, width, rect.height() * (0.28 if is_triangle else 0.36)))
    dot_y = rect.y() + rect.height() * (0.71 if is_triangle else 0.66)
    painter.drawRect(QRectF(x, dot_y, width, width))


def _points(rect: QRectF, shares: list[tuple[float, float]]) -> QPolygonF:
    return QPolygonF(
        [QPointF(rect.x() + x * rect.width(), rect.y() + y * rect.height()) for x, y in shares]
    )
