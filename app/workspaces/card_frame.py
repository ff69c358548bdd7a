"""Card frame: an opaque ground with one drawn line around it, for what stands on the stage.

It is opaque, so that what is painted below it never has it painted again.
"""

import math

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QRegion, QResizeEvent
from PySide6.QtWidgets import QFrame, QWidget

from widgets.theme import Theme

_RADIUS_PX = 6


class CardFrame(QFrame):
    """Paints the line, where it has one; what is in it stands within `line_px` of its edges."""

    has_line = True

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    @property
    def line_px(self) -> int:
        """The width of the line."""
        return max(1, math.ceil(self._theme.line_px))

    def apply_theme(self, theme: Theme) -> None:
        """Take over colours."""
        self._theme = theme
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the corners to what is below."""
        super().resizeEvent(event)
        if not self.has_line:
            return
        self.setMask(_rounded(self.width(), self.height(), round(_RADIUS_PX * self._theme.scale)))

    def keep_corners_free(self, part: QWidget) -> None:
        """Have a part not paint over the line where that is round."""
        if not self.has_line:
            return
        line = self.line_px
        inside = _rounded(
            self.width() - 2 * line,
            self.height() - 2 * line,
            round(_RADIUS_PX * self._theme.scale),
        )
        inside.translate(line - part.x(), line - part.y())
        part.setMask(inside & QRegion(part.rect()))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint ground and line."""
        if not self.has_line:
            with QPainter(self) as painter:
                painter.fillRect(self.rect(), self._theme.color("surface"))
            return
        line = float(self.line_px)
        radius = _RADIUS_PX * self._theme.scale
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), self._theme.color("line"))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(self._theme.color("line"), line))
            painter.setBrush(self._theme.color("surface"))
            half = line / 2
            inside = QRectF(self.rect()).adjusted(half, half, -half, -half)
            painter.drawRoundedRect(inside, radius, radius)


def _rounded(width: int, height: int, radius: int) -> QRegion:
    """A rectangle with round corners, in whole pixels."""
    region = QRegion(0, radius, width, max(0, height - 2 * radius))
    for row in range(radius):
        off = radius - round(math.sqrt(radius**2 - (radius - row - 0.5) ** 2))
        for y in (row, height - 1 - row):
            region += QRegion(off, y, width - 2 * off, 1)
    return region
