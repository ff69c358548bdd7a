"""Station: every part built in one visible order, and taken down in reverse."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path

from PySide6.QtWidgets import QApplication

from app.background_jobs import BackgroundJobs
from app.connection.armed import is_armed, objection_to_leaving
from app.connection.connections import Connections, make_connect
from app.connection.opened_ahead import OpenedAhead
from app.diagnostics.crash import watch_for_crashes
from app.diagnostics.hang_watch import HangWatch
from app.exporting.exports import Exports
from app.menus.parts import MenuParts
from app.menus.station_commands import StationCommands
from app.messages import Message, Messages
from app.monitoring import bootloaders, fence_monitor, unknown_objects
from app.monitoring.bootloaders import BootloaderMonitor
from app.monitoring.fence_monitor import FenceMonitor
from app.monitoring.flight_review import FlightReview
from app.monitoring.incidents import Incidents
from app.monitoring.unknown_objects import UnknownObjectMonitor
from app.monitoring.warning_display import WarningDisplay, make_speaker
from app.opening.flight_dialogs import (
    ask_for_definitions,
    ask_for_file,
    ask_where,
    offer_joining,
)
from app.opening.flight_workspace import layout_of, show_layout, show_plots
from app.opening.flights import FlightOpening
from app.opening.folders import FolderSorting
from app.opening.logs import LogOpening
from app.opening.packages import PackageOpening
from app.plugin_loading.contributions import PluginContributions
from app.plugin_loading.loader import PluginSet, find_plugins
from app.preferences import PreferenceStore
from app.refreshing.tick import StationActivity, Tick
from app.saving.flights import FlightSaving
from app.saving.missions import MissionSaving
from app.saving.packing import FlightPacking, ask_videos
from app.saving.packing import ask_where as ask_where_to_pack
from app.saving.settings_drafts import DraftSaving
from app.window.appearance import Appearance
from app.window.main_window import MainWindow
from app.workspaces.panel_host import PanelServices
from app.workspaces.workspace import WorkspaceStore
from app.workspaces.workspace_stack import WorkspaceStack
from plugins.api import asked_page_of
from telemetry.base.clock import monotonic_s
from telemetry.base.finding import Level
from telemetry.base.folders import Folders
from telemetry.base.registry import contributions
from telemetry.configuration.firmware.work import firmware_work_of
from telemetry.configuration.settings.configuration import configuration_of
from telemetry.configuration.settings.draft_store import DraftStore
from telemetry.configuration.settings.temporary_settings import temporary_settings_of
from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue
from telemetry.recording.flight_state import armed_spans
from telemetry.review.flights.backups import FlightBackups
from telemetry.review.flights.flight import flight_of
from telemetry.vehicle.connection import BoardFolders
from telemetry.vehicle.vehicle import Fleet, Vehicle
from telemetry.warnings.centre import WarningCentre, begin_warnings
from telemetry.warnings.rule_book import RULES_FILE, RuleBook
from widgets.drop_filter import DropFilter, dropped_files

_JOB_THREADS = 3
_STATUS_HZ, _ALARM_HZ, _TIMELINE_HZ = 5, 5, 20
_KEEPING_HZ = 1
_FIRMWARE_PAGE, _VIDEOS = "firmware.update", "video.view"


@dataclass(frozen=True, slots=True)
class StartOptions:
    """What was asked for on the command line. Empty fields leave it to the preferences.

    `others` are files that are opened together with the one that `target` is.
    """

    target: str = ""
    workspace: str = ""
    at_s: float | None = None
    theme: str = ""
    size: tuple[int, int] | None = None
    others: tuple[Path, ...] = ()


class Station:
    """Owns everything that runs. `close` may be called twice. `on_end` is called when the user
    closes the window.
    """

    def __init__(
        self,
        app: QApplication,
        folders: Folders,
        options: StartOptions | None = None,
        ahead: OpenedAhead | None = None,
    ) -> None:
        """`ahead` stays the caller's to close."""
        self.app = app
        self.ahead = ahead or OpenedAhead()
        self.folders = folders
        self.options = options or StartOptions()
        self.on_end: Callable[[], None] = lambda: None
        with ExitStack() as begun:  # takes down what stands if a later part fails
            self._teardown = begun
            self._build()
            self._teardown = begun.pop_all()

    def _build(self) -> None:
        """Every part, each after what it needs, with how it is taken down."""
        self.messages = Messages()
        self._teardown.callback(watch_for_crashes(self.folders.crash_log, self.messages))
        self.preferences = PreferenceStore(self.folders.config / "preferences.json")
        self.messages.report(self.ahead.problem or self.preferences.problem, Level.WARNING)
        self.appearance = Appearance(self.app, self.preferences, self.messages, self.options.theme)
        self.plugins = self._find_plugins()
        self._teardown.enter_context(contributions(self._plugin_contributions))
        self._draft_store = DraftStore(self.folders.drafts)
        self._teardown.callback(self._draft_store.flush)
        self.jobs: Executor = ThreadPoolExecutor(_JOB_THREADS, thread_name_prefix="job")
        self._teardown.callback(lambda: self.jobs.shutdown(wait=True, cancel_futures=True))
        self.work = BackgroundJobs(self.jobs, self.messages)
        self._teardown.callback(self.work.close)
        self.fleet = Fleet()
        self._fleet_version = -1
        self._seen_version = -1
        self.connections = self._make_connections()
        self.warnings = self._begin_warnings()
        self._teardown.callback(self.warnings.close)
        self.drafts = DraftSaving(self._draft_store, self.fleet, self.jobs, self.messages)
        self._teardown.callback(self.connections.close)
        self.logs = LogOpening(self.plugins.log_formats, self.catalogue, self.work, self.messages)
        backups = FlightBackups(self.folders.flight_backups)
        self.flights = FlightOpening(self.fleet, self.logs, backups, self.work, self.messages)
        self.keeping = FlightSaving(self.fleet, backups, self.jobs, self.work, self.messages)
        self._teardown.callback(self.keeping.close)
        self.packing = FlightPacking(self.keeping, self.catalogue, self.work, self.messages)
        self.missions = MissionSaving(
            self.fleet, self.folders.mission_backup, self.jobs, self.work, self.messages
        )
        self._teardown.callback(self.missions.close)
        self.review = FlightReview(self.jobs, self.work)
        self.incidents = Incidents(self.fleet, self.messages, monotonic_s)
        self.hang_watch = HangWatch(monotonic_s, self.incidents.take_hang)
        self._teardown.callback(self.hang_watch.stop)
        self.firmware = firmware_work_of(self.fleet, self.jobs, self.folders)
        self.tick = Tick(monotonic_s, self._begin_tick)
        self.services = self._make_services()
        self.appearance.on_change = self._apply_theme  # which the window's height may be
        self.window = self._make_window()
        self._teardown.callback(self._close_window)
        self.telling = WarningDisplay(self.warnings, self.fleet, self.window)
        self.shell = StationCommands(self._menu_parts())
        self._join_flights()
        self._subscribe()
        self._teardown.callback(self.tick.stop)

    def start(self) -> None:
        """Show the window and open what was asked for, or connect to the simulator."""
        wanted = self.options.workspace or self.preferences.current.workspace
        stack = self.window.stack
        stack.show_workspace(wanted if wanted in stack.ids else stack.ids[0])
        self.missions.restore()
        self.window.show()
        self.tick.start()
        self.hang_watch.start()
        self.open(self.options.target or self.connections.start_address(), self.options.others)

    def open(self, target: str, others: Sequence[Path] = ()) -> None:
        """Open a file, together with others, or connect to an address; "" opens nothing."""
        if not target:
            return
        if Path(target).exists() or ":" not in target:
            self.flights.open([Path(target), *others])
        else:
            self.connections.open(target)

    def open_log(self, path: Path) -> None:
        """Open a log, a flight or a video."""
        self.flights.open([path])

    def _show_flight(self, vehicle: Vehicle, path: Path) -> None:
        """Show a flight from a file in *Analyse* or in its own workspace. Nobody who flies is led
        away from there."""
        workspace = self.options.workspace
        self.options = replace(self.options, workspace="")  # meant for the first flight only
        if not workspace and not any(is_armed(other) for other in self.fleet.vehicles):
            show_layout(self.window.stack, vehicle)
            if not flight_of(vehicle).layout and flight_of(vehicle).videos:
                self._show_videos(vehicle)
        self._remember(path)
        self.tick.wake()

    def _begin_review(self, vehicle: Vehicle) -> None:
        """Go to the time asked for on the command line or where a flight becomes interesting."""
        at_s = self.options.at_s
        self.options = replace(self.options, at_s=None)  # meant for the first flight only
        vehicle.timeline.advance(monotonic_s(), vehicle.recording.first_s, vehicle.recording.last_s)
        first_look(vehicle, at_s)
        self.tick.wake()

    def _show_videos(self, vehicle: Vehicle) -> None:
        """Bring the videos of the flight that shows before what else stands in their place."""
        page = self.window.stack.current_page
        is_flown = any(is_armed(other) for other in self.fleet.vehicles)
        if page is not None and vehicle is self.fleet.active and not is_flown:
            page.bring_forward(_VIDEOS)

    def _remember(self, path: Path) -> None:
        self.messages.report(self.preferences.remember_log(str(path.resolve())), Level.WARNING)

    def close(self) -> None:
        """Take everything down, the last part first."""
        self._teardown.close()

    @cached_property
    def _loaded_catalogue(self) -> Catalogue:
        folder = self.folders.definitions
        catalogue = load_catalogue([folder] if folder.is_dir() else [])
        self.jobs.submit(self._tell_broken_definitions, catalogue)
        return catalogue

    def _tell_broken_definitions(self, catalogue: Catalogue) -> None:
        for error in catalogue.warnings:
            self.messages.report(f"A definition file was left out: {error}.", Level.WARNING)

    def catalogue(self) -> Catalogue:
        """The definitions, with the user's own; loaded when first asked for."""
        return self._loaded_catalogue

    def _apply_theme(self) -> None:
        self.services.theme = self.appearance.theme
        self.tick.wake()

    def _find_plugins(self) -> PluginSet:
        found = find_plugins(self.folders.plugins)
        for failure in found.failures:
            text = f"The plugin {failure.name} was left out: {failure.reason}"
            self.messages.put(Message(text, Level.WARNING, failure.details))
        return found

    def _plugin_contributions(self) -> PluginContributions:
        return PluginContributions(
            self.plugins, lambda text: self.messages.report(text, Level.WARNING)
        )

    def _make_connections(self) -> Connections:
        connect = make_connect(
            self.catalogue,
            lambda: self.preferences.current,
            self.folders.recordings,
            BoardFolders(self.folders.original_metadata, self.folders.last_settings),
            self.folders.temporary_settings,
            self._draft_store,
        )
        return Connections(
            self.fleet,
            self.plugins.links,
            self.ahead.used_by(connect),
            self.jobs,
            self.messages,
            self.preferences,
        )

    def _begin_warnings(self) -> WarningCentre:
        book = RuleBook(self.folders.config / RULES_FILE)
        self.messages.report(book.problem, Level.WARNING)
        return begin_warnings(self.fleet, book, make_speaker())

    def _make_services(self) -> PanelServices:
        return PanelServices(
            fleet=self.fleet,
            theme=self.appearance.theme,
            jobs=self.jobs,
            messages=self.messages,
            tick=self.tick,
            panels=self.plugins.panels,
            pages=self.plugins.pages,
            place_offers=self.plugins.place_offers,
            open_log=self.open_log,
            connect=self.connections.open,
            follow=self.work.follow,
        )

    def _make_window(self) -> MainWindow:
        store = WorkspaceStore(self.folders.workspaces)
        stack = WorkspaceStack(store, self.services, self.messages)
        window = MainWindow(self.appearance.theme, stack, self.tick.wake)
        window.progress = lambda: self.work.progress
        window.elsewhere = lambda: self.work.elsewhere
        window.can_cancel = lambda: self.work.can_cancel
        window.message_place.on_cancel = self.work.cancel
        DropFilter(window, dropped_files, self.flights.open)
        window.objection = self._objection
        window.others = self._others
        window.load = lambda: self.tick.load
        window.on_close = self._end
        window.desktop_changed.connect(self.appearance.follow_desktop)
        if self.options.size is not None:
            window.setMinimumSize(0, 0)
            window.resize(*self.options.size)
        else:
            window.take_place(self.preferences.current.window)
        self.appearance.follow_window(window)
        return window

    def _join_flights(self) -> None:
        """Have flights opened and saved show themselves, and ask where they must."""
        self.flights.on_open = self._show_flight
        self.flights.on_read = self._begin_review
        self.flights.on_videos = self._show_videos
        self.flights.other_logs.when_shown = self.tick.when_shown
        self.flights.ask_for_file = partial(ask_for_file, self.window)
        self.flights.ask_for_definitions = partial(ask_for_definitions, self.window)
        self.flights.offer_joining = partial(offer_joining, self.window, self.fleet, self.flights)
        self.flights.comparison.show_plots = partial(show_plots, self.window.stack)
        self.flights.open_mission = self.missions.open
        self.missions.on_open = partial(self.window.stack.show_workspace, "plan")
        sorting = FolderSorting(self.window, self.flights, self.logs, self.work, self.messages)
        self.flights.open_folder = sorting.open
        self.keeping.layout = partial(layout_of, self.window.stack)
        self.keeping.ask_where = partial(ask_where, self.window, self.keeping)
        self.keeping.on_saved = self._remember
        self.packing.ask_videos = partial(ask_videos, self.window)
        self.packing.ask_where = partial(ask_where_to_pack, self.window)
        packages = PackageOpening(
            lambda flight: self.flights.open([flight]),
            lambda: self.folders.recordings,
            self.work,
            self.messages,
        )
        self.flights.open_package = packages.open

    def _menu_parts(self) -> MenuParts:
        return MenuParts(
            window=self.window,
            services=self.services,
            appearance=self.appearance,
            connections=self.connections,
            logs=self.logs,
            flights=self.flights,
            keeping=self.keeping,
            packing=self.packing,
            exports=Exports(self.work, self.messages),
            preferences=self.preferences,
            actions=self.plugins.actions,
            folders=self.folders,
        )

    def _subscribe(self) -> None:
        window = self.window

        def is_up() -> bool:
            return window.isVisible() and not window.isMinimized()

        parts: list[tuple[Callable[[Vehicle | None], None], int, int]] = [
            (window.show_status, _STATUS_HZ, _STATUS_HZ),
            (window.show_alarms, _ALARM_HZ, _ALARM_HZ),
            (window.show_timeline, _TIMELINE_HZ, _STATUS_HZ),
            (self.review.look_through, _STATUS_HZ, _KEEPING_HZ),
        ]
        fences = FenceMonitor(self.fleet, self.messages.tell)
        self._teardown.callback(fences.close)
        self._teardown.callback(self.tick.add(fences.poll, fence_monitor.RATE_HZ, lambda: True))
        boards = BootloaderMonitor(self.firmware, self.messages, self.show_firmware)
        self._teardown.callback(self.tick.add(boards.poll, bootloaders.RATE_HZ, lambda: True))
        unknown = UnknownObjectMonitor(self.fleet, self.messages, self.flights.find_definitions)
        self._teardown.callback(self.tick.add(unknown.poll, unknown_objects.RATE_HZ, lambda: True))
        for poll in (self.drafts.poll, self.keeping.poll, self.missions.poll):
            self._teardown.callback(self.tick.add(poll, _KEEPING_HZ, lambda: True))
        for show, rate_hz, least_hz in parts:
            self._teardown.callback(self.tick.add(self._shower(show), rate_hz, is_up, least_hz))

    def _shower(self, show: Callable[[Vehicle | None], None]) -> Callable[[], None]:
        return lambda: show(self.fleet.active)

    def _begin_tick(self, now: float) -> StationActivity:
        """Move the cursors and take over what other threads have left."""
        is_live = any(vehicle.is_live for vehicle in self.fleet.vehicles)
        if is_live:
            self.hang_watch.beat(self.tick.interval_ms / 1000.0)
        else:
            self.hang_watch.rest()
        self.connections.poll()
        self.work.poll()
        self.incidents.poll()
        self.telling.poll()
        self.window.take_messages(self.messages.take())
        version = self.fleet.version
        is_playing = False
        for vehicle in self.fleet.vehicles:
            recording, settings = vehicle.recording, configuration_of(vehicle)
            settings.poll()
            self.messages.report(temporary_settings_of(vehicle).poll(), Level.WARNING)
            version += recording.version + sum(settings.version)
            vehicle.timeline.advance(now, recording.first_s, vehicle.end_s)
            is_playing = is_playing or vehicle.timeline.mode == "playing"
        moved = version != self._seen_version
        self._seen_version = version
        if self.fleet.version != self._fleet_version:
            self._fleet_version = self.fleet.version
            self.tick.wake()
        if moved or is_playing or self.work.is_busy or self.firmware.is_busy:
            return StationActivity.MOVING
        is_still = is_live or bool(self.work.elsewhere) or self.firmware.is_watchful
        return StationActivity.STILL if is_still else StationActivity.NONE

    def _objection(self) -> str:
        """Why closing the window would hurt now."""
        return self.firmware.objection or objection_to_leaving(self.fleet.vehicles, "Closing")

    def show_firmware(self) -> None:
        """Go to the page *Firmware*, whatever shows."""
        asked_page_of(self.fleet).page_id = _FIRMWARE_PAGE
        self.window.stack.show_workspace("configure")
        self.tick.wake()

    def _others(self) -> str:
        """What may not be forgotten about the aircraft that the panels do not show."""
        others = [vehicle for vehicle in self.fleet.vehicles if vehicle is not self.fleet.active]
        armed = [vehicle.name for vehicle in others if is_armed(vehicle)]
        return f"Also armed: {', '.join(armed)} (Ctrl+Tab)" if armed else ""

    def _end(self) -> None:
        """The window is closing: keep how it stood."""
        self.window.stack.keep()
        self.preferences.change(
            window=self.window.geometry_text(), workspace=self.window.stack.current_id
        )
        self.on_end()

    def _close_window(self) -> None:
        self.window.stack.dispose()
        self.window.hide()
        self.window.deleteLater()


def first_look(vehicle: Vehicle, at_s: float | None) -> None:
    """Put the cursor of a flight from a file to `at_s`, else to the first arming, and have views
    show the time from there to the last disarming.
    """
    recording, timeline = vehicle.recording, vehicle.timeline
    armed = armed_spans(recording, recording.last_s)
    start_s = recording.first_s
    if armed:
        timeline.focus = start_s, _ = (armed[0][0], max(armed[-1][1], armed[0][0] + 1.0))
    timeline.seek(start_s if at_s is None else at_s)


def user_folders() -> Folders:
    """The folders of the present user."""
    return Folders.of_user(os.environ)
