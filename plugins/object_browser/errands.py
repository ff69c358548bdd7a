"""A command on its way to the board, step by step, and what became of it in words."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from telemetry.vehicle.vehicle import Ticket


@dataclass(frozen=True, slots=True)
class Step:
    """One command: what is said while it runs, what when it is done, and how to start it."""

    waiting: str
    done: str
    start: Callable[[], Ticket]


class Errand:
    """Runs steps one after the other; the first failure ends it. Poll it from the GUI thread."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self._steps = tuple(steps)
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
            self._end("failed", self._ticket.text, self._ticket.text)
        elif self._position + 1 < len(self._steps):
            self._position += 1
            self._start()
        else:
            done = self._steps[self._position].done
            self._end("done", done, self._ticket.text or done)
        return True

    def _start(self) -> None:
        step = self._steps[self._position]
        self.text = self.sentence = step.waiting
        try:
            self._ticket = step.start()
        except ValueError as error:
            self._end("failed", "Not sent", f"Not sent: {error}.")

    def _end(self, state: Literal["done", "failed"], text: str, sentence: str) -> None:
        self.state, self.text, self.sentence = state, text, sentence
