"""Wake-up on input: the first one ends the tick's rest, whichever window of the station gets it."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QDropEvent, QInputEvent

from widgets.application_filter import ApplicationFilter


class WakeOnInput(ApplicationFilter):
    """Calls `wake` with every input while it watches."""

    def __init__(self, wake: Callable[[], None]) -> None:
        super().__init__()
        self._wake = wake

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if isinstance(event, (QInputEvent, QDropEvent)):
            self._wake()
        return False
