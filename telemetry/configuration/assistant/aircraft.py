"""Aircraft that is set up, as the assistant sees it: its definitions and what is on board."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from telemetry.configuration.hardware.boards import BoardKind, board_kind
from telemetry.configuration.settings.slots import slots_of
from telemetry.protocol.objects.definition import FieldDefinition, ObjectDefinition
from telemetry.protocol.objects.field_limits import limits_of
from telemetry.recording.sample import ReadValues, Value

WantedValues = dict[str, dict[str, Value]]
"""Wanted values by object and path."""


@dataclass(frozen=True, slots=True)
class AssistedAircraft:
    """Reads only. `definition` gives None for an object that is not on board, `values` nothing."""

    definition: Callable[[str], ObjectDefinition | None]
    values: ReadValues
    board: int = 0
    is_simulated: bool = False

    @property
    def kind(self) -> BoardKind | None:
        """The line of boards it has; None for one whose ports are not known."""
        return board_kind(self.board)

    def has(self, name: str, field: str) -> bool:
        """Whether an object is on board and has a field."""
        return self._field(name, field) is not None

    def value(self, name: str, path: str) -> Value | None:
        """What is on board; None if it is not there."""
        return self.values(name).get(path)

    def options(self, name: str, field: str) -> tuple[str, ...]:
        """The options of a field that are meant for this board; none if it is not there."""
        f = self._field(name, field)
        if f is None:
            return ()
        limits = limits_of(f, 0, self.board)
        return tuple(option for option in f.options if not limits.complaint(option))

    def size(self, name: str, field: str) -> int:
        """How many elements a field has; 0 if it is not there."""
        f = self._field(name, field)
        return f.elements if f is not None else 0

    def home_of(self, field: str, *names: str) -> str:
        """The first of some objects that has a field: releases have moved some. "" for none."""
        return next((name for name in names if self.has(name, field)), "")

    def _field(self, name: str, field: str) -> FieldDefinition | None:
        definition = self.definition(name)
        has_it = definition is not None and definition.has_field(field)
        return definition.field_named(field) if definition is not None and has_it else None


def by_path(definition: ObjectDefinition, values: Mapping[str, Any]) -> dict[str, Value]:
    """Values of whole fields, or of paths, as values by path. Fields it lacks are left out."""
    slots = slots_of(definition)
    found: dict[str, Value] = {}
    for key, value in values.items():
        if key in slots:
            found[key] = value
        elif definition.has_field(key) and isinstance(value, list | tuple):
            f = definition.field_named(key)
            labels = [f.element_label(i) for i in range(f.elements)]
            found |= {f"{key}.{label}": one for label, one in zip(labels, value, strict=False)}
    return found
