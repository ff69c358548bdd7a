"""What every panel of every plugin must do: open, show a flight live and in replay, keep its
state, and leave nothing behind.
"""

import gc
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QTimer
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from app.messages import Messages
from app.panel_dock import PanelDock, PanelServices
from app.plugin_loader import find_plugins
from app.tick import Tick
from app.workspaces import PanelPlace
from plugins.api import Panel
from telemetry.vehicle.vehicle import Fleet, Vehicle
from tests.flights import LENGTH_S, live_vehicle, replayed_vehicle
from widgets.theme import apply_theme, hand_theme, load_theme

PLUGINS = find_plugins()
PANELS = PLUGINS.panels
TIMES_S = (0.0, LENGTH_S, 7.5)


class Leaky(QWidget):
    """A panel that breaks the contract, to prove that the suite notices."""

    kept: list[Any] = []  # noqa: RUF012

    def __init__(self, _context: object) -> None:
        super().__init__()
        timer = QTimer()
        timer.start(1000)
        self.kept.append(timer)

    def refresh(self, t: float) -> None:
        pass


@pytest.fixture
def services(qapp: QApplication) -> Iterator[PanelServices]:
    theme = load_theme("light")
    apply_theme(qapp, theme)
    jobs = ThreadPoolExecutor(1, thread_name_prefix="job")
    tick = Tick(lambda: 0.0, lambda _now: False)
    yield PanelServices(
        fleet=Fleet(),
        theme=theme,
        jobs=jobs,
        messages=Messages(),
        tick=tick,
        panels=PANELS,
        pages=PLUGINS.pages,
        hints_done=set(PANELS),
    )
    jobs.shutdown()


def open_panel(services: PanelServices, panel_id: str, settings: dict[str, Any]) -> PanelDock:
    dock = PanelDock(PanelPlace("one", panel_id, "", settings), services, lambda _command: None)
    dock.resize(480, 360)
    dock.show()
    dock.open()
    assert dock.view is not None, error_of(dock)
    return dock


def show_flight(dock: PanelDock, vehicle: Vehicle) -> None:
    recording = vehicle.recording
    vehicle.timeline.advance(0.0, recording.first_s, recording.last_s)
    dock.refresh()
    QCoreApplication.processEvents()
    for t in TIMES_S:
        vehicle.timeline.seek(t)
        dock.refresh()
        dock.grab()
        assert dock.view is not None, error_of(dock)


def error_of(dock: PanelDock) -> str:
    from PySide6.QtWidgets import QPlainTextEdit

    return "\n".join(edit.toPlainText() for edit in dock.findChildren(QPlainTextEdit))


def close(dock: PanelDock) -> None:
    dock.dispose()
    del dock
    settle()


def settle() -> None:
    for _ in range(2):
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        QCoreApplication.processEvents()


def left_over() -> dict[str, int]:
    """How many widgets, running timers and threads there are."""
    gc.collect()
    settle()
    objects = gc.get_objects()  # type(o), because asking a dead weak proxy for its class raises
    timers = [o for o in objects if issubclass(type(o), QTimer) and isValid(o) and o.isActive()]
    threads = [t for t in threading.enumerate() if not t.name.startswith("job")]
    return {
        "widgets": len(QApplication.allWidgets()),
        "timers": len(timers),
        "threads": len(threads),
    }


@pytest.mark.slow
@pytest.mark.parametrize("panel_id", sorted(PANELS))
@pytest.mark.parametrize("make_vehicle", [live_vehicle, replayed_vehicle])
def test_a_panel_shows_a_flight(
    services: PanelServices, panel_id: str, make_vehicle: Callable[[], Vehicle]
) -> None:
    services.fleet.add(make_vehicle())
    dock = open_panel(services, panel_id, {})
    assert services.fleet.active is not None
    show_flight(dock, services.fleet.active)
    hand_theme(dock, load_theme("dark", 1.5))
    dock.refresh()
    dock.grab()
    assert dock.view is not None, error_of(dock)
    close(dock)


@pytest.mark.parametrize("panel_id", sorted(PANELS))
def test_a_panel_needs_no_aircraft(services: PanelServices, panel_id: str) -> None:
    dock = open_panel(services, panel_id, {})
    dock.refresh()
    dock.grab()
    assert dock.view is not None, error_of(dock)
    close(dock)


@pytest.mark.slow
@pytest.mark.parametrize("panel_id", sorted(PANELS))
def test_a_panel_restores_its_state(services: PanelServices, panel_id: str) -> None:
    services.fleet.add(replayed_vehicle())
    first = open_panel(services, panel_id, {})
    first.refresh()
    kept = first.place().settings
    close(first)
    second = open_panel(services, panel_id, kept)
    second.refresh()
    assert second.place().settings == kept
    close(second)


@pytest.mark.parametrize("panel_id", sorted(PANELS))
def test_a_panel_survives_settings_that_make_no_sense(
    services: PanelServices, panel_id: str
) -> None:
    dock = open_panel(services, panel_id, {"unheard-of": [1, {"x": None}], "vehicle": "gone"})
    dock.refresh()
    assert dock.view is not None, error_of(dock)
    close(dock)


@pytest.mark.slow
@pytest.mark.parametrize("panel_id", sorted(PANELS))
def test_a_closed_panel_leaves_nothing(services: PanelServices, panel_id: str) -> None:
    services.fleet.add(replayed_vehicle())
    close(open_panel(services, panel_id, {}))  # imports and caches are made once
    before = left_over()
    dock = open_panel(services, panel_id, {})
    show_flight(dock, services.fleet.vehicles[0])
    close(dock)
    del dock
    assert left_over() == before


@pytest.mark.slow
def test_the_suite_notices_a_leak(services: PanelServices, qtbot: QtBot) -> None:
    services.panels = {"leaky": Panel("leaky", "Leaky", "tests.contracts.test_panels:Leaky")}
    before = left_over()
    close(open_panel(services, "leaky", {}))
    assert left_over() != before
    Leaky.kept.clear()
