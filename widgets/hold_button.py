"""Hold button: shows that it is being held, and whatever ends that surely ends it."""

from PySide6.QtCore import QBasicTimer, QElapsedTimer, QEvent, QRectF, Qt, QTimerEvent, Signal
from PySide6.QtGui import (
    QEnterEvent,
    QFocusEvent,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QPushButton, QStyle, QStyleOptionButton

from widgets.still_layouts import StillLayouts
from widgets.theme import Theme

HOLD_S = 0.7
_FRAME_MS = 30
_KEYS = (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter)
_HEIGHT_PX, _HEIGHT_WHILE_PX = 40, 32


class HoldButton(QPushButton):
    """Emits `begun` when the mouse or Space goes down on it, `held` once it has been down for
    `hold_s` seconds, and `ended` with the reason when that ends in any way: let go, moved off,
    another button or key, focus lost, window left, hidden or disabled.

    Without `hold_s` something goes on for as long as it is held: `held` never comes and no bar
    fills. The bar takes its colour from the theme token `token`.

    What it acts on is often a board, and beside it stands what acts otherwise: while the pointer is
    over it, it stays where it is, whatever comes and goes around it.
    """

    begun = Signal()
    held = Signal()
    ended = Signal(str)

    def __init__(
        self,
        text: str,
        token: str = "accent",
        hold_s: float | None = HOLD_S,
    ) -> None:
        self.is_held = False
        super().__init__(text)
        self._token = token
        self._hold_ms = None if hold_s is None else round(hold_s * 1000)
        self._elapsed = QElapsedTimer()
        self._timer = QBasicTimer()
        self._theme: Theme | None = None
        self._still = StillLayouts(self)
        self._gives_focus_back = False
        self.setMinimumHeight(_HEIGHT_WHILE_PX if hold_s is None else _HEIGHT_PX)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAutoDefault(False)

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours."""
        self._theme = theme
        self.update()

    @property
    def progress(self) -> float:
        """How much of the holding time has passed, 0 to 1."""
        if not self._timer.isActive() or self._hold_ms is None:
            return 0.0
        return min(1.0, self._elapsed.elapsed() / max(1, self._hold_ms))

    def let_go(self, why: str = "") -> None:
        """End the holding, if it is held."""
        if self.is_held:
            self.is_held = False
            self._timer.stop()
            self.setDown(False)
            self.update()
            self.ended.emit(why)

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self._still.hold()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._still.release()

    def focusNextPrevChild(self, is_next: bool) -> bool:
        """Keeps the page where it is when the button is disabled by what it did: the focus would go
        on to another widget, and scrolled areas go after it."""
        if not self.isEnabled():
            self._gives_focus_back = True
            return False
        return super().focusNextPrevChild(is_next)

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
        self._still.release()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        is_off = event.type() == QEvent.Type.EnabledChange and not self.isEnabled()
        is_left = event.type() == QEvent.Type.ActivationChange and not self.isActiveWindow()
        if is_off or is_left:
            self.let_go("Stopped: the window was left." if is_left else "")
        if self._gives_focus_back and self.isEnabled():
            self._gives_focus_back = False
            if self.window().focusWidget() is None:
                self.setFocus()

    def timerEvent(self, event: QTimerEvent) -> None:
        if event.timerId() != self._timer.timerId():
            super().timerEvent(event)
            return
        self.update()
        if self.progress >= 1.0:
            self._timer.stop()
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
        if self.is_held:
            return
        self.is_held = True
        if self._hold_ms is not None:
            self._elapsed.start()
            self._timer.start(_FRAME_MS, self)
        self.begun.emit()
