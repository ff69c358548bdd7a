"""A command on its way to the board, step by step, and what became of it in words."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from telemetry.configuration.settings.edit import EditState
from telemetry.vehicle.vehicle import Ticket


@dataclass(frozen=True, slots=True)
class Step:
    """One command: what is said while it runs, what when it is done, and how to start it.

    `sentence` tells the outcome in full; without one the board's answer does. `during` and
    `after` are what the step means for the edit it carries, if it carries one.
    """

    waiting: str
    done: str
    start: Callable[[], Ticket]
    during: EditState | None = None
    after: EditState | None = None
    sentence: str = ""


class Errand:
    """Runs steps one after the other; the first failure ends it. Poll it from the GUI thread.

    `on_state` hears of every state of the edit that the steps carry, with the reason of a failure.
    """

    def __init__(
        self,
        steps: Sequence[Step],
        on_state: Callable[[EditState, str], None] = lambda _state, _reason: None,
    ) -> None:
        self._steps = tuple(steps)
        self._on_state = on_state
        self._position = 0
        self._ticket: Ticket | None = None
        self.state: Literal["waiting", "done", "failed"] = "waiting"
        self.text = ""
        self.sentence = ""
        self._start()

    def poll(self) -> bool:
        """Look at the board's answer; True if anything changed.

        `text` is short, for a row of the tree; `sentence` is what the board's answer means.
        """
        if self.state != "waiting" or self._ticket is None or not self._ticket.is_finished:
            return False
        if self._ticket.state == "failed":
            self._fail(self._ticket.text, self._ticket.text)
            return True
        step = self._steps[self._position]
        self._tell(step.after)
        if self._position + 1 < len(self._steps):
            self._position += 1
            self._start()
        else:
            self.state, self.text = "done", step.done
            self.sentence = step.sentence or self._ticket.text or step.done
        return True

    def _start(self) -> None:
        step = self._steps[self._position]
        self.text = self.sentence = step.waiting
        self._tell(step.during)
        try:
            self._ticket = step.start()
        except ValueError as error:
            self._fail("Not sent", f"Not sent: {error}.")

    def _fail(self, text: str, sentence: str) -> None:
        self.state, self.text, self.sentence = "failed", text, sentence
        if self._steps[self._position].during is not None:
            self._on_state(EditState.FAILED, sentence)

    def _tell(self, state: EditState | None) -> None:
        if state is not None:
            self._on_state(state, "")
