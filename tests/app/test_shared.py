"""Panels of one workspace share a dictionary, those of two workspaces do not."""

from concurrent.futures import ThreadPoolExecutor

from pytestqt.qtbot import QtBot

from app.messages import Messages
from app.plugin_loading.loader import find_plugins
from app.refreshing.tick import Tick
from app.workspaces.panel_host import PanelServices
from app.workspaces.workspace import PanelPlace, Workspace
from app.workspaces.workspace_page import WorkspacePage
from plugins.plots.panel import PlotPanel
from plugins.testing import replayed_vehicle
from telemetry.vehicle.vehicle import Fleet
from widgets.plot.window import Span
from widgets.theme import load_theme


def plots_of(page: WorkspacePage) -> list[PlotPanel]:
    panels = []
    for dock in page.hosts:
        dock.open()
        assert isinstance(dock.view, PlotPanel)
        panels.append(dock.view)
    return panels


def test_zooming_one_plot_moves_the_others_of_its_workspace(qtbot: QtBot) -> None:
    plugins = find_plugins().panels
    with ThreadPoolExecutor(1) as jobs:
        tick = Tick(lambda: 0.0, lambda _now: False)
        services = PanelServices(Fleet(), load_theme("light"), jobs, Messages(), tick, plugins)
        services.fleet.add(replayed_vehicle())
        places = tuple(PanelPlace(key, "plots.plot", "", {}) for key in ("one", "two"))
        pages = [WorkspacePage(Workspace(name, name, places), services) for name in ("a", "b")]
        panels = [panel for page in pages for panel in plots_of(page)]
        for panel in panels:
            panel.refresh(10.0)
        panels[0].view.model.time.zoom(0.5, 10.0)
        for panel in panels:
            panel.refresh(10.0)
        spans = [panel.view.model.span for panel in panels]
        assert spans == [Span(5.0, 15.0)] * 2 + [Span(0.0, 20.0)] * 2
        for page in pages:
            for dock in page.hosts:
                dock.dispose()
            qtbot.addWidget(page)
