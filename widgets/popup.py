"""Popup placing where it can be seen whole: on the screen, or over a point of a window."""

from typing import Final

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QWidget

BACKS_OUT: Final = "backsOut"
"""The property of what stands over a window and takes Esc while the focus is in it."""


def takes_escape() -> bool:
    """Whether Esc closes something that is open: a popup, or what `BACKS_OUT` with the focus."""
    if QApplication.activePopupWidget() is not None:
        return True
    widget = QApplication.focusWidget()
    while widget is not None and not widget.property(BACKS_OUT):
        widget = widget.parentWidget()
    return widget is not None


def open_popup(popup: QWidget, position: QPoint) -> None:
    """Show it with its top left corner at a global position, kept on the screen."""
    popup.adjustSize()
    show_on_screen(popup, position)


def show_on_screen(popup: QWidget, position: QPoint) -> None:
    """The same in the size that it has."""
    room = popup.screen().availableGeometry()
    x = max(room.left(), min(position.x(), room.right() - popup.width()))
    y = max(room.top(), min(position.y(), room.bottom() - popup.height()))
    popup.move(x, y)
    popup.show()


def show_above(popup: QWidget, window: QWidget, place: QPoint, width: int, height: int) -> None:
    """Show it over a window and focus it, its lower edge at `place` in the window's coordinates."""
    left = min(max(place.x() - width // 2, 8), max(8, window.width() - width - 8))
    popup.setGeometry(left, max(8, place.y() - height), width, height)
    popup.show()
    popup.raise_()
    popup.setFocus()
