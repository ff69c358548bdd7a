"""A painted part of the map, larger than the window, that is only copied while the map pans.

Painting tiles, grid and a long track costs milliseconds, copying them a fraction of one. When the
window leaves the picture, what of it is still of use is moved, and only the strips that come into
it are painted. It is painted anew when the zoom changes.
"""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPixmap

from widgets.map.projection import Viewport

_MARGIN_PX = 160
_STEP_PX = 12
"""Pictures are moved by multiples of so many pixels: whole ones of the device at usual ratios."""
_AHEAD_PX = 12
"""How far beyond the window a moved picture begins, on the side that it goes to."""


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

    def scroll(self, view: Viewport, ratio: float) -> list[Viewport]:
        """Move the picture so that it covers a window of the same zoom; return the parts that
        came into it, to be painted by `painting`; none where nothing of it is of use."""
        mine = self.view
        if mine is None or mine.zoom != view.zoom or ratio != self._ratio:
            return []
        if (ratio * _STEP_PX) % 1.0 or mine.width < view.width or mine.height < view.height:
            return []
        left, top = self._corner(mine, view)
        # What is in the picture goes the other way than its corner.
        dx = -_move(left, mine.width - view.width)
        dy = -_move(top, mine.height - view.height)
        if abs(dx) >= mine.width or abs(dy) >= mine.height:
            return []
        self._pixmap.scroll(round(dx * ratio), round(dy * ratio), self._pixmap.rect())
        moved = replace(mine, x=mine.x - dx / mine.scale, y=mine.y - dy / mine.scale)
        self.view = moved
        return [_part(moved, strip) for strip in _exposed(mine.width, mine.height, dx, dy)]

    @contextmanager
    def painting(self, part: Viewport) -> Iterator[QPainter]:
        """A painter for a part of the picture in that part's own pixels; it is empty before."""
        mine = self.view
        if mine is None:
            raise ValueError("there is no picture yet")
        x, y = mine.to_px(part.x, part.y)
        left, top = round(x - part.width / 2), round(y - part.height / 2)
        with QPainter(self._pixmap) as painter:
            painter.setClipRect(left, top, part.width, part.height)
            painter.translate(left, top)
            painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Clear)
            painter.fillRect(0, 0, part.width, part.height, Qt.GlobalColor.transparent)
            painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
            yield painter

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


def _move(corner_px: float, spare_px: float) -> int:
    """How far to move a picture whose corner is at `corner_px` of a window, which is smaller than
    it by `spare_px`, so that it covers the window and some way ahead."""
    if -spare_px <= corner_px <= 0.0:
        return 0
    if corner_px > 0.0:
        return math.floor((-_AHEAD_PX - corner_px) / _STEP_PX) * _STEP_PX
    return math.ceil((_AHEAD_PX - spare_px - corner_px) / _STEP_PX) * _STEP_PX


def _exposed(width: int, height: int, dx: int, dy: int) -> list[QRect]:
    """What a picture of that size lacks once it was moved so far."""
    beside = QRect(0 if dx > 0 else width + dx, 0, abs(dx), height)
    left, kept = max(0, dx), width - abs(dx)
    along = QRect(left, 0 if dy > 0 else height + dy, kept, abs(dy))
    return [strip for strip in (beside, along) if not strip.isEmpty()]


def _part(view: Viewport, rect: QRect) -> Viewport:
    """A part of a window as a window of its own."""
    x, y = view.to_world(rect.x() + rect.width() / 2, rect.y() + rect.height() / 2)
    return replace(view, x=x, y=y, width=rect.width(), height=rect.height())
