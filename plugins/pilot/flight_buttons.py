"""Flight buttons: what a pilot can press, each with why it cannot be pressed now."""

from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QPushButton

from plugins.pilot.station_offer import StationOffer
from telemetry.flying.actions import (
    BY_HAND,
    CRASHED,
    TAKE_OFF,
    can_stop,
    help_for,
    why_deaf,
    why_not,
    why_not_arm,
    why_not_take_off,
)
from telemetry.flying.situation import Situation
from widgets.hold_button import HoldButton
from widgets.parts import make_button

TAKE_OFF_WORDS: Final = (TAKE_OFF, "Take off")
ARM_WORDS: Final = ("Hold to arm", "Arm")
DISARM: Final = "Disarm"
CANCEL: Final = "Cancel"
START_ANEW: Final = "Start anew"
SET_UP_WORDS: Final = ("Set up take-off", "Set up")
RETURN: Final = "Return"
BY_HAND_WORDS: Final = (BY_HAND, "By hand")
NO_STICKS: Final = (
    "There is no room for the sticks: have them in sight, or choose another input for them."
)
_ARM_HELP: Final = "Hold for 0.7 s. Arms to fly by hand; the motors may turn after that."
_STOP_HELP: Final = "Motors off at once. Also Ctrl+Shift+Backspace, held for 0.7 s."
_ANEW_HELP: Final = "A whole aircraft at the start, with a full battery."
_RETURN_HELP: Final = "Flies back to where it was armed."


class FlightButtons(QObject):
    """The buttons of a view, which gives them their places and words. They decide nothing: what is
    pressed is emitted. `disarms_by_hold` where something else of the flight shares its place."""

    take_off_held = Signal()
    arm_held = Signal()
    disarm_pressed = Signal()
    action_pressed = Signal(str)
    anew_pressed = Signal()
    set_up_pressed = Signal()

    def __init__(self, actions: tuple[str, ...], *, disarms_by_hold: bool = False) -> None:
        super().__init__()
        self.take_off = HoldButton(TAKE_OFF_WORDS[0], "caution")
        self.take_off.held.connect(self.take_off_held)
        self.anew = make_button(START_ANEW, self.anew_pressed.emit, "primary", _ANEW_HELP)
        self.set_up = make_button(SET_UP_WORDS[0], self.set_up_pressed.emit)
        self.arm = HoldButton(ARM_WORDS[0], "caution")
        self.arm.held.connect(self.arm_held)
        self.disarm = self._make_disarm(by_hold=disarms_by_hold)
        self.cancel = make_button(CANCEL, self.disarm_pressed.emit)
        self.stop = HoldButton("", "danger")
        self.stop.setProperty("role", "stop")
        self.stop.held.connect(self.disarm_pressed)
        press = self.action_pressed.emit
        self.actions = {name: make_button(name, partial(press, name)) for name in actions}

    @property
    def acting(self) -> tuple[QPushButton, ...]:
        """Those that make the aircraft do something."""
        begins_or_ends = (self.take_off, self.arm, self.disarm, self.cancel, self.anew, self.stop)
        return (*begins_or_ends, *self.actions.values())

    def show_unavailable(self) -> None:
        """There is nothing to fly."""
        for button in self.acting:
            if button is not self.anew:
                button.setEnabled(False)

    def show_situation(self, situation: Situation, *, has_input: bool) -> None:
        """Let what is possible be pressed; a tool tip says why the rest cannot."""
        take_off_help = help_for(TAKE_OFF, situation)
        _offer(self.take_off, why_not_take_off(situation), take_off_help)
        _offer(self.arm, why_not_arm(situation), _ARM_HELP)
        self._show_ends(situation)
        for name, button in self.actions.items():
            refusal = why_not(name, situation)
            if name == BY_HAND and refusal is None and not has_input:
                refusal = NO_STICKS
            _offer(button, refusal, _help(name, situation))

    def _show_ends(self, situation: Situation) -> None:
        deaf, is_armed = why_deaf(situation), situation.armed == "Armed"
        on_ground = deaf or ("Motors off." if is_armed else "Do not arm.")
        for button in (self.disarm, self.cancel):
            button.setEnabled(not situation.is_flying and deaf is None)
            button.setToolTip(
                f"Land first, or hold {self.stop.text().partition(' (')[0]}."
                if situation.is_flying
                else on_ground
            )
        may_stop = can_stop(situation)
        self.stop.setEnabled(may_stop)
        self.stop.setToolTip(_STOP_HELP if may_stop or deaf is None else deaf)

    def _make_disarm(self, *, by_hold: bool) -> QPushButton:
        if not by_hold:
            return make_button(DISARM, self.disarm_pressed.emit)
        button = HoldButton(DISARM, "caution")
        button.held.connect(self.disarm_pressed)
        return button


def begins(
    buttons: FlightButtons, station: StationOffer, situation: Situation, set_up_help: str
) -> QPushButton:
    """The button that comes first on the way into the air: what stands against taking off by
    itself is mended in its place."""
    if situation.refusal == CRASHED:
        return buttons.anew
    if station.offered is station.take:
        return station.take
    if set_up_help:
        buttons.set_up.setToolTip(set_up_help)
        return buttons.set_up
    return buttons.take_off


def _offer(button: QPushButton, refusal: str | None, help_text: str) -> None:
    button.setEnabled(refusal is None)
    button.setToolTip(refusal or help_text)


def _help(name: str, situation: Situation) -> str:
    return _RETURN_HELP if name == RETURN else help_for(name, situation)
