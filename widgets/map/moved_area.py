"""Moved area: the part of a map in which two scenes differ, where the ground under them rests."""

from dataclasses import replace
from typing import Final

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF

from widgets.map.projection import Viewport
from widgets.map.scene import MapScene, TrackLine

REACH_PX = 190.0
"""How far what is painted around an aircraft reaches, its course above all."""
_TRACK_PX: Final = 8.0
_MOST_POINTS: Final = 64
_READOUT_PX: Final = (200.0, 56.0)
"""Half the width of the way home, and its height, from the edge on."""
_WIND_PX: Final = (300.0, 110.0)


def moved_boxes(before: MapScene, after: MapScene, view: Viewport) -> list[QRect] | None:
    """Rectangles of a window that hold all that differs; None where that may be anywhere."""
    if not _differs_by_motion(before, after):
        return None
    boxes = [_readouts(view)]
    for scene in (before, after):
        places = [view.place_px(mark.place) for mark in scene.vehicles]
        boxes += [_around([place], REACH_PX) for place in places]
        if scene.target is not None:
            boxes.append(_around([*places, view.place_px(scene.target)], REACH_PX))
    for old, new in zip(before.tracks, after.tracks, strict=True):
        for first, last in ((old.past, new.past), (len(old.x), len(new.x))):
            if abs(last - first) > _MOST_POINTS:
                return None
            boxes.append(_track_box(new, min(first, last), max(first, last), view))
    return [box.toAlignedRect() for box in boxes if not box.isEmpty()]


def _differs_by_motion(before: MapScene, after: MapScene) -> bool:
    """Whether all that changed is where one aircraft is, and what follows from that."""
    if before.camera is not None or not (len(before.vehicles) == len(after.vehicles) == 1):
        return False
    if any(mark.age_s is not None for mark in (*before.vehicles, *after.vehicles)):
        return False
    if [line.key for line in before.tracks] != [line.key for line in after.tracks]:
        return False
    if any(old.look != new.look for old, new in zip(before.tracks, after.tracks, strict=True)):
        return False
    rest = (replace(one, vehicles=(), tracks=(), wind=None, target=None) for one in (before, after))
    return next(rest) == next(rest)


def _around(points: list[tuple[float, float]], margin: float) -> QRectF:
    x, y = zip(*points, strict=True)
    corners = QPointF(min(x), min(y)), QPointF(max(x), max(y))
    return QRectF(*corners).adjusted(-margin, -margin, margin, margin)


def _track_box(line: TrackLine, first: int, last: int, view: Viewport) -> QRectF:
    """Around the segments that end at points first to last."""
    chosen = slice(max(0, first - 1), last + 1)
    x, y = line.x[chosen], line.y[chosen]
    known = np.isfinite(x)
    if first == last or not known.any():
        return QRectF()
    points = [
        view.to_px(*place) for place in zip(x[known].tolist(), y[known].tolist(), strict=True)
    ]
    return _around(points, _TRACK_PX)


def _readouts(view: Viewport) -> QRectF:
    """The way home and the wind."""
    area, (half, height) = view.area, _READOUT_PX
    middle = area.middle[0]
    home = QRectF(middle - half, area.top, 2.0 * half, height)
    return home | QRectF(area.left, area.top, *_WIND_PX)
