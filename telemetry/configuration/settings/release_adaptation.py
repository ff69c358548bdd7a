"""Settings adapted to a release: options in its letter case, elements by its names.

What it does not know stays as it is, and is told by whoever compares or stages it. A field whose
elements could be matched by their place only is taken as a whole or not at all."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from telemetry.configuration.settings.slots import slots_of
from telemetry.configuration.settings.snapshot import ObjectValues, Skipped, Snapshot
from telemetry.configuration.settings.value_text import value_from_plain
from telemetry.protocol.objects.definition import FieldDefinition, ObjectDefinition
from telemetry.recording.sample import Value


def adapted(wanted: Snapshot, to: Snapshot) -> Snapshot:
    """`wanted` as the aircraft of `to` would write it down."""
    objects, skipped = {}, []
    for address, theirs in wanted.objects.items():
        ours = to.objects.get(address)
        definition = ours.definition if ours is not None else None
        if definition is None or theirs.definition == definition:
            objects[address] = theirs
            continue
        unlike = [f for f in definition.fields if _has_other_length(theirs, f)]
        for f in unlike:
            there = f"{f.name} has {f.elements} elements here, and {len(_labels(theirs, f))} there"
            skipped.append(Skipped(theirs.name, there))
        objects[address] = _adapted(_without(theirs, unlike), definition)
    return replace(wanted, objects=objects, skipped=(*wanted.skipped, *skipped))


def _has_other_length(theirs: ObjectValues, f: FieldDefinition) -> bool:
    """Whether elements would be matched by nothing but their place, of which there are not as many.

    Where both releases number them (channels, points of a curve) a number means the same in both.
    """
    known = theirs.definition
    other = known.field_named(f.name) if known is not None and known.has_field(f.name) else None
    if other is not None and bool(other.element_names) == bool(f.element_names):
        return False
    labels = _labels(theirs, f)
    is_numbered = all(label.isdecimal() for label in labels)
    return len(labels) > 1 and len(labels) != f.elements and (other is not None or is_numbered)


def _labels(theirs: ObjectValues, f: FieldDefinition) -> list[str]:
    """The elements that they have of a field."""
    known = theirs.definition
    if known is not None and known.has_field(f.name):
        other = known.field_named(f.name)
        return [other.element_label(i) for i in range(other.elements)]
    parts = [path.partition(".") for path in theirs.values]
    return [label for name, _, label in parts if name == f.name]


def _without(theirs: ObjectValues, fields: Sequence[FieldDefinition]) -> ObjectValues:
    names = {f.name for f in fields}
    values = {p: v for p, v in theirs.values.items() if p.partition(".")[0] not in names}
    return replace(theirs, values=values)


def _adapted(theirs: ObjectValues, definition: ObjectDefinition) -> ObjectValues:
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
