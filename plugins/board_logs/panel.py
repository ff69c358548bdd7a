"""On-board logs panel: the flights in a board's flash, and what is logged. A page of the Configure
view, too."""

from PySide6.QtWidgets import QTabWidget, QWidget

from plugins.api import Json, VehicleContext
from plugins.board_logs.flights_view import FlightsView
from plugins.board_logs.logged_view import LoggedView
from widgets.parts import make_column


class BoardLogsPanel(QWidget):
    """The panel "board_logs.flights" and the page of that name."""

    def __init__(self, context: VehicleContext) -> None:
        super().__init__()
        self.flights = FlightsView(context)
        self.logged = LoggedView(context)
        self.tabs = QTabWidget()
        self.tabs.addTab(self.flights, "Flights on board")
        self.tabs.addTab(self.logged, "What is logged")
        self.setLayout(make_column(self.tabs, margins=8))

    def refresh(self, t: float) -> None:
        """Follow the aircraft."""
        self.flights.refresh()
        self.logged.refresh()

    def show_setting(self, _name: str, _path: str) -> None:
        """Somebody searched for a setting of the log."""
        self.tabs.setCurrentWidget(self.logged)

    def save_state(self) -> Json:
        """Which part shows."""
        return {"part": self.tabs.currentIndex()}

    def restore_state(self, state: Json) -> None:
        """Take over what `save_state` returned."""
        part = state.get("part")
        if isinstance(part, int):
            self.tabs.setCurrentIndex(part)
