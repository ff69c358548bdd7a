"""Main window: toolbar, alarm strip, messages, workspaces and timeline, one below the other."""

from collections.abc import Callable

from PySide6.QtCore import QByteArray, QEvent, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QShowEvent
from PySide6.QtWidgets import QMainWindow, QMenu, QWidget

from app.messages import Message
from app.refreshing.load_meter import Load
from app.shortcuts import take_over
from app.window.message_bar import MessageBar
from app.window.overlay import TextOverlay
from app.window.toolbar import Toolbar
from app.workspaces.workspace_stack import WorkspaceStack
from telemetry.base.clock import monotonic_s
from telemetry.base.finding import Level
from telemetry.base.statement import Statement
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
from widgets.parts import make_column
from widgets.seek_picture import VideoExtent
from widgets.theme import Theme
from widgets.timeline_bar import TimelineBar, TimelineFlight
from widgets.transport import Transport

LEAST_SIZE = QSize(1024, 640)
FIRST_SIZE = QSize(1366, 768)
_FRAME_PX = 40
_PASSING_S = 8.0
_BANNER_S = 8.0
_NOTHING = Statement("", level=Level.OK)


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
        self.on_close: Callable[[], None] = lambda: None
        self.progress: Callable[[], str] = lambda: ""
        self.elsewhere: Callable[[], str] = lambda: ""
        self.can_cancel: Callable[[], bool] = lambda: False
        self.others: Callable[[], str] = lambda: ""
        self.load: Callable[[], Load] = lambda: Load.NORMAL
        self._passing: tuple[Statement, float] = (_NOTHING, 0.0)
        self._shown_aircraft = ""
        self._banner: tuple[str, Level, float] = ("", Level.INFO, 0.0)
        self.stack = stack
        self.transport = Transport()
        self.main_menu = QMenu(self)
        self.toolbar = Toolbar(theme, self.main_menu)
        self.alarm_strip = AlarmStrip(theme)
        self.message_bar = MessageBar(theme, self._show_details)
        self.toolbar.on_workspace = stack.show_number
        stack.on_change = self._show_tabs
        self._timeline_flights = TimelineFlights()
        self.timeline_bar = TimelineBar(theme, self.transport, wake, self.tell)
        body = QWidget()
        parts = (self.toolbar, self.alarm_strip, self.message_bar, (stack, 1), self.timeline_bar)
        body.setLayout(make_column(*parts, spacing=0))
        self.setCentralWidget(body)

    def show_status(self, vehicle: Vehicle | None) -> None:
        """Toolbar and passing words; a few times a second is enough."""
        self.toolbar.show_vehicle(vehicle)
        self.setWindowTitle(_title(vehicle))
        self._shown_aircraft = vehicle.name if vehicle and vehicle.is_live else ""
        passing, until_s = self._passing
        is_anothers = passing.about and self._shown_aircraft not in ("", passing.about)
        if passing.text and (monotonic_s() > until_s or is_anothers):
            self._passing = (_NOTHING, 0.0)
        why = vehicle.status.reason if vehicle and vehicle.is_live else ""
        if self._is_banner_up():
            return
        progress, elsewhere = self.progress(), self.elsewhere()
        told = progress or self._passing[0].text or self.others() or why or elsewhere
        said = Statement(told, self._shown_aircraft, level=Level.OK)
        is_work = bool(told) and told in (progress, elsewhere)
        self.toolbar.tell(said, can_cancel=is_work and self.can_cancel())

    def show_alarms(self, vehicle: Vehicle | None) -> None:
        """The alarm strip at the cursor, and that the computer does not keep up."""
        self.alarm_strip.show_overload(self.load() is Load.TOO_HIGH)
        self.alarm_strip.show_notices(notices_of(vehicle).all if vehicle is not None else ())
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
        """Say something in passing, in the toolbar, until another aircraft shows."""
        passing = Statement(text, self._shown_aircraft, level=Level.OK)
        self._passing = (passing, monotonic_s() + _PASSING_S)
        if not self._is_banner_up():
            self.toolbar.tell(passing)

    def show_banner(self, text: str, level: Level) -> None:
        """Show a warning for a while where passing words stand; a worse one stays before it."""
        if self._is_banner_up() and level < self._banner[1]:
            return
        self._banner = (text, level, monotonic_s() + _BANNER_S)
        self.toolbar.tell(Statement(text, level=level))

    def _is_banner_up(self) -> bool:
        return monotonic_s() < self._banner[2]

    def take_messages(self, messages: list[Message]) -> None:
        """Show what the parts of the station report."""
        for message in messages:
            if message.level is Level.INFO and message.remedy is None and not message.details:
                self.tell(message.text)
            else:
                self.message_bar.add(message)

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
            self.message_bar.add(
                Message(
                    objection,
                    Level.ERROR,
                    remedy_title="Close anyway",
                    remedy=self._close_anyway,
                    refusal_title="Stay",
                )
            )
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
