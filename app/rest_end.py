"""Ends the rest of the tick with the first input, whichever window of the station gets it."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QEvent, QObject
from PySide6.QtGui import QDropEvent, QInputEvent


class RestEnd(QObject):
    """Calls `wake` with every input while it watches.

    It sees every event of the application then, so let it watch only while nothing else goes on.
    """

    def __init__(self, wake: Callable[[], None]) -> None:
        super().__init__()
        self._wake = wake
        self._is_watching = False

    def watch(self, wanted: bool) -> None:
        """Begin or end watching. Asking for what is so already is fine."""
        application = QCoreApplication.instance()
        if wanted == self._is_watching or application is None:
            return
        self._is_watching = wanted
        if wanted:
            application.installEventFilter(self)
        else:
            application.removeEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if isinstance(event, (QInputEvent, QDropEvent)):
            self._wake()
        return False
