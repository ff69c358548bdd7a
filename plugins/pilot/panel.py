"""Controls panel: buttons, sticks and input for the vehicle shown, in one."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QWidget

from plugins.api import Json, PanelContext
from plugins.pilot.flight_words import NO_AIRCRAFT, flight_statement, said_with_keys
from plugins.pilot.hand_input import hand_input_of
from plugins.pilot.panel_flight import PanelFlight
from plugins.pilot.station_offer import StationOffer
from plugins.pilot.view import ControlsView
from telemetry.base.statement import Statement
from widgets.parts import make_column


class ControlsPanel(QWidget):
    """Arms and flies the vehicle shown. It sends nothing before the pilot presses something."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self._context = context
        self._keys_too: Statement | None = None
        """What the keys do where sticks are flown by as well."""
        self._station = StationOffer(context.show_message, self)
        self._view = ControlsView(self._station)
        self._flight = PanelFlight(context, self, lambda: self._view.input.source)
        self.setLayout(make_column(self._view))
        self._connect_view()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def refresh(self, t: float) -> None:
        """Follow the vehicle: buttons, sticks and the sentence that says what is going on."""
        if self.window().isMinimized():
            return  # as behind another tab: nobody looks
        vehicle = self._context.vehicle
        self._station.show_vehicle(vehicle)
        seen, controls = self._flight.refresh(t), self._flight.controls
        if seen is None or controls is None or vehicle is None:
            self._view.show_unavailable()
            self._view.say(Statement(NO_AIRCRAFT))
            return
        flight, situation = seen
        hand_input_of(vehicle).stick_views.add(self._view.right)
        self._view.input.choose(controls.source)
        self._view.show_situation(situation, self._flight.set_up_help(situation))
        self._view.show_sticks(controls.state.sticks, controls.request.throttle == "spring")
        said = flight_statement(vehicle, controls, flight, situation)
        self._view.say(said_with_keys(said, self._keys_too))
        self._view.show_let_go(is_offered=self._flight.can_let_go(flight))

    def save_state(self) -> Json:
        """The chosen input."""
        return self._view.input.state()

    def restore_state(self, state: Json) -> None:
        """Take over what `save_state` returned."""
        self._view.input.restore(state)

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody sees any more that the keyboard flies."""
        super().hideEvent(event)
        self._flight.leave_sight(with_sticks=True)

    def _connect_view(self) -> None:
        view, flight = self._view, self._flight
        flight.connect_buttons(view.buttons)
        flight.on_keys = self._take_keys
        flight.connect_input(view.input, view.thumbs)
        view.let_go.clicked.connect(flight.release_shown)

    def _take_keys(self, statement: Statement | None) -> None:
        """A keyboard alone has a line of its own."""
        is_alone = self._view.input.source == "keyboard"
        self._view.show_keyboard(statement if is_alone else None)
        self._keys_too = None if is_alone else statement
