"""Map card: an opaque ground for controls that stand over a map and never push it."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QLayout, QWidget

from widgets.theme import PaintedWidget, Theme

_RADIUS_PX = 6.0


class MapCard(PaintedWidget):
    """Its corners have the colour of an empty map: then nothing of it has to be painted again when
    the map below it is."""

    def __init__(self, parent: QWidget, layout: QLayout) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setLayout(layout)

    def paint(self, painter: QPainter, theme: Theme) -> None:
        painter.fillRect(self.rect(), theme.color("map_background"))
        painter.setPen(QPen(theme.color("line"), theme.line_px))
        painter.setBrush(theme.color("surface"))
        half = theme.line_px / 2.0
        frame = QRectF(self.rect()).adjusted(half, half, -half, -half)
        painter.drawRoundedRect(frame, _RADIUS_PX, _RADIUS_PX)
