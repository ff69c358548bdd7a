"""Event history of the flight, newest first; a click moves the timeline to it."""

from bisect import bisect_right
from typing import Any

from PySide6.QtCore import QModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeView

from telemetry.base.finding import Level
from telemetry.recording.events import Event
from widgets.level_icon import level_icon
from widgets.row_model import RowModel, TableIndex
from widgets.theme import Theme

_KINDS = {
    "arming": "Arming",
    "mode": "Mode",
    "alarm": "Alarm",
    "reboot": "Restart",
    "link": "Link",
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

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._t = 0.0
        self.apply_theme(theme)

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours."""
        self._muted = theme.color("disabled")
        self._row_size = QSize(0, theme.target_px())
        self._icons = {level: level_icon(level, theme) for level in Level}
        self.touch_all()

    def show_events(self, events: tuple[Event, ...], t: float) -> None:
        """Show `events` (sorted by time) as seen at `t`."""
        before, self._t = self._t, t
        if events != self.rows:
            self.put_rows(events)
        elif any(min(before, t) < event.t <= max(before, t) for event in events):
            self.touch_all()

    def event_at(self, row: int) -> Event:
        """The event in `row`."""
        return self.rows[-1 - row]

    def row_at(self, t: float) -> int:
        """The row of the last event up to `t`, -1 if there is none."""
        before = bisect_right(self.rows, t, key=lambda event: event.t)
        return len(self.rows) - before if before else -1

    def data(self, index: TableIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What a cell shows."""
        event = self.event_at(index.row())
        if role == Qt.ItemDataRole.DisplayRole:
            return (show_time(event.t), _KINDS[event.kind], event.text)[index.column()]
        if role == Qt.ItemDataRole.ForegroundRole and event.t > self._t:
            return self._muted
        if role == Qt.ItemDataRole.DecorationRole and index.column() == 2:
            return self._icons[event.level]
        if role == Qt.ItemDataRole.SizeHintRole:
            return self._row_size
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{show_time(event.t)}  {event.text}. Click to go there."
        return None


class EventHistory(QTreeView):
    """The list of events."""

    seek_wanted = Signal(float)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.events = EventModel(theme)
        self._row = -1
        self.setModel(self.events)
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setAlternatingRowColors(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setIconSize(QSize(14, 14))
        self.setAccessibleName("What happened in this flight")
        header = self.header()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setStretchLastSection(True)
        self.apply_theme(theme)
        self.clicked.connect(self._seek)
        self.activated.connect(self._seek)

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours and sizes."""
        self.events.apply_theme(theme)
        metrics, margin = QFontMetrics(theme.font("body", bold=True)), round(20 * theme.scale)
        for column, widest in enumerate(("0:00:00.0", "Restart")):
            self.setColumnWidth(column, metrics.horizontalAdvance(widest) + margin)

    def show_events(self, events: tuple[Event, ...], t: float) -> None:
        """Show `events` as seen at `t`, and scroll along unless the user is at the list."""
        self.events.show_events(events, t)
        row = self.events.row_at(t)
        if row != self._row and not (self.underMouse() or self.hasFocus()):
            self._row = row
            hint = QAbstractItemView.ScrollHint.PositionAtCenter
            self.scrollTo(self.events.index(max(row, 0), 0), hint)

    def _seek(self, index: QModelIndex) -> None:
        self.seek_wanted.emit(self.events.event_at(index.row()).t)


def show_time(t: float) -> str:
    """Seconds in the flight as mm:ss.s, with hours where there are any."""
    tenths = round(t * 10)
    minutes, rest = divmod(tenths, 600)
    hours, minutes = divmod(minutes, 60)
    clock = f"{minutes:02d}:{rest / 10:04.1f}"
    return f"{hours}:{clock}" if hours else clock
