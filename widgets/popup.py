"""Popup placing where it can be seen whole."""

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QWidget


def open_popup(popup: QWidget, position: QPoint) -> None:
    """Show it with its top left corner at a global position, kept on the screen."""
    popup.adjustSize()
    room = popup.screen().availableGeometry()
    x = max(room.left(), min(position.x(), room.right() - popup.width()))
    y = max(room.top(), min(position.y(), room.bottom() - popup.height()))
    popup.move(x, y)
    popup.show()
