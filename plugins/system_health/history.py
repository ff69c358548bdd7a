"""Event history of the flight, newest first; a click moves the timeline to it."""

from bisect import bisect_right
from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, Signal

from telemetry.recording.events import Event
from widgets.row_model import EventTable, RowModel, ShownRow
from widgets.theme import Theme

_KINDS = {
    "arming": "Arming",
    "mode": "Mode",
    "alarm": "Alarm",
    "reboot": "Restart",
    "link": "Link",
    "device": "Device",
    "marker": "Marker",
    "gap": "Gap",
    "setting": "Setting",
    "failsafe": "Failsafe",
    "sticks": "Sticks",
    "sensor": "Sensor",
    "hang": "Window",
    "recording": "Recording",
    "warning": "Warning",
    "finding": "Finding",
}


class EventModel(RowModel[Event]):
    """The events of a recording, the newest in the first line; those after the cursor are muted.
    `rows` are in order of time."""

    column_titles = ("Time", "Kind", "What happened")
    level_column = 2

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._t = 0.0

    def show_events(self, events: Sequence[Event], t: float) -> None:
        """Show `events` (sorted by time) as seen at `t`."""
        before, self._t = self.row_at(self._t), t
        if events != self.rows:
            self.put_rows(events)
        elif self.row_at(t) != before:
            self.touch_all()

    def row_in(self, line: int) -> Event:
        """The event in a line."""
        return self.rows[-1 - line]

    def row_at(self, t: float) -> int:
        """The row of the last event up to `t`, -1 if there is none."""
        before = bisect_right(self.rows, t, key=lambda event: event.t)
        return len(self.rows) - before if before else -1

    def shown(self, row: Event) -> ShownRow:
        """An event, muted while it is still to come."""
        time = show_time(row.t)
        tip = f"{time}  {row.text}. Click to go there."
        return ShownRow((time, _KINDS[row.kind], row.text), row.level, row.t > self._t, tip)


class EventHistory(EventTable):
    """The list of events."""

    seek_wanted = Signal(float)

    def __init__(self, theme: Theme) -> None:
        events = EventModel(theme)
        super().__init__(events, "What happened in this flight", "Restart")
        self.events = events
        self.apply_theme(theme)
        self.clicked.connect(self._seek)
        self.activated.connect(self._seek)

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours and sizes."""
        self.events.apply_theme(theme)
        self.fit_columns(theme)

    def show_events(self, events: Sequence[Event], t: float) -> None:
        """Show `events` as seen at `t`, and scroll along unless the user is at the list."""
        self.events.show_events(events, t)
        self.follow(self.events.row_at(t))

    def _seek(self, index: QModelIndex) -> None:
        self.seek_wanted.emit(self.events.row_in(index.row()).t)


def show_time(t: float) -> str:
    """Seconds in the flight as mm:ss.s, with hours where there are any."""
    tenths = round(t * 10)
    minutes, rest = divmod(tenths, 600)
    hours, minutes = divmod(minutes, 60)
    clock = f"{minutes:02d}:{rest / 10:04.1f}"
    return f"{hours}:{clock}" if hours else clock
