"""Reduce a long track to the line segments that make a difference on screen. No Qt."""

import numpy as np
from numpy.typing import NDArray

_MANY = 2500
_COARSEST_PX = 6.0
_STRAIGHT_PX = 0.25
_PASSES = 5

Floats = NDArray[np.float64]


def visible_segments(
    x_px: Floats, y_px: Floats, size: tuple[int, int], cell_px: float = 1.5
) -> Floats:
    """Return rows (x1, y1, x2, y2) in pixels that draw the track within a window of `size`.

    Points that stay in one cell of `cell_px` are one point; points on a nearly straight line go;
    so do segments beside the window; and a segment drawn before (an aircraft hovering over one
    spot for an hour) is drawn once; and where many remain, the cells grow. NaN points break the
    line. The cost on screen is thus bounded by pixels, not by hours of flight.
    """
    if len(x_px) < 2:
        return np.empty((0, 4))
    points = np.stack((x_px, y_px), axis=1)
    while True:
        points = _thinned(points, cell_px)
        if len(points) > 4 * _MANY and cell_px < _COARSEST_PX:
            cell_px *= 2.0
            continue
        straight = _straightened(points)
        segments = np.concatenate((straight[:-1], straight[1:]), axis=1)
        segments = segments[touches_window(segments, size)]
        if len(segments) <= _MANY:
            return segments
        segments = segments[_first_of_each(np.floor(segments / cell_px))]
        if len(segments) <= _MANY or cell_px >= _COARSEST_PX:
            return segments
        cell_px *= 2.0


def _thinned(points: Floats, cell_px: float) -> Floats:
    """Points that leave the cell of the one before; the last always stays."""
    cells = np.floor(points / cell_px)
    moved = np.ones(len(cells), bool)
    moved[1:] = (cells[1:, 0] != cells[:-1, 0]) | (cells[1:, 1] != cells[:-1, 1])
    moved[-1] = True
    return points[moved]


def _straightened(points: Floats) -> Floats:
    """Without every other point that lies on the line between its neighbours, several times."""
    for _ in range(_PASSES):
        if len(points) < 3:
            break
        x, y = points.T.copy()
        along_x, along_y = x[2::2] - x[:-2:2], y[2::2] - y[:-2:2]
        off_x, off_y = x[1:-1:2] - x[:-2:2], y[1:-1:2] - y[:-2:2]
        squared = along_x * along_x + along_y * along_y
        cross = along_x * off_y - along_y * off_x
        ahead = along_x * off_x + along_y * off_y
        flat = (cross * cross <= _STRAIGHT_PX**2 * squared) & (ahead >= 0) & (ahead <= squared)
        keep = np.ones(len(points), bool)
        keep[1:-1:2] = ~flat
        points = points[keep]
    return points


def touches_window(segments: Floats, size: tuple[int, int]) -> NDArray[np.bool_]:
    """Which segments have a bounding box that meets the window; NaN never does."""
    left = np.minimum(segments[:, 0], segments[:, 2])
    right = np.maximum(segments[:, 0], segments[:, 2])
    top = np.minimum(segments[:, 1], segments[:, 3])
    bottom = np.maximum(segments[:, 1], segments[:, 3])
    hit: NDArray[np.bool_] = (right >= 0) & (left <= size[0]) & (bottom >= 0) & (top <= size[1])
    return hit


def _first_of_each(rows: Floats) -> NDArray[np.intp]:
    """Indices, ascending, of the first of equal rows of cell numbers."""
    numbers = rows.astype(np.int64)
    numbers -= numbers.min(axis=0)
    spans = numbers.max(axis=0) + 1
    if float(np.prod(spans.astype(np.float64))) > 2.0**62:
        return np.arange(len(rows))
    codes = np.ravel_multi_index(tuple(numbers.T), tuple(int(span) for span in spans))
    return np.sort(np.unique(codes, return_index=True)[1])
