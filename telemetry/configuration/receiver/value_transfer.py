"""Value transfer to the board, outside the drawer: what a set-up needs there for a while."""

from collections.abc import Mapping

from telemetry.configuration.settings.configuration import Configuration
from telemetry.configuration.settings.edit import Edit
from telemetry.configuration.settings.slots import held, slot_at
from telemetry.configuration.settings.transfer import Transfer
from telemetry.recording.sample import Value


class ValueTransfer:
    """One transfer of values by object and path. It waits for a lost link and then goes on."""

    def __init__(self, settings: Configuration, values: Mapping[str, Mapping[str, Value]]) -> None:
        edits = [edit for name in values if (edit := _edit(settings, name, values[name]))]
        self._transfer = Transfer(edits, settings.aircraft)

    def poll(self) -> bool:
        """Go on; True once it is over."""
        return self._transfer.is_finished or self._transfer.poll()

    @property
    def is_done(self) -> bool:
        """Whether the board holds all the values, read back."""
        return self._transfer.is_verified

    @property
    def problem(self) -> str:
        """What went wrong, in sentences; empty if nothing did."""
        items = [item for item in self._transfer.items if not item.is_on_board]
        return " ".join(item.reason for item in items if item.reason)


def _edit(settings: Configuration, name: str, values: Mapping[str, Value]) -> Edit | None:
    """The values as the board's version of the object holds them; what it lacks is left out."""
    definition = settings.definition(name)
    if definition is None:
        return None
    after: dict[str, Value] = {}
    for path, value in values.items():
        try:
            after[path] = held(slot_at(definition, path), value)
        except ValueError:
            continue
    present = settings.aircraft.values(name)
    before = {path: present[path] for path in after if path in present}
    return Edit(name, before, after) if after else None
