"""Assistant page: one step at a time, the way through them, and what is still missing."""

from PySide6.QtWidgets import QPushButton, QScrollArea, QVBoxLayout, QWidget

from plugins.api import PageContext
from plugins.assistant.airframe_step import AirframeStep
from plugins.assistant.calibration_step import CalibrationStep
from plugins.assistant.gains_step import GainsStep
from plugins.assistant.modes_step import ModesStep
from plugins.assistant.outputs_step import OutputsStep
from plugins.assistant.parts import AssistantStepView, muted
from plugins.assistant.power_step import PowerStep
from plugins.assistant.receiver_step import ReceiverStep
from plugins.assistant.state import IN_LOG, AssistantState
from plugins.assistant.summary_step import SummaryStep
from telemetry.configuration.assistant.progress import STEPS
from widgets.parts import (
    PAGE_MARGINS,
    STRETCH,
    make_button,
    make_column,
    make_label,
    make_row,
    make_scrolled,
)
from widgets.theme import Theme, ThemedWidget, hand_theme

_WAITING = "Waiting for the aircraft's settings."
_VIEWS: dict[str, type] = {
    "airframe": AirframeStep,
    "outputs": OutputsStep,
    "receiver": ReceiverStep,
    "power": PowerStep,
    "modes": ModesStep,
    "calibration": CalibrationStep,
    "gains": GainsStep,
    "summary": SummaryStep,
}


class AssistantPage(ThemedWidget):
    """Leads through the steps. Answers are kept, so that it can be left and taken up again."""

    def __init__(self, context: PageContext) -> None:
        super().__init__()
        settings = context.configuration
        self.state = AssistantState(context, settings)
        self._seen: object = None
        self._theme: Theme = context.theme
        self.views: dict[str, AssistantStepView] = {}
        self.buttons = {step.id: self._step_button(step.id) for step in STEPS}
        self.notice = make_label(tone="caution", wraps=True)
        self.missing = muted()
        self.back = make_button("Back", self._go_back)
        self.next = make_button("Next", self._go_next, "primary")
        self.again = make_button("Start again", self._start_again)
        self.again.setToolTip("Forget the answers, and begin with what is on board.")
        self._place = QVBoxLayout()
        self._lay_out()

    def refresh(self, t: float) -> None:
        """Follow the aircraft and the answers."""
        self.state.follow()
        if self.state.stamp != self._seen:
            self._show()

    # The way through the steps

    def _go_next(self) -> None:
        if not self.state.is_log:
            self.state.progress.next(self.state.aircraft)
        self._show()

    def _go_back(self) -> None:
        if not self.state.is_log:
            self.state.progress.back()
        self._show()

    def _go(self, step_id: str) -> None:
        if not self.state.is_log:
            self.state.progress.go(step_id, self.state.aircraft)
        self._show()

    def _start_again(self) -> None:
        self.state.start_again()
        self._show()

    # Inside

    def _show(self) -> None:
        state = self.state
        step = state.progress.step
        view = self._view(step.id)
        for other in self.views.values():
            other.setVisible(other is view)
        view.setEnabled(state.is_known and not state.is_log)
        view.show_answers()
        for step_id, button in self.buttons.items():
            button.setChecked(step_id == step.id)
            can_go = not state.is_log and state.progress.can_go(step_id, state.aircraft)
            button.setEnabled(state.is_known and can_go)
        text = step.missing(state.answers, state.aircraft) if not state.is_log else ""
        self.missing.setText(text or state.kept.problem)
        self.next.setVisible(step is not STEPS[-1])
        self.next.setEnabled(state.is_known and not state.is_log and not text)
        self.back.setEnabled(state.is_known and not state.is_log and step is not STEPS[0])
        self.again.setEnabled(state.is_known and not state.is_log)
        self.notice.setText(self._notice())
        self.notice.setVisible(bool(self.notice.text()))
        self._seen = state.stamp

    def _notice(self) -> str:
        if self.state.is_log:
            return IN_LOG
        if not self.state.is_known:
            return _WAITING
        return self.state.refusal

    def _view(self, step_id: str) -> AssistantStepView:
        """The widget of a step, built when it is first shown."""
        if step_id not in self.views:
            view: AssistantStepView = _VIEWS[step_id](self.state)
            hand_theme(view, self._theme)
            self.views[step_id] = view
            self._place.addWidget(view)
        return self.views[step_id]

    def _step_button(self, step_id: str) -> QPushButton:
        number = [step.id for step in STEPS].index(step_id) + 1
        button = QPushButton(f"{number} {STEPS[number - 1].title}")
        button.setCheckable(True)
        button.setProperty("tight", True)
        button.clicked.connect(lambda _is_checked: self._go(step_id))
        return button

    def _lay_out(self) -> None:
        steps = make_row(*((button, 1) for button in self.buttons.values()), spacing=4)
        way = make_row(self.again, (self.missing, 1), self.back, self.next)
        parts = (steps, self.notice, (self._scrolling(), 1), way)
        self.setLayout(make_column(*parts, margins=PAGE_MARGINS, spacing=8))

    def _scrolling(self) -> QScrollArea:
        """The steps are of different heights: scrolled, they leave Next where it is."""
        content = QWidget()
        content.setLayout(make_column(self._place, STRETCH))
        return make_scrolled(content, keeps_width=True)
