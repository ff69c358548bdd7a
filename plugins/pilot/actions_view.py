"""Actions view: one row of buttons under one line that says what goes on."""

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from plugins.pilot.button_row import ButtonRow
from plugins.pilot.flight_buttons import (
    ARM_WORDS,
    BY_HAND_WORDS,
    CANCEL,
    DISARM,
    RETURN,
    SET_UP_WORDS,
    START_ANEW,
    TAKE_OFF_WORDS,
    FlightButtons,
    begins,
)
from plugins.pilot.station_offer import TAKE, TAKE_SHORT, StationOffer
from telemetry.base.statement import Statement
from telemetry.flying.actions import BY_HAND, why_deaf
from telemetry.flying.situation import Situation
from widgets.change_detector import ChangeDetector
from widgets.parts import make_button, make_column
from widgets.state_label import FittedStateLabel
from widgets.theme import Theme

_ACTIONS: Final = ("Hold", RETURN, "Land", BY_HAND)
STOP_WORDS: Final = ("Stop motors (hold)", "Stop (hold)")
GO_TO: Final = ("Go to …", "Go …")
_DISARM_WORDS: Final = (f"{DISARM} (hold)", DISARM)
_GO_TO_HELP: Final = "Go somewhere, change height or speed, orbit, turn, or go on with a mission."
_MARGINS_PX, _SPACING_PX = (8, 4, 8, 6), 2


class ActionsView(QWidget):
    """What begins a flight and what it is asked for share a place each; what stops the motors has
    one of its own. Of two that share a place one at least is held: a press that comes late does
    nothing. It decides nothing: what is pressed is emitted by `buttons` and `go_to_pressed`."""

    go_to_pressed = Signal()

    def __init__(self, station: StationOffer) -> None:
        super().__init__()
        self._station = station
        self._shown = ChangeDetector()
        self.buttons = buttons = FlightButtons(_ACTIONS, disarms_by_hold=True)
        self.go_to = make_button("", self.go_to_pressed.emit, tip=_GO_TO_HELP)
        self._note = FittedStateLabel(calm="")
        actions = buttons.actions
        self._row = ButtonRow(
            (
                {
                    buttons.take_off: TAKE_OFF_WORDS,
                    buttons.anew: (START_ANEW, START_ANEW.partition(" ")[0]),
                    buttons.set_up: SET_UP_WORDS,
                    station.take: (TAKE, TAKE_SHORT),
                    actions["Hold"]: ("Hold", "Hold"),
                },
                {
                    buttons.arm: ARM_WORDS,
                    buttons.cancel: (CANCEL, CANCEL),
                    buttons.disarm: _DISARM_WORDS,
                    actions[RETURN]: (RETURN, RETURN),
                },
                {self.go_to: GO_TO},
                {actions["Land"]: ("Land", "Land")},
                {actions[BY_HAND]: BY_HAND_WORDS},
                {buttons.stop: STOP_WORDS},
            )
        )
        column = make_column(self._note, self._row, margins=_MARGINS_PX, spacing=_SPACING_PX)
        self.setLayout(column)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def apply_theme(self, theme: Theme) -> None:
        """Keep two lines: what the aircraft does where no sticks are sent stands at the end."""
        self._note.keep_lines(2, theme)

    def say(self, statement: Statement) -> None:
        """Show what is going on."""
        self._note.state(statement)

    def show_unavailable(self) -> None:
        """There is nothing to fly."""
        self._shown.forget()
        self.buttons.show_unavailable()
        self.go_to.setEnabled(False)

    def show_situation(
        self, situation: Situation, set_up_help: str = "", *, has_input: bool = True
    ) -> None:
        """Offer what is possible; a tool tip says why the rest is not."""
        offered = self._station.offered
        if not self._shown.has_changed(situation, has_input, set_up_help, offered):
            return
        focused = self._focused_action()
        self.buttons.show_situation(situation, has_input=has_input)
        refusal = why_deaf(situation)
        self.go_to.setEnabled(refusal is None)
        self.go_to.setToolTip(refusal or _GO_TO_HELP)
        self._show_places(situation, set_up_help)
        if self._focused_action() is not focused:  # Qt hands the focus of what goes to the next
            self.setFocus()

    def _show_places(self, situation: Situation, set_up_help: str) -> None:
        buttons = self.buttons
        first = begins(buttons, self._station, situation, set_up_help)
        is_armed = situation.armed == "Armed"
        if first is buttons.take_off and (is_armed or situation.stage is not None):
            first = buttons.actions["Hold"]
        self._row.show_only(first)
        second: QPushButton = buttons.arm
        if situation.stage is not None:
            second = buttons.cancel
        elif is_armed:
            second = buttons.actions[RETURN] if situation.is_flying else buttons.disarm
        self._row.show_only(second)

    def _focused_action(self) -> QPushButton | None:
        return next((button for button in self.buttons.acting if button.hasFocus()), None)
