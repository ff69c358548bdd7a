"""Outputs step: what speed controllers and servos understand, and which output each is on."""

from PySide6.QtWidgets import QComboBox, QLabel, QWidget

from plugins.assistant.choice_list import Choice, ChoiceList
from plugins.assistant.parts import AssistantStepView, fill, heading, muted
from plugins.assistant.state import AssistantState
from telemetry.configuration.airframe.banks import bank_of
from telemetry.configuration.assistant.answers import KEEP
from telemetry.configuration.assistant.answers_on_board import is_set_up
from telemetry.configuration.assistant.outputs import (
    SERVOS,
    channels_of,
    esc_choices,
    frame_of,
    output_count,
    outputs_of,
)
from widgets.choices import make_choice
from widgets.parts import clear_layout, make_grid

_PAIRS = 2
"""How many channels stand side by side."""


class OutputsStep(AssistantStepView):
    """Protocol, servos, and the output of each channel of the frame."""

    def __init__(self, state: AssistantState) -> None:
        super().__init__(state, "Look at what is printed on the speed controllers.")
        self.escs = ChoiceList("Speed controllers")
        self.escs.chosen.connect(lambda esc: state.change(esc=esc))
        self.servos = make_choice("Servos", act=lambda servo: state.change(servo=servo))
        self.boxes: dict[str, QComboBox] = {}
        self._banks: dict[str, QLabel] = {}
        self._table = QWidget()
        self._grid = make_grid(self._table)
        self._note = muted(
            "Where a motor just begins to turn is found on the Outputs page, propellers off."
        )
        self.column.addWidget(self.escs)
        self.column.addWidget(self.servos)
        self.column.addWidget(heading("Which output each is plugged into"))
        self.column.addWidget(self._table)
        self.column.addWidget(self._note)

    def show_answers(self) -> None:
        """Show protocol and outputs."""
        state, answers = self.state, self.state.answers
        choices = [Choice(esc.id, esc.title, esc.about) for esc in esc_choices(state.aircraft)]
        if is_set_up(state.aircraft):
            choices.insert(0, Choice(KEEP, "Leave protocol and rates as they are on board"))
        self.escs.show_choices(choices, answers.esc)
        fill(self.servos, {key: words for key, (words, _) in SERVOS.items()}, answers.servo)
        channels = channels_of(answers)
        self.servos.setVisible(any(not channel.is_motor for channel in channels))
        if [channel.name for channel in channels] != list(self.boxes):
            self._build([(channel.name, channel.is_motor) for channel in channels])
        frame, outputs = frame_of(answers), outputs_of(answers, state.aircraft)
        numbers = {str(n): f"Output {n}" for n in range(1, output_count(state.aircraft) + 1)}
        if frame is not None and frame.can_lack_channels:
            numbers = {"0": "None"} | numbers
        for name, box in self.boxes.items():
            output = outputs.get(name, 0)
            fill(box, numbers, str(output))
            bank = bank_of(output, state.aircraft.board) if output else None
            self._banks[name].setText(f"bank {bank}" if bank is not None else "")

    def _build(self, channels: list[tuple[str, bool]]) -> None:
        clear_layout(self._grid)
        self.boxes.clear()
        self._banks.clear()
        for number, (name, is_motor) in enumerate(channels):
            row, pair = divmod(number, _PAIRS)
            box = make_choice(f"Output of {name}", act=lambda _output: self._take())
            self.boxes[name] = box
            bank = self._banks[name] = muted()
            self._grid.addWidget(
                QLabel(f"{'Motor' if is_motor else 'Servo'} {name}"), row, 4 * pair
            )
            self._grid.addWidget(box, row, 4 * pair + 1)
            self._grid.addWidget(bank, row, 4 * pair + 2)
        self._grid.setColumnStretch(4 * _PAIRS, 1)

    def _take(self) -> None:
        outputs = {each: int(box.currentData() or 0) for each, box in self.boxes.items()}
        self.state.change(outputs=outputs)
