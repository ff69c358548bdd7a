"""Cached map layer: painted larger than the window, and only copied while the map pans.

Painting tiles, grid and a long track costs milliseconds, copying them a fraction of one. The
picture is made of parts beside each other: a large one at first, then a small one for every piece
of ground that comes near the window. Nothing painted is ever moved, for moving a picture of a full
screen costs as much as painting a piece of it. It is begun anew when the zoom changes.
"""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPixmap

from widgets.map.projection import Floats, Viewport

_MARGIN_PX = 160
_CELL_PX = 256
"""About the side of a part that is added."""
_AHEAD_PX = 160
"""How far beyond the window parts are added before they are seen, one each time."""
_INK_PX = 64
"""The side of the squares of a part that are copied or not."""
_MOST_INKED = 0.6
"""Of its squares; with more than that all are copied."""
_PAST_LAST = np.array([0.0, 0.0, 1.0, 1.0])
_PLACES = 4096.0 ** np.arange(4)
"""Make one number of the four of a rectangle of squares, of which a side has less than that."""
_WHOLE_PX = 4
"""Sides are multiples of so many pixels: whole ones of the device at usual ratios."""

Cell = tuple[int, int]


class LayerPart:
    """A piece of the picture: `view` is the window on the world that it is, `rect` where it stands.
    All of it is copied, unless it was cleared: then the squares with something in them."""

    def __init__(self, view: Viewport, rect: QRect, pixmap: QPixmap) -> None:
        self.view, self.rect, self.pixmap = view, rect, pixmap
        self.bounds = view.bounds
        """Of its view: asked for with every point of a track."""
        self._inked: NDArray[np.bool_] | None = None
        self._copied: list[QRect] | None = None

    @contextmanager
    def painting(self) -> Iterator[QPainter]:
        """A painter in pixels of `view`."""
        with QPainter(self.pixmap) as painter:
            yield painter

    def clear(self) -> None:
        """Make it transparent, with nothing to copy."""
        self.pixmap.fill(Qt.GlobalColor.transparent)
        rows, columns = (
            math.ceil(side / _INK_PX) for side in (self.rect.height(), self.rect.width())
        )
        self._inked, self._copied = np.zeros((rows, columns), bool), []

    def ink(self, boxes: Floats) -> None:
        """Something was painted in `boxes` (n, 4): left, top, right and bottom in pixels of it."""
        inked = self._inked
        if inked is None:
            return
        rows, columns = inked.shape
        squares = np.floor(boxes / _INK_PX) + _PAST_LAST
        squares = np.clip(squares, 0.0, (columns, rows, columns, rows))
        _, first = np.unique(squares @ _PLACES, return_index=True)
        for left, top, right, bottom in squares[first].astype(int).tolist():
            here = inked[top:bottom, left:right]
            if not here.all():
                here[:] = True
                self._copied = None

    @property
    def copied(self) -> list[QRect]:
        """The rectangles to copy, in pixels of it: rows of squares."""
        if self._copied is None:
            self._copied = self._joined()
        return self._copied

    def _joined(self) -> list[QRect]:
        whole = QRect(0, 0, self.rect.width(), self.rect.height())
        inked = self._inked
        if inked is None or inked.mean() > _MOST_INKED:
            return [whole]
        runs: list[QRect] = []
        for y, x in np.argwhere(inked).tolist():
            square = QRect(x * _INK_PX, y * _INK_PX, _INK_PX, _INK_PX)
            if runs and (runs[-1].y(), runs[-1].right() + 1) == (square.y(), square.x()):
                runs[-1].setRight(square.right())
            else:
                runs.append(square)
        return [run & whole for run in runs]


class Layer:
    """The parts around a window, all of one zoom. Columns and rows count from the first one's
    corner, `rect` of a part in pixels from there."""

    def __init__(self) -> None:
        self._ratio = 0.0
        self._side = _CELL_PX, _CELL_PX
        self.parts: list[LayerPart] = []
        """All there are, to paint more onto."""
        self._cells: dict[Cell, LayerPart] = {}
        self._corner = 0.0, 0.0  # the first part's, in world coordinates
        self.view: Viewport | None = None
        """The window that the first part is; None while there is no picture."""

    def forget(self) -> None:
        """Have the next `bring_to` begin anew."""
        self.view = None

    def bring_to(self, view: Viewport, ratio: float) -> tuple[list[LayerPart], bool]:
        """Have the picture cover a window at a pixel ratio; return the parts that are to be
        painted, never painted before, and whether the picture was begun anew for it."""
        if not self._can_keep(view, ratio):
            return [self._begin(view, ratio)], True
        lacking = self._lacking(view, 0)
        ahead = [cell for cell in self._lacking(view, _AHEAD_PX) if cell not in lacking]
        if not self._is_whole(ratio):
            ahead = []
        if lacking or ahead:
            self._drop_far(view)
        return [self._add(cell, view) for cell in (*lacking, *ahead[:1])], False

    def paint(self, painter: QPainter, view: Viewport) -> None:
        """Copy the picture to where it belongs, on whole device pixels so that it stays sharp.

        At another zoom than its own it is stretched, which does for the moment.
        """
        mine = self.view
        if mine is None:
            return
        left, top = view.to_px(*self._corner)
        if mine.zoom != view.zoom:
            self._paint_stretched(painter, view.scale / mine.scale, QPointF(left, top))
            return
        ratio = self._ratio
        corner = QPointF(round(left * ratio) / ratio, round(top * ratio) / ratio)
        window = QRectF(0.0, 0.0, view.width, view.height)
        # Squares that are turned, or no whole pixels of the device, would not meet.
        is_whole = painter.transform().isRotating() or bool(_INK_PX * ratio % 1.0)
        for part in self.parts:
            place = QRectF(part.rect).translated(corner)
            if not part.copied or not place.intersects(window):
                continue
            if is_whole or part.copied[0].size() == part.rect.size():
                painter.drawPixmap(place.topLeft(), part.pixmap)
                continue
            for inked in part.copied:
                there = QRectF(inked).translated(place.topLeft())
                if there.intersects(window):
                    source = QRectF(inked.topLeft() * ratio, inked.size() * ratio)
                    painter.drawPixmap(there, part.pixmap, source)

    def _paint_stretched(self, painter: QPainter, factor: float, corner: QPointF) -> None:
        for part in self.parts:
            rect = part.rect
            left, right, top, bottom = (
                round(corner.x() + factor * rect.left()),
                round(corner.x() + factor * (rect.left() + rect.width())),
                round(corner.y() + factor * rect.top()),
                round(corner.y() + factor * (rect.top() + rect.height())),
            )
            place = QRect(left, top, right - left, bottom - top)
            painter.drawPixmap(place, part.pixmap, part.pixmap.rect())

    # Which parts there are

    def _can_keep(self, view: Viewport, ratio: float) -> bool:
        mine = self.view
        if mine is None or mine.zoom != view.zoom or ratio != self._ratio:
            return False
        cells = self._around(view, 0)
        known = sum(cell in self._cells for cell in cells)
        return known == len(cells) or (known > 0 and self._is_whole(ratio))

    def _is_whole(self, ratio: float) -> bool:
        """Whether parts meet at pixels of the device."""
        return not any(side * ratio % 1.0 for side in self._side)

    def _begin(self, view: Viewport, ratio: float) -> LayerPart:
        """One part for the window and what is around it."""
        columns, width = _divided(view.width + 2 * _MARGIN_PX)
        rows, height = _divided(view.height + 2 * _MARGIN_PX)
        self._side, self._ratio = (width, height), ratio
        self.view = first = view.resized(columns * width, rows * height)
        self._corner = first.to_world(0.0, 0.0)
        self.parts, self._cells = [], {}
        part = self._make(QRect(0, 0, first.width, first.height), first)
        self._cells = {(x, y): part for x in range(columns) for y in range(rows)}
        return part

    def _add(self, cell: Cell, view: Viewport) -> LayerPart:
        width, height = self._side
        rect = QRect(cell[0] * width, cell[1] * height, width, height)
        x = self._corner[0] + (rect.left() + width / 2.0) / view.scale
        y = self._corner[1] + (rect.top() + height / 2.0) / view.scale
        part = self._make(rect, replace(view, x=x, y=y, width=width, height=height))
        self._cells[cell] = part
        return part

    def _make(self, rect: QRect, view: Viewport) -> LayerPart:
        ratio = self._ratio
        pixmap = QPixmap(math.ceil(rect.width() * ratio), math.ceil(rect.height() * ratio))
        pixmap.setDevicePixelRatio(ratio)
        part = LayerPart(view, rect, pixmap)
        self.parts.append(part)
        return part

    def _around(self, view: Viewport, margin_px: int) -> list[Cell]:
        """The cells that a window with a margin touches."""
        left, top = (-offset for offset in view.to_px(*self._corner))
        columns, rows = (
            range(math.floor((start - margin_px) / side), math.ceil((end + margin_px) / side))
            for start, end, side in (
                (left, left + view.width, self._side[0]),
                (top, top + view.height, self._side[1]),
            )
        )
        return [(x, y) for x in columns for y in rows]

    def _lacking(self, view: Viewport, margin_px: int) -> list[Cell]:
        return [cell for cell in self._around(view, margin_px) if cell not in self._cells]

    def _drop_far(self, view: Viewport) -> None:
        """Drop parts that are as far from the window as it is large."""
        near = set(self._around(view, max(view.width, view.height)))
        kept = {id(part) for cell, part in self._cells.items() if cell in near}
        if len(kept) < len(self.parts):
            self.parts = [part for part in self.parts if id(part) in kept]
            self._cells = {c: part for c, part in self._cells.items() if id(part) in kept}


def _divided(length_px: int) -> tuple[int, int]:
    """How many cells a length has, and how long each of them is: together at least as long."""
    count = max(1, round(length_px / _CELL_PX))
    return count, math.ceil(length_px / count / _WHOLE_PX) * _WHOLE_PX
