"""Settings of one release in the words of another: options in its letter case, elements by its
names. What it does not know stays as it is, and is told by whoever compares or stages it."""

from collections.abc import Mapping
from dataclasses import replace

from telemetry.configuration.settings.slots import slots_of
from telemetry.configuration.settings.snapshot import ObjectValues, Snapshot
from telemetry.configuration.settings.value_text import value_from_plain
from telemetry.objects.definition import ObjectDefinition
from telemetry.recording.sample import Value


def adapted(wanted: Snapshot, to: Snapshot) -> Snapshot:
    """`wanted` as the aircraft of `to` would write it down."""
    objects = {}
    for address, theirs in wanted.objects.items():
        ours = to.objects.get(address)
        objects[address] = theirs if ours is None else _adapted(theirs, ours.definition)
    return replace(wanted, objects=objects)


def _adapted(theirs: ObjectValues, definition: ObjectDefinition | None) -> ObjectValues:
    if definition is None or theirs.definition == definition:
        return theirs
    values = {}
    for path, value in _renamed(theirs, definition).items():
        slot = slots_of(definition).get(path)
        try:
            values[path] = value if slot is None else value_from_plain(slot, value)
        except ValueError:
            values[path] = value
    return replace(theirs, values=values)


def _renamed(theirs: ObjectValues, definition: ObjectDefinition) -> Mapping[str, Value]:
    """Elements that only one of the releases has names for are matched by their place."""
    known = slots_of(definition)
    renamed = {}
    for path, value in theirs.values.items():
        field, _, label = path.partition(".")
        index = _index(theirs, field, label)
        if path not in known and index is not None and definition.has_field(field):
            f = definition.field_named(field)
            is_named_once = bool(f.element_names) == label.isdecimal()
            if index < f.elements and is_named_once:
                renamed[f"{field}.{f.element_label(index)}" if f.elements > 1 else field] = value
                continue
        renamed[path] = value
    return renamed


def _index(theirs: ObjectValues, field: str, label: str) -> int | None:
    if label.isdecimal():
        return int(label)
    if theirs.definition is None or not theirs.definition.has_field(field):
        return None
    f = theirs.definition.field_named(field)
    return f.element_names.index(label) if label in f.element_names else None
