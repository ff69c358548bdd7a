"""Raw fields of a settings file: judged by the right definition for each object.

Objects and fields are matched by name. An object's version is the one whose id the file gives;
where nobody knows that id, it is read as the release that fits most of the file's other objects.
What no definition knows is kept as text, since the board that it meets may know it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from telemetry.configuration.settings.document import SettingsError
from telemetry.configuration.settings.slots import Slot, slots_of
from telemetry.configuration.settings.snapshot import Address, ObjectValues, Skipped
from telemetry.configuration.settings.value_text import short, value_from_plain
from telemetry.protocol.objects.catalogue import Catalogue, UnknownObjectError
from telemetry.protocol.objects.definition import MAX_INSTANCES, ObjectDefinition
from telemetry.recording.sample import Value

RawField = Sequence[object] | Mapping[str, object] | str

MOST_ELEMENTS = 255
"""Their number is a byte in every release."""
_MOST_OBJECTS = 5_000
_MOST_COMPLAINTS = 100


@dataclass(frozen=True, slots=True)
class RawObject:
    """An object as a file has it. A field is its elements in order, or by name, or a text."""

    name: str
    fields: Mapping[str, RawField]
    object_id: int | None = None
    instance: int | None = None


def read_objects(
    title: str, raw: Sequence[RawObject], catalogue: Catalogue, firmware: str = ""
) -> tuple[dict[Address, ObjectValues], list[Skipped]]:
    """The settings in the file `title`, sorted, and the first that had to be left out.

    `firmware` is its tag, as far as the file says it: names of elements belong to a release.
    Raises SettingsError for more objects than any board has.
    """
    if len(raw) > _MOST_OBJECTS:
        raise SettingsError(
            f"{title} has {len(raw):,} objects, and no board has {_MOST_OBJECTS:,}. "
            "Nothing was taken from it."
        )
    found: dict[Address, ObjectValues] = {}
    complaints = _Complaints()
    for entry, definition in zip(raw, _definitions(raw, catalogue, firmware), strict=True):
        if definition is not None and not definition.settings:
            complaints.add(entry.name, "not a settings object")
            continue
        instance = _instance(entry, definition, found)
        if instance is None:
            complaints.add(entry.name, "it stands there twice; the first one counts")
            continue
        values = _read_fields(entry, definition, complaints)
        found[entry.name, instance] = ObjectValues(entry.name, instance, values, definition)
    return dict(sorted(found.items())), complaints.skipped()


class _Complaints:
    """What had to be left out: the first sentences, and how many more there were.

    A sentence is made of `why` only if it is one of the first.
    """

    def __init__(self) -> None:
        self._first: list[Skipped] = []
        self._more = 0

    def add(self, name: str, why: object) -> None:
        if len(self._first) < _MOST_COMPLAINTS:
            self._first.append(Skipped(short(name), str(why)))
        else:
            self._more += 1

    def skipped(self) -> list[Skipped]:
        more = Skipped("More", f"{self._more:,} further values do not fit")
        return [*self._first, more] if self._more else self._first


def _instance(
    entry: RawObject, definition: ObjectDefinition | None, found: Mapping[Address, ObjectValues]
) -> int | None:
    """Which instance an object of a file is; None if it stands there already."""
    if entry.instance is not None or (entry.name, 0) not in found:
        instance = entry.instance or 0
        return None if (entry.name, instance) in found else instance
    if definition is None or definition.single_instance:
        return None
    free = (i for i in range(1, MAX_INSTANCES) if (entry.name, i) not in found)
    return next(free, None)


def _definitions(
    raw: Iterable[RawObject], catalogue: Catalogue, firmware: str
) -> Sequence[ObjectDefinition | None]:
    entries = list(raw)
    told = catalogue.release_of(firmware)
    exact = [_by_id(entry, catalogue, told) for entry in entries]
    if all(exact):
        return exact
    known = [definition.object_id for definition in exact if definition is not None]
    release = told or (catalogue.best_release(known) if known else None)
    return [
        definition or _by_name(entry.name, catalogue, release)
        for entry, definition in zip(entries, exact, strict=True)
    ]


def _by_id(entry: RawObject, catalogue: Catalogue, release: str) -> ObjectDefinition | None:
    object_id = entry.object_id
    definition = catalogue.get(object_id, release) if object_id is not None else None
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
    entry: RawObject, definition: ObjectDefinition | None, complaints: _Complaints
) -> dict[str, Value]:
    values: dict[str, Value] = {}
    for name, raw in entry.fields.items():
        if not isinstance(raw, str) and len(raw) > MOST_ELEMENTS:
            complaints.add(entry.name, f"{short(name)} has more elements than any field")
            continue
        if definition is None or not definition.has_field(name):
            values |= _unjudged(name, raw)
            continue
        slots = [slot for slot in slots_of(definition).values() if slot.field.name == name]
        if unknown := _unknown_elements(slots, raw):
            complaints.add(entry.name, f"{name} has no element {short(', '.join(unknown))}")
        try:
            pairs = _pair(slots, raw)
            values |= {slot.path: value_from_plain(slot, value) for slot, value in pairs}
        except ValueError as error:  # half a field would be neither theirs nor ours
            complaints.add(entry.name, error)
    return values


def _unjudged(name: str, raw: RawField) -> dict[str, Value]:
    """Values of a field that nobody knows, as texts."""
    if isinstance(raw, str):
        return {name: raw}
    if isinstance(raw, Mapping):
        return {f"{name}.{label}": str(value) for label, value in raw.items()}
    if len(raw) == 1:
        return {name: str(raw[0])}
    return {f"{name}.{index}": str(value) for index, value in enumerate(raw)}


def _pair(slots: Sequence[Slot], raw: RawField) -> Iterable[tuple[Slot, object]]:
    """Each slot of a field with what the file has for it. Raises ValueError where values in order
    are not as many as the field has elements: nobody knows then which is which."""
    f = slots[0].field
    if slots[0].index is None:
        return [(slots[0], _text(raw, f.elements))]
    if isinstance(raw, Mapping):
        labels = _by_label(slots)
        return [(labels[label], value) for label, value in raw.items() if label in labels]
    items = [raw] if isinstance(raw, str) else raw
    if len(items) != len(slots):
        raise ValueError(f"{f.name} has {len(slots)} elements, and the file {len(items)}")
    return list(zip(slots, items, strict=True))


def _unknown_elements(slots: Sequence[Slot], raw: RawField) -> list[str]:
    """What in a field has no slot."""
    if slots[0].index is None or not isinstance(raw, Mapping):
        return []
    return [label for label in raw if label not in _by_label(slots)]


def _by_label(slots: Sequence[Slot]) -> dict[str, Slot]:
    return {slot.field.element_label(slot.index or 0): slot for slot in slots}


def _text(raw: RawField, size: int) -> object:
    """A text, which may be written as the numbers of its characters."""
    if isinstance(raw, str):
        return raw
    items = [str(item).strip() for item in (raw.values() if isinstance(raw, Mapping) else raw)]
    if len(items) == size and all(item.lstrip("-").isdecimal() for item in items):
        data = bytes(int(item) & 0xFF for item in items)
        return data.split(b"\0")[0].decode("latin-1")
    return ",".join(items)
