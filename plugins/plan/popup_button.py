"""Popup button: what is seldom needed opens over the stage, and pushes nothing."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QFrame, QLayout, QPushButton

from widgets.popup import open_popup


class PopupButton(QPushButton):
    """Opens a frame with a layout below itself; a click elsewhere or Esc closes it."""

    def __init__(self, text: str, layout: QLayout, tip: str = "") -> None:
        super().__init__(text)
        self.setToolTip(tip)
        self.popup = QFrame(self, Qt.WindowType.Popup)
        self.popup.setProperty("card", "plain")
        self.popup.setLayout(layout)
        self.clicked.connect(self._open)

    def _open(self) -> None:
        self.popup.adjustSize()
        right = self.mapToGlobal(self.rect().bottomRight())
        open_popup(self.popup, right - QPoint(self.popup.width(), 0))
