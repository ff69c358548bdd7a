"""On-board logs panel: the flights in a board's flash, and what is logged. A page of the Configure
view, too."""

from PySide6.QtWidgets import QStackedWidget, QTabWidget, QWidget

from plugins.api import Json, VehicleContext
from plugins.board_logs.flights_view import FlightsView
from plugins.board_logs.logged_view import LoggedView
from telemetry.configuration.board_logs.logged_objects import FILE_LOG_SETTINGS, has_file_log
from telemetry.configuration.settings.configuration import Configuration
from widgets.parts import STRETCH, make_column, make_scrolled
from widgets.settings.form import ObjectForm


class BoardLogsPanel(QWidget):
    """The panel "board_logs.flights" and the page of that name."""

    def __init__(self, context: VehicleContext) -> None:
        super().__init__()
        self._context = context
        self.flights = FlightsView(context)
        self.logged = LoggedView(context)
        self.profile: ObjectForm | None = None
        """What is logged by boards that say it by a profile."""
        self._profile_of: Configuration | None = None
        self._what = QStackedWidget()
        self._what.addWidget(self.logged)
        self.tabs = QTabWidget()
        self.tabs.addTab(self.flights, "Flights on board")
        self.tabs.addTab(self._what, "What is logged")
        self.setLayout(make_column(self.tabs, margins=8))

    def refresh(self, t: float) -> None:
        """Follow the aircraft."""
        self.flights.refresh()
        settings = self._context.configuration
        if has_file_log(settings):
            self._show_profile(settings)
        else:
            self._what.setCurrentWidget(self.logged)
            self.logged.refresh()

    def show_setting(self, _name: str, path: str) -> None:
        """Somebody searched for a setting of the log."""
        self.refresh(0.0)
        if path:
            self.tabs.setCurrentWidget(self._what)
        if self.profile is not None:
            self.profile.show_setting(path)

    def save_state(self) -> Json:
        """Which part shows."""
        return {"part": self.tabs.currentIndex()}

    def restore_state(self, state: Json) -> None:
        """Take over what `save_state` returned."""
        part = state.get("part")
        if isinstance(part, int):
            self.tabs.setCurrentIndex(part)

    def _show_profile(self, settings: Configuration) -> None:
        if self.profile is None or self._profile_of is not settings:
            self._profile_of, self.profile = settings, ObjectForm(settings, FILE_LOG_SETTINGS)
            if (before := self._what.widget(1)) is not None:
                self._what.removeWidget(before)
                before.deleteLater()
            column = make_column(self.profile, STRETCH, margins=(0, 8, 0, 0))
            self._what.addWidget(make_scrolled(column))
        self._what.setCurrentIndex(1)
        self.profile.refresh()
