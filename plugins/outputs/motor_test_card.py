"""Motor test card: what stands against it, how hard, its buttons, and how to end it."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QLineEdit, QWidget

from telemetry.configuration.actuator_test.prerequisites import PASSWORD
from telemetry.configuration.actuator_test.pulses import LEAST_SHARE, MOST_SHARE, USUAL_SHARE
from telemetry.configuration.actuator_test.state_machine import ActuatorTest, Phase
from telemetry.configuration.outputs.output import Output
from widgets.hold_button import HoldButton
from widgets.labels import set_text
from widgets.parts import (
    clear_layout,
    make_button,
    make_column,
    make_grid,
    make_heading,
    make_label,
)
from widgets.settings.form import reveal
from widgets.value_slider import ValueSlider
from widgets.wrapped_row import WrappedRow

_ABOUT = (
    "A motor turns, or a servo moves, only while you hold its button, for ten seconds at most. "
    "Nothing that is tried here is stored. If the link breaks or this computer fails while a "
    "motor turns, no board stops it by itself: keep the battery plug within reach."
)
_TONES = {
    Phase.OFF: "muted",
    Phase.TAKING: "muted",
    Phase.READY: "ok",
    Phase.SPINNING: "caution",
    Phase.RAISED: "danger",
    Phase.STOPPING: "caution",
}


_BUTTONS_A_ROW = 4


class HoldButtons(QWidget):
    """A held button for each output that drives something."""

    begun = Signal(int)
    ended = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.buttons: dict[int, HoldButton] = {}
        self._grid = make_grid(self)
        self._shown: tuple[tuple[int, str], ...] = ()

    def show_outputs(self, outputs: tuple[Output, ...]) -> None:
        """Offer the outputs in use, by what they drive."""
        used = [output for output in outputs if output.is_used]
        shown = tuple((output.number, _hold_words(output)) for output in used)
        if shown == self._shown:
            return
        self._shown = shown
        clear_layout(self._grid)
        self.buttons = {}
        for place, (number, words) in enumerate(shown):
            button = self.buttons[number] = HoldButton(words, hold_s=None)
            button.setAccessibleName(f"Move output {number} while held")
            button.begun.connect(lambda number=number: self.begun.emit(number))
            button.ended.connect(self.ended)
            self._grid.addWidget(button, *divmod(place, _BUTTONS_A_ROW))

    def let_go(self, why: str) -> None:
        """Let go of whatever is held."""
        for button in self.buttons.values():
            button.let_go(why)


class TestCard(QFrame):
    """Begins and ends the test for `owner`. The focus stays in it: it can take it itself, so that
    a button which goes out of sight does not hand it to one that moves something."""

    __test__ = False
    order_wanted = Signal()
    calibration_wanted = Signal()

    def __init__(self, test: ActuatorTest, owner: object) -> None:
        super().__init__()
        self._test = test
        self._owner = owner
        self.setProperty("card", "plain")
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.hold = HoldButtons()
        title = make_heading("Motor test")
        about = make_label(_ABOUT, tone="muted", wraps=True)
        self.message = make_label(wraps=True)
        self.password = QLineEdit()
        self.password.setPlaceholderText(f"Propellers removed? Type: {PASSWORD}")
        self.password.setAccessibleName(f"Type {PASSWORD} when the propellers are removed")
        self.password.setMinimumWidth(330)
        self.password.textChanged.connect(self._take_password)
        share = (100 * LEAST_SHARE, 100 * MOST_SHARE)
        self.strength = ValueSlider(
            "Strength",
            "%",
            share,
            1.0,
            100 * USUAL_SHARE,
            "How far from neutral towards the maximum an output goes.",
        )
        self.strength.setMaximumWidth(420)
        self.begin = make_button("Begin the test", self._begin)
        self.end = make_button("End the test", self._end, "danger")
        self.order = make_button("Find the motor order…", self.order_wanted.emit)
        self.calibrate = make_button("Calibrate speed controllers…", self.calibration_wanted.emit)
        more = (self.order, self.calibrate)
        buttons = WrappedRow(self.password, self.begin, self.end, *more)
        parts = (title, about, self.message, buttons, self.strength, self.hold)
        self.setLayout(make_column(*parts, margins=(12, 8, 12, 12), spacing=8))
        self.refresh()

    @property
    def share(self) -> float:
        """How far an output is to go towards its maximum."""
        return self.strength.value / 100

    def refresh(self) -> None:
        """Show how the test stands."""
        test = self._test
        is_mine = test.is_owned_by(self._owner)
        why_not = "" if is_mine else test.why_not(self._owner)
        is_asked = not test.propellers_are_off
        self._show_message(self._words(why_not))
        self.password.setVisible(is_asked)
        self.begin.setVisible(not is_mine)
        self.begin.setEnabled(not why_not)
        self.begin.setToolTip(why_not)
        self.end.setVisible(is_mine)
        for part in (self.order, self.calibrate, self.strength, self.hold):
            part.setEnabled(is_mine)
        self.hold.setVisible(is_mine)
        can_press = test.phase in (Phase.READY, Phase.SPINNING, Phase.STOPPING)
        for button in self.hold.buttons.values():
            button.setEnabled(is_mine and can_press)

    def _words(self, why_not: str) -> str:
        test = self._test
        if why_not:
            return f"{test.message} {why_not}".strip() if why_not not in test.message else why_not
        if test.phase in (Phase.SPINNING, Phase.RAISED):
            return f"{test.message} {test.left_s:.0f} s left."
        return test.message or "Ready to begin."

    def _show_message(self, text: str) -> None:
        tone = "danger" if self._test.is_stop_doubtful else _TONES[self._test.phase]
        set_text(self.message, text, tone)

    def _take_password(self, text: str) -> None:
        if self._test.confirm_propellers(text):
            self.password.clear()
            self.setFocus()
            self.refresh()

    def _begin(self) -> None:
        self._test.begin(self._owner)
        self.refresh()
        reveal(self)

    def _end(self) -> None:
        self.setFocus()
        self._test.end(self._owner)
        self.refresh()


def _hold_words(output: Output) -> str:
    act = "Hold to move" if output.is_servo else "Hold to spin"
    return f"{act} {output.number} {output.place}".rstrip()
