"""Values as text."""

import pytest

from telemetry.protocol.objects.definition import FieldDefinition, FieldType
from widgets.forms.formats import format_age, format_elements, format_value, shown_units

HEX = FieldDefinition("H", FieldType.UINT16, units="hex")
SIGNED_HEX = FieldDefinition("H", FieldType.INT8, units="hex")
TEXT = FieldDefinition("T", FieldType.UINT8, 5, units="char")
FLOAT = FieldDefinition("F", FieldType.FLOAT)


def test_numbers() -> None:
    assert format_value(HEX, 0x2A) == "0x002A"
    assert format_value(SIGNED_HEX, -1) == "0xFF"
    assert format_value(FieldDefinition("I", FieldType.INT32), -7) == "-7"
    assert format_value(FLOAT, 0.0000330000) == "3.3e-05"
    assert format_value(FLOAT, 0.003000000026077032) == "0.003"


def test_measured_floats_keep_their_width() -> None:
    texts = [format_value(FLOAT, value, is_measured=True) for value in (1.0, 1.23456, 1.2)]
    assert texts == ["1.0000", "1.2346", "1.2000"]
    assert format_value(FLOAT, 1e-7, is_measured=True) == "1e-07"


def test_arrays() -> None:
    assert format_elements(TEXT, (76, 97, 112, 0, 7)) == "Lap"
    assert format_elements(FieldDefinition("S", FieldType.UINT8, 3, units="hex"), (1, 255, 0)) == (
        "01 FF 00"
    )
    assert format_elements(FLOAT, (1.0, 2.5)) == "1, 2.5"


def test_units_that_only_say_how_to_format_are_not_shown() -> None:
    assert shown_units(HEX) == ""
    assert shown_units(FieldDefinition("F", FieldType.FLOAT, units="m/s")) == "m/s"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0, "0.1 s"),
        (0.1, "0.1 s"),
        (0.14, "0.2 s"),
        (59.9, "59 s"),
        (101, "1 min 41 s"),
        (3725, "1 h 02 min"),
    ],
)
def test_ages(seconds: float, text: str) -> None:
    assert format_age(seconds).replace("\N{NARROW NO-BREAK SPACE}", " ") == text
