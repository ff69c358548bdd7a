"""Curve painting, of many points at once."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QPainter

from widgets.plot.peaks import Floats
from widgets.segments import paint_segments


def paint_line(
    painter: QPainter, x: Floats, y: Floats, is_joined: NDArray[np.bool_] | None = None
) -> None:
    """Join points given in pixels by the painter's pen; NaN breaks the line. With `is_joined`,
    shape (n - 1,), only points that it joins with the next one.
    """
    segments = np.stack((x[:-1], y[:-1], x[1:], y[1:]), axis=1)
    is_there = np.isfinite(x + y)
    if is_joined is not None or not is_there.all():
        joined = is_there[:-1] & is_there[1:]
        segments = segments[joined if is_joined is None else joined & is_joined]
    paint_segments(painter, segments)
