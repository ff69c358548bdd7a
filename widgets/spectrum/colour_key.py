"""Colour key of a map of spectra: its colours, and what they mean."""

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QFontMetrics, QPainter

from widgets.plot.window import Span
from widgets.theme import Theme, mixed

KEY_STEPS = 64
_STOPS = ("plot_background", "track_low", "track_middle", "track_high", "attention")
_KEY_PX = (90.0, 8.0)


def colour_table(theme: Theme) -> npt.NDArray[np.uint32]:
    """A colour (KEY_STEPS + 1,) as 0xffRRGGBB for each shade from faint to strong; the last one,
    which -1 leads to, is that of no data."""
    shades = [_shade(theme, step).rgb() for step in range(KEY_STEPS)]
    return np.array([*shades, theme.color("plot_gap").rgb()], dtype=np.uint32)


def paint_key(painter: QPainter, theme: Theme, levels: Span, unit: str, right: float) -> None:
    """The scale of colours at the top, ending at `right`."""
    metrics = QFontMetrics(painter.font())
    high, low = f"{levels.stop:.0f} {unit}", f"{levels.start:.0f}"
    width, height = _KEY_PX
    baseline = metrics.ascent() + 4.0
    painter.setPen(theme.color("muted"))
    right -= metrics.horizontalAdvance(high)
    painter.drawText(QPointF(right, baseline), high)
    left = right - 6.0 - width
    for step in range(KEY_STEPS):
        box = QRectF(
            left + step * width / KEY_STEPS, baseline - height, width / KEY_STEPS + 1, height
        )
        painter.fillRect(box, _shade(theme, step))
    painter.drawText(QPointF(left - 6.0 - metrics.horizontalAdvance(low), baseline), low)


def _shade(theme: Theme, step: int) -> QColor:
    place = step / (KEY_STEPS - 1) * (len(_STOPS) - 1)
    index = min(int(place), len(_STOPS) - 2)
    low, high, share = theme.color(_STOPS[index]), theme.color(_STOPS[index + 1]), place - index
    return mixed(high, low, share)
