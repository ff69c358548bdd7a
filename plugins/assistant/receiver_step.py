"""Receiver step: the port by which the pilot's commands come in, and the order of channels."""

from plugins.assistant.choice_list import Choice, ChoiceList
from plugins.assistant.parts import AssistantStepView, fill, heading, muted
from plugins.assistant.state import AssistantState
from telemetry.configuration.assistant.receiver import (
    STATION,
    is_assigned,
    receiver_choices,
    receiver_of,
)
from widgets.choices import make_choice

_ORDERS = {
    "TAER": "Throttle, aileron, elevator, rudder (TAER)",
    "AETR": "Aileron, elevator, throttle, rudder (AETR)",
}


class ReceiverStep(AssistantStepView):
    """Receiver and port, and the usual order of its channels."""

    def __init__(self, state: AssistantState) -> None:
        super().__init__(state, "The kind of receiver, and the port it is plugged into.")
        self.choices = ChoiceList("Receiver", most_rows=14)
        self.choices.chosen.connect(lambda receiver: state.change(receiver=receiver))
        self.orders = make_choice(
            "Order of the channels", act=lambda order: state.change(channel_order=order)
        )
        self._order_title = heading("Order of the channels to begin with")
        self.note = muted()
        self.column.addWidget(self.choices)
        self.column.addWidget(self._order_title)
        self.column.addWidget(self.orders)
        self.column.addWidget(self.note)

    def show_answers(self) -> None:
        """Show the receiver that is chosen."""
        state, answers = self.state, self.state.answers
        choices = [Choice(choice.id, choice.title) for choice in receiver_choices(state.aircraft)]
        self.choices.show_choices(choices, answers.receiver)
        chosen = receiver_of(answers, state.aircraft)
        is_radio = chosen is not None and chosen.group != STATION
        is_kept = chosen is not None and is_assigned(chosen, state.aircraft)
        self._order_title.setVisible(is_radio and not is_kept)
        self.orders.setVisible(is_radio and not is_kept)
        fill(self.orders, _ORDERS, answers.channel_order)
        self.note.setText(_note(is_radio=is_radio, is_kept=is_kept))


def _note(*, is_radio: bool, is_kept: bool) -> str:
    if is_kept:
        return "Its channels are assigned on board already, and stay as they are."
    if is_radio:
        return (
            "The transmitter is measured afterwards, on the Receiver page: which stick is which, "
            "its ends and its middle."
        )
    return "Sticks on screen, keyboard or a game controller fly it through the telemetry link."
