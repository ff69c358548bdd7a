"""Note popup: one line to write in, over a window, above a point of it."""

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from widgets.popup import show_above

_SIZE_PX = (320, 36)


class NotePopup(QLineEdit):
    """Enter takes what was written, Esc and a click elsewhere nothing; then it goes away.

    `on_words` is called with the words.
    """

    def __init__(self, window: QWidget, words: str, on_words: Callable[[str], None]) -> None:
        super().__init__(words, window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setPlaceholderText("category: note")
        self.setAccessibleName("Note to the marker")
        self._window = window
        self._on_words = on_words
        self.returnPressed.connect(self._take)

    def open_above(self, place: QPoint) -> None:
        """Show it with its lower edge at `place`, in the window's coordinates."""
        show_above(self, self._window, place, *_SIZE_PX)
        self.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc backs out."""
        if event.key() == Qt.Key.Key_Escape:
            self._end()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Somebody has turned to something else."""
        super().focusOutEvent(event)
        if event.reason() is not Qt.FocusReason.PopupFocusReason:
            self.close()

    def _take(self) -> None:
        words = self.text()
        self._end()
        self._on_words(words)

    def _end(self) -> None:
        self.close()
        self._window.setFocus()
