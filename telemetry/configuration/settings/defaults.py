"""Default settings of a release, to compare with: what an object never saved starts with."""

from collections.abc import Mapping
from dataclasses import replace

from telemetry.configuration.settings.difference import is_same
from telemetry.configuration.settings.slots import default_values, field_paths
from telemetry.configuration.settings.snapshot import ObjectValues, Skipped, Snapshot
from telemetry.protocol.objects.definition import ObjectDefinition
from telemetry.recording.sample import Value


def fields_not_default(
    definition: ObjectDefinition, values: Mapping[str, Value]
) -> tuple[str, ...]:
    """The fields of which a value differs from its default."""
    defaults = default_values(definition)
    differ = {p for p, v in values.items() if p in defaults and not is_same(v, defaults[p])}
    return tuple(f.name for f in definition.fields if not differ.isdisjoint(field_paths(f)))


def only_not_default(snapshot: Snapshot) -> Snapshot:
    """The fields, as a whole, of which a value differs from its default. What nobody knows the
    defaults of stays."""
    objects = {}
    for address, held in snapshot.objects.items():
        if held.definition is None:
            objects[address] = held
            continue
        fields = set(fields_not_default(held.definition, held.values))
        values = {p: v for p, v in held.values.items() if p.partition(".")[0] in fields}
        if values:
            objects[address] = replace(held, values=values)
    return replace(snapshot, objects=objects)


def defaults_of(snapshot: Snapshot) -> Snapshot:
    """The same objects at their defaults."""
    known: dict[tuple[str, int], ObjectValues] = {}
    skipped = []
    for address, held in snapshot.objects.items():
        if held.definition is None:
            skipped.append(Skipped(held.name, "nobody knows its defaults"))
        else:
            known[address] = replace(held, values=default_values(held.definition))
    return Snapshot("the defaults", known, tuple(skipped))
