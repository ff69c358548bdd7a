"""Paints a curve of many points."""

from pyqtgraph.graphicsItems.PlotCurveItem import arrayToLineSegments
from PySide6.QtGui import QPainter

from widgets.plot.peaks import Floats


def paint_line(painter: QPainter, x: Floats, y: Floats) -> None:
    """Join points given in pixels by the painter's pen; NaN breaks the line.

    Segments, not a path: Qt makes one outline of a path that is wider than a pixel, which takes
    forty times as long where the curve goes up and down in every column.
    """
    painter.drawLines(*arrayToLineSegments(x, y, "finite", True).drawargs())
