"""Object commands, carried out step by step, and how far they are in words."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from plugins.object_browser.sources import ObjectSource, row_metadata
from telemetry.configuration.settings.edit import Edit
from telemetry.protocol.objects.values import pack_values, row_of
from telemetry.vehicle.commands import Commands, Operation, Ticket

Asked = Literal["request", "load", "erase"]
Step = tuple[str, Callable[[], Ticket]]
"""What is said while it runs, and how to start it."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far something is: `text` is short, for a row; `sentence` says it in full."""

    state: Literal["waiting", "done", "failed"]
    text: str
    sentence: str


class ObjectCommand:
    """Steps one after the other; the first failure ends them. Poll it from the GUI thread.

    `done` says shortly that all went well, `edit` what the steps put on board, if anything.
    """

    def __init__(
        self, source: ObjectSource, steps: Sequence[Step], done: str, edit: Edit | None = None
    ) -> None:
        self.source = source
        self.edit = edit
        self.done = done
        self.progress = Progress("waiting", "", "")
        self._steps = list(steps)
        self._ticket: Ticket | None = None
        self._start()

    @property
    def is_waiting(self) -> bool:
        """Whether the board has not answered yet."""
        return self.progress.state == "waiting"

    def poll(self) -> bool:
        """Look at the board's answer; True if anything changed."""
        ticket = self._ticket
        if not self.is_waiting or ticket is None or not ticket.is_finished:
            return False
        if ticket.state == "failed":
            self.progress = Progress("failed", ticket.text, ticket.text)
        elif self._steps:
            self._start()
        else:
            self.progress = Progress("done", self.done, ticket.text or self.done)
        return True

    def _start(self) -> None:
        text, start = self._steps.pop(0)
        self.progress = Progress("waiting", text, text)
        try:
            self._ticket = start()
        except ValueError as error:
            self.progress = Progress("failed", "Not sent", f"Not sent: {error}.")


def requested(asked: Asked, commands: Commands, source: ObjectSource) -> ObjectCommand:
    """What a button asks for that carries no values from here to the board."""
    name, instance = source.definition.name, source.instance

    def read() -> Ticket:
        return commands.request(name, instance)

    if asked == "request":
        return ObjectCommand(source, [("Requesting…", read)], "Received")
    reading = ("Reading back…", read)
    if asked == "load":
        steps = [persist_step(commands, source, "Load", "Loading…"), reading]
        return ObjectCommand(source, steps, "Loaded from the board's flash")
    steps = [persist_step(commands, source, "Delete", "Erasing…"), reading]
    return ObjectCommand(source, steps, "Erased on board; defaults are back")


def send_step(commands: Commands, source: ObjectSource, values: Mapping[str, Any]) -> Step:
    """Write values over what the board has; metadata is packed from its readable form."""
    name = source.definition.name

    def send() -> Ticket:
        if source.key.is_metadata:
            packed = pack_values(source.form, values, source.shown_row())
            return commands.set_metadata(name, row_metadata(row_of(source.form, packed)))
        return commands.send(name, values, source.instance)

    return "Sending…", send


def persist_step(
    commands: Commands, source: ObjectSource, operation: Operation, waiting: str
) -> Step:
    """Save an object to the board's flash, load it from there, or erase it there."""
    return waiting, lambda: commands.persist(operation, source.definition.name, source.instance)
