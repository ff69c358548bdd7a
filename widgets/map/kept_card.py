"""Kept card: a small picture that stands on a map, painted again only when it looks different."""

import math
from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPixmap

from widgets.theme import Theme


class KeptCard:
    """Keeps one picture: a map that moves paints all that stands on it each time."""

    def __init__(self) -> None:
        self._look: object = None
        self._picture = QPixmap()

    def paint(
        self,
        painter: QPainter,
        theme: Theme,
        box: QRectF,
        look: object,
        paint: Callable[[QPainter, QRectF], None],
    ) -> None:
        """Show in `box` what `paint` paints there; equal looks look the same wherever it stands."""
        ratio = painter.device().devicePixelRatioF()
        size = QSize(math.ceil(box.width()), math.ceil(box.height()))
        stamp = theme, look, size, ratio
        if stamp != self._look:
            self._look = stamp
            self._picture = QPixmap(size * ratio)
            self._picture.setDevicePixelRatio(ratio)
            self._picture.fill(Qt.GlobalColor.transparent)
            with QPainter(self._picture) as own:
                paint(own, QRectF(QPointF(), box.size()))
        painter.drawPixmap(QPointF(round(box.left()), round(box.top())), self._picture)
