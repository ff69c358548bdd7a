"""The Configure view in a window of its own, for tests of its pages."""

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.plugin_loading.loader import find_plugins
from plugins.api import Page, VehicleContext
from plugins.configure.panel import ConfigurePanel
from telemetry.vehicle.vehicle import Fleet, Vehicle
from widgets.settings.editor import SettingEditor
from widgets.theme import load_theme


class Driven:
    """A panel beside a bench, refreshed as the station's tick would."""

    def __init__(self, qtbot: QtBot, fleet: Fleet, jobs: ThreadPoolExecutor) -> None:
        self.messages: list[str] = []
        self.context = VehicleContext(
            fleet,
            load_theme("light"),
            jobs,
            pages=_pages(),
            show_message=self.messages.append,
        )
        self.panel = ConfigurePanel(self.context)
        qtbot.addWidget(self.panel)
        self.panel.resize(1100, 640)
        self.panel.show()
        self.panel.refresh(0.0)

    def editor(self, path: str) -> SettingEditor:
        found = [e for e in self.panel.findChildren(SettingEditor) if e.path == path]
        return next(e for e in found if e.isVisible())

    def page(self, page_id: str) -> QWidget:
        """Open a page and return its widget; fail if the page does."""
        self.panel.show_page(page_id)
        self.refresh()
        stack = self.panel.stack_of(page_id)
        assert stack is not None
        page = stack.page(page_id)
        assert page is not None, f"the page {page_id} has failed"
        return page

    def refresh(self) -> None:
        """One tick of the station; what is to be deleted later is, as in its event loop."""
        self.panel.refresh(0.0)
        QCoreApplication.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@cache
def _pages() -> Mapping[str, Page]:
    """Looking for plugins looks at every package that is installed."""
    return find_plugins().pages


@contextmanager
def driving(qtbot: QtBot, vehicle: Vehicle) -> Iterator[Driven]:
    """The view on one vehicle, closed at the end."""
    fleet = Fleet()
    fleet.add(vehicle)
    with ThreadPoolExecutor(1) as jobs:
        driven = Driven(qtbot, fleet, jobs)
        yield driven
        driven.context.close()
