"""A button that does something for as long as it is held, and surely stops with the holding."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent, QHideEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QPushButton, QWidget

_KEYS = (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter)


class HeldButton(QPushButton):
    """Emits `begun` when the mouse or Space goes down on it, and `ended` with the reason when
    that ends for any reason: let go, moved off, focus lost, window left, hidden or disabled.
    """

    begun = Signal()
    ended = Signal(str)

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.is_held = False
        self.setMinimumHeight(32)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAutoDefault(False)

    def let_go(self, why: str = "") -> None:
        """End the holding, if it is held."""
        if self.is_held:
            self.is_held = False
            self.setDown(False)
            self.ended.emit(why)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        if event.button() == Qt.MouseButton.LeftButton:
            self._begin()
        else:
            self.let_go("Stopped: another button was pressed.")

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        self.let_go()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        if not self.rect().contains(event.position().toPoint()):
            self.let_go("Stopped: the pointer left the button.")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _KEYS:
            if not event.isAutoRepeat():
                self.setDown(True)
                self._begin()
        else:
            self.let_go("Stopped: another key was pressed.")
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.key() in _KEYS and not event.isAutoRepeat():
            self.let_go()
        elif event.key() not in _KEYS:
            super().keyReleaseEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.let_go("Stopped: the button lost the focus.")

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.let_go("Stopped: the page was left.")

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        is_off = event.type() == QEvent.Type.EnabledChange and not self.isEnabled()
        is_left = event.type() == QEvent.Type.ActivationChange and not self.isActiveWindow()
        if is_off or is_left:
            self.let_go("Stopped: the window was left." if is_left else "")

    def _begin(self) -> None:
        if not self.is_held:
            self.is_held = True
            self.begun.emit()
