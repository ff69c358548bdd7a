"""Pens, brushes and text layouts of the flight display, made once per size."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QPolygonF

from widgets.display_units import DisplayUnits
from widgets.instruments.layout import Layout
from widgets.text_layout_cache import CENTRE, TextLayoutCache
from widgets.theme import Theme


def half_px(px: float) -> int:
    """Pixels in steps of a half: places in the same step look the same."""
    return round(2.0 * px)


def shape(x: float, y: float, *corners: tuple[float, float]) -> QPolygonF:
    """A polygon whose corners are told from a place."""
    return QPolygonF([QPointF(x + dx, y + dy) for dx, dy in corners])


class PenSet:
    """The theme's colours and the letters for one layout."""

    def __init__(self, theme: Theme, layout: Layout) -> None:
        self.theme = theme
        self.layout = layout
        self.small = TextLayoutCache(theme.font_of(max(10, layout.px(12))))
        self.body = TextLayoutCache(theme.font_of(max(10, layout.px(14)), bold=True))
        self.large = TextLayoutCache(theme.font_of(max(12, layout.px(20)), bold=True))
        self._pens: dict[tuple[str, float], QPen] = {}
        self._brushes: dict[str, QBrush] = {}

    @property
    def units(self) -> DisplayUnits:
        """The units that values are shown in."""
        return self.theme.units

    def px(self, length: float) -> int:
        """A length of the reference window in this one, at least one pixel."""
        return self.layout.px(length)

    def color(self, token: str) -> QColor:
        """The theme's colour of `token`."""
        return self.theme.color(token)

    def brush(self, token: str) -> QBrush:
        """A brush of one of the theme's colours."""
        brush = self._brushes.get(token)
        if brush is None:
            brush = self._brushes[token] = QBrush(self.theme.color(token))
        return brush

    def pen(self, token: str, width: float = 1.0) -> QPen:
        """A flat-ended pen; `width` is for the reference window and grows in bold themes."""
        pen = self._pens.get((token, width))
        if pen is None:
            pixels = max(1.0, width * self.layout.unit) * (1.4 if self.theme.is_bold else 1.0)
            pen = QPen(self.theme.color(token), pixels)
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
            self._pens[(token, width)] = pen
        return pen

    def plate(self, painter: QPainter, rect: QRectF, radius: float) -> None:
        """Paint the ground of a tape or an empty field, its corners round."""
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.brush("tape"))
        painter.drawRoundedRect(rect, self.px(radius), self.px(radius))

    def write(
        self,
        painter: QPainter,
        text_cache: TextLayoutCache,
        token: str,
        texts: Sequence[tuple[float, float, str]],
        anchor: float = CENTRE,
    ) -> None:
        """Write several texts (x, y, text) in one font and colour."""
        painter.setFont(text_cache.font)
        painter.setPen(self.pen(token))
        for x, y, text in texts:
            text_cache.draw(painter, x, y, text, anchor)
