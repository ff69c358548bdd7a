"""Sticks panel: the vehicle shown is flown by hand, with what is chosen here."""

from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QWidget

from plugins.api import Json, PanelContext
from plugins.pilot.flight_words import NO_AIRCRAFT, sticks_statement
from plugins.pilot.hand_input import hand_input_of
from plugins.pilot.panel_flight import PanelFlight
from plugins.pilot.sticks_view import SticksView
from telemetry.base.statement import Statement
from widgets.parts import make_column


class SticksPanel(QWidget):
    """What needs the window is let go of when nobody sees the sticks any more."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self._context = context
        self._view = SticksView()
        self._flight = PanelFlight(context, self, lambda: self._view.input.source)
        self._keys: Statement | None = None
        self.setLayout(make_column(self._view))
        self._flight.on_keys = self._take_keys
        self._flight.connect_input(self._view.input, self._view.thumbs)
        self._view.let_go.clicked.connect(self._flight.release_shown)

    def refresh(self, t: float) -> None:
        """Show where the sticks are and what flies."""
        if self.window().isMinimized():
            return  # as behind another tab: nobody looks
        seen, controls = self._flight.refresh(t), self._flight.controls
        vehicle = self._context.vehicle
        if seen is None or controls is None or vehicle is None:
            self._view.show_unavailable()
            self._view.say(Statement(NO_AIRCRAFT))
            return
        flight, situation = seen
        hand_input_of(vehicle).stick_views.add(self._view.thumbs.right)
        self._view.input.choose(controls.source)
        self._view.show_sticks(
            controls.state.sticks,
            springs=controls.request.throttle == "spring",
            can_let_go=self._flight.can_let_go(flight),
        )
        self._view.say(sticks_statement(vehicle, controls, flight, situation, self._keys))

    def save_state(self) -> Json:
        """The chosen input."""
        return self._view.input.state()

    def restore_state(self, state: Json) -> None:
        """Take over what `save_state` returned."""
        self._view.input.restore(state)

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody sees the sticks any more."""
        super().hideEvent(event)
        self._flight.leave_sight(with_sticks=True)

    def _take_keys(self, statement: Statement | None) -> None:
        self._keys = statement
