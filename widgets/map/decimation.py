"""Track decimation: a long track as the line segments that matter on screen. No Qt."""

import numpy as np
from numpy.typing import NDArray

_MANY = 2500
_COARSEST_PX = 6.0
_STRAIGHT_PX = 0.25
_PASSES = 5
_STRETCH = 128
_FEW = 0.05
"""With less of its points removed than this share, straightening goes on no longer."""
_MOST_EXACT = 2.0**53
_REACH_PX = 3.0
"""How far the width of a line reaches to its side."""

Floats = NDArray[np.float64]


def visible_segments(
    x_px: Floats,
    y_px: Floats,
    size: tuple[int, int],
    cell_px: float = 1.5,
    origin_px: tuple[float, float] = (0.0, 0.0),
) -> Floats:
    """Return rows (x1, y1, x2, y2) in pixels that draw the track within a window of `size`.

    Points that stay in one cell of `cell_px` are one point; points on a nearly straight line go;
    so do segments beside the window; and a segment drawn before (an aircraft hovering over one
    spot for an hour) is drawn once; and where many remain, the cells grow. NaN points break the
    line. The cost on screen is thus bounded by pixels, not by hours of flight. Cells are counted
    from `origin_px` left and above of the window, so that windows side by side agree on them.
    """
    points = _near_window(np.stack((x_px, y_px), axis=1), size)
    if len(points) < 2:
        return np.empty((0, 4))
    while True:
        points = _thinned(points, cell_px, origin_px)
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


def _near_window(points: Floats, size: tuple[int, int]) -> Floats:
    """Only the stretches of a track whose rectangle meets the window, NaN between them."""
    if len(points) < 2 * _STRETCH:
        return points
    starts = np.arange(0, len(points), _STRETCH)
    low, high = (
        np.column_stack([extreme.reduceat(column, starts) for column in points.T])
        for extreme in (np.fmin, np.fmax)
    )
    nexts = points[np.minimum(starts + _STRETCH, len(points) - 1)]
    boxes = np.concatenate((np.fmin(low, nexts), np.fmax(high, nexts)), axis=1)
    is_near = np.repeat(touches_window(boxes, size), _STRETCH)[: len(points)]
    is_near[1:] |= is_near[:-1]
    is_end = ~is_near
    is_end[1:] &= is_near[:-1]
    is_end[0] = False
    return np.where(is_near[:, None], points, np.nan)[is_near | is_end]


def _thinned(points: Floats, cell_px: float, origin_px: tuple[float, float]) -> Floats:
    """Points that leave the cell of the one before; the last always stays."""
    cells = np.floor((points + origin_px) / cell_px)
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
        before, points = len(points), points[keep]
        if before - len(points) < _FEW * before:
            break
    return points


def touches_window(segments: Floats, size: tuple[int, int]) -> NDArray[np.bool_]:
    """Which segments have a bounding box that meets the window; NaN never does."""
    left = np.minimum(segments[:, 0], segments[:, 2])
    right = np.maximum(segments[:, 0], segments[:, 2])
    top = np.minimum(segments[:, 1], segments[:, 3])
    bottom = np.maximum(segments[:, 1], segments[:, 3])
    hit: NDArray[np.bool_] = (
        (right >= -_REACH_PX)
        & (left <= size[0] + _REACH_PX)
        & (bottom >= -_REACH_PX)
        & (top <= size[1] + _REACH_PX)
    )
    return hit


def _first_of_each(rows: Floats) -> NDArray[np.intp]:
    """Indices, ascending, of the first of equal rows of cell numbers."""
    spans = [float(np.ptp(column)) + 1.0 for column in rows.T]
    places = np.cumprod([1.0, *spans])
    if places[-1] > _MOST_EXACT:
        return np.arange(len(rows))
    return np.sort(np.unique(rows @ places[:-1], return_index=True)[1])
