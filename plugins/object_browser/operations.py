"""What can be asked of the board, as steps of errands with an outcome in words."""

from collections.abc import Mapping
from typing import Any, Literal

from plugins.object_browser.errands import Step
from plugins.object_browser.sources import ObjectSource, row_metadata
from telemetry.configuration.settings.edit import EditState
from telemetry.objects.values import pack_values, row_of
from telemetry.vehicle.vehicle import Commands, Operation, Ticket

Asked = Literal["request", "load", "erase"]


def asked_steps(asked: Asked, commands: Commands, source: ObjectSource) -> list[Step]:
    """What a button asks for that carries no values from here to the board."""
    name, instance = source.definition.name, source.instance

    def request() -> Ticket:
        return commands.request(name, instance)

    if asked == "request":
        return [Step("Requesting…", "Received", request)]
    if asked == "load":
        load = _persist(commands, source, "Load", "Loading…")
        return [load, Step("Reading back…", "Loaded from the board's flash", request)]
    erase = _persist(commands, source, "Delete", "Erasing…")
    return [erase, Step("Reading back…", "Erased on board; defaults are back", request)]


def send_step(
    commands: Commands,
    source: ObjectSource,
    values: Mapping[str, Any],
    done: str = "Applied",
    sentence: str = "",
) -> Step:
    """Write values over what the board has; metadata is packed from its readable form."""
    name, instance = source.definition.name, source.instance

    def send() -> Ticket:
        if source.key.is_metadata:
            packed = pack_values(source.form, values, source.shown_row())
            return commands.set_metadata(name, row_metadata(row_of(source.form, packed)))
        return commands.send(name, values, instance)

    return Step("Sending…", done, send, EditState.SENDING, EditState.APPLIED, sentence)


def save_step(commands: Commands, source: ObjectSource) -> Step:
    """Keep on board what the board has now."""
    name, instance = source.definition.name, source.instance
    return Step(
        "Saving on board…",
        "Saved on board",
        lambda: commands.persist("Save", name, instance),
        EditState.SAVING,
        EditState.VERIFIED,
    )


def _persist(commands: Commands, source: ObjectSource, operation: Operation, waiting: str) -> Step:
    name, instance = source.definition.name, source.instance
    return Step(waiting, "", lambda: commands.persist(operation, name, instance))
