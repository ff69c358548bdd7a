"""Wheel filter: fields that the mouse wheel scrolls past; only one with the keyboard takes it."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QWidget


class _WheelNeedsFocus(QObject):
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        is_wheel = isinstance(event, QWheelEvent)
        if is_wheel and isinstance(watched, QWidget) and not watched.hasFocus():
            event.ignore()  # whoever scrolls past must not change anything
            return True
        return super().eventFilter(watched, event)


def wheel_needs_focus(*fields: QWidget) -> None:
    """Have the wheel scroll past these unless they were clicked or tabbed into."""
    for field in fields:
        field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        field.installEventFilter(_WheelNeedsFocus(field))
