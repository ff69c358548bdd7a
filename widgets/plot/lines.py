"""Curve painting, of many points at once."""

import numpy as np
import shiboken6
from numpy.typing import NDArray
from PySide6.QtCore import QLineF
from PySide6.QtGui import QPainter

from widgets.plot.peaks import Floats


def paint_line(
    painter: QPainter, x: Floats, y: Floats, is_joined: NDArray[np.bool_] | None = None
) -> None:
    """Join points given in pixels by the painter's pen; NaN breaks the line. With `is_joined`,
    shape (n - 1,), only points that it joins with the next one.

    Segments, not a path: Qt makes one outline of a path that is wider than a pixel, which takes
    forty times as long where the curve goes up and down in every column. Qt reads them where they
    are, since the numbers of an array's row are those of a QLineF.
    """
    segments = np.stack((x[:-1], y[:-1], x[1:], y[1:]), axis=1)
    is_there = np.isfinite(x + y)
    if is_joined is not None or not is_there.all():
        joined = is_there[:-1] & is_there[1:]
        segments = segments[joined if is_joined is None else joined & is_joined]
    if len(segments):
        first = shiboken6.wrapInstance(segments.ctypes.data, QLineF)
        assert isinstance(first, QLineF)
        painter.drawLines(first, len(segments))
