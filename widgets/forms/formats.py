"""Value formats: field values as people read them. No Qt in here."""

import math
from collections.abc import Sequence

from telemetry.base.number_text import significant
from telemetry.protocol.objects.definition import FieldDefinition, FieldType
from telemetry.protocol.objects.values import is_text

Value = float | int | str
THIN_SPACE = "\N{NARROW NO-BREAK SPACE}"

_PLAIN_FLOATS = (1e-3, 1e6)


def is_hex(f: FieldDefinition) -> bool:
    """Whether the field's numbers are read in hexadecimal."""
    is_integer = f.type not in (FieldType.FLOAT, FieldType.ENUM)
    return is_integer and f.units.lower() in ("hex", "uavoid")


def shown_units(f: FieldDefinition) -> str:
    """The units to stand beside a value; words that only say how to format it are left out."""
    units = f.units.lower()
    if units in ("hex", "char", "bool", "function", "uavoid"):
        return ""
    return "%" if units in ("percent", "percentage") else f.units


def format_value(f: FieldDefinition, value: Value, *, is_measured: bool = False) -> str:
    """One element as text. Measured floats keep four decimals so that they do not jump."""
    if isinstance(value, str):
        return value
    if f.type is FieldType.FLOAT:
        return _measured(float(value)) if is_measured else significant(value, 7)
    if is_hex(f):
        return f"0x{int(value) & (256**f.type.size - 1):0{2 * f.type.size}X}"
    return str(int(value))


def format_elements(
    f: FieldDefinition, values: Sequence[Value], *, is_measured: bool = False
) -> str:
    """A whole array in one line; characters as text up to their first zero."""
    if is_text(f):
        return text_of(values)
    if is_hex(f):
        return " ".join(format_value(f, value)[2:] for value in values)
    return ", ".join(format_value(f, value, is_measured=is_measured) for value in values)


def text_of(values: Sequence[Value]) -> str:
    """The text in an array of character codes."""
    codes = bytes(int(value) & 0xFF for value in values)
    return codes.split(b"\0")[0].decode("latin-1")


def format_age(seconds: float) -> str:
    """How long ago, rounded up below a second so that what arrives often stands still."""
    whole = int(seconds)
    if whole < 1:
        return f"{max(1, math.ceil(seconds * 10 - 1e-6)) / 10:.1f}{THIN_SPACE}s"
    if whole < 60:
        return f"{whole}{THIN_SPACE}s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes}{THIN_SPACE}min {rest:02d}{THIN_SPACE}s"
    return f"{minutes // 60}{THIN_SPACE}h {minutes % 60:02d}{THIN_SPACE}min"


def format_rate(rate_hz: float) -> str:
    """How often something arrives; empty if it does not."""
    if rate_hz <= 0:
        return ""
    decimals = 0 if rate_hz >= 9.5 else 1 if rate_hz >= 0.95 else 2
    return f"{rate_hz:.{decimals}f}{THIN_SPACE}Hz"


def _measured(value: float) -> str:
    size = abs(value)
    low, high = _PLAIN_FLOATS
    if value == 0 or low <= size < high:
        return f"{value:.4f}"
    return significant(value, 4)
