"""Focus ring around a widget, which says that keys go there."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFocusEvent, QPainter, QPen
from PySide6.QtWidgets import QWidget

_BY_KEYBOARD = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)


class FocusRing:
    """Shown to those who came to `widget` by keyboard; the others see where they clicked."""

    def __init__(self, widget: QWidget) -> None:
        self._widget = widget
        self._is_shown = False

    def take(self, event: QFocusEvent) -> None:
        """Follow the focus as it comes and goes."""
        self._is_shown = event.gotFocus() and event.reason() in _BY_KEYBOARD
        self._widget.update()

    def paint(self, painter: QPainter, color: QColor) -> None:
        """Paint it, if it is to be seen, along the edge of the widget."""
        if self._is_shown:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            painter.setPen(QPen(color, 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self._widget.rect().adjusted(1, 1, -1, -1))
