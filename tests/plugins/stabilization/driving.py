"""The Stabilization page beside a bench, refreshed as the station's tick would."""

from concurrent.futures import Executor

from PySide6.QtCore import QCoreApplication
from pytestqt.qtbot import QtBot

from plugins.api import PageContext
from plugins.stabilization.page import StabilizationPage
from telemetry.vehicle.vehicle import Fleet, Vehicle
from widgets.settings.editor import SettingEditor
from widgets.theme import hand_theme, load_theme


class Driven:
    """`page` shows `vehicle`; what it says is in `messages`."""

    def __init__(self, qtbot: QtBot, vehicle: Vehicle, jobs: Executor) -> None:
        self.messages: list[str] = []
        fleet = Fleet()
        fleet.add(vehicle)
        self.context = PageContext(
            fleet, load_theme("light"), jobs, show_message=self.messages.append
        )
        self.page = StabilizationPage(self.context)
        qtbot.addWidget(self.page)
        hand_theme(self.page, self.context.theme)
        self.page.resize(900, 700)
        self.page.show()
        self.refresh()

    def refresh(self) -> None:
        """A tick, and what Qt makes of it."""
        self.page.refresh(0.0)
        QCoreApplication.processEvents()

    def editor(self, path: str) -> SettingEditor:
        """The editor that shows for a path."""
        found = [e for e in self.page.findChildren(SettingEditor) if e.path == path]
        return next(e for e in found if e.isVisible())

    def press(self, text: str) -> None:
        """Choose an entry of the menu for the whole bank."""
        bar = self.page.bar
        bar.fill_menu()
        next(action for action in bar.menu.actions() if action.text() == text).trigger()
        self.refresh()
