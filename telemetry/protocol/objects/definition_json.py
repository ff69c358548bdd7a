"""Definition JSON: all that a definition says, nothing taken from another file.

A definition file may take fields from others and cannot number options freely; what is kept beside
a log must stand alone.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, Final

from telemetry.base.text_formats import FormatError
from telemetry.protocol.objects.definition import (
    LARGEST_FLOAT,
    FieldDefinition,
    FieldType,
    ObjectDefinition,
    UpdateMode,
    UpdatePolicy,
)

Json = dict[str, Any]

_MOST: Final = 255
"""Of fields, of elements and of options: their numbers are bytes."""
_LONGEST_PERIOD_MS: Final = 0xFFFFFFFF


def definition_to_json(definition: ObjectDefinition) -> Json:
    """Everything a definition says, and the id that follows from it."""
    policies = (definition.flight_policy, definition.gcs_policy, definition.logging_policy)
    return {
        "id": f"0x{definition.object_id:08X}",
        "name": definition.name,
        "settings": definition.settings,
        "single_instance": definition.single_instance,
        "description": definition.description,
        "category": definition.category,
        "sorted_by_size": definition.sorted_by_size,
        "flight_readonly": definition.flight_readonly,
        "gcs_readonly": definition.gcs_readonly,
        "policies": [[one.mode.name, one.period_ms, one.acked] for one in policies],
        "priority": definition.priority,
        "fields": [field_to_json(field) for field in definition.fields],
    }


def definition_from_json(value: Any) -> ObjectDefinition:
    """A definition that has the id it tells. Raises FormatError."""
    entry = _object(value)
    flight, gcs, logging = _policies(entry)
    fields = tuple(_field(_object(one)) for one in _list(entry, "fields"))
    if not fields or len({field.name for field in fields}) < len(fields):
        raise FormatError(f"{_text(entry, 'name')[:40]!r} has no fields, or one of them twice")
    try:
        definition = ObjectDefinition(
            name=_text(entry, "name"),
            fields=fields,
            settings=_flag(entry, "settings"),
            single_instance=_flag(entry, "single_instance"),
            description=_text(entry, "description"),
            category=_text(entry, "category"),
            sorted_by_size=_flag(entry, "sorted_by_size"),
            flight_readonly=_flag(entry, "flight_readonly"),
            gcs_readonly=_flag(entry, "gcs_readonly"),
            flight_policy=flight,
            gcs_policy=gcs,
            logging_policy=logging,
            priority=_flag(entry, "priority"),
        )
    except FormatError:
        raise
    except ValueError as error:
        raise FormatError(str(error)) from None
    if entry.get("id") != f"0x{definition.object_id:08X}":
        raise FormatError(f"the id of {definition.name} does not follow from what it says")
    return definition


def field_to_json(field: FieldDefinition) -> Json:
    """Everything the definition of a field says."""
    said = asdict(field) | {"type": field.type.label}
    return {key: list(value) if isinstance(value, tuple) else value for key, value in said.items()}


def _field(entry: Json) -> FieldDefinition:
    name = _text(entry, "name")
    elements, names = _whole(entry.get("elements"), 1, _MOST), _texts(entry, "element_names")
    if names and len(names) != elements:
        raise FormatError(f"field {name[:40]!r} has {elements} elements and {len(names)} names")
    try:
        kind = FieldType.named(_text(entry, "type"))
        options, numbers = _options(entry, kind)
        return FieldDefinition(
            name=name,
            type=kind,
            elements=elements,
            units=_text(entry, "units"),
            element_names=names,
            options=options,
            option_values=numbers,
            defaults=tuple(_default(one, kind) for one in _list(entry, "defaults")),
            limits=_text(entry, "limits"),
            description=_text(entry, "description"),
        )
    except FormatError:
        raise
    except ValueError as error:
        raise FormatError(f"field {name[:40]!r}: {error}") from None


def _options(entry: Json, kind: FieldType) -> tuple[tuple[str, ...], tuple[int, ...]]:
    options = _texts(entry, "options")
    numbers = tuple(_whole(one, 0, _MOST) for one in _list(entry, "option_values"))
    are_right = bool(options) == (kind is FieldType.ENUM) and len(options) == len(numbers) == len(
        set(options)
    ) == len(set(numbers))
    if not are_right or not all(character <= "\xff" for text in options for character in text):
        raise FormatError("it has options that no firmware can have")
    return options, numbers


def _default(value: Any, kind: FieldType) -> float | int | str:
    if isinstance(value, str):
        return value
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or kind is FieldType.ENUM or abs(value) > LARGEST_FLOAT:
        raise FormatError("it has a default that it cannot hold")
    number: float | int = value
    return number


def _policies(entry: Json) -> list[UpdatePolicy]:
    policies = [_policy(one) for one in _list(entry, "policies")]
    if len(policies) != 3:
        raise FormatError("an object is sent in three ways")
    return policies


def _policy(value: Any) -> UpdatePolicy:
    mode, period_ms, acked = value if isinstance(value, list) and len(value) == 3 else (None,) * 3
    if not isinstance(mode, str) or mode not in UpdateMode.__members__:
        raise FormatError("it does not say when an object is sent")
    if not isinstance(acked, bool):
        raise FormatError("it does not say whether an object is acknowledged")
    return UpdatePolicy(UpdateMode[mode], _whole(period_ms, 0, _LONGEST_PERIOD_MS), acked)


def _object(value: Any) -> Json:
    if not isinstance(value, dict):
        raise FormatError("it is no object")
    return value


def _list(entry: Mapping[str, Any], key: str) -> list[Any]:
    value = entry.get(key)
    if not isinstance(value, list) or len(value) > _MOST:
        raise FormatError(f"{key} is no list of up to {_MOST} entries")
    return value


def _of(kind: type, word: str) -> Callable[[Mapping[str, Any], str], Any]:
    def read(entry: Mapping[str, Any], key: str) -> Any:
        value = entry.get(key)
        if not isinstance(value, kind):
            raise FormatError(f"{key} is no {word}")
        return value

    return read


_flag = _of(bool, "true or false")
_text = _of(str, "text")


def _texts(entry: Mapping[str, Any], key: str) -> tuple[str, ...]:
    values = _list(entry, key)
    if not all(isinstance(value, str) for value in values):
        raise FormatError(f"{key} has something that is no text")
    return tuple(values)


def _whole(value: Any, least: int, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise FormatError(f"{str(value)[:40]} is no whole number from {least} to {most}")
    return value
