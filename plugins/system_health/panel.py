"""System health panel: tiles of all alarms with their explanation, history, link figures."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QLabel,
    QSplitter,
    QStackedLayout,
    QTabWidget,
    QWidget,
)

from plugins.api import VehicleContext
from plugins.system_health.explanation import ExplanationCard
from plugins.system_health.history import EventHistory
from plugins.system_health.link_figures import LinkFigures
from plugins.system_health.tiles import AlarmTiles
from telemetry.base.finding import Level
from telemetry.recording.alarms import Alarm, all_alarms
from telemetry.recording.freshness import read_freshness
from widgets.alarm_items import seconds_text
from widgets.change_detector import ChangeDetector
from widgets.parts import make_column, make_label, make_scrolled
from widgets.theme import Theme

SIDE_BY_SIDE_PX = 640
UNDER_TILES_PX, LOW_BELOW_PX = 400, 200
_LEAST_PX = (240, 96)
_NO_ALARMS = (
    "No alarms received yet\n\nThe aircraft has not sent SystemAlarms up to this moment. "
    "It is fetched after connecting; in a log, move the timeline on."
)


class SystemHealthPanel(QWidget):
    """The panel "system_health.health"."""

    def __init__(self, context: VehicleContext) -> None:
        super().__init__()
        self._context = context
        self._theme = context.theme
        self._alarms: tuple[Alarm, ...] = ()
        self._chosen = ""
        self._seen = ChangeDetector()
        self._tiles = AlarmTiles(context.theme)
        self._card = ExplanationCard(context.theme)
        self._history = EventHistory(context.theme)
        self._figures = LinkFigures()
        self._empty = QLabel(_NO_ALARMS)
        self._age = make_label(tone="muted", wraps=True)
        self._build()
        self._tiles.looked_at.connect(self._explain)
        self._tiles.left.connect(lambda: self._explain(self._chosen))
        self._tiles.chosen.connect(self._choose)
        self._history.seek_wanted.connect(self._seek)

    def refresh(self, t: float) -> None:
        """Show the alarms as they were at `t`, what happened in the flight, and the link now."""
        vehicle = self._context.vehicle
        self._figures.show_status(vehicle.status)
        recording = vehicle.recording
        events = recording.events()
        if not self._seen.has_changed(id(recording), recording.version, events, t):
            return
        self._history.show_events(events, t)
        self._show_alarms(all_alarms(recording, t))
        self._show_age(read_freshness(recording, t).alarms_age_s)

    def empty_text(self) -> str:
        """Why there are no tiles; empty while there are some."""
        return self._empty.text() if self._stack.currentIndex() == 0 else ""

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours."""
        self._theme = theme
        self._tiles.show_alarms(self._alarms, theme)
        self._arrange()

    def minimumSizeHint(self) -> QSize:
        """Small: everything finds another place, or scrolls, where there is little room."""
        return QSize(*_LEAST_PX) * self._theme.scale

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Stand the two halves beside each other where there is room, else one above the other."""
        super().resizeEvent(event)
        is_wide = self.width() >= SIDE_BY_SIDE_PX * self._theme.scale
        wanted = Qt.Orientation.Horizontal if is_wide else Qt.Orientation.Vertical
        if self._split.orientation() is not wanted:
            self._split.setOrientation(wanted)
            whole = self.width() if is_wide else self.height()
            self._split.setSizes([whole * 3 // 5, whole * 2 // 5])
        self._arrange()

    def _arrange(self) -> None:
        """Fewer lines per alarm and around it where the panel is low."""
        scale = self._theme.scale
        is_low = self.height() < LOW_BELOW_PX * scale
        margin = 4 if is_low else 8
        self._outer.setContentsMargins(margin, margin, margin, margin)
        self._tiles.set_low(is_low)
        self._card.set_low(is_low)
        self._place_card(is_short=self.height() < UNDER_TILES_PX * scale)

    def _place_card(self, *, is_short: bool) -> None:
        """Under the tiles where there is height for both, else as the first of the tabs."""
        if is_short == (self._tabs.indexOf(self._card) >= 0):
            return
        if is_short:
            self._column.removeWidget(self._card)
            self._tabs.insertTab(0, self._card, "Explanation")
            self._tabs.setCurrentIndex(0)
        else:
            self._tabs.removeTab(self._tabs.indexOf(self._card))
            self._column.addWidget(self._card)
            self._card.show()
        self._card.keep_height(not is_short)

    def _build(self) -> None:
        scroll = make_scrolled(self._tiles, has_frame=True)
        self._empty.setWordWrap(True)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setProperty("tone", "muted")
        left, filled = QWidget(), QWidget()
        self._age.hide()
        self._column = make_column(self._age, (scroll, 1), self._card)
        filled.setLayout(self._column)
        self._stack = QStackedLayout(left)
        self._stack.addWidget(make_scrolled(self._empty, keeps_width=True))
        self._stack.addWidget(filled)
        self._tabs = QTabWidget()
        self._tabs.setDocumentMode(True)
        figures = make_scrolled(self._figures, has_frame=True)
        self._tabs.addTab(self._history, "Events")
        self._tabs.addTab(figures, "Link")
        self._split = QSplitter(Qt.Orientation.Vertical)
        self._split.setChildrenCollapsible(False)
        self._split.addWidget(left)
        self._split.addWidget(self._tabs)
        self._split.setStretchFactor(0, 3)
        self._split.setStretchFactor(1, 2)
        self._outer = make_column(self._split, margins=None)
        self.setLayout(self._outer)
        self._place_card(is_short=True)  # so that the panel can be made low from the start

    def _show_alarms(self, alarms: tuple[Alarm, ...]) -> None:
        self._stack.setCurrentIndex(1 if alarms else 0)
        if alarms == self._alarms:
            return
        self._alarms = alarms
        self._tiles.show_alarms(alarms, self._theme)
        self._explain(self._chosen)

    def _show_age(self, age_s: float | None) -> None:
        """Say that the tiles tell of the past, where they do."""
        self._age.setVisible(age_s is not None and bool(self._alarms))
        if age_s is not None:
            self._age.setText(f"As it stood {seconds_text(age_s)} ago: no alarms came since then")

    def _choose(self, name: str) -> None:
        self._chosen = name
        self._explain(name)

    def _explain(self, name: str) -> None:
        """Explain the alarm `name`, or the worst one when none is named."""
        found = next((alarm for alarm in self._alarms if alarm.name == name), None)
        is_known = any(alarm.level > Level.UNKNOWN for alarm in self._alarms)
        self._card.show_alarm(found or _worst(self._alarms), is_known=is_known)

    def _seek(self, t: float) -> None:
        self._context.timeline.pause()
        self._context.timeline.seek(t)


def _worst(alarms: tuple[Alarm, ...]) -> Alarm | None:
    active = [alarm for alarm in alarms if alarm.is_active]
    return max(active, key=lambda alarm: alarm.rank, default=None)
