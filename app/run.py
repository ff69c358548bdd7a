"""Run of the window, or of a window without a display that is rendered into a picture."""

import gc
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from app.connection.opened_ahead import OpenedAhead
from app.diagnostics.qt_messages import QtMessages
from app.preferences import Preferences
from app.station import StartOptions, Station, user_folders
from app.workspaces.workspace import WorkspaceStore
from telemetry.base.clock import monotonic_s
from telemetry.recording.flight_state import read_flight_state
from telemetry.vehicle.vehicle import LinkState, Vehicle
from widgets.icons import icon_pixmap
from widgets.long_press import LongPress

_LOG_WAIT_S = 120.0
_LIVE_WAIT_S = 60.0
_LIVE_SETTLE_S = 4.0
_PAINT_WAIT_S = 1.0
_PICTURE_SIZE = (1366, 768)
_ICON_SIDES_PX = (16, 32, 64, 128, 256)


class CannotShow(Exception):  # noqa: N818 - reads as what happened
    """What was asked for cannot be shown; the text is one sentence."""


def make_application() -> QApplication:
    """The one QApplication, named so that desktops know the window."""
    QApplication.setHighDpiScaleFactorRoundingPolicy(
        Qt.HighDpiScaleFactorRoundingPolicy.PassThrough
    )
    messages = QtMessages()
    messages.install()
    app = QApplication(sys.argv[:1])
    messages.release()
    app.setApplicationName("lapwing")
    app.setApplicationDisplayName("Lapwing")
    app.setDesktopFileName("lapwing")
    icon = QIcon()
    for side_px in _ICON_SIDES_PX:
        icon.addPixmap(icon_pixmap("lapwing", app.palette().windowText().color(), side_px))
    app.setWindowIcon(icon)
    app.setStyle("Fusion")
    LongPress(app)
    return app


def run_window(options: StartOptions, ahead: OpenedAhead | None = None) -> int:
    """Open the window and run until it is closed; return the exit code. `ahead` may have a link
    that the window begins with."""
    options = _with_known_workspace(options)
    app = make_application()
    station = Station(app, user_folders(), options, ahead)
    station.on_end = partial(app.exit, 0)
    try:
        station.start()
        station.tick.when_shown(keep_what_started)
        return app.exec()
    finally:
        station.close()


def keep_what_started() -> None:
    """Have Python collect garbage from now on, but never look for it in what the start has made:
    nearly all of that stays to the end.
    """
    gc.freeze()
    gc.enable()


def take_screenshot(options: StartOptions, path: Path, ahead: OpenedAhead | None = None) -> int:
    """Render what a user would see into a PNG. Raises CannotShow."""
    options = _with_known_workspace(options)
    options = replace(
        options, theme=options.theme or Preferences().theme, size=options.size or _PICTURE_SIZE
    )
    app = make_application()
    station = Station(app, user_folders(), options, ahead)
    try:
        station.start()
        _wait_for_flight(station, options)
        _process_events(_PAINT_WAIT_S)
        station.tick.refresh_all()
        _process_events(0.1)
        picture = station.window.grab()
    finally:
        station.close()
    if not picture.save(str(path)):
        raise CannotShow(f"{path} could not be written")
    return 0


def _with_known_workspace(options: StartOptions) -> StartOptions:
    """The options with the workspace's id, however it was spelt. Raises CannotShow."""
    ids = {name.casefold(): name for name in WorkspaceStore(user_folders().workspaces).ids()}
    wanted = options.workspace.casefold()
    if wanted and wanted not in ids:
        names = ", ".join(ids.values())
        raise CannotShow(f"there is no workspace {options.workspace!r}; choose {names}")
    return replace(options, workspace=ids.get(wanted, ""))


def _wait_for_flight(station: Station, options: StartOptions) -> None:
    """Wait until what was asked for has come in, for a bounded time. Raises CannotShow."""
    if not options.target and not station.connections.start_address():
        return
    is_file = bool(options.target) and Path(options.target).exists()
    end_s = monotonic_s() + (_LOG_WAIT_S if is_file else _LIVE_WAIT_S)
    while monotonic_s() < end_s:
        _process_events(0.05)
        vehicle = station.fleet.active
        if vehicle is None:
            if not station.work.is_busy:
                raise CannotShow(_last_message(station))
        elif is_file:
            _check_time(vehicle, options.at_s)
            return
        elif vehicle.status.state is LinkState.DISCONNECTED:
            raise CannotShow(vehicle.status.reason.rstrip(".") or "the connection has ended")
        elif _has_flight(vehicle, options.at_s):
            _process_events(_LIVE_SETTLE_S)
            return


def _has_flight(vehicle: Vehicle, at_s: float | None) -> bool:
    recording = vehicle.recording
    is_there = vehicle.status.state is LinkState.CONNECTED and recording.last_s >= (at_s or 0.0)
    return is_there and read_flight_state(recording, recording.last_s).roll_deg is not None


def _check_time(vehicle: Vehicle, at_s: float | None) -> None:
    last_s = vehicle.recording.last_s
    if at_s is not None and at_s > last_s:
        raise CannotShow(f"the flight ends at {last_s:.3f} s, before the {at_s:g} s asked for")


def _last_message(station: Station) -> str:
    station.window.take_messages(station.messages.take())
    told = [line.message for line in station.window.messages.lines()]
    texts = [message.text for message in told if not message.is_passing]
    return texts[-1].rstrip(".") if texts else "it could not be opened"


def _process_events(seconds: float) -> None:
    loop = QEventLoop()
    QTimer.singleShot(round(seconds * 1000), loop.quit)
    loop.exec()
