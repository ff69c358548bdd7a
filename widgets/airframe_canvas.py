"""Airframe canvas: a painter with a scale for aircraft seen from above."""

from dataclasses import dataclass

from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from widgets.theme import Theme


@dataclass(frozen=True, slots=True)
class Canvas:
    """A painter with a scale: places are (forward, right) in arm lengths, the nose is up.

    Without `is_numbered` the outputs are left out: small pictures have no room for them.
    """

    painter: QPainter
    theme: Theme
    centre: QPointF
    scale: float
    is_numbered: bool = True

    def at(self, forward: float, right: float) -> QPointF:
        """Where a place is, in pixels."""
        return self.centre + QPointF(right, -forward) * self.scale

    def px(self, length: float) -> float:
        """An arm length in pixels."""
        return length * self.scale

    def shape(self, *places: tuple[float, float]) -> QPolygonF:
        """A polygon through places."""
        return QPolygonF([self.at(*place) for place in places])

    def colour(self, token: str, alpha: float = 1.0) -> QColor:
        """A colour of the theme, more or less opaque."""
        colour = self.theme.color(token)
        colour.setAlphaF(alpha)
        return colour

    def pen(self, token: str, width: float = 1.0) -> QPen:
        """A pen of the theme, its lines thicker where the theme asks for that."""
        return QPen(self.theme.color(token), width * self.theme.line_px)
