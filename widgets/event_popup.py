"""Event popup: a list of events that lie close together, to choose one from."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QListWidget, QListWidgetItem, QWidget

from telemetry.recording.alarm_texts import alarm_text
from telemetry.recording.events import Event
from telemetry.recording.mode_words import mode_words
from telemetry.recording.timeline import format_time
from widgets.level_mark import LEVEL_SIGNS
from widgets.popup import show_above

_MOST_ROWS = 10
_WIDTH_PX = 380


class EventPopup(QListWidget):
    """Stands over a window, above a point of it, until something is chosen, Esc is pressed or the
    focus goes elsewhere. It is no window of its own and stops nothing.

    `on_choice` is called with the event that was chosen.
    """

    def __init__(
        self, window: QWidget, events: Sequence[Event], on_choice: Callable[[Event], None]
    ) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName("Events close together")
        self.setProperty("card", "plain")
        self._window = window
        self._events = list(events)
        self._on_choice = on_choice
        for event in self._events:
            self.addItem(QListWidgetItem(sentence(event)))
        self.itemClicked.connect(lambda _item: self._choose())
        self.itemActivated.connect(lambda _item: self._choose())

    def open_above(self, place: QPoint) -> None:
        """Show it with its lower edge at `place`, in the window's coordinates."""
        row_px = self.sizeHintForRow(0) + 2
        height = min(len(self._events), _MOST_ROWS) * row_px + 8
        width = min(_WIDTH_PX, self._window.width() - 16)
        self.setCurrentRow(0)
        show_above(self, self._window, place, width, height)
        app = QApplication.instance()
        if app is not None:
            app.installEventFilter(self)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc backs out."""
        if event.key() == Qt.Key.Key_Escape:
            self._end()
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A press anywhere else sends it away, and does what it does there."""
        is_press = event.type() is QEvent.Type.MouseButtonPress and isinstance(watched, QWidget)
        if is_press and watched not in (self, self.viewport(), self.verticalScrollBar()):
            self._end()
        return False

    def _choose(self) -> None:
        chosen = self._events[self.currentRow()]
        self._end()
        self._on_choice(chosen)

    def _end(self) -> None:
        app = QApplication.instance()
        if app is not None:
            app.removeEventFilter(self)
        if self.isVisible():
            self.close()
            self._window.setFocus()


def sentence(event: Event) -> str:
    """Time, how much it matters, and what happened."""
    return f"{format_time(event.t)}  {LEVEL_SIGNS[event.level]}  {event_words(event)}"


def event_words(event: Event) -> str:
    """What happened, as a pilot says it."""
    if event.kind == "mode":
        return f"Flight mode: {mode_words(event.text)}"
    name, _, severity = event.text.partition(": ")
    is_alarm = event.kind == "alarm" and bool(severity)
    return f"{alarm_text(name).title}: {severity}" if is_alarm else event.text
