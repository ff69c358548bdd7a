"""Receiver set-up on screen: what to do now, the transmitter drawn, and the way out."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from telemetry.configuration.receiver.controls import COMMAND, PITCH, why_no_pulse
from telemetry.configuration.receiver.state_machine import ReceiverSetup, ReceiverSetupStep
from telemetry.configuration.receiver.stick_measurement import StickMeasurement
from telemetry.configuration.receiver.transmitter_layout import MODES, SteeredKind
from telemetry.configuration.settings.configuration import Configuration
from widgets.change_detector import ChangeDetector
from widgets.choices import make_choice
from widgets.labels import show_text
from widgets.parts import STRETCH, make_button, make_column, make_heading, make_label, make_row
from widgets.theme import Theme, hand_theme
from widgets.transmitter_view import TransmitterView

_ABOUT = (
    "Asks for one control after the other, finds its channel, centre, ends and direction. "
    "Arming is forbidden on board meanwhile; servos may move. Cancel puts everything back."
)
_MIDDLE_US, _HALF_US = 1500, 500
_STEPS = (
    ReceiverSetupStep.IDENTIFY,
    ReceiverSetupStep.CENTRE,
    ReceiverSetupStep.LIMITS,
    ReceiverSetupStep.CHECK,
    ReceiverSetupStep.SUMMARY,
)
_STEP_WORDS = ("Which is which", "Centre", "Ends", "Directions", "Save")


class SetupView(QFrame):
    """Begins, leads through and ends a set-up."""

    def __init__(self, setup: ReceiverSetup, settings: Configuration, theme: Theme) -> None:
        super().__init__()
        self.setup = setup
        self.drawn: TransmitterView | None = None
        self._settings = settings
        self._theme = theme
        self._drawn_for = ChangeDetector()
        self._step = ReceiverSetupStep.OFF
        self.setProperty("card", "plain")
        title = make_heading("Set-up, step by step")
        self.about = make_label(_ABOUT, tone="muted", wraps=True)
        self.steps = make_label(tone="muted", wraps=True)
        self.words = QLabel()
        self.message = make_label(tone="muted")
        self.problem = make_label(tone="caution")
        self.kind = make_choice("", [(kind.value, kind) for kind in SteeredKind])
        tip = (
            "Which stick carries what. Mode 2 has throttle and yaw on the left, mode 1 pitch and "
            "yaw; modes 4 and 3 are the same with roll and yaw exchanged."
        )
        modes = [(f"Transmitter mode {mode}", mode) for mode in MODES]
        self.mode = make_choice("", modes, chosen=2, tip=tip)
        self.begin = make_button("Begin the set-up", self._begin, "primary")
        self.put_back = make_button("Put back what was there", setup.put_all_back, "primary")
        self.go_on = make_button("Go on", setup.accept, "primary")
        self.skip = make_button("Skip", setup.skip)
        self.back = make_button("Back", setup.back)
        self.save = make_button("Apply and save on board", setup.save, "primary")
        self.cancel = make_button("Cancel", self._cancel)
        self._place = QVBoxLayout()
        column = make_column(margins=(12, 8, 12, 8), spacing=4)
        self.setLayout(column)
        for label in (title, self.about, self.steps, self.words):
            column.addWidget(label)
        column.addLayout(self._place)
        for label in (self.problem, self.message):
            label.setWordWrap(True)
            column.addWidget(label)
        self.words.setWordWrap(True)
        self.words.setProperty("textSize", "title")
        choices: tuple[QWidget, ...] = (self.kind, self.mode, self.begin, self.put_back)
        parts = (*choices, self.go_on, self.save, self.back, self.skip, self.cancel)
        buttons = make_row(*parts, STRETCH)
        column.addLayout(buttons)

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours."""
        self._theme = theme

    def refresh(self) -> None:
        """Show how the set-up stands."""
        setup, step = self.setup, self.setup.step
        is_off = step is ReceiverSetupStep.OFF
        why_not = setup.why_not() if is_off else ""
        self.about.setVisible(is_off)
        show_text(self.words, "" if is_off else setup.words)
        show_text(self.problem, setup.problem)
        show_text(self.message, self._message(why_not))
        show_text(self.steps, "" if is_off else _progress(step))
        for part in (self.kind, self.mode, self.begin):
            part.setVisible(is_off)
        self.begin.setEnabled(not why_not)
        self.put_back.setVisible(is_off and setup.is_interrupted)
        self.go_on.setVisible(step in (ReceiverSetupStep.CENTRE, ReceiverSetupStep.LIMITS))
        self.go_on.setEnabled(setup.can_go_on)
        self.skip.setVisible(setup.can_skip)
        self.back.setVisible(step is ReceiverSetupStep.IDENTIFY)
        self.back.setEnabled(setup.can_go_back)
        self.save.setVisible(step in (ReceiverSetupStep.SUMMARY, ReceiverSetupStep.NOT_SAVED))
        self.save.setText(
            "Try again" if step is ReceiverSetupStep.NOT_SAVED else "Apply and save on board"
        )
        self.cancel.setVisible(not is_off)
        self.cancel.setEnabled(step is not ReceiverSetupStep.ENDING)
        self._keep_focus()
        self._draw(setup.measuring if not is_off else None)

    def _keep_focus(self) -> None:
        """The next step's button gets the keyboard, never Cancel because another one went."""
        step = self.setup.step
        if step is self._step:
            return
        self._step = step
        focused = QApplication.focusWidget()
        if focused is None or not self.isAncestorOf(focused):
            return
        shown = (b for b in (self.go_on, self.save, self.begin) if not b.isHidden())
        next(shown, self).setFocus()

    def _message(self, why_not: str) -> str:
        setup = self.setup
        if setup.is_interrupted:
            return (
                "A set-up ended in the middle: this board still forbids arming and may hold "
                "channels that were only tried."
            )
        if setup.step is ReceiverSetupStep.OFF:
            return setup.message or why_not
        return setup.message if setup.message != setup.words else ""

    def _draw(self, measuring: StickMeasurement | None) -> None:
        plan = measuring.plan if measuring is not None else None
        if self._drawn_for.has_changed(plan):
            if self.drawn is not None:
                self.drawn.deleteLater()
                self.drawn = None
            if plan is not None:
                self.drawn = TransmitterView(plan.sticks("left"), plan.sticks("right"))
                hand_theme(self.drawn, self._theme)
                self._place.addWidget(self.drawn, 0, Qt.AlignmentFlag.AlignLeft)
        if self.drawn is None:
            return
        name = self.setup.current
        is_check = self.setup.step is ReceiverSetupStep.CHECK
        self.drawn.ask(name, (-1 if name == PITCH else 1) if is_check else 0)
        self.drawn.show_values(self._values())

    def _values(self) -> dict[str, float]:
        """Where the controls are, pitch as the stick is seen."""
        sample = self._settings.aircraft.sample(COMMAND)
        if sample is None or self.setup.step is ReceiverSetupStep.IDENTIFY:
            return {}
        found: dict[str, float] = {}
        knows_ends = self.setup.step not in (ReceiverSetupStep.CENTRE, ReceiverSetupStep.LIMITS)
        for control, raw in zip(self.setup.controls(), sample["Channel"], strict=False):
            if not why_no_pulse(control, int(raw)):
                value = control.scale(int(raw)) if knows_ends else _usual(int(raw))
                found[control.name] = -value if control.name == PITCH else value
        return found

    def _begin(self) -> None:
        self.setup.begin(self.kind.currentData(), self.mode.currentData())
        self.refresh()

    def _cancel(self) -> None:
        self.setup.cancel()
        self.refresh()


def _usual(pulse: int) -> float:
    """Where a stick is, as long as its ends are not known."""
    return min(max((pulse - _MIDDLE_US) / _HALF_US, -1.0), 1.0)


def _progress(step: ReceiverSetupStep) -> str:
    """All steps in a line, the present one in brackets."""
    at = _STEPS.index(step) if step in _STEPS else -1
    words = (f"[{word}]" if i == at else word for i, word in enumerate(_STEP_WORDS))
    return "  ›  ".join(words)
