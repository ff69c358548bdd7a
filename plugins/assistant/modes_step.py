"""Flight modes step: modes by switch position, arming and failsafe."""

from dataclasses import replace

from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel, QWidget

from plugins.assistant.parts import AssistantStepView, fill, heading, muted, number_box
from plugins.assistant.state import AssistantState
from telemetry.configuration.assistant.answers import KEEP
from telemetry.configuration.assistant.answers_on_board import is_set_up
from telemetry.configuration.assistant.flight_modes import (
    MOST_POSITIONS,
    arming_choices,
    failsafe_choices,
    mode_choices,
    mode_named,
)
from telemetry.configuration.assistant.progress import with_usual
from telemetry.configuration.assistant.receiver import STATION
from widgets.choices import make_choice
from widgets.parts import make_grid

_BOX_PX = 250


class ModesStep(AssistantStepView):
    """A mode for each position, how it is armed, and what happens without a transmitter."""

    def __init__(self, state: AssistantState) -> None:
        super().__init__(
            state,
            "How it flies, how it is armed, and what it does without a transmitter.",
        )
        self.keep = QCheckBox("Leave modes, arming and failsafe as they are on board")
        self.keep.clicked.connect(self._keep)
        self.count = number_box("Positions of the switch", 1, MOST_POSITIONS, self._take_count)
        self.positions = [QComboBox() for _ in range(MOST_POSITIONS)]
        self._titles = [QLabel(f"Position {number}") for number in range(1, MOST_POSITIONS + 1)]
        self._abouts = [muted() for _ in range(MOST_POSITIONS)]
        self.arming = make_choice("Arming", act=lambda way: state.change(arming=way))
        self.failsafe = make_choice(
            "Without a transmitter", act=lambda way: state.change(failsafe=way)
        )
        for box in (*self.positions, self.arming, self.failsafe):
            box.setMinimumWidth(_BOX_PX)
        self._choices = QWidget()
        grid = make_grid(self._choices)
        about = "These are safe to begin with. The first position is the one to arm in."
        grid.addWidget(muted(about), 0, 2)
        grid.addWidget(QLabel("Positions of the switch"), 0, 0)
        grid.addWidget(self.count, 0, 1)
        for row, box in enumerate(self.positions):
            box.setAccessibleName(f"Mode of position {row + 1}")
            box.activated.connect(lambda _row, row=row: self._take_mode(row))
            grid.addWidget(self._titles[row], row + 1, 0)
            grid.addWidget(box, row + 1, 1)
            grid.addWidget(self._abouts[row], row + 1, 2)
        last = MOST_POSITIONS + 1
        grid.addWidget(heading("Arming and failsafe"), last, 0, 1, 2)
        grid.addWidget(QLabel("Armed by"), last + 1, 0)
        grid.addWidget(self.arming, last + 1, 1)
        grid.addWidget(QLabel("Without a transmitter"), last + 2, 0)
        grid.addWidget(self.failsafe, last + 2, 1)
        grid.setColumnStretch(2, 1)
        self.column.addWidget(self.keep)
        self.column.addWidget(self._choices)

    def show_answers(self) -> None:
        """Show positions, arming and failsafe."""
        answers, aircraft = self.state.answers, self.state.aircraft
        is_kept = KEEP in answers.modes
        self.keep.setVisible(is_set_up(aircraft))
        self.keep.setChecked(is_kept)
        self._choices.setVisible(not is_kept)
        if is_kept:
            return
        offered = {mode.id: mode.title for mode in mode_choices(answers, aircraft)}
        self.count.blockSignals(True)
        self.count.setValue(len(answers.modes))
        self.count.blockSignals(False)
        self.count.setEnabled(answers.receiver != STATION)
        for row, box in enumerate(self.positions):
            is_there = row < len(answers.modes)
            for widget in (box, self._titles[row], self._abouts[row]):
                widget.setVisible(is_there)
            if is_there:
                fill(box, offered, answers.modes[row])
                mode = mode_named(answers.modes[row])
                self._abouts[row].setText(mode.about if mode is not None else "")
        fill(self.arming, arming_choices(answers, aircraft), answers.arming)
        fill(self.failsafe, failsafe_choices(answers), answers.failsafe)

    def _keep(self, is_kept: bool) -> None:
        unasked = replace(self.state.answers, modes=(KEEP,) if is_kept else (), arming="")
        answers = with_usual("modes", unasked, self.state.aircraft)
        self.state.change(modes=answers.modes, arming=answers.arming, failsafe=answers.failsafe)

    def _take_mode(self, row: int) -> None:
        modes = list(self.state.answers.modes)
        modes[row] = str(self.positions[row].currentData())
        self._take_modes(modes)

    def _take_count(self, count: int) -> None:
        modes = list(self.state.answers.modes)[:count]
        while len(modes) < count:
            modes.append(modes[-1] if modes else "level")
        self._take_modes(modes)

    def _take_modes(self, modes: list[str]) -> None:
        failsafe = self.state.answers.failsafe
        kept = failsafe if failsafe in modes else ""
        self.state.change(modes=tuple(modes), failsafe=kept)
