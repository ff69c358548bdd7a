"""Relief layer of a map: shaded tiles, worked out by jobs where they are looked at, and kept."""

from concurrent.futures import Executor, Future
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter, QPixmap

from widgets.map.projection import Viewport
from widgets.map.relief import SIDE_PX, HeightsOf, relief_tile
from widgets.map.tile_key import TileKey
from widgets.map.tile_places import tile_rect, tiles_in

_ZOOMS: Final = (7, 15)
"""Heights are some 30 m apart: more gains nothing, and for less a continent would be read."""
_MOST_JOBS: Final = 2
_MOST_KEPT: Final = 400

_Pixels = NDArray[np.uint8]


class ReliefLayer:
    """Shows the heights that it is told of."""

    def __init__(self, jobs: Executor) -> None:
        self._jobs = jobs
        self._heights_of: HeightsOf | None = None
        self._tiles: dict[TileKey, QPixmap | None] = {}
        self._running: dict[TileKey, Future[_Pixels | None]] = {}
        self._wanted: list[TileKey] = []

    def show_heights(self, heights_of: HeightsOf | None) -> None:
        """Show others, or none."""
        self._heights_of = heights_of
        self._tiles, self._running, self._wanted = {}, {}, []

    def collect(self) -> bool:
        """Take over what was worked out; return whether there is anything new to paint."""
        done = {key: job for key, job in self._running.items() if job.done()}
        has_news = False
        for key, job in done.items():
            del self._running[key]
            is_there = not job.cancelled() and job.exception() is None
            pixels = job.result() if is_there else None
            self._tiles[key] = None if pixels is None else _picture(pixels)
            has_news = has_news or pixels is not None
        self._start()
        return has_news

    def want(self, view: Viewport) -> None:
        """Have the tiles of a window worked out that are not there yet."""
        if self._heights_of is not None:
            if len(self._tiles) > _MOST_KEPT:
                self._tiles = {}
            self._wanted = [key for key in _keys(view) if key not in self._tiles]
            self._start()

    def paint(self, painter: QPainter, view: Viewport) -> None:
        """Paint what is at hand."""
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        for key in _keys(view) if self._heights_of is not None else ():
            picture = self._tiles.get(key)
            if picture is not None:
                source = QRectF(0, 0, SIDE_PX, SIDE_PX)
                painter.drawPixmap(QRectF(tile_rect(view, key)), picture, source)

    def _start(self) -> None:
        while self._wanted and len(self._running) < _MOST_JOBS and self._heights_of is not None:
            key = self._wanted.pop(0)
            if key not in self._running:
                self._running[key] = self._jobs.submit(relief_tile, self._heights_of, key)


def _keys(view: Viewport) -> list[TileKey]:
    first, last = _ZOOMS
    return tiles_in(view, min(last, round(view.zoom))) if view.zoom >= first else []


def _picture(pixels: _Pixels) -> QPixmap:
    kind = QImage.Format.Format_ARGB32_Premultiplied
    image = QImage(pixels.tobytes(), SIDE_PX, SIDE_PX, 4 * SIDE_PX, kind)
    return QPixmap.fromImage(image)
