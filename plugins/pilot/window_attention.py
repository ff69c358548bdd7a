"""Window attention: whether somebody can fly through it: it answers, is in sight, has the focus."""

from collections.abc import Callable

from PySide6.QtCore import QBasicTimer, QObject, Qt, QTimerEvent
from PySide6.QtGui import QGuiApplication, QWindow
from PySide6.QtWidgets import QWidget

BEAT_MS = 25
GRACE_MS = 40
"""Between two windows of our own nobody has the focus for a moment."""


def is_shown(panel: QWidget) -> bool:
    """Whether somebody can see it: no other tab or workspace is in front, no window put away."""
    return panel.isVisible() and not panel.window().isMinimized()


class WindowAttention(QObject):
    """Calls `beat` 40 times a second while somebody flies through the window, it answers and
    `panel` is in sight, and `away` with whether another program has the focus, whenever that
    changes.
    """

    def __init__(
        self, beat: Callable[[], None], away: Callable[[bool], None], panel: QWidget
    ) -> None:
        super().__init__(panel)
        self._beat = beat
        self._away = away
        self._panel = panel
        self._is_away = False
        self._beating, self._grace = QBasicTimer(), QBasicTimer()
        application = QGuiApplication.instance()
        self._application = application if isinstance(application, QGuiApplication) else None
        if self._application is not None:
            self._application.focusWindowChanged.connect(self._take_focus)

    def fly(self, is_flown: bool) -> None:
        """Somebody has taken a controls, or all have left. Telling what is so already is fine."""
        if is_flown and not self._beating.isActive():
            self._beating.start(BEAT_MS, Qt.TimerType.PreciseTimer, self)
        elif not is_flown:
            self._beating.stop()

    def end(self) -> None:
        """Look no more. Ending twice is fine."""
        self._beating.stop()
        self._grace.stop()
        if self._application is not None:
            self._application.focusWindowChanged.disconnect(self._take_focus)
            self._application = None

    def timerEvent(self, event: QTimerEvent) -> None:
        if event.timerId() == self._grace.timerId():
            self._grace.stop()
            self._tell(True)
        elif is_shown(self._panel):
            self._beat()

    def _take_focus(self, window: QWindow | None) -> None:
        if window is None:
            self._grace.start(GRACE_MS, self)
        else:
            self._grace.stop()
            self._tell(False)

    def _tell(self, is_away: bool) -> None:
        if is_away != self._is_away:
            self._is_away = is_away
            self._away(is_away)
