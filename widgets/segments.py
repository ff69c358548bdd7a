"""Line segments: thousands of them painted at once, from the memory of an array."""

import numpy as np
import shiboken6
from numpy.typing import NDArray
from PySide6.QtCore import QLineF
from PySide6.QtGui import QPainter

Floats = NDArray[np.float64]

_OVERLAP_PX = 0.25
"""By so much segments that meet lie over each other, else the ground shows between smooth ends."""


def paint_segments(painter: QPainter, segments: Floats) -> None:
    """Draw rows (x1, y1, x2, y2), in pixels, by the painter's pen.

    Qt reads them where they are, since the numbers of a row are those of a QLineF. Segments, not a
    path: of a path that is wider than a pixel Qt makes one outline, which takes four times as long
    for a track and forty times where a curve goes up and down in every column.
    """
    if len(segments):
        rows = np.ascontiguousarray(segments, np.float64)
        first = shiboken6.wrapInstance(rows.ctypes.data, QLineF)
        assert isinstance(first, QLineF)
        painter.drawLines(first, len(rows))


def with_closed_joints(segments: Floats, width_px: float, beyond_px: float) -> Floats:
    """Segments (n, 4) that a pen of that width with flat ends draws as one line: each is longer
    by what would be left open where it meets the next one at an angle, free ends by `beyond_px`.
    """
    x1, y1, x2, y2 = segments.T
    x, y = x2 - x1, y2 - y1
    length = np.hypot(x, y)
    x[length == 0.0] = 1.0  # a point: as long as it is wide
    length[length == 0.0] = 1.0
    x /= length
    y /= length
    half_px = width_px / 2.0
    straight = x[1:] * x[:-1] + y[1:] * y[:-1]  # the cosine of the turn
    open_px = half_px * np.sqrt(np.maximum(1.0 - straight, 0.0) / np.maximum(1.0 + straight, 1e-9))
    is_joined = (x1[1:] == x2[:-1]) & (y1[1:] == y2[:-1])
    reach_px = np.full(len(segments) + 1, beyond_px)
    reach_px[1:-1][is_joined] = np.minimum(open_px + _OVERLAP_PX, half_px)[is_joined]
    start_px, end_px = reach_px[:-1], reach_px[1:]
    return np.stack((x1 - x * start_px, y1 - y * start_px, x2 + x * end_px, y2 + y * end_px), 1)
