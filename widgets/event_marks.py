"""The marks of events above the rail of a bar: an alarm is a triangle, a restart or failsafe a
square, a marker a flag, a changed setting a diamond, a finding the mark of its level; a number says
how many lie close together.
"""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPolygonF

from telemetry.recording.events import Event
from widgets.event_clusters import EventCluster
from widgets.level_mark import LEVEL_TOKENS, draw_level_mark
from widgets.theme import Theme


def draw_cluster(painter: QPainter, rail: QRectF, cluster: EventCluster, theme: Theme) -> None:
    """The mark of the worst of them at the first one's place, and their number if several."""
    x = round(cluster.x) + 0.5
    mark_event(painter, rail, x, cluster.worst, theme)
    if len(cluster.events) > 1:
        font = theme.font("small", bold=True)
        painter.setFont(font)
        painter.setPen(theme.color("text"))
        text = str(len(cluster.events)) if len(cluster.events) < 100 else "99+"
        width = QFontMetricsF(font).horizontalAdvance(text) + 2
        room = QRectF(x + 7, rail.top() - 14, width, 14)
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)


def mark_event(painter: QPainter, rail: QRectF, x: float, event: Event, theme: Theme) -> None:
    """The mark of one event at pixel `x`."""
    top = rail.top() - 2
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color(LEVEL_TOKENS[event.level]))
    if event.kind == "marker":
        painter.setBrush(theme.color("selected"))
        painter.drawPolygon(_polygon((x, top - 10), (x + 9, top - 6), (x, top - 2)))
        painter.drawRect(QRectF(x - 1, top - 10, 2, rail.height() + 12))
    elif event.kind == "alarm":
        painter.drawPolygon(_polygon((x - 5, top - 1), (x + 5, top - 1), (x, top - 10)))
    elif event.kind == "finding":
        draw_level_mark(painter, QRectF(x - 5.5, top - 11, 11, 11), event.level, theme)
    elif event.kind == "setting":
        painter.setBrush(theme.color("accent"))
        painter.drawPolygon(
            _polygon((x, top - 9), (x + 4, top - 5), (x, top - 1), (x - 4, top - 5))
        )
    else:
        painter.drawRect(QRectF(x - 4, top - 9, 8, 8))
        painter.drawRect(QRectF(x - 1, top, 2, rail.height() + 2))


def _polygon(*corners: tuple[float, float]) -> QPolygonF:
    return QPolygonF([QPointF(x, y) for x, y in corners])
