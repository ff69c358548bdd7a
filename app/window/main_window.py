"""Main window: toolbar, alarm strip with messages, workspaces and timeline, below each other."""

from collections.abc import Callable

from PySide6.QtCore import QByteArray, QEvent, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QMainWindow, QMenu, QWidget

from app.message_list import MessageList
from app.messages import Message
from app.refreshing.load_meter import Load
from app.shortcuts import take_over
from app.window.message_card import MessageCard
from app.window.message_place import MessagePlace
from app.window.overlay import TextOverlay
from app.window.toolbar import Toolbar
from app.workspaces.workspace_stack import WorkspaceStack
from telemetry.base.clock import monotonic_s
from telemetry.base.finding import Finding, Level
from telemetry.configuration.arming.preflight import preflight_of
from telemetry.configuration.settings.configuration import configuration_of
from telemetry.recording.alarms import active_alarms
from telemetry.recording.flight_state import FlightState, read_flight_state
from telemetry.recording.freshness import read_freshness
from telemetry.review.flights.findings_search import findings_search_of
from telemetry.review.flights.flight import FlightVideo, flight_of
from telemetry.review.flights.marker_editing import marking_of
from telemetry.review.flights.video_extents import video_extents
from telemetry.vehicle.notices import notices_of
from telemetry.vehicle.vehicle import LinkStatus, Vehicle
from widgets.alarm_strip import AlarmStrip
from widgets.parts import make_column, make_row
from widgets.seek_picture import VideoExtent
from widgets.theme import Theme
from widgets.timeline_bar import TimelineBar, TimelineFlight
from widgets.transport import Transport

LEAST_SIZE = QSize(960, 540)
FIRST_SIZE = QSize(1366, 768)
_FRAME_PX = 40
_CLOSING = "closing"
_NEWS_S = 8.0


class MainWindow(QMainWindow):
    """Arranges the parts and shows the active vehicle in those of them that always stand there.

    `objection` says why the window should not be closed just now, "" when nothing is against it.
    `on_close` is called once when the window closes.
    """

    desktop_changed = Signal()
    """Fonts, resolution or colours of the desktop may be others now."""

    def __init__(self, theme: Theme, stack: WorkspaceStack, wake: Callable[[], None]) -> None:
        super().__init__()
        self.setWindowTitle("Lapwing")
        self.setMinimumSize(LEAST_SIZE)
        self.resize(FIRST_SIZE)
        self.screen().logicalDotsPerInchChanged.connect(self.desktop_changed)
        self._may_close = False
        self.objection: Callable[[], str] = lambda: ""
        self._is_asked = False
        self.on_close: Callable[[], None] = lambda: None
        self.progress: Callable[[], str] = lambda: ""
        self.elsewhere: Callable[[], str] = lambda: ""
        self.can_cancel: Callable[[], bool] = lambda: False
        self.others: Callable[[], str] = lambda: ""
        self.load: Callable[[], Load] = lambda: Load.NORMAL
        self.messages = MessageList()
        self._news: Message | None = None
        self._news_until_s = 0.0
        self._told_of = ""
        self._why = ""
        self._shown_aircraft = ""
        self.stack = stack
        self.transport = Transport()
        self.main_menu = QMenu(self)
        self.toolbar = Toolbar(theme, self.main_menu)
        self.alarm_strip = AlarmStrip(theme)
        self.message_place = MessagePlace(theme)
        self.toolbar.on_workspace = stack.show_number
        stack.on_change = self._show_tabs
        self._timeline_flights = TimelineFlights()
        self.timeline_bar = TimelineBar(theme, self.transport, wake, self.tell)
        body = QWidget()
        strip = make_row((self.alarm_strip, 1), self.message_place, spacing=0)
        parts = (self.toolbar, strip, (stack, 1), self.timeline_bar)
        body.setLayout(make_column(*parts, spacing=0))
        self.setCentralWidget(body)
        self.message_card = MessageCard(
            theme, self, stack, self.messages, self._show_details, monotonic_s
        )
        self.message_place.on_open = self._toggle_messages
        self.alarm_strip.opened.connect(self.message_card.dismiss)

    def show_status(self, vehicle: Vehicle | None) -> None:
        """Toolbar and messages; a few times a second is enough."""
        self.toolbar.show_vehicle(vehicle)
        self.setWindowTitle(_title(vehicle))
        self._shown_aircraft = vehicle.name if vehicle is not None else ""
        self.message_card.show_aircraft(self._shown_aircraft)
        self._why = vehicle.status.reason if vehicle is not None and vehicle.is_live else ""
        self._end_question()
        self._show_messages()

    def _end_question(self) -> None:
        """Whether to close anyway is no question any more once nothing is against it."""
        if self._is_asked and not self.objection():
            self._is_asked = False
            self.take_messages([Message("", topic=_CLOSING, is_over=True)])

    def _show_messages(self) -> None:
        """What is told now, the list, and how many lines it has."""
        self.messages.poll(monotonic_s())
        self.message_card.refresh()
        self.message_place.count(len(self.messages.lines(self.message_card.about)))
        news = self._present_news()
        if news is not None and news.level >= Level.WARNING:
            self.message_place.tell(self._words(news), news.level)
            return
        progress, elsewhere = self.progress(), self.elsewhere()
        said = self._words(news) if news is not None else ""
        told = progress or said or self.others() or self._why or elsewhere
        is_work = bool(told) and told in (progress, elsewhere)
        self.message_place.tell(told, can_cancel=is_work and self.can_cancel())

    def _present_news(self) -> Message | None:
        """What was told last, for some seconds, and until another aircraft shows."""
        is_anothers = self._told_of and self._told_of != self._shown_aircraft
        if monotonic_s() > self._news_until_s or is_anothers:
            self._news = None
        return self._news

    def _words(self, message: Message) -> str:
        """With the name of an aircraft that does not show."""
        whose = message.about
        return message.text if whose in ("", self._shown_aircraft) else f"{whose}: {message.text}"

    def show_alarms(self, vehicle: Vehicle | None) -> None:
        """The alarm strip at the cursor, and that the computer does not keep up."""
        self.alarm_strip.show_overload(self.load() is Load.TOO_HIGH)
        self.alarm_strip.show_notices(notices_of(vehicle).all if vehicle is not None else ())
        self.alarm_strip.show_conditions(self._conditions(vehicle))
        if vehicle is None:
            self.alarm_strip.show_state(FlightState(0.0), LinkStatus(), ())
            return
        self._show_ready(vehicle)
        t = vehicle.timeline.t
        state = read_flight_state(vehicle.recording, t)
        present = None
        if _looks_back(vehicle):
            present = read_flight_state(vehicle.recording, vehicle.end_s)
        alarms = active_alarms(vehicle.recording, present.t if present else t)
        freshness = read_freshness(vehicle.recording, present.t if present else t)
        self.alarm_strip.show_state(state, vehicle.status, alarms, present, freshness)

    def _conditions(self, vehicle: Vehicle | None) -> tuple[Finding, ...]:
        """What lasts of an aircraft by what was told, its subject as the code."""
        told = self.messages.conditions(vehicle.name) if vehicle is not None else ()
        return tuple(Finding(one.level, one.subject, one.text, title=one.title) for one in told)

    def _show_ready(self, vehicle: Vehicle) -> None:
        if not vehicle.is_live or _looks_back(vehicle):
            self.alarm_strip.show_ready(None)
            return
        checklist = preflight_of(vehicle).look()
        is_ready = not checklist.blocking
        self.alarm_strip.show_ready(is_ready, "" if is_ready else checklist.summary)

    def show_timeline(self, vehicle: Vehicle | None) -> None:
        """The timeline at the cursor."""
        self.timeline_bar.show_flight(self._timeline_flights.of(vehicle) if vehicle else None)

    def tell(self, text: str) -> None:
        """Say something in passing, until another aircraft shows."""
        if text:
            self.take_messages([Message(text)])

    def take_messages(self, messages: list[Message]) -> None:
        """List what the parts of the station report, and show the worst or newest of it for a
        while; what needs an answer opens the list."""
        now = monotonic_s()
        lines = [self.messages.put(message, now) for message in messages]
        told = [line.message for line in lines if line is not None]
        for message in told:
            self._take_news(message, now)
        if any(message.needs_answer for message in told):
            self._open_messages()
        if messages:
            self._show_messages()

    def _take_news(self, message: Message, now: float) -> None:
        """Something worse that was told a moment ago stays before it, unless it is over."""
        present = self._present_news()
        is_its_end = present is not None and present.line == message.line
        if present is None or is_its_end or message.level >= present.level:
            self._news, self._news_until_s = message, now + _NEWS_S
            self._told_of = self._shown_aircraft if message.is_passing else ""

    def _toggle_messages(self) -> None:
        if self.message_card.isVisible():
            self.message_card.dismiss()
        else:
            self._open_messages()

    def _open_messages(self) -> None:
        self.alarm_strip.close_explanation()
        self.message_card.open()

    def geometry_text(self) -> str:
        """The window's place on screen, as text to be kept."""
        return bytes(self.saveGeometry().toBase64().data()).decode("ascii")

    def take_place(self, text: str) -> None:
        """Go back to a kept place, or fill a screen that is too small for the usual size."""
        if text and self.restoreGeometry(QByteArray.fromBase64(text.encode("ascii", "ignore"))):
            return
        room = self.screen().availableSize()
        is_enough = room.width() >= LEAST_SIZE.width() and room.height() >= LEAST_SIZE.height()
        if is_enough and room.height() < FIRST_SIZE.height() + _FRAME_PX:
            self.setWindowState(self.windowState() | Qt.WindowState.WindowMaximized)

    def event(self, event: QEvent) -> bool:
        """Let the focused control keep the keys that it uses; see shortcuts.py."""
        return take_over(event) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc, where nobody else wants it, puts the messages away."""
        if event.key() == Qt.Key.Key_Escape and self.message_card.isVisible():
            self.message_card.dismiss()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the messages the room that belongs to this size."""
        super().resizeEvent(event)
        self.message_place.fit(self.width())
        if self.message_card.isVisible():
            self.message_card.open()

    def changeEvent(self, event: QEvent) -> None:
        """Tell of another look of the desktop."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.ThemeChange:
            self.desktop_changed.emit()

    def showEvent(self, event: QShowEvent) -> None:
        """Have all parts show what there is at once."""
        super().showEvent(event)
        self.setFocus()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Let the station end in order. While something is against it, ask in the window first."""
        if not self._may_close and (objection := self.objection()):
            event.ignore()
            question = Message(
                objection,
                Level.ERROR,
                remedy_title="Close anyway",
                remedy=self._close_anyway,
                refusal_title="Stay",
                topic=_CLOSING,
            )
            self._is_asked = True
            self.take_messages([question])
            return
        self.on_close()
        super().closeEvent(event)

    def _show_tabs(self) -> None:
        self.toolbar.show_workspaces(
            self.stack.titles(), self.stack.ids.index(self.stack.current_id)
        )

    def _close_anyway(self) -> None:
        self._may_close = True
        self.close()

    def _show_details(self, text: str) -> None:
        TextOverlay(self, "Details", text, fixed_width=True)


class TimelineFlights:
    """The flights of vehicles as the timeline bar shows them; what videos cover is worked out anew
    only when they have changed."""

    def __init__(self) -> None:
        self._videos: tuple[FlightVideo, ...] = ()
        self._extents: tuple[VideoExtent, ...] = ()

    def of(self, vehicle: Vehicle) -> TimelineFlight:
        """The flight of a vehicle as it is now."""
        videos = flight_of(vehicle).videos
        if videos is not self._videos:
            self._videos = videos
            extents = (VideoExtent(video.name, video_extents(video)) for video in videos)
            self._extents = tuple(extent for extent in extents if extent.spans)
        return TimelineFlight(
            vehicle.recording,
            vehicle.timeline,
            marking_of(vehicle),
            vehicle.end_s,
            (*configuration_of(vehicle).changes.events, *findings_search_of(vehicle).events),
            self._extents,
        )


def _title(vehicle: Vehicle | None) -> str:
    """Whose flight shows, and whether what was marked in it is saved."""
    if vehicle is None:
        return "Lapwing"
    changed = " (not saved)" if flight_of(vehicle).is_unsaved else ""
    return f"{vehicle.name}{changed} – Lapwing"


def _looks_back(vehicle: Vehicle) -> bool:
    """Whether the views show what was, while the flight goes on."""
    return vehicle.is_live and vehicle.timeline.can_live and vehicle.timeline.mode != "live"
