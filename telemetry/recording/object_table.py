"""Object table: an object's samples, one column per number, its unit in the name."""

from typing import Any

import numpy as np
import numpy.typing as npt

from telemetry.protocol.objects.definition import FieldDefinition, FieldType, ObjectDefinition

Columns = dict[str, npt.NDArray[Any]]


def columns_of(definition: ObjectDefinition, rows: npt.NDArray[Any]) -> Columns:
    """Every number of packed rows as "Field [unit]" or "Field.Element [unit]", with the unit that
    the definition states; options as texts, without one."""
    columns: Columns = {}
    for field in definition.fields:
        numbers = rows[field.name].reshape(len(rows), field.elements)
        for index in range(field.elements):
            columns[_heading(field, index)] = _values(field, numbers[:, index])
    return columns


def _heading(field: FieldDefinition, index: int) -> str:
    name = field.name if field.elements == 1 else f"{field.name}.{field.element_label(index)}"
    is_measured = field.type is not FieldType.ENUM and field.units.strip()
    return f"{name} [{field.units.strip()}]" if is_measured else name


def _values(field: FieldDefinition, numbers: npt.NDArray[Any]) -> npt.NDArray[Any]:
    if field.type is not FieldType.ENUM or not field.options:
        return numbers
    met, where = np.unique(numbers, return_inverse=True)
    texts = np.array([field.option_text(number) for number in met.tolist()], dtype=object)
    chosen: npt.NDArray[Any] = texts[where]
    return chosen
