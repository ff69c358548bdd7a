"""What the buttons ask of the board, as errands with an outcome in words."""

from typing import Literal

from plugins.object_browser.drafts import Drafts
from plugins.object_browser.errands import Errand, Step
from plugins.object_browser.sources import Source, row_metadata
from telemetry.objects.values import pack_values, row_of
from telemetry.vehicle.vehicle import Commands, Operation, Ticket

Asked = Literal["send", "request", "save", "load", "erase"]


def start_errand(asked: Asked, commands: Commands, source: Source, drafts: Drafts) -> Errand:
    """Begin what a button asks for. Saving sends unsent changes first."""
    name, instance = source.definition.name, source.instance
    request = Step("Reading back…", "Received", lambda: commands.request(name, instance))
    if asked == "send":
        return Errand([_send(commands, source, drafts)])
    if asked == "request":
        waiting = Step("Requesting…", "Received", lambda: commands.request(name, instance))
        return Errand([waiting])
    if asked == "save":
        save = _persist(commands, source, "Save", "Saving on board…", "Saved on board")
        return Errand([_send(commands, source, drafts), save] if drafts.count(source) else [save])
    if asked == "load":
        load = _persist(commands, source, "Load", "Loading…", "")
        return Errand([load, _renamed(request, "Loaded from the board's flash")])
    erase = _persist(commands, source, "Delete", "Erasing…", "")
    return Errand([erase, _renamed(request, "Erased on board; defaults are back")])


def _send(commands: Commands, source: Source, drafts: Drafts) -> Step:
    name, instance, values = source.definition.name, source.instance, drafts.of(source)

    def send() -> Ticket:
        if source.key.is_metadata:
            packed = pack_values(source.form, values, source.shown_row())
            return commands.set_metadata(name, row_metadata(row_of(source.form, packed)))
        return commands.send(name, values, instance)

    return Step("Sending…", "Applied", send)


def _persist(
    commands: Commands, source: Source, operation: Operation, waiting: str, done: str
) -> Step:
    name, instance = source.definition.name, source.instance
    return Step(waiting, done, lambda: commands.persist(operation, name, instance))


def _renamed(step: Step, done: str) -> Step:
    return Step(step.waiting, done, step.start)
