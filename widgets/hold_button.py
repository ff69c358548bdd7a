"""A button for actions that can hurt: it acts only after being held, and shows the holding."""

from PySide6.QtCore import QBasicTimer, QElapsedTimer, QEvent, QRectF, Qt, QTimerEvent, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QPushButton, QStyle, QStyleOptionButton, QWidget

from widgets.theme import Theme

HOLD_S = 0.7
_FRAME_MS = 30


class HoldButton(QPushButton):
    """Emits `held` once the mouse button or the Space key has been down for `hold_s` seconds.

    Letting go, leaving the button or losing the focus before then does nothing. The filling bar
    takes its colour from the theme token `token`.
    """

    held = Signal()

    def __init__(
        self, text: str, token: str, parent: QWidget | None = None, hold_s: float = HOLD_S
    ) -> None:
        super().__init__(text, parent)
        self._token = token
        self._hold_ms = round(hold_s * 1000)
        self._elapsed = QElapsedTimer()
        self._timer = QBasicTimer()
        self._theme: Theme | None = None
        self.setMinimumHeight(40)

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours."""
        self._theme = theme
        self.update()

    @property
    def progress(self) -> float:
        """How much of the holding time has passed, 0 to 1."""
        if not self._timer.isActive():
            return 0.0
        return min(1.0, self._elapsed.elapsed() / max(1, self._hold_ms))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        if event.button() == Qt.MouseButton.LeftButton:
            self._begin()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        self._cancel()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        if not self.rect().contains(event.position().toPoint()):
            self._cancel()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        super().keyPressEvent(event)
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self._begin()

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        super().keyReleaseEvent(event)
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self._cancel()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._cancel()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._cancel()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.EnabledChange and not self.isEnabled():
            self._cancel()

    def timerEvent(self, event: QTimerEvent) -> None:
        if event.timerId() != self._timer.timerId():
            super().timerEvent(event)
            return
        self.update()
        if self._elapsed.elapsed() >= self._hold_ms:
            self._cancel()
            self.held.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._theme is None or self.progress <= 0.0:
            return
        option = QStyleOptionButton()
        self.initStyleOption(option)
        inside = self.style().subElementRect(QStyle.SubElement.SE_PushButtonContents, option, self)
        bar = QRectF(inside.left(), self.height() - 5.0, inside.width() * self.progress, 3.0)
        with QPainter(self) as painter:
            painter.fillRect(bar, self._theme.color(self._token))

    def _begin(self) -> None:
        self._elapsed.start()
        self._timer.start(_FRAME_MS, self)

    def _cancel(self) -> None:
        self._timer.stop()
        self.update()
