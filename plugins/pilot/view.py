"""Pilot panel layout: a row of actions above, sticks, input and a sentence below."""

from typing import Final

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QPushButton, QWidget

from plugins.pilot.button_row import ButtonRow
from plugins.pilot.flight_buttons import (
    ARM_WORDS,
    BY_HAND_WORDS,
    CANCEL,
    DISARM,
    SET_UP_WORDS,
    START_ANEW,
    TAKE_OFF_WORDS,
    FlightButtons,
    begins,
)
from plugins.pilot.hand_input import ON_SCREEN
from plugins.pilot.input_box import InputBox
from plugins.pilot.let_go import make_let_go
from plugins.pilot.screen_sticks import ScreenSticks
from plugins.pilot.station_offer import TAKE, TAKE_SHORT, StationOffer
from telemetry.base.statement import Statement
from telemetry.flying.actions import ACTIONS, BY_HAND
from telemetry.flying.situation import Situation
from telemetry.vehicle.sticks import Sticks
from widgets.change_detector import ChangeDetector
from widgets.parts import make_column, make_row
from widgets.state_label import FittedStateLabel, StateLabel
from widgets.theme import Theme

STOP_WORDS: Final = ("Emergency stop (hold)", "Stop (hold)")
_MARGIN_PX, _NARROW_MARGIN_PX, _LOW_MARGIN_PX = 8, 4, 2
_STICKS_FROM_LINES = 10
"""A panel that is less than so many lines of text high shows no sticks."""


class ControlsView(QWidget):
    """Buttons, sticks and words. It decides nothing: what is pressed is emitted by `buttons`,
    `input`, `let_go` and `thumbs`."""

    def __init__(self, station: StationOffer) -> None:
        super().__init__()
        self._station = station
        self.buttons = FlightButtons(ACTIONS)
        self.input = InputBox()
        self.let_go = make_let_go()
        self.let_go.hide()
        self._shown = ChangeDetector()
        self._keyboard = StateLabel(wraps=True, calm="selected")
        self._note = FittedStateLabel()
        self.thumbs = ScreenSticks()
        self.left, self.right = self.thumbs.left, self.thumbs.right
        buttons = self.buttons
        self._row = ButtonRow(
            (
                {
                    buttons.take_off: TAKE_OFF_WORDS,
                    buttons.anew: (START_ANEW, START_ANEW.partition(" ")[0]),
                    buttons.set_up: SET_UP_WORDS,
                    station.take: (TAKE, TAKE_SHORT),
                },
                {
                    buttons.arm: ARM_WORDS,
                    buttons.disarm: (DISARM, DISARM),
                    buttons.cancel: (CANCEL, CANCEL),
                },
                *(
                    {button: BY_HAND_WORDS if name == BY_HAND else (name, name)}
                    for name, button in buttons.actions.items()
                ),
            )
        )
        self._lay_out()

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours."""
        self._fit()

    def say(self, statement: Statement) -> None:
        """Show what is going on."""
        self._note.state(statement)

    def show_keyboard(self, statement: Statement | None) -> None:
        """Say what the keys do; None while they are the window's."""
        self._keyboard.state(statement)

    def show_let_go(self, *, is_offered: bool) -> None:
        """Offer to let go, beside the input: a row of its own would take the sticks' room."""
        if is_offered is self.let_go.isHidden():
            self.let_go.setVisible(is_offered)
            self._fit()

    def show_unavailable(self) -> None:
        """There is nothing to fly."""
        self._shown.forget()
        self.show_let_go(is_offered=False)
        self.buttons.show_unavailable()

    def show_situation(self, situation: Situation, set_up_help: str = "") -> None:
        """Offer what is possible; a tool tip says why the rest is not."""
        offered = self._station.offered
        if not self._shown.has_changed(situation, self._has_input, set_up_help, offered):
            return
        focused = self._focused_action()
        self.buttons.show_situation(situation, has_input=self._has_input)
        self._show_places(situation, set_up_help, offered)
        self._fit()
        if self._focused_action() is not focused:  # Qt hands the focus of what goes to the next
            self.setFocus()

    def _show_places(
        self, situation: Situation, set_up_help: str, offered: QPushButton | None
    ) -> None:
        """What begins and what ends a flight: several buttons each share a place."""
        buttons, station = self.buttons, self._station
        self._row.show_only(begins(buttons, station, situation, set_up_help))
        is_armed = situation.armed == "Armed"
        is_begun = is_armed or situation.stage is not None
        ends = buttons.disarm if is_armed else buttons.cancel
        self._row.show_only(ends if is_begun else buttons.arm)
        station.give_back.setVisible(offered is station.give_back)

    def _focused_action(self) -> QPushButton | None:
        """The button that has the focus, of those that make the aircraft do something."""
        return next((button for button in self.buttons.acting if button.hasFocus()), None)

    def show_sticks(self, sticks: Sticks, throttle_springs: bool) -> None:
        """Put the knobs where the sticks are."""
        self.thumbs.show(sticks, springs=throttle_springs)
        for view in (self.left, self.right):
            view.setEnabled(self.input.source in ON_SCREEN)

    @property
    def _has_input(self) -> bool:
        """Whether there is something to fly with: on-screen sticks alone need room."""
        return self.input.source != "screen" or not self.right.isHidden()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _lay_out(self) -> None:
        chosen = make_row((self.input, 1), self.let_go, spacing=6)
        self._station.give_back.hide()
        ends = (self._station.give_back, self.buttons.stop)
        middle = (chosen, self._keyboard, (self._note, 1), *ends)
        self._middle = make_column(*middle, margins=None, spacing=6)
        sticks = make_row(self.left, (self._middle, 1), self.right, margins=None, spacing=8)
        self._whole = make_column(self._row, (sticks, 1))
        self.setLayout(self._whole)

    def _fit(self) -> None:
        """Say less where there is little width; a low panel has no sticks, and the emergency stop
        beside the input.
        """
        is_wide = self._row.is_wide
        self.buttons.stop.setText(STOP_WORDS[0] if is_wide else STOP_WORDS[1])
        self.input.say_less(not is_wide or not self.let_go.isHidden())
        is_low = self.height() < _STICKS_FROM_LINES * self.fontMetrics().height()
        for view in (self.left, self.right):
            view.setVisible(not is_low)
        beside, below = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._middle.setDirection(beside if is_low else below)
        margin = _LOW_MARGIN_PX if is_low else _MARGIN_PX
        side = _MARGIN_PX if is_wide else _NARROW_MARGIN_PX
        self._whole.setContentsMargins(side, margin, side, margin)
        self._whole.setSpacing(margin)
