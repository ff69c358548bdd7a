"""Flying keys, held for the whole window while the keyboard flies."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication

from widgets.application_filter import ApplicationFilter
from widgets.popup import takes_escape

_NAMES = {
    Qt.Key.Key_Left: "Left",
    Qt.Key.Key_Right: "Right",
    Qt.Key.Key_Up: "Up",
    Qt.Key.Key_Down: "Down",
    Qt.Key.Key_A: "A",
    Qt.Key.Key_D: "D",
    Qt.Key.Key_W: "W",
    Qt.Key.Key_S: "S",
}


class HeldKeys(ApplicationFilter):
    """Takes the flying keys before anything else sees them, wherever the focus is, and tells
    `press` which are down. Esc calls `release`. A dialog that wants an answer first gets its keys,
    and what stands over the window its Esc: who closes that does not let go.
    """

    def __init__(
        self,
        press: Callable[[frozenset[str]], None],
        release: Callable[[], None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._press = press
        self._release = release
        self._down: frozenset[str] = frozenset()

    def forget(self) -> None:
        """None is held any more."""
        self._set_down(frozenset())

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.ApplicationDeactivate:
            self._set_down(frozenset())  # nobody tells when they are let go elsewhere
        if not isinstance(event, QKeyEvent) or QApplication.activeModalWidget() is not None:
            return False
        if event.key() == Qt.Key.Key_Escape:
            return not takes_escape() and self._take_escape(event)
        name = _NAMES.get(Qt.Key(event.key()), "")
        is_plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if kind == QEvent.Type.KeyRelease and name in self._down:
            # One that went down is let go whatever modifier has come meanwhile.
            if not event.isAutoRepeat():
                self._set_down(self._down - {name})
            return True
        if not name or not is_plain:
            return False
        if kind == QEvent.Type.KeyPress:
            self._set_down(self._down | {name})
        event.accept()
        return True

    def _take_escape(self, event: QKeyEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress:
            self._release()
        event.accept()
        return True

    def _set_down(self, keys: frozenset[str]) -> None:
        if keys != self._down:
            self._down = keys
            self._press(keys)
