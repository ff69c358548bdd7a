"""Panel contract as tests, for every plugin wherever it lives; needs Qt and nothing else.

    from plugins.testing import check_panel

    def test_the_panel_keeps_the_contract() -> None:
        check_panel(PLUGIN.panels[0])

It opens the panel on a made-up flight, live and in replay, and without an aircraft if it needs
none, changes the theme, saves and restores its state, and looks for what a closed panel leaves
behind. What breaks the contract is an AssertionError, or whatever the panel raises.
"""

import gc
import math
import os
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from typing import Any, Protocol

from PySide6.QtCore import QCoreApplication, QEvent, QTimer
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from plugins.api import Json, Panel, resolve
from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue
from telemetry.protocol.objects.values import pack_values
from telemetry.recording.recording import RecordedColumns, Recording
from telemetry.vehicle.commands import (
    ChangeMetadata,
    Command,
    Commands,
    RestoreMetadata,
    Ticket,
    Write,
)
from telemetry.vehicle.vehicle import Fleet, LinkState, LinkStatus, Vehicle
from widgets.theme import Theme, apply_theme, hand_theme, load_theme

_ODD_SETTINGS = {"unheard-of": [1, {"x": None}], "vehicle": "gone"}
_ENDING_S = 2.0
"""So long a thread may take to end after its panel was closed."""


class OpenedPanel(Protocol):
    """A panel that shows. `close` frees it."""

    def show(self, t: float) -> None:
        """Have it show the recording as it was at `t` seconds, and paint."""

    def apply_theme(self, theme: Theme) -> None:
        """Hand it other colours."""

    def state(self) -> Json:
        """Its settings as the workspace keeps them."""

    def close(self) -> None:
        """Close it and free its widget."""


Opener = Callable[[Fleet, Json], OpenedPanel]
"""Opens a panel on these vehicles with these settings."""


def check_panel(panel: Panel) -> None:
    """Check all of the contract. The QApplication is made if there is none."""
    if QApplication.instance() is None:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    app = QApplication.instance() or QApplication([])
    if isinstance(app, QApplication):
        apply_theme(app, load_theme("light"))
    with ThreadPoolExecutor(1, thread_name_prefix="job") as jobs:
        opener = partial(_StandalonePanel, panel, jobs)
        check_shows_a_flight(opener, live_vehicle())
        check_shows_a_flight(opener, replayed_vehicle())
        if not panel.needs_vehicle:
            check_needs_no_aircraft(opener)
        check_restores_its_state(opener)
        check_survives_odd_settings(opener)
        check_leaves_nothing(opener)


def check_shows_a_flight(opener: Opener, vehicle: Vehicle) -> None:
    """It shows a flight at any time of it, in any order, and in other colours."""
    opened = opener(_fleet(vehicle), {})
    _show_flight(opened, vehicle)
    opened.apply_theme(load_theme("dark", 1.5))
    opened.show(vehicle.timeline.t)
    _close(opened)


def check_needs_no_aircraft(opener: Opener) -> None:
    """It opens before anything is connected. For a panel that says `needs_vehicle=False`."""
    opened = opener(_fleet(), {})
    opened.show(0.0)
    _close(opened)


def check_restores_its_state(opener: Opener) -> None:
    """What it saves, another one of its kind restores and saves again."""
    fleet = _fleet(replayed_vehicle())
    first = opener(fleet, {})
    first.show(0.0)
    kept = first.state()
    _close(first)
    second = opener(fleet, kept)
    second.show(0.0)
    assert second.state() == kept, f"restored {second.state()} from {kept}"
    _close(second)


def check_survives_odd_settings(opener: Opener) -> None:
    """Settings of another version, or edited by hand, do not keep it from opening."""
    opened = opener(_fleet(replayed_vehicle()), dict(_ODD_SETTINGS))
    opened.show(0.0)
    _close(opened)


def check_leaves_nothing(opener: Opener) -> None:
    """Closed, it leaves no widget, running timer or thread."""
    vehicle = replayed_vehicle()
    fleet = _fleet(vehicle)
    older = set(threading.enumerate())
    _close(opener(fleet, {}))  # imports and caches are made once
    _let_end(set(threading.enumerate()) - older)
    before = _left_over()
    opened = opener(fleet, {})
    _show_flight(opened, vehicle)
    newer = set(threading.enumerate()) - older
    _close(opened)
    del opened
    _let_end(newer)
    left = _left_over()
    assert left == before, f"{left} after closing, {before} before"


class _StandalonePanel:
    """A panel without a station around it."""

    def __init__(
        self, panel: Panel, jobs: ThreadPoolExecutor, fleet: Fleet, settings: Json
    ) -> None:
        self._context = panel.context(fleet, load_theme("light"), jobs, dict(settings))
        self._view: QWidget = resolve(panel.widget)(self._context)
        hand_theme(self._view, self._context.theme)
        if settings:
            self._call("restore_state", dict(settings))
        self._view.resize(480, 360)
        self._view.show()

    def show(self, t: float) -> None:
        """See `OpenedPanel.show`."""
        self._call("refresh", t)
        self._view.grab()

    def apply_theme(self, theme: Theme) -> None:
        """See `OpenedPanel.apply_theme`."""
        self._context.theme = theme
        hand_theme(self._view, theme)

    def state(self) -> Json:
        """See `OpenedPanel.state`."""
        return {**self._context.settings, **(self._call("save_state") or {})}

    def close(self) -> None:
        """See `OpenedPanel.close`."""
        self._context.close()
        self._view.hide()
        self._view.deleteLater()

    def _call(self, name: str, *arguments: object) -> Any:
        """All functions of a panel but `refresh` may be left out."""
        function = getattr(self._view, name, None)
        assert function is not None or name != "refresh", "a panel needs refresh(t)"
        return function(*arguments) if function is not None else None


def _fleet(*vehicles: Vehicle) -> Fleet:
    fleet = Fleet()
    for vehicle in vehicles:
        fleet.add(vehicle)
    return fleet


def _show_flight(opened: OpenedPanel, vehicle: Vehicle) -> None:
    recording = vehicle.recording
    vehicle.timeline.advance(0.0, recording.first_s, recording.last_s)
    opened.show(vehicle.timeline.t)
    QCoreApplication.processEvents()
    for t in (0.0, LENGTH_S, 7.5):
        vehicle.timeline.seek(t)
        opened.show(t)


def _close(opened: OpenedPanel) -> None:
    opened.close()
    del opened
    _settle()


def _settle() -> None:
    for _ in range(2):
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        QCoreApplication.processEvents()


def _let_end(threads: set[threading.Thread]) -> None:
    """Give threads that were told to end the moment that it takes them."""
    for thread in threads:
        if not thread.name.startswith("job"):
            thread.join(_ENDING_S)


def _left_over() -> dict[str, int]:
    """How many widgets, running timers and threads there are."""
    gc.collect()
    _settle()
    objects = gc.get_objects()  # type(o), because asking a dead weak proxy for its class raises
    kinds = {kind for kind in set(map(type, objects)) if issubclass(kind, QTimer)}
    timers = [o for o in objects if type(o) in kinds and isValid(o) and o.isActive()]
    threads = [t for t in threading.enumerate() if not t.name.startswith("job")]
    return {
        "widgets": len(QApplication.allWidgets()),
        "timers": len(timers),
        "threads": len(threads),
    }


# The made-up flight ---------------------------------------------------------------------

LENGTH_S = 20.0
_HOME = {"Latitude": 489_466_000, "Longitude": 94_300_000, "Altitude": 270.0, "Set": "True"}


@cache
def catalogue() -> Catalogue:
    """The catalogue of all releases, loaded once."""
    return load_catalogue()


class QuietCommands(Commands):
    """Takes every command and does nothing; `sent` remembers the objects written, `changed` those
    whose metadata were changed."""

    def __init__(self, refusal: str | None = None) -> None:
        self._refusal = refusal
        self.sent: list[tuple[str, Mapping[str, Any]]] = []
        self.changed: list[str] = []

    def refusal(self) -> str | None:
        """See `Commands.refusal`."""
        return self._refusal

    def post(self, command: Command) -> Ticket:
        """See `Commands.post`."""
        match command:
            case Write(name, values):
                self.sent.append((name, values))
            case ChangeMetadata(change):
                self.changed.append(change.name)
            case RestoreMetadata(change):
                change.end("Restored.")
        return Ticket()


def add(recording: Recording, t: float, name: str, **values: Any) -> None:
    """Append one sample of an object of the default release."""
    definition = catalogue().find(name)
    recording.append(t, definition, 0, pack_values(definition, values))


def short_flight() -> Recording:
    """Twenty seconds: armed at 5 s, a warning at 8 s, disarmed at 18 s."""
    recording = Recording(source="made up")
    recording.extend_all(
        RecordedColumns(made.definition, made.instance, made.times.copy(), made.rows.copy())
        for made in _short_columns()
    )
    return recording


@cache
def _short_columns() -> tuple[RecordedColumns, ...]:
    """What the short flight is made of, worked out once."""
    recording = Recording()
    at = partial(add, recording)
    at(0.0, "HomeLocation", **_HOME)
    at(0.0, "FlightStatus", Armed="Disarmed", FlightMode="Stabilized1")
    at(0.0, "SystemAlarms")
    for step in range(int(LENGTH_S * 10) + 1):
        t = step / 10
        if t == 5.0:
            at(t, "FlightStatus", Armed="Armed", FlightMode="Stabilized1")
        if t == 8.0:
            at(t, "SystemAlarms", **{"Alarm.Battery": "Warning"})
        if t == 18.0:
            at(t, "FlightStatus", Armed="Disarmed", FlightMode="Stabilized1")
        at(t, "AttitudeState", Roll=10 * math.sin(t), Pitch=5 * math.cos(t), Yaw=t * 9)
        at(t, "PositionState", North=t, East=-t, Down=-t)
        if step % 10 == 0:
            at(t, "BaroSensor", Altitude=270.0 + t)
            at(t, "SystemStats", FlightTime=1000 * int(t))
    return tuple(
        RecordedColumns(track.definition, track.instance, track.times, track.rows)
        for track in recording.tracks()
    )


def live_vehicle(
    name: str = "sim:test",
    recording: Recording | None = None,
    on_close: Callable[[], None] = lambda: None,
) -> Vehicle:
    """A connected vehicle that shows the short flight and takes commands without effect."""
    vehicle = Vehicle(
        name, recording or short_flight(), catalogue(), QuietCommands(), on_close=on_close
    )
    vehicle.status = LinkStatus(state=LinkState.CONNECTED, objects_per_s=43.0, quality_percent=98)
    return vehicle


def replayed_vehicle(name: str = "flight.opl") -> Vehicle:
    """The short flight as if from a file; every command is refused."""
    commands = QuietCommands("Replaying a log: nothing is sent.")
    vehicle = Vehicle(name, short_flight(), catalogue(), commands)
    vehicle.timeline.end_live()
    vehicle.status = LinkStatus(state=LinkState.REPLAY)
    return vehicle
