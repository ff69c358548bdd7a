"""Run the window, or render it without a display into a picture."""

import sys
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtWidgets import QApplication

from app.preferences import Preferences
from app.station import Station, Wishes, user_folders
from app.workspaces import WorkspaceStore
from telemetry.clock import monotonic_s
from telemetry.flight_state import read_flight_state
from telemetry.vehicle.vehicle import LinkState, Vehicle

_LOG_WAIT_S = 120.0
_LIVE_WAIT_S = 60.0
_LIVE_SETTLE_S = 4.0
_PAINT_WAIT_S = 1.0
_PICTURE_SIZE = (1366, 768)


class CannotShow(Exception):  # noqa: N818 - reads as what happened
    """What was asked for cannot be shown; the text is one sentence."""


def make_application() -> QApplication:
    """The one QApplication, named so that desktops know the window."""
    QApplication.setHighDpiScaleFactorRoundingPolicy(
        Qt.HighDpiScaleFactorRoundingPolicy.PassThrough
    )
    app = QApplication(sys.argv[:1])
    app.setApplicationName("lapwing")
    app.setApplicationDisplayName("Lapwing")
    app.setDesktopFileName("lapwing")
    app.setStyle("Fusion")
    return app


def run_window(wishes: Wishes) -> int:
    """Open the window and run until it is closed; return the exit code."""
    _check_workspace(wishes)
    app = make_application()
    station = Station(app, user_folders(), wishes)
    station.on_end = partial(app.exit, 0)
    try:
        station.start()
        return app.exec()
    finally:
        station.close()


def take_screenshot(wishes: Wishes, path: Path) -> int:
    """Render what a user would see into a PNG. Raises CannotShow."""
    _check_workspace(wishes)
    app = make_application()
    size = wishes.size or _PICTURE_SIZE
    station = Station(
        app, user_folders(), Wishes(wishes.target, wishes.workspace, wishes.at_s,
                                    wishes.theme or Preferences().theme, size)
    )  # fmt: skip
    try:
        station.start()
        _wait_for_flight(station, wishes)
        _process_events(_PAINT_WAIT_S)
        station.tick.refresh_all()
        _process_events(0.1)
        picture = station.window.grab()
    finally:
        station.close()
    if not picture.save(str(path)):
        raise CannotShow(f"{path} could not be written")
    return 0


def _check_workspace(wishes: Wishes) -> None:
    names = WorkspaceStore(user_folders().workspaces).ids()
    if wishes.workspace and wishes.workspace not in names:
        raise CannotShow(f"there is no workspace {wishes.workspace!r}; choose {', '.join(names)}")


def _wait_for_flight(station: Station, wishes: Wishes) -> None:
    """Wait until what was asked for has come in, for a bounded time."""
    is_file = bool(wishes.target) and Path(wishes.target).exists()
    started = monotonic_s()
    settled_s = 0.0
    while monotonic_s() - started < (_LOG_WAIT_S if is_file else _LIVE_WAIT_S):
        _process_events(0.05)
        vehicle = station.fleet.active
        if is_file and vehicle is not None:
            return
        if is_file and not station.logs.is_busy:
            _raise_first_message(station)
        if not is_file and vehicle is None and not station.connections.start_address():
            return
        if vehicle is not None and _has_flight(vehicle, wishes.at_s):
            settled_s = settled_s or monotonic_s()
            if monotonic_s() - settled_s >= _LIVE_SETTLE_S:
                return


def _has_flight(vehicle: Vehicle, at_s: float | None) -> bool:
    recording = vehicle.recording
    is_there = vehicle.status.state is LinkState.CONNECTED and recording.last_s >= (at_s or 0.0)
    return is_there and read_flight_state(recording, recording.last_s).roll_deg is not None


def _raise_first_message(station: Station) -> None:
    station.window.take_messages(station.messages.take())
    shown = station.window.message_bar.messages
    raise CannotShow(shown[-1].text.rstrip(".") if shown else "the file could not be opened")


def _process_events(seconds: float) -> None:
    loop = QEventLoop()
    QTimer.singleShot(round(seconds * 1000), loop.quit)
    loop.exec()
