"""Emergency stop key: Ctrl+Shift+Backspace, held, wherever the focus is."""

from collections.abc import Callable

from PySide6.QtCore import QBasicTimer, QEvent, QObject, Qt, QTimerEvent
from PySide6.QtGui import QKeyEvent

from widgets.application_filter import ApplicationFilter
from widgets.hold_button import HOLD_S

_MODIFIERS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
_PARTS = (Qt.Key.Key_Backspace, Qt.Key.Key_Control, Qt.Key.Key_Shift)


class StopKey(ApplicationFilter):
    """Calls `act` once the keys have been held for `hold_s` seconds. Let it watch while there is
    something to stop.
    """

    def __init__(self, act: Callable[[], None], parent: QObject, hold_s: float = HOLD_S) -> None:
        super().__init__(parent)
        self._act = act
        self._hold_ms = round(hold_s * 1000)
        self._timer = QBasicTimer()

    def forget(self) -> None:
        """Nobody holds them any more."""
        self._timer.stop()

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent):
            return False  # asking every event for its type costs more than all the rest
        kind = event.type()
        if kind == QEvent.Type.KeyRelease:
            if event.key() in _PARTS and not event.isAutoRepeat():
                self._timer.stop()
            return False
        if kind not in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress) or not _is_stop(event):
            return False
        if not event.isAutoRepeat() and not self._timer.isActive():
            self._timer.start(self._hold_ms, self)
        event.accept()
        return True

    def timerEvent(self, event: QTimerEvent) -> None:
        if event.timerId() == self._timer.timerId():
            self._timer.stop()
            self._act()


def _is_stop(event: QKeyEvent) -> bool:
    return event.key() == Qt.Key.Key_Backspace and event.modifiers() & _MODIFIERS == _MODIFIERS
