"""UAVObject definitions: the immutable schema, 32-bit ids and packed layouts.

Rules of the id hash and of the wire order: the families' UAVObject generators, re-expressed. This
module knows nothing of files: `telemetry.protocol.objects.definition_xml` reads definitions, the
catalogue keeps them.
"""

import math
import re
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Any

import numpy as np

from telemetry.base.number_text import significant

_NAME = re.compile("[A-Za-z_][A-Za-z0-9_]{0,99}")
ALL_INSTANCES = 0xFFFF
MAX_INSTANCES = 1000
"""No firmware has more of one object; a higher number on the wire is damage."""
_MASK = 0xFFFFFFFF
LARGEST_FLOAT = float(np.finfo("<f4").max)
"""No field holds a larger number, of whatever type."""


def is_name(text: str) -> bool:
    """Whether an object or a field may be called so: names become paths, columns and files."""
    return _NAME.fullmatch(text) is not None


class FieldType(Enum):
    """A field's type: its name in definition files, its index in the id hash, its numpy code."""

    INT8 = ("int8", 0, "<i1")
    INT16 = ("int16", 1, "<i2")
    INT32 = ("int32", 2, "<i4")
    UINT8 = ("uint8", 3, "<u1")
    UINT16 = ("uint16", 4, "<u2")
    UINT32 = ("uint32", 5, "<u4")
    FLOAT = ("float", 6, "<f4")
    ENUM = ("enum", 7, "<u1")

    def __init__(self, label: str, hash_index: int, code: str) -> None:
        self.label = label
        self.hash_index = hash_index
        self.code = code
        self.size = int(code[2:])
        bits = 8 * self.size
        self.span = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if "i" in code else (0, 2**bits - 1)
        """The least and the largest whole number that it holds."""

    @classmethod
    def named(cls, label: str) -> "FieldType":
        """Return the type called `label`; raise ValueError for an unknown one."""
        for member in cls:
            if member.label == label:
                return member
        raise ValueError(f"unknown field type '{label}'")


class UpdateMode(Enum):
    """When an object is sent, as numbered in metadata flags."""

    MANUAL = 0
    PERIODIC = 1
    ONCHANGE = 2
    THROTTLED = 3


@dataclass(frozen=True, slots=True)
class UpdatePolicy:
    """How one side sends an object: acknowledged or not, when, and how often at most."""

    mode: UpdateMode = UpdateMode.MANUAL
    period_ms: int = 0
    acked: bool = False

    @property
    def per_s(self) -> float:
        """How often its period is over; 0 where it has none."""
        return 1000.0 / self.period_ms if self.period_ms else 0.0


@dataclass(frozen=True)
class FieldDefinition:
    """One field of an object: `elements` values of one type. Raises ValueError unless `is_name`;
    a form for people, which is never on the wire, may have spaces in its names.

    `option_values` are the numbers that stand for `options` on the wire; they are not always
    0, 1, 2, ... (Tau Labs and dRonin inherit options from a parent field with gaps).
    `defaults` has one entry per element (a number, or an option's text) and is empty when the
    definition names none; elements then start at 0. `limits` is the definition's own text.
    """

    name: str
    type: FieldType
    elements: int = 1
    units: str = ""
    element_names: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    option_values: tuple[int, ...] = ()
    defaults: tuple[float | int | str, ...] = ()
    limits: str = ""
    description: str = ""

    def __post_init__(self) -> None:
        _check_name(self.name.replace(" ", "_"))

    @cached_property
    def dtype(self) -> tuple[Any, ...]:
        """This field's entry in the object's packed numpy dtype."""
        if self.elements == 1:
            return (self.name, self.type.code)
        return (self.name, self.type.code, (self.elements,))

    @cached_property
    def _texts(self) -> dict[int, str]:
        return dict(zip(self.option_values, self.options, strict=True))

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return dict(zip(self.options, self.option_values, strict=True))

    def option_text(self, value: int) -> str:
        """The option that `value` stands for, or the bare number if it stands for none."""
        return self._texts.get(int(value), str(int(value)))

    def option_number(self, text: str) -> int:
        """The number on the wire of option `text`; raise ValueError naming the choices."""
        number = self._numbers.get(text)
        if number is None:
            raise ValueError(f"'{text}' is not an option of {self.name}: {', '.join(self.options)}")
        return number

    def element_label(self, index: int) -> str:
        """The name of an element, or its number where elements have no names."""
        return self.element_names[index] if self.element_names else str(index)

    def element_index(self, label: str) -> int:
        """The position of an element named or numbered `label`; raise ValueError if absent."""
        if label in self.element_names:
            return self.element_names.index(label)
        if label.isdecimal() and int(label) < self.elements and not self.element_names:
            return int(label)
        raise ValueError(f"{self.name} has no element '{label}'")


@dataclass(frozen=True)
class ObjectDefinition:
    """One version of one UAVObject. Equal content has an equal `object_id` on every aircraft.
    Raises ValueError unless its name `is_name`.

    `fields` stand in the order of the definition file; `wire_fields` in the order of the
    packed bytes. `sorted_by_size` is false only for OpenPilot before 2011-11-14.
    """

    name: str
    fields: tuple[FieldDefinition, ...]
    settings: bool = False
    single_instance: bool = True
    description: str = ""
    category: str = ""
    sorted_by_size: bool = True
    flight_readonly: bool = False
    gcs_readonly: bool = False
    flight_policy: UpdatePolicy = field(default_factory=UpdatePolicy)
    gcs_policy: UpdatePolicy = field(default_factory=UpdatePolicy)
    logging_policy: UpdatePolicy = field(default_factory=UpdatePolicy)
    priority: bool = False
    meta_of: int | None = None

    def __post_init__(self) -> None:
        _check_name(self.name)

    @cached_property
    def wire_fields(self) -> tuple[FieldDefinition, ...]:
        """Fields in packed order: element size descending, stable."""
        if not self.sorted_by_size:
            return self.fields
        return tuple(sorted(self.fields, key=lambda f: -f.type.size))

    @cached_property
    def object_id(self) -> int:
        """The 32-bit id; a metaobject's is its object's plus one."""
        if self.meta_of is not None:
            return self.meta_of + 1
        return _hash_definition(self)

    @cached_property
    def dtype(self) -> "np.dtype[np.void]":
        """The packed little-endian row."""
        return np.dtype([f.dtype for f in self.wire_fields])

    @cached_property
    def size(self) -> int:
        """Bytes of one packed instance."""
        return int(self.dtype.itemsize)

    @cached_property
    def _by_name(self) -> dict[str, FieldDefinition]:
        return {f.name: f for f in self.fields}

    def has_field(self, name: str) -> bool:
        """Whether a field called `name` exists."""
        return name in self._by_name

    def field_named(self, name: str) -> FieldDefinition:
        """The field called `name`; raise KeyError naming object and field."""
        try:
            return self._by_name[name]
        except KeyError:
            raise KeyError(f"{self.name} has no field '{name}'") from None

    @cached_property
    def _elements(self) -> dict[str, tuple[FieldDefinition, int | None]]:
        return {}

    def element(self, path: str) -> tuple[FieldDefinition, int | None]:
        """Resolve "Field" or "Field.element"; the index is None for a whole field.

        Raises KeyError naming what is missing.
        """
        found = self._elements.get(path)
        if found is None:
            name, _, label = path.partition(".")
            f = self.field_named(name)
            try:
                found = f, f.element_index(label) if label else None
            except ValueError as error:
                raise KeyError(f"{self.name}: {error}") from None
            self._elements[path] = found
        return found

    def default_row(self) -> np.void:
        """A packed row holding the definition's default values, zero where none are given."""
        row: np.void = np.frombuffer(bytearray(self._default_bytes), self.dtype)[0]
        return row

    @cached_property
    def _default_bytes(self) -> bytes:
        row: np.void = np.zeros(1, self.dtype)[0]
        for f in self.fields:
            for index in range(f.elements):
                set_element(row, f, index, default_value(f, index))
        return row.tobytes()

    def __hash__(self) -> int:
        return hash((self.object_id, self.name))


def _check_name(name: str) -> None:
    if not is_name(name):
        raise ValueError(f"{name[:40]!r} is no name of an object or a field")


def default_value(f: FieldDefinition, index: int) -> float | int | str:
    """The default of one element. A single default stands for all elements.

    A default that its field cannot hold (six of the released definitions have one, such as an
    option that was renamed) counts as 0, which is also what the zero-filled bytes say.
    """
    text = f.defaults[min(index, len(f.defaults) - 1)] if f.defaults else 0
    if f.type is FieldType.ENUM:
        return text if text in f.options else f.option_text(0) if 0 in f.option_values else 0
    if isinstance(text, str):
        return 0
    if f.type is FieldType.FLOAT:
        return float(text)
    least, largest = f.type.span
    return int(text) if least <= text <= largest else 0


def set_element(row: np.void, f: FieldDefinition, index: int, value: float | int | str) -> None:
    """Write one element of a packed row, taking option texts for enums.

    Raises ValueError for an unknown option or a value the type cannot hold.
    """
    number: float | int
    if isinstance(value, str):
        number = f.option_number(value) if f.type is FieldType.ENUM else _parse_number(f, value)
    else:
        number = value
    number = _fitting(f, number)
    if f.elements == 1:
        row[f.name] = number
    else:
        row[f.name][index] = number


def _parse_number(f: FieldDefinition, text: str) -> float | int:
    try:
        return float(text) if f.type is FieldType.FLOAT else int(text, 0)
    except ValueError:
        raise ValueError(f"{f.name} takes a number, not '{text}'") from None


def _fitting(f: FieldDefinition, number: float | int) -> float | int:
    """Return `number` as the field's type holds it; raise ValueError if it cannot."""
    if f.type is FieldType.FLOAT:
        if math.isfinite(number) and abs(number) > LARGEST_FLOAT:
            raise ValueError(f"{f.name} takes numbers up to 3.4e38, not {number:g}")
        return float(number)
    if number != int(number):
        raise ValueError(f"{f.name} takes whole numbers, not {significant(number, 6)}")
    least, largest = f.type.span
    if not least <= number <= largest:
        raise ValueError(f"{f.name} takes {least} to {largest}, not {int(number)}")
    return int(number)


def _text_steps(text: str) -> list[int]:
    """What a text adds to the hash: its Latin-1 bytes as signed characters."""
    return [byte - 256 if byte > 127 else byte for byte in text.encode("latin-1")]


def _option_steps(f: FieldDefinition) -> list[int]:
    """Options enter the hash with their number wherever numbering jumps (Tau Labs, dRonin)."""
    steps: list[int] = []
    expected = 0
    for text, number in zip(f.options, f.option_values, strict=True):
        if number != expected:
            steps.append(number)
        steps += _text_steps(text)
        expected = number + 1
    return steps


def _hash_definition(definition: ObjectDefinition) -> int:
    steps = _text_steps(definition.name)
    steps += (int(definition.settings), int(definition.single_instance))
    for f in definition.wire_fields:
        steps += _text_steps(f.name)
        steps += (f.elements, f.type.hash_index)
        if f.type is FieldType.ENUM:
            steps += _option_steps(f)
    digest = 0
    for step in steps:
        digest = (digest ^ ((digest << 5) + (digest >> 2) + step)) & _MASK
    return digest & 0xFFFFFFFE
