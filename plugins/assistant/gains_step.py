"""Gains step: gains to begin with."""

from plugins.assistant.choice_list import Choice, ChoiceList
from plugins.assistant.parts import AssistantStepView, muted
from plugins.assistant.state import AssistantState
from telemetry.configuration.assistant.answers import KEEP
from telemetry.configuration.assistant.gain_templates import (
    estimator_choices,
    template_choices,
)


class GainsStep(AssistantStepView):
    """A template of the nearest size, or what is on board."""

    def __init__(self, state: AssistantState) -> None:
        super().__init__(
            state,
            "Choose the one that is nearest in size and weight. They are tuned in flight "
            "afterwards, on the Stabilization page.",
        )
        self.templates = ChoiceList("Gains")
        self.templates.chosen.connect(lambda template: state.change(gains=template))
        self.estimator = ChoiceList("Estimator")
        self.estimator.chosen.connect(lambda template: state.change(estimator=template))
        self.note = muted()
        self.column.addWidget(self.templates)
        self.column.addWidget(self.note)
        self.column.addWidget(self.estimator)

    def show_answers(self) -> None:
        """Show the templates for the chosen frame."""
        answers = self.state.answers
        found = template_choices(answers)
        choices = [Choice(KEEP, "Keep the gains that are on board")]
        choices += [Choice(t.id, t.title, t.size) for t in found]
        self.templates.show_choices(choices, answers.gains)
        chosen = next((t for t in found if t.id == answers.gains), None)
        self.note.setText(f"From {chosen.source}. {chosen.proven} {chosen.note}" if chosen else "")
        offered = estimator_choices(answers, self.state.aircraft)
        kept = Choice(KEEP, "Keep the estimator's settings that are on board")
        estimators = [kept, *(Choice(t.id, t.title, t.proven) for t in offered)]
        self.estimator.show_choices(estimators, answers.estimator or KEEP)
        self.estimator.setVisible(bool(offered))
