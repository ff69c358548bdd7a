"""Settings slots: every single value of an object that can be read and set, with its path."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any

import numpy as np

from telemetry.base.finding import Finding, Level
from telemetry.protocol.objects.definition import (
    FieldDefinition,
    FieldType,
    ObjectDefinition,
    set_element,
)
from telemetry.protocol.objects.setting_limits import setting_complaint
from telemetry.protocol.objects.values import is_text, read_text
from telemetry.recording.sample import Sample, Value, read_element

_FINE = Finding(Level.OK, "fine", "")


@dataclass(frozen=True, slots=True)
class Slot:
    """One value. `index` is None for a text, which is set and read as a whole."""

    path: str
    field: FieldDefinition
    index: int | None


@lru_cache(maxsize=512)
def slots_of(definition: ObjectDefinition) -> dict[str, Slot]:
    """All slots by path ("Field", "Field.Element"), in the order of the definition."""
    slots = [slot for f in definition.fields for slot in _slots_of_field(f)]
    return {slot.path: slot for slot in slots}


def _slots_of_field(f: FieldDefinition) -> list[Slot]:
    if is_text(f):
        return [Slot(f.name, f, None)]
    if f.elements == 1:
        return [Slot(f.name, f, 0)]
    return [Slot(f"{f.name}.{f.element_label(i)}", f, i) for i in range(f.elements)]


def field_paths(f: FieldDefinition) -> tuple[str, ...]:
    """The paths of a field's values, in order."""
    return tuple(slot.path for slot in _slots_of_field(f))


def slot_at(definition: ObjectDefinition, path: str) -> Slot:
    """The slot at a path; raise ValueError naming what does not exist."""
    slot = slots_of(definition).get(path)
    if slot is not None:
        return slot
    name, _, label = path.partition(".")
    if not definition.has_field(name):
        raise ValueError(f"{definition.name} has no field '{name}'")
    f = definition.field_named(name)
    if not label:
        labels = ", ".join(f.element_label(i) for i in range(f.elements))
        raise ValueError(f"{definition.name}.{name} has the elements {labels}; name one of them")
    raise ValueError(f"{definition.name}.{name} has no element '{label}'")


def read_slot(row: np.void, slot: Slot) -> Value:
    """What a packed row holds there: a number, an option's text, or a text."""
    if slot.index is None:
        return read_text(row, slot.field)
    value: Value = read_element(row, slot.field, slot.index)
    return value


def held(slot: Slot, value: Value) -> Value:
    """`value` as the board will hold it: a float rounded to 32 bits, a number's text parsed.

    Raises ValueError if the field cannot hold it.
    """
    f = slot.field
    if slot.index is None:
        if not isinstance(value, str):
            raise ValueError(f"{f.name} takes a text, not {value}")
        if len(value.encode("latin-1", "replace")) > f.elements:
            raise ValueError(f"{f.name} takes {f.elements} characters, not {len(value)}")
        return value
    row: np.void = np.zeros(1, np.dtype([f.dtype]))[0]
    try:
        set_element(row, f, slot.index, value)
    except OverflowError as error:
        raise ValueError(f"{f.name} takes a number, not {value}") from error
    kept = read_slot(row, slot)
    if f.type is FieldType.FLOAT and not math.isfinite(float(kept)):
        raise ValueError(f"{f.name} takes a number, not {value}")
    return kept


def judge(name: str, slot: Slot, value: Value, board: int = 0) -> Finding:
    """Whether a value may be set: illegal (ERROR, never sent) or unusual (WARNING, sent if meant).

    Illegal is what the field cannot hold: a number outside its type, NaN, an option that does not
    exist. Unusual is what `setting_complaint` is about, for every board or for `board` (0x0903,
    ...). `name` is the object's. The text is a phrase for the user, empty where the value is fine.
    """
    try:
        kept = held(slot, value)
    except ValueError as error:
        return Finding(Level.ERROR, "illegal", str(error))
    if slot.index is None:
        return _FINE
    complaint = setting_complaint(name, slot.path, slot.field, slot.index, kept, board)
    if not complaint:
        return _FINE
    return Finding(Level.WARNING, "unusual", f"Unusual: {complaint}")


def read_values(definition: ObjectDefinition, row: np.void) -> dict[str, Value]:
    """All values of a row by path."""
    return {path: read_slot(row, slot) for path, slot in slots_of(definition).items()}


def values_of_sample(sample: Sample) -> Mapping[str, Value]:
    """The same of a sample; remembered, because views ask for the same one many times a second."""
    return _values(sample.definition, sample.row.tobytes())


@lru_cache(maxsize=64)
def _values(definition: ObjectDefinition, payload: bytes) -> Mapping[str, Value]:
    row = np.frombuffer(payload, definition.dtype)[0]
    return MappingProxyType(read_values(definition, row))


def fields_of_sample(sample: Sample) -> Mapping[str, Any]:
    """The same by field, as `whole_fields` has it."""
    return _fields(sample.definition, sample.row.tobytes())


@lru_cache(maxsize=16)
def _fields(definition: ObjectDefinition, payload: bytes) -> Mapping[str, Any]:
    return MappingProxyType(whole_fields(definition, _values(definition, payload)))


def default_values(definition: ObjectDefinition) -> dict[str, Value]:
    """What the definition says a board starts with, by path."""
    return read_values(definition, definition.default_row())


def whole_fields(definition: ObjectDefinition, values: Mapping[str, Value]) -> dict[str, Any]:
    """Values by path as values by field: a tuple for a field with several elements. Fields of
    which a value is missing are left out."""
    found: dict[str, Any] = {}
    for name, paths in _paths_by_field(definition).items():
        if all(path in values for path in paths):
            parts = tuple(values[path] for path in paths)
            found[name] = parts[0] if len(paths) == 1 else parts
    return found


@lru_cache(maxsize=512)
def _paths_by_field(definition: ObjectDefinition) -> dict[str, tuple[str, ...]]:
    return {f.name: field_paths(f) for f in definition.fields}


def values_by_path(definition: ObjectDefinition, fields: Mapping[str, Any]) -> dict[str, Value]:
    """Values by field as values by path, the way back from `whole_fields`. Raises KeyError for a
    field the object lacks."""
    found: dict[str, Value] = {}
    for name, value in fields.items():
        paths = field_paths(definition.field_named(name))
        parts = value if len(paths) > 1 else (value,)
        found |= dict(zip(paths, parts, strict=True))
    return found
