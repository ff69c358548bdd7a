"""Cached map layer: painted larger than the window, and only copied while the map pans.

Painting tiles, grid and a long track costs milliseconds, copying them a fraction of one. The
picture is made of parts beside each other: a large one at first, then a small one for every piece
of ground that comes near the window. Nothing painted is ever moved, for moving a picture of a full
screen costs as much as painting a piece of it. It is begun anew when the zoom changes.
"""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPixmap

from widgets.map.projection import Bounds, Viewport

_MARGIN_PX = 160
_CELL_PX = 256
"""About the side of a part that is added."""
_AHEAD_PX = 160
"""How far beyond the window parts are added before they are seen, one each time."""
_INK_PX = 64
"""The side of the squares of a part that are copied or not."""
_WHOLE_PX = 4
"""Sides are multiples of so many pixels: whole ones of the device at usual ratios."""

Cell = tuple[int, int]


@dataclass(eq=False, slots=True)
class LayerPart:
    """A piece of the picture: `view` is the window on the world that it is. `inked` are the squares
    of it that have something to copy, None for all."""

    view: Viewport
    rect: QRect
    pixmap: QPixmap
    inked: set[Cell] | None = None
    bounds: Bounds = field(init=False)
    """Of its view: asked for with every point of a track."""

    def __post_init__(self) -> None:
        self.bounds = self.view.bounds

    @contextmanager
    def painting(self) -> Iterator[QPainter]:
        """A painter in pixels of `view`."""
        with QPainter(self.pixmap) as painter:
            yield painter

    def clear(self) -> None:
        """Make it transparent, with nothing to copy."""
        self.pixmap.fill(Qt.GlobalColor.transparent)
        self.inked = set()

    def ink(self, box: QRectF) -> None:
        """Something was painted in `box`."""
        if self.inked is not None:
            columns = range(math.floor(box.left() / _INK_PX), math.floor(box.right() / _INK_PX) + 1)
            rows = range(math.floor(box.top() / _INK_PX), math.floor(box.bottom() / _INK_PX) + 1)
            self.inked.update((x, y) for x in columns for y in rows)

    def copied(self) -> Iterator[QRect]:
        """The rectangles to copy, each a row of squares, in pixels of it."""
        whole = QRect(0, 0, self.rect.width(), self.rect.height())
        if self.inked is None:
            yield whole
            return
        run = QRect()
        for x, y in sorted(self.inked, key=lambda cell: (cell[1], cell[0])):
            square = QRect(x * _INK_PX, y * _INK_PX, _INK_PX, _INK_PX)
            if run.y() == square.y() and run.x() + run.width() == square.x():
                run.setWidth(run.width() + _INK_PX)
                continue
            if run.intersects(whole):
                yield run & whole
            run = square
        if run.intersects(whole):
            yield run & whole


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
            if not place.intersects(window) or part.inked == set():
                continue
            if is_whole or part.inked is None:
                painter.drawPixmap(place.topLeft(), part.pixmap)
                continue
            for inked in part.copied():
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
