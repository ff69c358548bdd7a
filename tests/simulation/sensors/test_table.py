"""The table of sensors fits the records, the objects, and the numbers that flights depend on."""

import numpy as np
import pytest

from simulation.records import sensor_table
from simulation.records.flight import PARAMETERS
from simulation.records.interface import OUTPUT
from simulation.records.sensor_table import SENSORS, SUPPLIED_SENSORS, VALUES, ObjectMapping
from telemetry.protocol.objects.catalogue import Catalogue

OBJECTS = [sensor.object for sensor in SENSORS if sensor.object is not None]


def test_a_number_once_given_is_kept() -> None:
    """It is the first part of a random stream: another number is another flight."""
    names = "gyro accel mag baro gps sonar airspeed rotor_speed battery gps_velocity current"
    assert [sensor.name for sensor in SENSORS[:11]] == names.split()


def test_every_row_has_its_name_as_a_number() -> None:
    for number, sensor in enumerate(SENSORS):
        assert getattr(sensor_table, sensor.name.upper()) == number


def test_every_member_that_is_named_is_there() -> None:
    assert OUTPUT.names is not None
    assert PARAMETERS.names is not None
    for sensor in SENSORS:
        assert not sensor.counter or sensor.counter in OUTPUT.names
        members = {key.member for key in sensor.keys.values() if key.member}
        assert members <= set(PARAMETERS.names)


@pytest.mark.parametrize("mapping", OBJECTS, ids=lambda mapping: mapping.names[0])
def test_an_object_takes_each_value_of_its_members(
    catalogue: Catalogue, mapping: ObjectMapping
) -> None:
    newest = catalogue.find(mapping.names[0])
    for member, fields in mapping.fields.items():
        assert int(np.prod(OUTPUT[member].shape)) == len(fields)
        assert all(newest.has_field(field) for field in fields)
    assert sum(map(len, mapping.fields.values())) <= VALUES
    assert mapping.counter in (OUTPUT.names or ())


def test_what_only_the_board_can_measure_is_not_offered() -> None:
    assert "baro" in SUPPLIED_SENSORS
    assert "sonar" not in SUPPLIED_SENSORS
