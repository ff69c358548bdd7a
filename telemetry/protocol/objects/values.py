"""Object values in and out of packed rows, by the names and option texts people use."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from telemetry.protocol.objects.definition import (
    FieldDefinition,
    FieldType,
    ObjectDefinition,
    set_element,
)

Value = float | int | str


def is_text(f: FieldDefinition) -> bool:
    """Whether a field is an array of characters."""
    return f.units == "char" and f.elements > 1 and f.type in (FieldType.INT8, FieldType.UINT8)


def row_of(definition: ObjectDefinition, payload: bytes) -> np.void:
    """The packed row in `payload`; raise ValueError if it has another length."""
    if len(payload) != definition.size:
        raise ValueError(f"{definition.name} has {definition.size} bytes, not {len(payload)}")
    row: np.void = np.frombuffer(payload, definition.dtype)[0]
    return row


def read_value(
    definition: ObjectDefinition, row: np.void, field: str, element: int | None = None
) -> Value | tuple[Value, ...]:
    """A field's value: a number or an option's text; a tuple for arrays without `element`.

    Raises KeyError for an unknown field.
    """
    f = definition.field_named(field)
    if f.elements == 1:
        return _plain(f, row[f.name])
    if element is not None:
        return _plain(f, row[f.name][element])
    return tuple(_plain(f, item) for item in row[f.name])


def read_path(definition: ObjectDefinition, row: np.void, path: str) -> Value | tuple[Value, ...]:
    """The value at "Field" or "Field.Element"; raises KeyError or ValueError naming what is not."""
    name, _, label = path.partition(".")
    f = definition.field_named(name)
    return read_value(definition, row, name, f.element_index(label) if label else None)


def read_text(row: np.void, f: FieldDefinition) -> str:
    """The text in an array of characters, up to its first zero."""
    return bytes(row[f.name].tobytes()).split(b"\0")[0].decode("latin-1")


def _plain(f: FieldDefinition, number: Any) -> Value:
    if f.type is FieldType.FLOAT:
        return float(number)
    return f.option_text(int(number)) if f.type is FieldType.ENUM else int(number)


def pack_values(
    definition: ObjectDefinition, values: Mapping[str, Any], base: np.void | None = None
) -> bytes:
    """Packed bytes with `values` laid over `base`, or over the defaults.

    Keys are "Field" or "Field.Element"; values are numbers, option texts, sequences of these for
    arrays, and text for arrays of 8-bit numbers. Raises ValueError naming field and reason.
    """
    row: np.void = definition.default_row() if base is None else base.copy()
    for path, value in values.items():
        name, _, label = path.partition(".")
        if not definition.has_field(name):
            raise ValueError(f"{definition.name} has no field '{name}'")
        f = definition.field_named(name)
        try:
            _set_value(row, f, label, value)
        except (TypeError, OverflowError) as error:
            raise ValueError(f"{definition.name}.{path} cannot be {value!r}: {error}") from None
        except ValueError as error:
            raise ValueError(f"{definition.name}.{path}: {error}") from None
    return row.tobytes()


def _set_value(row: np.void, f: FieldDefinition, label: str, value: Any) -> None:
    if label:
        set_element(row, f, f.element_index(label) if f.elements > 1 else _only(f, label), value)
    elif f.elements == 1:
        set_element(row, f, 0, value)
    else:
        items = _text_items(f, value) if isinstance(value, str) else tuple(value)
        if len(items) != f.elements:
            raise ValueError(f"{f.name} has {f.elements} elements, not {len(items)}")
        for index, item in enumerate(items):
            set_element(row, f, index, item)


def _only(f: FieldDefinition, label: str) -> int:
    """The position of the single element of `f`, which may be named or numbered."""
    return 0 if label == "0" else f.element_index(label)


def _text_items(f: FieldDefinition, text: str) -> tuple[int, ...]:
    if f.type not in (FieldType.UINT8, FieldType.INT8):
        raise ValueError(f"{f.name} takes {f.elements} values, not the text '{text}'")
    data = text.encode("latin-1", "replace")
    if len(data) > f.elements:
        raise ValueError(f"{f.name} takes {f.elements} characters, not {len(data)}")
    packed = np.frombuffer(data.ljust(f.elements, b"\0"), f.type.code)
    return tuple(int(number) for number in packed)
