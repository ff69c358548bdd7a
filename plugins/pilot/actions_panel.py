"""Actions panel: what the vehicle shown is asked for, in one row that stays as it is."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QWidget

from plugins.api import Json, PanelContext
from plugins.pilot.actions_view import ActionsView
from plugins.pilot.flight_words import NO_AIRCRAFT, flight_statement, said_with_keys
from plugins.pilot.guided_outcome import guided_outcome_of
from plugins.pilot.guided_popup import GuidedPopup
from plugins.pilot.hand_input import hand_input_of
from plugins.pilot.panel_flight import PanelFlight
from plugins.pilot.station_offer import StationOffer
from telemetry.base.finding import Level
from telemetry.base.statement import Statement
from telemetry.flying.actions import why_deaf
from telemetry.flying.guided_flight import guided_of
from telemetry.flying.situation import Situation
from telemetry.recording.flight_state import FlightState
from telemetry.vehicle.vehicle import Vehicle
from widgets.parts import make_column


class ActionsPanel(QWidget):
    """It sends nothing before the pilot presses something."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self._context = context
        self._station = StationOffer(context.show_message, self)
        self._view = ActionsView(self._station)
        self._flight = PanelFlight(context, self, None)
        self._keys: Statement | None = None
        self._popup = GuidedPopup(context, self._station.give_back)
        self.setLayout(make_column(self._view, 1))
        self._flight.connect_buttons(self._view.buttons)
        self._flight.on_keys = self._take_keys
        self._view.go_to_pressed.connect(lambda: self._popup.toggle_over(self))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def refresh(self, t: float) -> None:
        """Follow the vehicle: buttons and the sentence that says what is going on."""
        if self.window().isMinimized():
            return  # as behind another tab: nobody looks
        vehicle = self._context.vehicle
        self._station.show_vehicle(vehicle)
        seen, controls = self._flight.refresh(t), self._flight.controls
        if seen is None or controls is None or vehicle is None:
            self._view.show_unavailable()
            self._view.say(Statement(NO_AIRCRAFT))
            self._popup.hide()
            return
        flight, situation = seen
        has_input = hand_input_of(vehicle).can_fly(controls.source)
        set_up_help = self._flight.set_up_help(situation)
        self._view.show_situation(situation, set_up_help, has_input=has_input)
        self._view.say(self._statement(vehicle, flight, situation))
        self._popup.refresh(t, can_give_back=self._station.offered is self._station.give_back)

    def _statement(self, vehicle: Vehicle, flight: FlightState, situation: Situation) -> Statement:
        controls = self._flight.controls
        told = guided_outcome_of(vehicle).statement(guided_of(vehicle).told, flight)
        if controls is None:
            return Statement(NO_AIRCRAFT)
        said = flight_statement(vehicle, controls, flight, situation)
        is_known = not (vehicle.status.is_silent or controls.progress or why_deaf(situation))
        if told is not None and situation.is_flying and is_known and said.level is Level.INFO:
            said = told
        return said_with_keys(said, self._keys)

    def save_state(self) -> Json:
        """From where another aircraft is followed."""
        return self._popup.state()

    def restore_state(self, state: Json) -> None:
        """Take over what `save_state` returned."""
        self._popup.restore(state)

    def hideEvent(self, event: QHideEvent) -> None:
        """What stands over the row goes with it; who drags sticks elsewhere flies on."""
        super().hideEvent(event)
        self._popup.hide()
        self._flight.leave_sight(with_sticks=False)

    def _take_keys(self, statement: Statement | None) -> None:
        self._keys = statement
