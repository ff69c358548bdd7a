"""Map decorations that stand on the window: scale bar, readouts, attribution."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen

from telemetry.base.number_text import significant
from widgets.display_units import METRIC, DisplayUnits
from widgets.map.graticule import scale_bar
from widgets.map.kept_card import KeptCard
from widgets.map.projection import Viewport, bearing_deg, distance_m
from widgets.map.scene import SHADES, MapScene, Shading
from widgets.map.track_layer import shade
from widgets.theme import Theme

_EDGE_PX = 8
_PAD_PX = 6


def home_text(scene: MapScene, units: DisplayUnits = METRIC) -> str:
    """Distance and bearing from the active aircraft to home, or nothing."""
    mark = scene.active
    if mark is None or scene.home is None:
        return ""
    away_m = distance_m(mark.place, scene.home)
    if away_m < 1.0:
        return "At home"
    bearing = round(bearing_deg(mark.place, scene.home)) % 360
    return f"Home {units.distance_text(away_m)}  {bearing:03d}°"


def paint_scale(painter: QPainter, view: Viewport, theme: Theme, kept: KeptCard) -> int:
    """Paint the scale bar at the bottom left; return the x where it ends."""
    exact, text = scale_bar(view.metres_per_px, units=theme.units)
    length = round(exact)
    painter.setFont(theme.font("small"))
    metrics = QFontMetrics(painter.font(), painter.device())
    width = max(length, metrics.horizontalAdvance(text)) + 2 * _PAD_PX
    height = metrics.height() + 12
    area = view.area
    box = QRectF(area.left + _EDGE_PX, area.bottom - _EDGE_PX - height, width, height)

    def paint(own: QPainter, inner: QRectF) -> None:
        paint_card(own, theme, inner)
        left, bottom = _PAD_PX, round(inner.bottom()) - 5
        right = left + length
        own.setFont(theme.font("small"))
        own.setPen(QPen(theme.color("text"), 2))
        own.drawLines(
            [
                QLineF(left, bottom, right, bottom),
                QLineF(left, bottom - 5, left, bottom),
                QLineF(right, bottom - 5, right, bottom),
            ]
        )
        own.drawText(left, metrics.ascent() + 2, text)

    kept.paint(painter, theme, box, (length, text), paint)
    return round(box.right())


def paint_shading(painter: QPainter, view: Viewport, theme: Theme, shading: Shading) -> None:
    """Paint what the track's colours stand for, above the scale bar."""
    painter.setFont(theme.font("small"))
    metrics = QFontMetrics(painter.font(), painter.device())
    height, step = metrics.height(), max(6, round(metrics.height() / 2))
    gain, offset, unit = theme.units.shown(shading.unit)
    low, high = (
        f"{significant(number * gain + offset, 6 if gain == 1.0 else 4)}\u2009{unit}"
        for number in (shading.low, shading.high)
    )
    bar = step * SHADES
    width = max(bar, metrics.horizontalAdvance(f"{shading.title}  {low}  {high}")) + 2 * _PAD_PX
    area = view.area
    scale_top = area.bottom - _EDGE_PX - height - 12
    box = QRectF(area.left + _EDGE_PX, scale_top - 6 - height - 14, width, height + 14)
    if box.top() < area.top + area.height / 3:
        return
    paint_card(painter, theme, box)
    inner = box.adjusted(_PAD_PX, 2, -_PAD_PX, 0)
    inner.setHeight(height)
    painter.setPen(theme.color("text"))
    painter.drawText(inner, Qt.AlignmentFlag.AlignLeft, low)
    painter.drawText(inner, Qt.AlignmentFlag.AlignRight, high)
    painter.setPen(theme.color("muted"))
    painter.drawText(inner, Qt.AlignmentFlag.AlignHCenter, shading.title)
    step_px = inner.width() / SHADES
    for level in range(SHADES):
        left, right = round(level * step_px), round((level + 1) * step_px)
        patch = QRectF(inner.left() + left, inner.bottom() + 2, right - left, 5)
        painter.fillRect(patch, shade(theme, level))


def paint_home_readout(
    painter: QPainter, view: Viewport, theme: Theme, scene: MapScene, kept: KeptCard
) -> None:
    """Paint the way home at the top, left of the buttons' column."""
    text = home_text(scene, theme.units)
    if not text:
        return
    font = theme.font("body", bold=True)
    metrics = QFontMetrics(font, painter.device())
    # As wide as the widest value, so that the card keeps its place while the digits change.
    width = metrics.horizontalAdvance("Home 888.8\u2009km  888°") + 2 * _PAD_PX + 4
    area = view.area
    left = area.middle[0] - width / 2
    box = QRectF(left, area.top + _EDGE_PX, width, metrics.height() + 8)
    kept.paint(painter, theme, box, text, partial(_paint_text_card, theme, font, text))


def _paint_text_card(theme: Theme, font: QFont, text: str, painter: QPainter, box: QRectF) -> None:
    paint_card(painter, theme, box)
    painter.setFont(font)
    painter.setPen(theme.color("text"))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


def paint_footer(
    painter: QPainter, view: Viewport, theme: Theme, parts: Sequence[str], kept: KeptCard
) -> None:
    """Paint the place under the pointer and whom the tiles belong to, at the bottom right."""
    if not any(parts):
        return
    font = theme.font("small")
    metrics = QFontMetrics(font, painter.device())
    area = view.area
    text = metrics.elidedText(
        "   ".join(filter(None, parts)), Qt.TextElideMode.ElideRight, round(area.width) - 160
    )
    width = metrics.horizontalAdvance(text) + 2 * _PAD_PX
    height = metrics.height() + 6
    right, bottom = area.right - _EDGE_PX, area.bottom - _EDGE_PX
    box = QRectF(right - width, bottom - height, width, height)
    kept.paint(painter, theme, box, text, partial(_paint_text_card, theme, font, text))


def paint_badge(painter: QPainter, view: Viewport, theme: Theme, text: str, left: int) -> None:
    """Paint a quiet remark beside the scale bar."""
    if not text:
        return
    painter.setFont(theme.font("small"))
    painter.setPen(theme.color("muted"))
    metrics = QFontMetrics(painter.font(), painter.device())
    baseline = round(view.area.bottom) - _EDGE_PX - metrics.descent() - 4
    painter.drawText(left + 10, baseline, text)


def paint_notice(painter: QPainter, view: Viewport, theme: Theme, text: str) -> None:
    """Paint a sentence in the middle: what is missing and what to do."""
    if not text:
        return
    painter.setFont(theme.font("body"))
    metrics = QFontMetrics(painter.font(), painter.device())
    area = view.area
    room = QRectF(0, 0, max(120, min(area.width - 120, 420)), area.height)
    flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
    words = QRectF(metrics.boundingRect(room.toRect(), int(flags), text))
    box = QRectF(0, 0, words.width() + 28, words.height() + 20)
    box.moveCenter(QPointF(*area.middle))
    paint_card(painter, theme, box)
    painter.setPen(theme.color("text"))
    painter.drawText(box.adjusted(14, 10, -14, -10), int(flags), text)


def paint_card(painter: QPainter, theme: Theme, box: QRectF) -> None:
    """Paint the ground on which text stays legible over any tile."""
    fill = QColor(theme.color("surface"))
    fill.setAlpha(225)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.color("line"), 1))
    painter.setBrush(fill)
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 5, 5)
    painter.restore()
