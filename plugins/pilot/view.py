"""Pilot panel layout: a row of actions above, sticks, input and a sentence below."""

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QComboBox, QPushButton, QSizePolicy, QWidget

from plugins.pilot.devices.profile import MODES
from plugins.pilot.screen_sticks import USUAL_MODE, ScreenSticks
from telemetry.base.statement import Statement
from telemetry.flying.actions import (
    ACTIONS,
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
from telemetry.flying.transmitter.order import Source
from telemetry.vehicle.sticks import Sticks
from widgets.change_detector import ChangeDetector
from widgets.choices import make_choice
from widgets.hold_button import HoldButton
from widgets.labels import show_text
from widgets.parts import make_button, make_column, make_grid, make_row
from widgets.state_label import FittedStateLabel, StateLabel
from widgets.theme import Theme

TAKE_OFF_WORDS = (TAKE_OFF, "Take off")
ARM_WORDS = ("Hold to arm", "Arm")
STOP_WORDS = ("Emergency stop (hold)", "Stop (hold)")
SOURCES: tuple[tuple[Source, str, str], ...] = (
    ("screen", "On-screen sticks", "Sticks"),
    ("keyboard", "Keyboard", "Keys"),
    ("gamepad", "Controller", "Device"),
)
"""Each with what it is called where there is little width."""
DISARM = "Disarm"
START_ANEW = "Start anew"
ARM_HELP = "Hold for 0.7 s. Arms to fly by hand; the motors may turn after that."
STOP_HELP = "Motors off at once. Also Ctrl+Shift+Backspace, held for 0.7 s."
LET_GO = "Let go"
LET_GO_HELP = (
    "Sends no sticks any more. What the aircraft does then is set in it: Flight modes shows it. "
    "Fly by hand takes over again."
)
NO_STICKS = "There is no room for the sticks: make this panel higher, or choose another input."
_SHORT_ACTIONS = {"Fly by hand": "By hand"}
_MARGINS_PX = 40
_MARGIN_PX, _NARROW_MARGIN_PX, _LOW_MARGIN_PX = 8, 4, 2
_SPACING_PX, _NARROW_SPACING_PX = 6, 2
_LEAST_SHARE_PX = 2
_BUTTON_PADDING_PX = 10
_STICKS_FROM_LINES = 10
"""A panel that is less than so many lines of text high shows no sticks."""

_MODE = Qt.ItemDataRole.UserRole + 1
_TITLE, _SHORT = Qt.ItemDataRole.UserRole + 2, Qt.ItemDataRole.UserRole + 3


class ControlsView(QWidget):
    """Buttons, sticks and words. It decides nothing: what is pressed is emitted."""

    take_off_held = Signal()
    arm_held = Signal()
    disarm_pressed = Signal()
    action_pressed = Signal(str)
    anew_pressed = Signal()
    stage_pressed = Signal()
    source_chosen = Signal()
    let_go_pressed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._take_off = HoldButton(TAKE_OFF_WORDS[0], "caution")
        self._take_off.held.connect(self.take_off_held)
        self._arm = HoldButton(ARM_WORDS[0], "caution")
        self._arm.held.connect(self.arm_held)
        self._disarm = make_button(DISARM, self.disarm_pressed.emit)
        self._stop = HoldButton(STOP_WORDS[0], "danger")
        self._stop.held.connect(self.disarm_pressed)
        tip = "A whole aircraft at the start, with a full battery."
        self._anew = make_button(START_ANEW, self.anew_pressed.emit, "primary", tip)
        self._stage = make_button("", self.stage_pressed.emit)
        self._stage.hide()
        self._shown = ChangeDetector()
        press = self.action_pressed.emit
        self._actions = {name: make_button(name, partial(press, name)) for name in ACTIONS}
        tip = "Devices are set up in the panel Controllers (Add panel)."
        self._sources = make_choice("Input for flying by hand", tip=tip)
        self._sources.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        for source, title, short in SOURCES:
            self._add_source(source, title, short)
        for mode in MODES:
            if mode != USUAL_MODE:
                self._add_source("screen", f"On-screen sticks, mode {mode}", f"Mode {mode}")
                self._sources.setItemData(self._sources.count() - 1, mode, _MODE)
        self._sources.currentIndexChanged.connect(self._take_choice)
        self._let_go = make_button(LET_GO, self.let_go_pressed.emit, tip=LET_GO_HELP)
        self._let_go.setProperty("dense", True)
        self._let_go.hide()
        self._keyboard = StateLabel(wraps=True, calm="selected")
        self._note = FittedStateLabel()
        self.thumbs = ScreenSticks()
        self.left, self.right = self.thumbs.left, self.thumbs.right
        self._buttons = make_grid(margins=None)
        self._lay_out()

    @property
    def source(self) -> Source:
        """The input the pilot chose."""
        source: Source = self._sources.currentData()
        return source

    def choose_source(self, source: object) -> None:
        """Choose an input; an unknown one is no error."""
        index = self._sources.findData(source)
        if index >= 0 and source != self.source:
            self._sources.setCurrentIndex(index)

    def choose_mode(self, mode: object) -> None:
        """Choose the on-screen sticks in a mode (1 to 4); what is no mode is no error."""
        index = self._sources.findData(mode, _MODE)
        if isinstance(mode, int) and index >= 0:
            self._sources.setCurrentIndex(index)

    def _add_source(self, source: Source, title: str, short: str) -> None:
        index = self._sources.count()
        self._sources.addItem(title, source)
        self._sources.setItemData(index, title, _TITLE)
        self._sources.setItemData(index, short, _SHORT)

    def _name_sources(self, role: int) -> None:
        for index in range(self._sources.count()):
            self._sources.setItemText(index, self._sources.itemData(index, role))

    def _take_choice(self) -> None:
        if self.source == "screen":
            self.thumbs.set_mode(self._sources.currentData(_MODE) or USUAL_MODE)
        self.source_chosen.emit()

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours."""
        self._fit()

    def say(self, statement: Statement) -> None:
        """Show what is going on."""
        self._note.state(statement)

    def offer_to_stage(self, text: str) -> None:
        """Offer a change of the settings without which it cannot take off; empty for none."""
        show_text(self._stage, text)

    def show_keyboard(self, statement: Statement | None) -> None:
        """Say what the keys do; None while they are the window's."""
        self._keyboard.state(statement)

    def show_let_go(self, *, is_offered: bool) -> None:
        """Offer to let go, beside the input: a row of its own would take the sticks' room."""
        if is_offered is self._let_go.isHidden():
            self._let_go.setVisible(is_offered)
            self._fit()

    def show_unavailable(self) -> None:
        """There is nothing to fly."""
        self._shown.forget()
        self.show_let_go(is_offered=False)
        for button in (self._take_off, self._arm, self._stop, *self._actions.values()):
            button.setEnabled(False)

    def show_situation(self, situation: Situation) -> None:
        """Offer what is possible; a tool tip says why the rest is not."""
        if not self._shown.has_changed(situation, self._has_input):
            return
        focused = self._focused_action()
        self._show_arming(situation)
        self._show_actions(situation)
        self._fit()
        if self._focused_action() is not focused:  # Qt hands the focus of what goes to the next
            self.setFocus()

    def _focused_action(self) -> QPushButton | None:
        """The button that has the focus, of those that make the aircraft do something."""
        begins_or_ends = (self._take_off, self._arm, self._disarm, self._anew, self._stop)
        buttons = (*begins_or_ends, *self._actions.values())
        return next((button for button in buttons if button.hasFocus()), None)

    def _show_actions(self, situation: Situation) -> None:
        for name, button in self._actions.items():
            refusal = why_not(name, situation)
            if name == "Fly by hand" and refusal is None and not self._has_input:
                refusal = NO_STICKS
            button.setEnabled(refusal is None)
            button.setToolTip(refusal or help_for(name, situation))

    def _show_arming(self, situation: Situation) -> None:
        """What begins and what ends a flight: two buttons each share a place."""
        is_armed, has_crashed = situation.armed == "Armed", situation.refusal == CRASHED
        is_begun = is_armed or situation.stage is not None
        self._anew.setVisible(has_crashed)
        self._take_off.setVisible(not has_crashed)
        self._arm.setVisible(not is_begun)
        self._disarm.setVisible(is_begun)
        self._disarm.setText(DISARM if is_armed else "Cancel")
        offers = ((self._take_off, why_not_take_off, help_for(TAKE_OFF, situation)),)
        for button, why_not_now, help_text in (*offers, (self._arm, why_not_arm, ARM_HELP)):
            refusal = why_not_now(situation)
            button.setEnabled(refusal is None)
            button.setToolTip(refusal or help_text)
        deaf = why_deaf(situation)
        self._disarm.setEnabled(not situation.is_flying and deaf is None)
        on_ground = deaf or ("Motors off." if is_armed else "Do not arm.")
        self._disarm.setToolTip(
            "Land first, or hold Emergency stop." if situation.is_flying else on_ground
        )
        may_stop = can_stop(situation)
        self._stop.setEnabled(may_stop)
        self._stop.setToolTip(STOP_HELP if may_stop or deaf is None else deaf)

    def show_sticks(self, sticks: Sticks, throttle_springs: bool) -> None:
        """Put the knobs where the sticks are."""
        self.thumbs.show(sticks, springs=throttle_springs)
        for view in (self.left, self.right):
            view.setEnabled(self.source == "screen")

    @property
    def _has_input(self) -> bool:
        """Whether there is something to fly with: on-screen sticks need room."""
        return self.source != "screen" or not self.right.isHidden()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _lay_out(self) -> None:
        buttons = self._buttons
        row = (self._take_off, self._arm, *self._actions.values())
        for column, button in enumerate(row):
            buttons.addWidget(button, 0, column)
        for other, place in ((self._disarm, self._arm), (self._anew, self._take_off)):
            buttons.addWidget(other, 0, row.index(place))
            other.hide()
        for button in (*row, self._disarm, self._anew):
            button.setMinimumHeight(40)
            button.setProperty("dense", True)
            button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        chosen = make_row((self._sources, 1), self._let_go, spacing=6)
        middle = (chosen, self._keyboard, (self._note, 1), self._stage, self._stop)
        self._middle = make_column(*middle, margins=None, spacing=6)
        sticks = make_row(self.left, (self._middle, 1), self.right, margins=None, spacing=8)
        self._whole = make_column(buttons, (sticks, 1))
        self.setLayout(self._whole)

    def _fit(self) -> None:
        """Say less where there is little width; a low panel has no sticks, and the emergency stop
        beside the input.
        """
        is_wide = self._fit_row()
        self._stop.setText(STOP_WORDS[0] if is_wide else STOP_WORDS[1])
        self._name_sources(_TITLE if is_wide and self._let_go.isHidden() else _SHORT)
        is_low = self.height() < _STICKS_FROM_LINES * self.fontMetrics().height()
        for view in (self.left, self.right):
            view.setVisible(not is_low)
        beside, below = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._middle.setDirection(beside if is_low else below)
        margin = _LOW_MARGIN_PX if is_low else _MARGIN_PX
        side = _MARGIN_PX if is_wide else _NARROW_MARGIN_PX
        self._whole.setContentsMargins(side, margin, side, margin)
        self._whole.setSpacing(margin)

    def _fit_row(self) -> bool:
        """Give each button of the row its words' width, and all of them the same of what is left.
        Returns whether there is room for the long words."""
        row: dict[QPushButton, tuple[str, str]] = {self._take_off: TAKE_OFF_WORDS}
        row[self._arm] = ARM_WORDS
        row |= {self._actions[name]: (name, _SHORT_ACTIONS.get(name, name)) for name in ACTIONS}
        text_px = self._take_off.fontMetrics().horizontalAdvance
        wide_px = sum(text_px(long) + 2 * _BUTTON_PADDING_PX for long, _ in row.values())
        is_wide = wide_px <= self.width() - _MARGINS_PX
        for button, (long, short) in row.items():
            button.setText(long if is_wide else short)
        self._buttons.setSpacing(_SPACING_PX if is_wide else _NARROW_SPACING_PX)
        in_its_place: dict[QPushButton, QPushButton] = {
            self._arm: self._disarm,
            self._take_off: self._anew,
        }
        shown = [in_its_place.get(b, b) if b.isHidden() else b for b in row]
        words_px = [text_px(button.text()) for button in shown]
        left_px = self.width() - _MARGINS_PX - sum(words_px)
        for column, width_px in enumerate(words_px):
            share_px = width_px + max(_LEAST_SHARE_PX, left_px // len(words_px))
            self._buttons.setColumnStretch(column, share_px)
        return is_wide
