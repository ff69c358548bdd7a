"""Configure view: the time until another page shows, the first time and afterwards."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import permutations
from statistics import median
from typing import TYPE_CHECKING

from benchmarks.result import BenchmarkResult, at_most
from telemetry.base.clock import monotonic_s
from telemetry.protocol.objects.catalogue import load_catalogue
from telemetry.protocol.objects.values import pack_values
from telemetry.vehicle.vehicle import Fleet, Vehicle
from tests.telemetry.configuration.settings.bench import Bench, large_board

if TYPE_CHECKING:
    from plugins.configure.panel import ConfigurePanel

_SIZE = 1366, 640


def run() -> Iterator[BenchmarkResult]:
    """Go from every page to every other one, as the station's tick shows them, offscreen."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication

    from app.plugin_loading.loader import find_plugins
    from plugins.api import VehicleContext
    from plugins.configure.panel import ConfigurePanel
    from widgets.theme import apply_theme, load_theme

    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    theme = load_theme("light")
    apply_theme(app, theme)
    fleet = Fleet()
    fleet.add(large_vehicle())
    with ThreadPoolExecutor(1) as jobs:
        context = VehicleContext(fleet, theme, jobs, pages=find_plugins().pages)
        panel = ConfigurePanel(context)
        panel.resize(*_SIZE)
        panel.show()
        panel.refresh(0.0)
        first = {page_id: _longest_step_ms(panel, page_id) for page_id in context.pages}
        again = [_switch_ms(panel, there) for _, there in permutations(context.pages, 2)]
        context.close()
    slowest = max(first, key=lambda page_id: first[page_id])
    yield at_most("configure: slowest switch to a page seen", max(again), "ms", 100.0)
    yield at_most("configure: usual switch to a page seen", median(again), "ms", 100.0)
    title = f"configure: longest step of a first opening ({slowest})"
    yield at_most(title, first[slowest], "ms", 60.0)


def _switch_ms(panel: "ConfigurePanel", page_id: str) -> float:
    """From the click to the painted page."""
    from PySide6.QtCore import QCoreApplication

    begin_s = monotonic_s()
    panel.show_page(page_id)
    panel.refresh(0.0)
    QCoreApplication.processEvents()
    return (monotonic_s() - begin_s) * 1000.0


def _longest_step_ms(panel: "ConfigurePanel", page_id: str) -> float:
    """How long the window does not answer while a page is built and painted."""
    from PySide6.QtCore import QCoreApplication

    steps_ms = []

    def step(run: Callable[[], None]) -> None:
        begin_s = monotonic_s()
        run()
        steps_ms.append((monotonic_s() - begin_s) * 1000.0)

    step(lambda: panel.show_page(page_id))
    while panel.stack is not None and panel.stack.is_building:
        step(QCoreApplication.sendPostedEvents)
        step(QCoreApplication.processEvents)
    step(lambda: panel.refresh(0.0))
    step(QCoreApplication.processEvents)
    return max(steps_ms)


def large_vehicle() -> Vehicle:
    """A board with every settings object."""
    catalogue = load_catalogue()
    board = large_board(catalogue, 200)
    who = board.named("FirmwareIAPObj")
    values = pack_values(who, {"BoardType": 9, "BoardRevision": 3})
    board.values[who.object_id, 0] = values
    return Bench(catalogue, board).vehicle
