"""Changing the theme and the text size with every workspace and Configure page visited."""

import os
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from benchmarks.bench_configure import large_vehicle
from benchmarks.gui_probe import _station, _wait
from benchmarks.result import BenchmarkResult, at_most

if TYPE_CHECKING:
    from app.station import Station

_SETTLE_S = 0.3
_CHANGES: dict[str, "Callable[[Station], None]"] = {
    "dark": lambda station: station.appearance.choose("dark"),
    "text 1.5": lambda station: station.appearance.set_scale(1.5),
    "text 1.0": lambda station: station.appearance.set_scale(1.0),
    "light": lambda station: station.appearance.choose("light"),
}


def run() -> Iterator[BenchmarkResult]:
    """With each workspace in front: another theme, a larger text, and back.

    Times are the GUI thread's processor time. A step is one pass of the event loop.
    """
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    measured: dict[str, list[float]] = {}
    with _station() as station:
        station.start()
        station.fleet.add(large_vehicle())
        for workspace in station.window.stack.ids:
            _visit(station, workspace)
        for workspace in station.window.stack.ids:
            _visit(station, workspace)
            for name, change in _CHANGES.items():
                measured[f"{workspace}, {name}"] = _steps_ms(station, change)
                _wait(_SETTLE_S)
    slowest = max(measured, key=lambda name: sum(measured[name]))
    roughest = max(measured, key=lambda name: max(measured[name]))
    yield at_most(f"new look: repainted ({slowest})", sum(measured[slowest]), "ms", 120)
    yield at_most(f"new look: longest step ({roughest})", max(measured[roughest]), "ms", 25)


def _visit(station: "Station", workspace: str) -> None:
    """Show a workspace and, if it is that one, each page of Configure; the last one stays."""
    from plugins.configure.panel import ConfigurePanel

    station.window.stack.show_workspace(workspace)
    _wait(_SETTLE_S)
    page = station.window.stack.current_page
    assert page is not None
    for panel in page.findChildren(ConfigurePanel):
        for page_id in station.plugins.pages:
            panel.show_page(page_id)
            _wait(_SETTLE_S)
        panel.show_page("stabilization.stabilization")
    _wait(_SETTLE_S)


def _steps_ms(station: "Station", change: "Callable[[Station], None]") -> list[float]:
    """What each step takes until all that shows has been painted in the new look."""
    from widgets.visible_first import VisibleFirst

    steps_ms: list[float] = []

    def timed(run: Callable[[], object]) -> None:
        began_ns = time.thread_time_ns()
        run()
        steps_ms.append((time.thread_time_ns() - began_ns) / 1e6)

    timed(lambda: change(station))
    walk = station.app.findChild(VisibleFirst)
    assert walk is not None
    while walk.is_busy:
        timed(station.app.processEvents)
    for _ in range(2):  # the last layouts, then their painting
        timed(station.app.processEvents)
    return steps_ms
