"""Map symbols: aircraft, home, start, target."""

import math

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen, QPolygonF

from widgets.map.decorations import paint_card
from widgets.map.projection import GeoPoint, Viewport
from widgets.map.scene import MapScene, VehicleMark
from widgets.theme import Theme

_ARROW = ((0.0, -16.0), (11.0, 12.0), (0.0, 6.0), (-11.0, 12.0))
_AHEAD_S = 5.0
AHEAD_FROM_MPS = 0.7
"""Slower ones have no course worth showing."""
_LONGEST_AHEAD_PX = 160.0


def paint_symbols(painter: QPainter, view: Viewport, theme: Theme, scene: MapScene) -> None:
    """Paint all marks of a scene, the active aircraft on top."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if scene.start is not None and scene.start != scene.home:
        _paint_start(painter, view, theme, scene.start)
    if scene.home is not None:
        _paint_home(painter, view, theme, scene.home)
    if scene.target is not None:
        _paint_target(painter, view, theme, scene)
    for mark in sorted(scene.vehicles, key=lambda mark: mark.is_active):
        _paint_vehicle(painter, view, theme, mark, with_name=len(scene.vehicles) > 1)


def _paint_home(painter: QPainter, view: Viewport, theme: Theme, home: GeoPoint) -> None:
    centre = QPointF(*view.place_px(home))
    painter.setPen(QPen(theme.color("map_background"), 2))
    painter.setBrush(theme.color("home"))
    painter.drawEllipse(centre, 11, 11)
    painter.setPen(theme.color("text_on_ok"))
    painter.setFont(theme.font_of(14, bold=True))
    box = QRectF(centre.x() - 11, centre.y() - 11, 22, 22)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, "H")


def _paint_start(painter: QPainter, view: Viewport, theme: Theme, start: GeoPoint) -> None:
    centre = QPointF(*view.place_px(start))
    painter.setBrush(theme.color("map_background"))
    painter.setPen(QPen(theme.color("track"), 2.5))
    painter.drawEllipse(centre, 5, 5)


def _paint_target(painter: QPainter, view: Viewport, theme: Theme, scene: MapScene) -> None:
    """A magenta diamond, tied to the aircraft by a dashed line."""
    if scene.target is None:
        return
    centre = QPointF(*view.place_px(scene.target))
    color = theme.color("commanded")
    mark = scene.active
    if mark is not None:
        painter.setPen(QPen(color, 1.5, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(*view.place_px(mark.place)), centre)
    diamond = [QPointF(0, -9), QPointF(9, 0), QPointF(0, 9), QPointF(-9, 0)]
    fill = QColor(color)
    fill.setAlpha(70)
    painter.setBrush(fill)
    painter.setPen(QPen(color, 2))
    painter.drawPolygon(QPolygonF([centre + corner for corner in diamond]))
    painter.setBrush(color)
    painter.drawEllipse(centre, 2, 2)


def _paint_vehicle(
    painter: QPainter, view: Viewport, theme: Theme, mark: VehicleMark, *, with_name: bool
) -> None:
    centre = QPointF(*view.place_px(mark.place))
    is_old = mark.age_s is not None
    color = theme.color("symbol" if mark.is_active and not is_old else "muted")
    if mark.is_active and not is_old:
        _paint_ahead(painter, view, color, mark, centre)
    painter.setPen(QPen(color if is_old else theme.color("symbol_outline"), 2 if is_old else 1.5))
    painter.setBrush(theme.color("map_background") if is_old else color)
    if mark.heading_deg is None:
        painter.drawEllipse(centre, 8, 8)
    else:
        painter.drawPolygon(
            arrow(centre, mark.heading_deg - view.rotation_deg, 1.0 if mark.is_active else 0.75)
        )
    words = [mark.name] if with_name else []
    if mark.age_s is not None:
        words.append(f"{age_text(mark.age_s)} ago")
    if words:
        _paint_words(painter, theme, mark, centre, ", ".join(words))


def age_text(age_s: float) -> str:
    """An age in the unit that a person would say it in."""
    for limit_s, unit_s, unit in ((100.0, 1.0, "s"), (6000.0, 60.0, "min")):
        if age_s < limit_s:
            return f"{age_s / unit_s:.0f}\u2009{unit}"
    return f"{age_s / 3600.0:.0f}\u2009h"


def _paint_words(
    painter: QPainter, theme: Theme, mark: VehicleMark, centre: QPointF, words: str
) -> None:
    painter.setFont(theme.font("small", bold=mark.is_active))
    metrics = QFontMetrics(painter.font(), painter.device())
    width, height = metrics.horizontalAdvance(words) + 8, metrics.height() + 2
    box = QRectF(centre.x() + 16, centre.y() - height / 2, width, height)
    paint_card(painter, theme, box)
    is_strong = mark.is_active and mark.age_s is None
    painter.setPen(theme.color("text" if is_strong else "muted"))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)


def _paint_ahead(
    painter: QPainter, view: Viewport, color: QColor, mark: VehicleMark, centre: QPointF
) -> None:
    """A thin line to where the aircraft will be in five seconds."""
    if (
        mark.course_deg is None
        or mark.groundspeed_mps is None
        or mark.groundspeed_mps < AHEAD_FROM_MPS
    ):
        return
    length = min(_LONGEST_AHEAD_PX, mark.groundspeed_mps * _AHEAD_S / view.metres_per_px)
    course = math.radians(mark.course_deg - view.rotation_deg)
    tip = centre + QPointF(math.sin(course) * length, -math.cos(course) * length)
    painter.setPen(QPen(color, 1.5, Qt.PenStyle.DotLine))
    painter.drawLine(QLineF(centre, tip))


def arrow(centre: QPointF, heading_deg: float, size: float) -> QPolygonF:
    """The outline of an arrowhead pointing along `heading_deg`, clockwise from up."""
    sine, cosine = math.sin(math.radians(heading_deg)), math.cos(math.radians(heading_deg))
    corners = []
    for x, y in _ARROW:
        turned = QPointF(x * cosine - y * sine, x * sine + y * cosine)
        corners.append(centre + turned * size)
    return QPolygonF(corners)
