"""The values of an object by field instead of by path, for what reads and writes whole arrays."""

from collections.abc import Mapping
from typing import Any

from telemetry.objects.definition import FieldDefinition, ObjectDefinition
from telemetry.objects.values import is_text
from telemetry.recording.sample import Value


def by_field(definition: ObjectDefinition, values: Mapping[str, Value]) -> dict[str, Any]:
    """Arrays as tuples, the rest as they are; fields of which a value is missing are left out."""
    found: dict[str, Any] = {}
    for f in definition.fields:
        paths = field_paths(f)
        if all(path in values for path in paths):
            read = tuple(values[path] for path in paths)
            found[f.name] = read if paths != (f.name,) else read[0]
    return found


def by_path(definition: ObjectDefinition, fields: Mapping[str, Any]) -> dict[str, Value]:
    """The way back. Raises KeyError for a field the object lacks."""
    found: dict[str, Value] = {}
    for name, value in fields.items():
        paths = field_paths(definition.field_named(name))
        parts = (value,) if paths == (name,) else value
        found |= dict(zip(paths, parts, strict=True))
    return found


def field_paths(f: FieldDefinition) -> tuple[str, ...]:
    """The paths of a field's values, in order."""
    if f.elements == 1 or is_text(f):
        return (f.name,)
    return tuple(f"{f.name}.{f.element_label(i)}" for i in range(f.elements))
