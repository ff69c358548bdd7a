"""A painted part of the map, larger than the window, that is only copied while the map pans.

Painting tiles, grid and a long track costs milliseconds, copying them a fraction of one. The
picture is painted anew when the zoom changes or the window has left it.
"""

import math

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPixmap

from widgets.map.projection import Viewport

_MARGIN_PX = 160


class Layer:
    """One cached picture and the viewport it was painted for."""

    def __init__(self) -> None:
        self._pixmap = QPixmap()
        self._ratio = 0.0
        self.view: Viewport | None = None

    def covers(self, view: Viewport, ratio: float) -> bool:
        """Whether the picture can be copied to a window showing `view` at this pixel ratio."""
        mine = self.view
        if mine is None or mine.zoom != view.zoom or ratio != self._ratio:
            return False
        left, top = self._corner(mine, view)
        return (
            left <= 0.0
            and top <= 0.0
            and left + mine.width >= view.width
            and top + mine.height >= view.height
        )

    def renew(self, view: Viewport, ratio: float) -> QPixmap:
        """Start a transparent picture around `view`; paint on it in coordinates of `self.view`."""
        wide = view.resized(view.width + 2 * _MARGIN_PX, view.height + 2 * _MARGIN_PX)
        size = (math.ceil(wide.width * ratio), math.ceil(wide.height * ratio))
        if (self._pixmap.width(), self._pixmap.height()) != size or ratio != self._ratio:
            self._pixmap = QPixmap(*size)
            self._pixmap.setDevicePixelRatio(ratio)
            self._ratio = ratio
        self._pixmap.fill(Qt.GlobalColor.transparent)
        self.view = wide
        return self._pixmap

    @property
    def pixmap(self) -> QPixmap:
        """The picture as it stands, to paint more onto."""
        return self._pixmap

    def forget(self) -> None:
        """Have the next `covers` say no."""
        self.view = None

    def paint(self, painter: QPainter, view: Viewport) -> None:
        """Copy the picture to where it belongs, on whole device pixels so that it stays sharp.

        At another zoom than its own it is stretched, which does for the moment.
        """
        mine = self.view
        if mine is None:
            return
        left, top = self._corner(mine, view)
        if mine.zoom != view.zoom:
            factor = view.scale / mine.scale
            place = QRectF(left, top, mine.width * factor, mine.height * factor)
            painter.drawPixmap(place, self._pixmap, QRectF(self._pixmap.rect()))
            return
        ratio = self._ratio
        corner = QPointF(round(left * ratio) / ratio, round(top * ratio) / ratio)
        painter.drawPixmap(corner, self._pixmap)

    @staticmethod
    def _corner(mine: Viewport, view: Viewport) -> tuple[float, float]:
        """Window pixel of the picture's top left corner."""
        x, y = view.to_px(mine.x, mine.y)
        half = view.scale / mine.scale / 2.0
        return x - mine.width * half, y - mine.height * half
