"""Diagrams of pyqtgraph on a page that scrolls."""

import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QWheelEvent


class Diagrams(pg.GraphicsLayoutWidget):  # type: ignore[misc]  # pyqtgraph has no types
    """Leaves the wheel to the page it stands on, unless Ctrl is held."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            super().wheelEvent(event)
        else:
            event.ignore()
