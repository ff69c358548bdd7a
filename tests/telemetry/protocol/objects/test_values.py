"""Packing values by name, and reading them back."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from telemetry.protocol.objects.catalogue import load_catalogue
from telemetry.protocol.objects.definition import FieldDefinition, FieldType, ObjectDefinition
from telemetry.protocol.objects.values import pack_values, read_path, read_text, read_value, row_of

CATALOGUE = load_catalogue()
GAPPED = ObjectDefinition(
    name="Gapped",
    fields=(
        FieldDefinition("Port", FieldType.ENUM, options=("Off", "GPS"), option_values=(0, 9)),
        FieldDefinition("Mode", FieldType.ENUM, 2, options=("A", "B"), option_values=(1, 7)),
    ),
)


def unpack(definition: ObjectDefinition, values: dict[str, Any]) -> np.void:
    return row_of(definition, pack_values(definition, values))


def test_every_way_of_naming_a_value() -> None:
    command = CATALOGUE.find("ManualControlCommand")
    row = unpack(command, {"Roll": 0.5, "Connected": "True", "Channel.3": 1500})
    assert row["Roll"] == 0.5
    assert read_value(command, row, "Connected") == "True"
    assert read_value(command, row, "Channel")[3] == 1500  # type: ignore[index]
    alarms = CATALOGUE.find("SystemAlarms")
    row = unpack(alarms, {"Alarm.GPS": "Critical"})
    assert read_path(alarms, row, "Alarm.GPS") == "Critical"
    system = CATALOGUE.find("SystemSettings")
    row = unpack(system, {"VehicleName": "Lapwing"})
    assert read_text(row, system.field_named("VehicleName")) == "Lapwing"
    row = unpack(system, {"GUIConfigData": [1, 2, 3, 4]})
    assert read_value(system, row, "GUIConfigData") == (1, 2, 3, 4)


def test_values_are_laid_over_the_base_which_stays() -> None:
    bank = CATALOGUE.find("StabilizationSettingsBank1")
    base = unpack(bank, {"RollMax": 30})
    changed = row_of(bank, pack_values(bank, {"PitchMax": 40}, base))
    assert (changed["RollMax"], changed["PitchMax"], base["PitchMax"]) == (30, 40, 55)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"Nope": 1}, "FlightStatus has no field 'Nope'"),
        ({"Armed": "Perhaps"}, "'Perhaps' is not an option of Armed: Disarmed, Arming, Armed"),
        ({"Armed": 300}, "Armed takes 0 to 255, not 300"),
        ({"Armed": None}, "cannot be None"),
        ({"ControlChain.Nope": "True"}, "ControlChain has no element 'Nope'"),
        ({"ControlChain": ["True"]}, "ControlChain has 3 elements, not 1"),
        ({"ControlChain": 1}, "cannot be 1"),
    ],
)
def test_a_refusal_names_field_and_reason(values: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match="FlightStatus") as caught:
        pack_values(CATALOGUE.find("FlightStatus"), values)
    assert reason in str(caught.value)


@pytest.mark.parametrize("value", [1e39, -1e39, "abc"])
def test_floats_that_do_not_fit_are_refused(value: Any) -> None:
    with pytest.raises(ValueError, match=r"PositionState\.North"):
        pack_values(CATALOGUE.find("PositionState"), {"North": value})


@pytest.mark.parametrize("value", [1.5, math.inf, math.nan, -1, 256, "x"])
def test_integers_that_do_not_fit_are_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="NbCells"):
        pack_values(CATALOGUE.find("FlightBatterySettings"), {"NbCells": value})


def test_text_that_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="takes 20 characters, not 21"):
        pack_values(CATALOGUE.find("SystemSettings"), {"VehicleName": "x" * 21})
    with pytest.raises(ValueError, match="takes 4 values, not the text"):
        pack_values(CATALOGUE.find("SystemSettings"), {"GUIConfigData": "abcd"})


def test_options_with_gaps_stand_for_their_numbers() -> None:
    packed = pack_values(GAPPED, {"Port": "GPS", "Mode": ["B", "A"]})
    assert packed == bytes([9, 7, 1])
    row = row_of(GAPPED, bytes([9, 7, 5]))
    assert read_value(GAPPED, row, "Mode") == ("B", "5")
    assert read_value(GAPPED, GAPPED.default_row(), "Mode") == ("0", "0")


def test_a_payload_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="FlightStatus has 9 bytes, not 8"):
        row_of(CATALOGUE.find("FlightStatus"), bytes(8))


@pytest.mark.slow
@settings(max_examples=60)
@given(data=st.data())
def test_unpacking_and_packing_again_gives_the_same_bytes(data: st.DataObject) -> None:
    definition = data.draw(st.sampled_from(CATALOGUE.release("LibrePilot-next-2019-02")))
    payload = bytearray(data.draw(st.binary(min_size=definition.size, max_size=definition.size)))
    for f in definition.fields:
        if f.type is FieldType.ENUM:
            _, offset = definition.dtype.fields[f.name][:2]  # type: ignore[index]
            for index in range(f.elements):
                payload[offset + index] %= len(f.options)
    row = row_of(definition, bytes(payload))
    values = {f.name: read_value(definition, row, f.name) for f in definition.fields}
    packed = pack_values(definition, values)
    again = row_of(definition, packed)
    for f in definition.fields:
        np.testing.assert_array_equal(again[f.name], row[f.name])
