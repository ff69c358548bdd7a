"""Focus ring around a widget, which says that keys go there."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFocusEvent, QPainter, QPen

from widgets.theme import ThemedWidget

_BY_KEYBOARD = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)


class RingedWidget(ThemedWidget):
    """Has a ring for those who came to it by keyboard; the others see where they clicked."""

    _has_ring = False

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show who has the keyboard to those who came here by keyboard."""
        self._has_ring = event.reason() in _BY_KEYBOARD
        self.update()

    def focusOutEvent(self, _event: QFocusEvent) -> None:
        """The keyboard is elsewhere now."""
        self._has_ring = False
        self.update()

    def paint_ring(self, painter: QPainter, color: QColor) -> None:
        """Paint the ring, if it is to be seen, along the edge of the widget."""
        if self._has_ring:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            painter.setPen(QPen(color, 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self.rect().adjusted(1, 1, -1, -1))
