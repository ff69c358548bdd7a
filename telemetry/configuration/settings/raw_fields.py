"""From what a file says to values: the right definition for each object, each value judged.

Objects and fields are matched by name. An object's version is the one whose id the file gives;
where nobody knows that id, it is read as the release that fits most of the file's other objects.
What no definition knows is kept as text, since the board that it meets may know it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from telemetry.configuration.settings.slots import Slot, slots_of
from telemetry.configuration.settings.snapshot import Address, ObjectValues, Skipped
from telemetry.configuration.settings.value_text import value_from_plain
from telemetry.objects.catalogue import Catalogue, UnknownObjectError
from telemetry.objects.definition import ObjectDefinition
from telemetry.recording.sample import Value

RawField = Sequence[object] | Mapping[str, object] | str


@dataclass(frozen=True, slots=True)
class RawObject:
    """An object as a file has it. A field is its elements in order, or by name, or a text."""

    name: str
    fields: Mapping[str, RawField]
    object_id: int | None = None
    instance: int | None = None


def read_objects(
    raw: Sequence[RawObject], catalogue: Catalogue
) -> tuple[dict[Address, ObjectValues], list[Skipped]]:
    """The settings in a file, sorted, and what had to be left out."""
    definitions = _definitions(raw, catalogue)
    found: dict[Address, ObjectValues] = {}
    skipped: list[Skipped] = []
    for entry, definition in zip(raw, definitions, strict=True):
        instance = entry.instance if entry.instance is not None else 0
        if definition is not None and not definition.settings:
            skipped.append(Skipped(entry.name, "not a settings object"))
            continue
        if (entry.name, instance) in found:
            if entry.instance is None and definition and not definition.single_instance:
                instance = 1 + max(i for name, i in found if name == entry.name)
            else:
                skipped.append(Skipped(entry.name, "it stands there twice; the first one counts"))
                continue
        values, complaints = _read_fields(entry, definition)
        skipped += [Skipped(entry.name, why) for why in complaints]
        found[entry.name, instance] = ObjectValues(entry.name, instance, values, definition)
    return dict(sorted(found.items())), skipped


def _definitions(
    raw: Iterable[RawObject], catalogue: Catalogue
) -> Sequence[ObjectDefinition | None]:
    entries = list(raw)
    exact = [_by_id(entry, catalogue) for entry in entries]
    if all(exact):
        return exact
    known = [definition.object_id for definition in exact if definition is not None]
    release = catalogue.best_release(known) if known else None
    return [
        definition or _by_name(entry.name, catalogue, release)
        for entry, definition in zip(entries, exact, strict=True)
    ]


def _by_id(entry: RawObject, catalogue: Catalogue) -> ObjectDefinition | None:
    definition = catalogue.get(entry.object_id) if entry.object_id is not None else None
    return definition if definition is not None and definition.name == entry.name else None


def _by_name(name: str, catalogue: Catalogue, release: str | None) -> ObjectDefinition | None:
    for place in (release, None):
        try:
            definition = catalogue.find(name, place)
        except UnknownObjectError:
            continue
        if definition.name == name:
            return definition
    return None


def _read_fields(
    entry: RawObject, definition: ObjectDefinition | None
) -> tuple[dict[str, Value], list[str]]:
    values: dict[str, Value] = {}
    complaints: list[str] = []
    for name, raw in entry.fields.items():
        if definition is None or not definition.has_field(name):
            values |= _unjudged(name, raw)
            continue
        slots = [slot for slot in slots_of(definition).values() if slot.field.name == name]
        for slot, value in _pair(slots, raw, complaints):
            try:
                values[slot.path] = value_from_plain(slot, value)
            except ValueError as error:
                complaints.append(str(error))
    return values, complaints


def _unjudged(name: str, raw: RawField) -> dict[str, Value]:
    """Values of a field that nobody knows, as texts."""
    if isinstance(raw, str):
        return {name: raw}
    if isinstance(raw, Mapping):
        return {f"{name}.{label}": str(value) for label, value in raw.items()}
    if len(raw) == 1:
        return {name: str(raw[0])}
    return {f"{name}.{index}": str(value) for index, value in enumerate(raw)}


def _pair(
    slots: Sequence[Slot], raw: RawField, complaints: list[str]
) -> Iterable[tuple[Slot, object]]:
    """Each slot of a field with what the file has for it."""
    f = slots[0].field
    if slots[0].index is None:
        return [(slots[0], _text(raw, f.elements))]
    if isinstance(raw, Mapping):
        labels = {f.element_label(slot.index or 0): slot for slot in slots}
        unknown = [label for label in raw if label not in labels]
        if unknown:
            complaints.append(f"{f.name} has no element {', '.join(unknown)}")
        return [(labels[label], value) for label, value in raw.items() if label in labels]
    items = [raw] if isinstance(raw, str) else raw
    if len(items) != len(slots):
        complaints.append(f"{f.name} has {len(slots)} elements, and the file {len(items)}")
    return list(zip(slots, items, strict=False))


def _text(raw: RawField, size: int) -> object:
    """A text, which may be written as the numbers of its characters."""
    if isinstance(raw, str):
        return raw
    items = [str(item).strip() for item in (raw.values() if isinstance(raw, Mapping) else raw)]
    if len(items) == size and all(item.lstrip("-").isdecimal() for item in items):
        data = bytes(int(item) & 0xFF for item in items)
        return data.split(b"\0")[0].decode("latin-1")
    return ",".join(items)
