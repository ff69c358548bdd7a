"""Map grid: lines of latitude and longitude at round degrees, and what they are called."""

import math

from PySide6.QtCore import QLineF
from PySide6.QtGui import QPainter, QPen

from widgets.map.graticule import degree_label, grid_step_deg, grid_values
from widgets.map.projection import GeoPoint, Viewport
from widgets.text_layout_cache import TextLayoutCache
from widgets.theme import Theme

_GRID_PX = 110.0
# Room that the furniture takes at the top: half the readout in the middle, the wind on the left,
# the buttons' column on the right.
_READOUT_PX = 104
_WIND_PX = 74
_BUTTONS_PX = 52


class _Grid:
    """The round latitudes and longitudes in a window and how far apart they are, in degrees."""

    def __init__(self, view: Viewport, whole: Viewport) -> None:
        """The lines in `view`, as far apart as in `whole`, of which it may be a part."""
        bounds = view.bounds
        north = min(85.0, view.place_at(0, 0).latitude_deg)
        south = max(-85.0, view.place_at(0, view.height).latitude_deg)
        west = max(-180.0, bounds.x0 * 360.0 - 180.0)
        east = min(180.0, bounds.x1 * 360.0 - 180.0)
        per_px = 360.0 / whole.scale
        across = math.cos(math.radians(whole.centre.latitude_deg))
        self.latitude_step = grid_step_deg(per_px * across, _GRID_PX)
        self.longitude_step = grid_step_deg(per_px, _GRID_PX)
        self.latitudes = grid_values(south, north, self.latitude_step)
        self.longitudes = grid_values(west, east, self.longitude_step)
        left_deg = bounds.x0 * 360.0 - 180.0
        self.x_px = [round((value - left_deg) / per_px) for value in self.longitudes]
        self.y_px = [round(view.place_px(GeoPoint(value, 0.0))[1]) for value in self.latitudes]


def paint_grid(painter: QPainter, view: Viewport, theme: Theme, whole: Viewport) -> None:
    """Paint lines of latitude and longitude at round degrees, in a part of the window `whole`."""
    grid = _Grid(view, whole)
    lines = [QLineF(0, y, view.width, y) for y in grid.y_px]
    lines += [QLineF(x, 0, x, view.height) for x in grid.x_px]
    painter.setPen(QPen(theme.color("map_grid"), 1))
    painter.drawLines(lines)


class GridLabels:
    """Names of the grid's lines, whose layouts are kept: they stay while the map moves."""

    def __init__(self) -> None:
        self._texts: TextLayoutCache | None = None

    def paint(self, painter: QPainter, view: Viewport, theme: Theme) -> None:
        """Label lines along the left and top edges of what is free, where they stay in sight."""
        grid, area = _Grid(view, view), view.area
        left, top = round(area.left), round(area.top)
        font = theme.font("small")
        if self._texts is None or self._texts.font != font:
            self._texts = TextLayoutCache(font)
        texts = self._texts
        painter.setFont(font)
        painter.setPen(theme.color("muted"))
        height = texts.height
        for latitude, y in zip(grid.latitudes, grid.y_px, strict=True):
            if _WIND_PX < y - top < area.height - height * 3:
                text = degree_label(latitude, grid.latitude_step, is_latitude=True)
                texts.draw_on(painter, left + 8, y - 3, text)
        middle = area.middle[0]
        for longitude, x in zip(grid.longitudes, grid.x_px, strict=True):
            text = degree_label(longitude, grid.longitude_step, is_latitude=False)
            right = x + 4 + texts.width(text)
            is_under_readout = x < middle + _READOUT_PX and right > middle - _READOUT_PX
            if x - left > 8 and right < area.right - _BUTTONS_PX and not is_under_readout:
                texts.draw_on(painter, x + 4, top + 4 + round(height), text)
