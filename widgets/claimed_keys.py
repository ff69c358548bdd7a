"""Claimed keys: keys that do something in one widget are no shortcuts of the station's there."""

from collections.abc import Callable

from PySide6.QtCore import QEvent
from PySide6.QtGui import QKeyEvent


def claims_key(event: QEvent, wants: Callable[[QKeyEvent], object]) -> bool:
    """Whether an event asks for a key that the widget wants; it is then accepted."""
    if not isinstance(event, QKeyEvent) or event.type() is not QEvent.Type.ShortcutOverride:
        return False  # asking every event for its type costs more than all the rest
    if not wants(event):
        return False
    event.accept()
    return True
