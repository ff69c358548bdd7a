"""Tool card: an opaque ground for controls that stand over a map or a view and never push it."""

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QLayout, QWidget

from widgets.theme import PaintedWidget, Theme

_RADIUS_PX = 6.0


class ToolCard(PaintedWidget):
    """Its corners have the colour of what is usually below it, the theme's `ground`: then nothing
    of it has to be painted again when that is. Its owner places it."""

    size_wanted = Signal()
    """What stands in it asks for another size."""

    def __init__(self, parent: QWidget, layout: QLayout, ground: str = "map_background") -> None:
        super().__init__(parent)
        self._ground = ground
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setLayout(layout)

    def event(self, event: QEvent) -> bool:
        is_done = super().event(event)
        if event.type() is QEvent.Type.LayoutRequest:
            self.size_wanted.emit()
        return is_done

    def paint(self, painter: QPainter, theme: Theme) -> None:
        painter.fillRect(self.rect(), theme.color(self._ground))
        painter.setPen(QPen(theme.color("line"), theme.line_px))
        painter.setBrush(theme.color("surface"))
        half = theme.line_px / 2.0
        frame = QRectF(self.rect()).adjusted(half, half, -half, -half)
        painter.drawRoundedRect(frame, _RADIUS_PX, _RADIUS_PX)
