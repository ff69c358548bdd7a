"""Sample: one value of one object at one instant, and how to read its fields."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from telemetry.protocol.objects.definition import FieldDefinition, FieldType, ObjectDefinition

Value = float | int | str
Values = Mapping[str, Value]
"""Values of an object by path."""
ReadValues = Callable[[str], Values]
"""Gives the values of an object by path, empty for one that an aircraft lacks."""


@dataclass(frozen=True, slots=True)
class Key:
    """What a track is found by: one instance of one object version."""

    object_id: int
    instance: int


@dataclass(slots=True, eq=False)
class Sample:
    """A packed row and the second it arrived at. Must not be written to, nor `row`.

    (Not frozen: that takes four times as long to make, and views read thousands a second.)
    """

    t: float
    definition: ObjectDefinition
    instance: int
    row: np.void

    def __getitem__(self, path: str) -> Any:
        """Return a number, an option's text, or a tuple of them for an array field.

        `path` is "Field" or "Field.element", where the element is a name or a number. Raises
        KeyError for a field or element that the definition does not have.
        """
        field, index = self.definition.element(path)
        return read_element(self.row, field, index)

    def raw(self, path: str) -> Any:
        """Like indexing, with enums as the numbers that travel on the wire."""
        field, index = self.definition.element(path)
        value = self.row[field.name]
        if field.elements == 1:
            return value.item()
        return tuple(value.tolist()) if index is None else value[index].item()

    def as_dict(self) -> dict[str, Any]:
        """All fields in the order of the definition."""
        return {f.name: read_element(self.row, f, None) for f in self.definition.fields}


def read_element(row: np.void, field: FieldDefinition, index: int | None) -> Any:
    """Read a whole field (None) or one element, options as text."""
    value = row[field.name]
    if field.elements > 1:
        if index is None:
            return tuple(_readable(field, item) for item in value.tolist())
        value = value[index]
    return _readable(field, value.item())


def _readable(field: FieldDefinition, value: float | int) -> Value:
    if field.type is FieldType.ENUM and field.options:
        return field.option_text(int(value))
    return value
