"""Paints coasts, land and borders of the world basemap."""

from collections.abc import Iterator

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen, QPolygonF

from widgets.map.basemap import Basemap, clipped_ring
from widgets.map.decimation import touches_window
from widgets.map.projection import Bounds, Floats, Viewport
from widgets.map.track_layer import polygon
from widgets.theme import Theme

_BEYOND_PX = 4.0
"""Land is cut off so far outside the window, so that the cut is not seen as a coast."""


def paint_basemap(painter: QPainter, view: Viewport, theme: Theme, basemap: Basemap) -> None:
    """Paint water, land on it and borders, over the whole window."""
    painter.fillRect(0, 0, view.width, view.height, theme.color("map_water"))
    land = _land(view, basemap)
    # Smooth filling takes thirty times as long; the coast's smooth line hides the difference.
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.fillPath(land, theme.color("map_background"))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.color("map_border"), 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPath(land)
    for line in _borders(view, basemap):
        painter.drawPolyline(line)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def _land(view: Viewport, basemap: Basemap) -> QPainterPath:
    """All land in the window; what lies in a ring twice is a lake, thrice an island in it."""
    beyond = _BEYOND_PX / view.scale
    bounds = view.bounds
    box = Bounds(bounds.x0 - beyond, bounds.y0 - beyond, bounds.x1 + beyond, bounds.y1 + beyond)
    rings = basemap.land.at(view.zoom)
    clipped = [clipped_ring(ring[:-1], box) for ring in rings.across(box)]
    path = QPainterPath()
    for ring in _polygons(view, rings.inside(box) + [ring for ring in clipped if len(ring) > 2]):
        path.addPolygon(ring)
        path.closeSubpath()
    return path


def _borders(view: Viewport, basemap: Basemap) -> Iterator[QPolygonF]:
    lines = basemap.borders.at(view.zoom)
    yield from _polygons(view, lines.inside(view.bounds))
    for line in lines.across(view.bounds):
        for part in _parts_in_window(_to_px(view, line), view):
            yield polygon(part)


def _polygons(view: Viewport, lines: list[Floats]) -> Iterator[QPolygonF]:
    """Lines in pixels; converted at once, which is several times as fast as one by one."""
    if not lines:
        return
    joined = polygon(_to_px(view, np.concatenate(lines)))
    start = 0
    for line in lines:
        yield QPolygonF(joined.mid(start, len(line)))
        start += len(line)


def _to_px(view: Viewport, points: Floats) -> Floats:
    middle = np.array((view.x, view.y))
    px: Floats = (points - middle) * view.scale + np.array((view.width, view.height)) / 2.0
    return px


def _parts_in_window(line: Floats, view: Viewport) -> list[Floats]:
    """The stretches of a line whose segments may be seen."""
    segments = np.concatenate((line[:-1], line[1:]), axis=1)
    seen = np.flatnonzero(touches_window(segments, (view.width, view.height)))
    if not len(seen):
        return []
    runs = np.split(seen, np.flatnonzero(np.diff(seen) > 1) + 1)
    return [line[run[0] : run[-1] + 2] for run in runs]
