"""Basemap of the world as lines: coasts and borders of Natural Earth, which ship with Lapwing.

Coasts are true to about 500 m (they stand on steps of 0.0036 degrees of longitude), borders to a
kilometre or two. `basemap_build.py` writes the file. Knows no Qt.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from telemetry.base.installation import RESOURCES
from widgets.map.projection import Bounds, Floats, project_many

BASEMAP_FILE: Final = RESOURCES / "basemap" / "world.npz"
STEPS_PER_DEGREE: Final = 5000
FINEST_ZOOM: Final = 10
"""From this zoom level on every point is drawn."""
_ZOOMS_PER_LEVEL: Final = 2

_Places = NDArray[np.float32]
"""World coordinates to two metres or three, which is far better than what they tell."""


@dataclass(frozen=True, slots=True, eq=False)
class LineSet:
    """Lines in world coordinates, one after the other: line i is points starts[i] to starts[i + 1].

    `boxes` are their rectangles (n, 4): x0, y0, x1, y1.
    """

    points: _Places
    starts: NDArray[np.intp]
    boxes: _Places

    def inside(self, bounds: Bounds) -> list[Floats]:
        """The lines that lie in `bounds`, each as points (n, 2)."""
        return self._points_of(self._are_inside(bounds))

    def across(self, bounds: Bounds) -> list[Floats]:
        """The lines that lie in `bounds` in part, or whose rectangle does."""
        x0, y0, x1, y1 = self.boxes.T
        meets = (x1 >= bounds.x0) & (x0 <= bounds.x1) & (y1 >= bounds.y0) & (y0 <= bounds.y1)
        return self._points_of(meets & ~self._are_inside(bounds))

    def _are_inside(self, bounds: Bounds) -> NDArray[np.bool_]:
        x0, y0, x1, y1 = self.boxes.T
        inside: NDArray[np.bool_] = (
            (x0 >= bounds.x0) & (x1 <= bounds.x1) & (y0 >= bounds.y0) & (y1 <= bounds.y1)
        )
        return inside

    def _points_of(self, are_chosen: NDArray[np.bool_]) -> list[Floats]:
        starts = self.starts
        chosen = np.flatnonzero(are_chosen)
        return [self.points[starts[i] : starts[i + 1]].astype(np.float64) for i in chosen]


@dataclass(frozen=True, slots=True, eq=False)
class DetailedLines:
    """Lines as they are drawn at every second zoom level, from 0 to FINEST_ZOOM."""

    levels: tuple[LineSet, ...]

    def at(self, zoom: float) -> LineSet:
        """What of them can be told apart at a zoom, to a pixel."""
        return self.levels[min(len(self.levels) - 1, max(0, round(zoom / _ZOOMS_PER_LEVEL)))]


@dataclass(frozen=True, slots=True, eq=False)
class Basemap:
    """Closed rings around land (or lakes in it), and borders between countries."""

    land: DetailedLines
    borders: DetailedLines


@cache
def load_basemap() -> Basemap:
    """Read the shipped file; takes a tenth of a second or two the first time, from any thread."""
    with np.load(BASEMAP_FILE) as arrays:
        return Basemap(_unpacked(arrays, "land"), _unpacked(arrays, "borders"))


def _unpacked(arrays: Any, name: str) -> DetailedLines:
    planes = arrays[name].transpose(0, 2, 1)
    deltas = np.ascontiguousarray(planes).view("<i4")[..., 0]
    longitude, latitude = np.cumsum(deltas, axis=1) / STEPS_PER_DEGREE
    points = np.stack(project_many(latitude, longitude), axis=1).astype(np.float32)
    starts = arrays[f"{name}_starts"].astype(np.intp)
    levels = range(0, FINEST_ZOOM + 1, _ZOOMS_PER_LEVEL)
    zooms = arrays[f"{name}_zooms"]
    return DetailedLines(tuple(_drawn_lines(points, starts, zooms <= level) for level in levels))


def _drawn_lines(points: _Places, starts: NDArray[np.intp], is_drawn: NDArray[np.bool_]) -> LineSet:
    """Those points of lines, without the lines of which none is left."""
    counts = np.add.reduceat(is_drawn.astype(np.intp), starts)
    drawn = points[is_drawn]
    begins = np.concatenate(([0], np.cumsum(counts[counts > 0])))
    low = np.minimum.reduceat(drawn, begins[:-1], axis=0)
    high = np.maximum.reduceat(drawn, begins[:-1], axis=0)
    return LineSet(drawn, begins, np.concatenate((low, high), axis=1))


def clipped_ring(ring: Floats, box: Bounds) -> Floats:
    """The part of a closed ring (n, 2) inside a box, closed along the box's edges.

    Sutherland and Hodgman, "Reentrant polygon clipping", CACM 17 (1974), one side after the other.
    Parts that the box cuts apart stay joined along its edges.
    """
    sides = ((0, box.x0, 1.0), (0, box.x1, -1.0), (1, box.y0, 1.0), (1, box.y1, -1.0))
    for axis, limit, sign in sides:
        inward = (ring[:, axis] - limit) * sign
        is_inside = inward >= 0.0
        if is_inside.all():
            continue
        if not is_inside.any():
            return np.empty((0, 2))
        ring = _cut(ring, inward, is_inside)
    return ring


def _cut(ring: Floats, inward: Floats, is_inside: NDArray[np.bool_]) -> Floats:
    """A ring without the points that are not inside, with those where it crosses the side."""
    crosses = is_inside != np.roll(is_inside, -1)
    here = np.flatnonzero(crosses)
    there = (here + 1) % len(ring)
    share = (inward[here] / (inward[here] - inward[there]))[:, None]
    crossings = ring[here] + share * (ring[there] - ring[here])
    # Each crossing stands behind the kept points up to the one it comes after.
    return np.insert(ring[is_inside], np.cumsum(is_inside)[here], crossings, axis=0)
