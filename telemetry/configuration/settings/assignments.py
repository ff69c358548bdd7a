"""Settings assignments of a command line: OBJECT.FIELD.ELEMENT=VALUE, an instance as OBJECT[1]."""

import re
from dataclasses import dataclass

from telemetry.configuration.settings.slots import slots_of
from telemetry.configuration.settings.value_text import near, value_from_text
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.definition import FieldDefinition, ObjectDefinition
from telemetry.protocol.objects.values import is_text
from telemetry.recording.sample import Value

_TARGET = re.compile(
    r"(?P<name>\w+)(\[(?P<instance>\d{1,3})\])?(\.(?P<field>\w+)(\.(?P<element>.+))?)?"
)


@dataclass(frozen=True, slots=True)
class Target:
    """An object, a field or an element. Field and element are empty where the whole is meant."""

    name: str
    instance: int = 0
    field: str = ""
    element: str = ""


def parse_target(word: str, catalogue: Catalogue) -> Target:
    """Read a name; the object's in any letter case. Raises ValueError."""
    parts = _TARGET.fullmatch(word)
    if parts is None:
        raise ValueError(
            f"'{word}' names nothing; write OBJECT, OBJECT.FIELD or OBJECT.FIELD.ELEMENT"
        )
    name = catalogue.find(parts["name"]).name
    return Target(name, int(parts["instance"] or 0), parts["field"] or "", parts["element"] or "")


def parse_assignment(word: str, catalogue: Catalogue) -> tuple[Target, str]:
    """Read OBJECT.FIELD[.ELEMENT]=VALUE. Raises ValueError."""
    path, equals, text = word.partition("=")
    target = parse_target(path.strip(), catalogue)
    if not (equals and target.field):
        raise ValueError(f"'{word}' sets nothing; write OBJECT.FIELD=VALUE")
    return target, text


def field_of(definition: ObjectDefinition, target: Target) -> FieldDefinition:
    """The field that is meant, in any letter case. Raises ValueError with what is like it."""
    names = [f.name for f in definition.fields]
    found = [name for name in names if name.casefold() == target.field.casefold()]
    if not found:
        hint = near(target.field, names) or f"; it has {', '.join(names)}"
        raise ValueError(f"{definition.name} has no field '{target.field}'{hint}")
    return definition.field_named(found[0])


def paths_at(definition: ObjectDefinition, target: Target) -> list[str]:
    """The paths of all values that are meant. Raises ValueError."""
    if not target.field:
        return list(slots_of(definition))
    f = field_of(definition, target)
    slots = [slot for slot in slots_of(definition).values() if slot.field.name == f.name]
    if not target.element:
        return [slot.path for slot in slots]
    labels = [f.element_label(slot.index) for slot in slots if slot.index is not None]
    found = [label for label in labels if label.casefold() == target.element.casefold()]
    if not found or f.elements == 1 or is_text(f):
        hint = f"; it has {', '.join(labels)}" if len(labels) > 1 else "; leave it out"
        raise ValueError(f"{definition.name}.{f.name} has no element '{target.element}'{hint}")
    return [f"{f.name}.{found[0]}"]


def values_for(definition: ObjectDefinition, target: Target, text: str) -> dict[str, Value]:
    """What an assignment means, by path: one value, or as many as the field has elements.

    Raises ValueError naming the object, what is wrong and what is possible.
    """
    paths = paths_at(definition, target)
    texts = [text] if len(paths) == 1 else text.split(",")
    if len(texts) != len(paths):
        labels = ", ".join(path.partition(".")[2] for path in paths)
        raise ValueError(
            f"{definition.name}.{target.field} has the elements {labels}; name one of them, or "
            f"give {len(paths)} values split by commas"
        )
    known = slots_of(definition)
    try:
        return {
            path: value_from_text(known[path], one) for path, one in zip(paths, texts, strict=True)
        }
    except ValueError as error:
        raise ValueError(f"{definition.name}: {error}") from None
