"""Airframe step: frame, name, and which way the propellers turn."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QGridLayout, QHBoxLayout, QLineEdit

from plugins.assistant.choice_list import Choice, ChoiceList
from plugins.assistant.parts import AssistantStepView, heading, muted
from plugins.assistant.state import AssistantState
from telemetry.configuration.airframe.airframe import MULTIROTOR, NOT_SIMULATED, all_airframes
from telemetry.configuration.airframe.drawing import drawing_of
from telemetry.configuration.airframe.mixer import Mixer
from telemetry.configuration.airframe.setup import AirframeSetup
from telemetry.configuration.assistant.outputs import channels_of, frame_of, outputs_of
from widgets.airframe_view import AirframeView
from widgets.parts import make_column

_NAME_LENGTH = 20
_FAMILIES = {
    "multirotor": "Multirotors",
    "fixed wing": "Aeroplanes",
    "helicopter": "Helicopters",
    "ground": "Cars and boats",
    "custom": "Others",
}


class AirframeStep(AssistantStepView):
    """Frame, name, and which way the propellers turn."""

    def __init__(self, state: AssistantState) -> None:
        super().__init__(state, "What it is decides how the outputs are mixed.")
        self.frames = ChoiceList("Airframe", most_rows=14)
        self.frames.chosen.connect(lambda frame: state.change(frame=frame))
        self.name = QLineEdit()
        self.name.setMaxLength(_NAME_LENGTH)
        self.name.setPlaceholderText("What you call it")
        self.name.textEdited.connect(lambda text: state.change(name=text))
        self.reversed = QCheckBox("All propellers turn the other way than drawn")
        self.reversed.clicked.connect(lambda on: state.change(propellers_reversed=bool(on)))
        self.picture = AirframeView()
        self.parts = muted()
        self.proof = muted()
        grid = QGridLayout()
        grid.addWidget(heading("Name"), 0, 0)
        grid.addWidget(self.name, 0, 1)
        right = make_column(grid, (self.picture, 1), self.parts, self.proof, self.reversed)
        row = QHBoxLayout()
        row.setSpacing(16)
        row.addWidget(self.frames, 1, Qt.AlignmentFlag.AlignTop)
        row.addLayout(right, 1)
        self.column.addLayout(row)

    def show_answers(self) -> None:
        """Show the frame that is chosen."""
        answers = self.state.answers
        self.frames.show_choices(_frames(), answers.frame)
        if self.name.text() != answers.name:
            self.name.setText(answers.name)
        self.reversed.setChecked(answers.propellers_reversed)
        frame = frame_of(answers)
        self.reversed.setVisible(frame is not None and frame.family == MULTIROTOR)
        names = ", ".join(f"{c.name} ({c.type.lower()})" for c in channels_of(answers))
        self.parts.setText(f"Moves with {names}." if names else "")
        self.proof.setText(frame.proof if frame is not None else "")
        self.picture.setVisible(frame is not None)
        if frame is not None:
            is_reversed = answers.propellers_reversed
            outputs = outputs_of(answers, self.state.aircraft)
            setup = AirframeSetup(frame, frame.levels, outputs, reversed=is_reversed)
            self.picture.show_drawing(drawing_of(setup, Mixer()))


def _frames() -> list[Choice]:
    choices, family = [], ""
    for frame in all_airframes():
        if frame.family != family:
            family = frame.family
            choices.append(Choice("", _FAMILIES[family]))
        about = "" if frame.flown_as else NOT_SIMULATED.lower()
        choices.append(Choice(frame.name, f"    {frame.title}", about))
    return choices
