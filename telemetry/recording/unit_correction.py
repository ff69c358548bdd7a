"""Unit correction where firmware does not keep to its definition, judged by the magnitude.

Firmware from OpenPilot 15.02 to LibrePilot 15.09 says that it sends pressure in kPa and sends Pa;
stations that simulate sensors for LibrePilot next send kPa where its definition says Pa.
"""

from dataclasses import replace

import numpy as np

from telemetry.protocol.objects.definition import ObjectDefinition

_OBJECTS, _FIELD = ("BaroSensor", "BaroAltitude"), "Pressure"
_HIGHEST_KPA = 1000.0
"""Ten atmospheres; as pascals it is the pressure 32 km up."""


def has_doubtful_unit(definition: ObjectDefinition) -> bool:
    """Whether the values have to show the unit of a field."""
    return definition.name in _OBJECTS and definition.has_field(_FIELD)


def true_unit(row: np.void) -> str:
    """In what unit the value is; empty as long as it shows nothing: no sensor has measured."""
    value = abs(float(row[_FIELD]))
    if not 1.0 < value < 1e6:
        return ""
    return "kPa" if value < _HIGHEST_KPA else "Pa"


def with_unit(definition: ObjectDefinition, unit: str) -> tuple[ObjectDefinition, str]:
    """The definition with the unit that is true, and a sentence where it says another one."""
    said = definition.field_named(_FIELD)
    if said.units == unit:
        return definition, ""
    note = (
        f"{definition.name}.{_FIELD} is in {unit}, as its magnitude shows; "
        f"the firmware's definition says {said.units}."
    )
    true = replace(said, units=unit, description=f"{said.description} {note}".strip())
    fields = tuple(true if f is said else f for f in definition.fields)
    return replace(definition, fields=fields), note
