"""Basemap painting: coasts, land and borders near the viewport."""

from collections.abc import Callable
from itertools import chain

import numpy as np
from PySide6.QtCore import QByteArray, QDataStream, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen

from widgets.map.basemap import Basemap, LineSet, clipped_ring
from widgets.map.decimation import touches_window
from widgets.map.projection import Bounds, Floats, Viewport
from widgets.theme import Theme

_ELEMENT = np.dtype([("kind", ">i4"), ("x", ">f8"), ("y", ">f8")])
"""Of a path in a QDataStream: kind 0 begins a line, 1 goes on."""
_ODD_EVEN = bytes(8)
"""Where the last line begins, which only adding more asks for, and how the path is filled."""
_KEPT_PX = 4000.0
_BEYOND_PX = 4.0
"""Land is cut off so far outside the window, so that the cut is not seen as a coast."""


class NearbyLand:
    """The world's land, of which what is around the window is kept cut out: a coast of a continent
    has a hundred thousand points."""

    def __init__(self, basemap: Basemap) -> None:
        self.basemap = basemap
        self._lines: LineSet | None = None
        self._box = Bounds(0.0, 0.0, 0.0, 0.0)
        self._rings: list[tuple[Floats, Bounds]] = []

    def rings(self, view: Viewport) -> list[Floats]:
        """What of rings, without their last points, is in the window and a little around it."""
        lines, wanted = self.basemap.land.at(view.zoom), view.bounds.widened(8.0 / view.scale)
        if lines is not self._lines or not self._box.holds(wanted):
            self._lines = lines
            self._box = box = wanted.widened(_KEPT_PX / view.scale)
            cut = [clipped_ring(ring[:-1], box) for ring in lines.across(box)]
            whole = [ring[:-1] for ring in lines.inside(box)]
            rings = [ring for ring in whole + cut if len(ring)]
            self._rings = list(zip(rings, _bounds_of(rings), strict=True))
        box = view.bounds.widened(_BEYOND_PX / view.scale)
        near = [(ring, bounds) for ring, bounds in self._rings if _meet(box, bounds)]
        # Most lie in the picture as a whole, and need no cutting.
        seen = [ring if box.holds(own) else clipped_ring(ring, box) for ring, own in near]
        return [ring for ring in seen if len(ring) > 2]


def _bounds_of(rings: list[Floats]) -> list[Bounds]:
    if not rings:
        return []
    points = np.concatenate(rings)
    starts = np.cumsum([0, *(len(ring) for ring in rings[:-1])])
    low, high = np.minimum.reduceat(points, starts), np.maximum.reduceat(points, starts)
    return [Bounds(*row) for row in np.hstack((low, high)).tolist()]


def _meet(box: Bounds, other: Bounds) -> bool:
    return box.x0 <= other.x1 and box.x1 >= other.x0 and box.y0 <= other.y1 and box.y1 >= other.y0


def paint_basemap(
    painter: QPainter,
    view: Viewport,
    theme: Theme,
    basemap: NearbyLand,
    paint_relief: Callable[[QPainter, Viewport], None],
) -> None:
    """Paint water, land on it, its relief and borders, over the whole window."""
    painter.fillRect(0, 0, view.width, view.height, theme.color("map_water"))
    land = _land(view, basemap)
    # Smooth filling takes thirty times as long; the coast's smooth line hides the difference.
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.fillPath(land, theme.color("map_background"))
    paint_relief(painter, view)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.color("map_border"), 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPath(land)
    painter.drawPath(_borders(view, basemap.basemap))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def _land(view: Viewport, basemap: NearbyLand) -> QPainterPath:
    """All land in the window; what lies in a ring twice is a lake, thrice an island in it."""
    return _path(view, basemap.rings(view), are_closed=True)


def _borders(view: Viewport, basemap: Basemap) -> QPainterPath:
    lines = basemap.borders.at(view.zoom)
    across = (_parts_in_window(view, line) for line in lines.across(view.bounds))
    return _path(view, [*lines.inside(view.bounds), *chain.from_iterable(across)])


def _path(view: Viewport, lines: list[Floats], *, are_closed: bool = False) -> QPainterPath:
    """Lines (n, 2) as one path in pixels, read from how Qt writes one: adding one line after the
    other takes several times as long."""
    path = QPainterPath()
    if lines:
        points = _to_px(view, np.concatenate(lines))
        ends = np.cumsum([len(line) for line in lines])
        starts = np.concatenate(([0], ends[:-1]))
        if are_closed:
            points = np.insert(points, ends, points[starts], axis=0)
            starts += np.arange(len(lines))
        elements = np.ones(len(points), _ELEMENT)
        elements["x"], elements["y"] = points.T
        elements["kind"][starts] = 0
        count = np.array(len(points), ">i4").tobytes()
        stream = QDataStream(QByteArray(count + elements.tobytes() + _ODD_EVEN))
        stream >> path
    return path


def _to_px(view: Viewport, points: Floats) -> Floats:
    middle = np.array((view.x, view.y))
    px: Floats = (points - middle) * view.scale + np.array((view.width, view.height)) / 2.0
    return px


def _parts_in_window(view: Viewport, line: Floats) -> list[Floats]:
    """The stretches of a line whose segments may be seen."""
    points = _to_px(view, line)
    segments = np.concatenate((points[:-1], points[1:]), axis=1)
    seen = np.flatnonzero(touches_window(segments, (view.width, view.height)))
    if not len(seen):
        return []
    runs = np.split(seen, np.flatnonzero(np.diff(seen) > 1) + 1)
    return [line[run[0] : run[-1] + 2] for run in runs]
