"""Mission start panel: the plan's largest button, or why it cannot be pressed."""

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QWidget

from plugins.api import PanelContext
from plugins.plan.shared_plan import shared_plan_of
from telemetry.base.statement import Statement
from telemetry.flying.guided_flight import guided_of
from telemetry.flying.joined_controls import JoinedControls
from telemetry.flying.manoeuvres.fly_mission import PLAN_MODE
from widgets.hold_button import HoldButton
from widgets.parts import make_row
from widgets.state_label import FittedStateLabel
from widgets.theme import Theme

_HOLD = "Hold it to fly the plan."
_FLOWN = "The plan is being flown."
_BY_ITSELF = "It flies by itself; Actions says what."
_POLL_MS = 200
_SIDES_PX = 24


class StartPanel(QWidget):
    """The panel "plan.start". It joins an aircraft's controls with the press, and leaves them once
    the aircraft has disarmed: only to look at a plan sends no sticks."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self._context, self._plan = context, shared_plan_of(context)
        context.on_close(self._plan.opened())
        self._joined = JoinedControls()
        context.on_close(self._close)
        self.start = HoldButton("Start mission", "text_on_accent")
        self.start.setProperty("role", "primary")
        self.start.setProperty("dense", True)
        self.start.held.connect(self._start)
        self.told = FittedStateLabel(calm="muted")
        self.told.setProperty("textSize", "small")
        self.told.setAlignment(Qt.AlignmentFlag.AlignVCenter)
        self.setLayout(make_row(self.start, (self.told, 1), margins=(8, 4, 8, 4), spacing=8))
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._go_on)

    def apply_theme(self, theme: Theme) -> None:
        """Take over the sizes."""
        text_px = QFontMetrics(theme.font(bold=True)).horizontalAdvance(self.start.text())
        self.start.setFixedWidth(text_px + _SIDES_PX)

    def refresh(self, t: float) -> None:
        """Show whether it can be started; go on with what has been."""
        self._plan.poll()
        self._follow()
        start, vehicle = self._plan.mission_start, self._plan.vehicle
        controls = self._joined.of(vehicle)
        refusal = start.why_not()
        words = refusal or f"{_HOLD} {start.note}".rstrip()
        if vehicle is not None and controls is not None and controls.is_under_way:
            is_plan = controls.situation_at(vehicle.end_s)[0].flight_mode == PLAN_MODE
            refusal = words = controls.progress or (_FLOWN if is_plan else _BY_ITSELF)
        self.start.setEnabled(not refusal)
        self.told.state(Statement(words, vehicle.name if vehicle is not None else ""))

    def _start(self) -> None:
        start = self._plan.mission_start
        if start.vehicle is not None and not start.why_not():
            self._joined.join(start.vehicle)
            start.start()
            self._timer.start(_POLL_MS)

    def _follow(self) -> None:
        """Somebody looks: go on arming and taking off."""
        for vehicle, controls in self._joined:
            self._tell(controls.follow(*controls.situation_at(vehicle.end_s)))

    def _go_on(self) -> None:
        """Go on with what nobody has to see, whatever is shown, and leave who has disarmed: what
        was lent for the flight has been given back then."""
        self._joined.leave_gone(self._context.fleet.vehicles)
        for vehicle, controls in self._joined:
            guided, (flight, situation) = guided_of(vehicle), controls.situation_at(vehicle.end_s)
            self._tell(guided.poll(situation, flight))
            if flight.armed == "Disarmed" and not guided.is_under_way:
                self._joined.leave(vehicle)
        if not self._joined.are_in_use:
            self._timer.stop()

    def _tell(self, text: str) -> None:
        if text:
            self._context.show_message(text)

    def _close(self) -> None:
        self._timer.stop()
        self._joined.leave_all()
