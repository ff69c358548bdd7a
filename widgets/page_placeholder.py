"""Placeholder of a page before there is anything to put on it."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QWidget

from widgets.labels import set_text
from widgets.parts import STRETCH, make_column, make_label

_BARS = (0.3, 0.75, 0.6, 0.0, 0.25, 0.8, 0.5, 0.65)
"""Widths of its lines as shares of the page; 0 leaves one out."""
_TOP_PX, _LEFT_PX = 64, 24


class PagePlaceholder(QWidget):
    """Grey bars where lines will be, and a sentence on what is waited for."""

    def __init__(self) -> None:
        super().__init__()
        self.text = make_label(tone="muted", wraps=True)
        self.setLayout(make_column(self.text, STRETCH, margins=(_LEFT_PX, 20, _LEFT_PX, 12)))

    def show_text(self, text: str) -> None:
        """Say what is waited for."""
        set_text(self.text, text)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        height = self.fontMetrics().height()
        room = self.width() - 2 * _LEFT_PX
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self.palette().color(QPalette.ColorRole.Mid))
            for line, share in enumerate(_BARS):
                top = _TOP_PX + line * 2 * height
                painter.drawRoundedRect(QRectF(_LEFT_PX, top, share * room, height * 0.8), 4, 4)
