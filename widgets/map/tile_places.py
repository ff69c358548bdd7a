"""Tile places: which tiles a window shows, and where in it."""

import math

from PySide6.QtCore import QRect

from widgets.map.projection import Viewport
from widgets.map.tile_key import TileKey


def tiles_in(view: Viewport, level: int) -> list[TileKey]:
    """The tiles of a zoom level that the window shows, from its middle outwards."""
    count = 2**level
    bounds = view.bounds
    columns = range(max(0, math.floor(bounds.x0 * count)), min(count, math.ceil(bounds.x1 * count)))
    rows = range(max(0, math.floor(bounds.y0 * count)), min(count, math.ceil(bounds.y1 * count)))
    middle_x, middle_y = view.x * count - 0.5, view.y * count - 0.5
    keys = [TileKey(level, x, y) for x in columns for y in rows]
    keys.sort(key=lambda key: (key.x - middle_x) ** 2 + (key.y - middle_y) ** 2)
    return keys


def tile_rect(view: Viewport, key: TileKey) -> QRect:
    """The window pixels of a tile, its edges shared exactly with its neighbours'."""
    count = 2**key.z
    left, top = view.to_px(key.x / count, key.y / count)
    side = view.scale / count
    x, y = round(left), round(top)
    return QRect(x, y, round(left + side) - x, round(top + side) - y)
