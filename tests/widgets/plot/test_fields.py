"""Names of fields, and finding them."""

import pytest

from plugins.testing import add, catalogue, short_flight
from telemetry.base.measurement_units import short_unit
from telemetry.review.analysis.field_paths import find_field, list_fields
from widgets.plot.fields import expand_paths, search_fields, short_labels


def test_every_element_is_listed_data_before_settings() -> None:
    recording = short_flight()
    add(recording, 20.0, "ActuatorCommand")
    entries = list_fields(recording)
    paths = [entry.path for entry in entries]
    assert "AttitudeState.Roll" in paths
    assert "ActuatorCommand.Channel.3" in paths
    assert "FlightStatus.Armed" in paths
    assert "ActuatorCommand.Channel" not in paths
    kinds = [entry.is_setting for entry in entries]
    assert kinds == sorted(kinds)


def test_every_listed_path_leads_to_its_field() -> None:
    recording = short_flight()
    for entry in list_fields(recording):
        assert find_field(recording, entry.path) is not None
        times, _ = recording.series(entry.path)
        assert len(times)


def test_instances_have_their_number() -> None:
    recording = short_flight()
    definition = catalogue().find("Waypoint")
    for instance in (0, 2):
        recording.append(1.0, definition, instance, bytes(definition.size))
    paths = [entry.path for entry in list_fields(recording)]
    assert "Waypoint.Position.North" in paths
    assert "Waypoint[2].Position.North" in paths
    ref = find_field(recording, "Waypoint[2].Position.East")
    assert ref is not None
    assert (ref.track.instance, ref.element) == (2, 1)


@pytest.mark.parametrize(
    "path", ["", "Nothing.Here", "AttitudeState", "AttitudeState.Nick", "AttitudeState[x].Roll"]
)
def test_paths_that_lead_nowhere(path: str) -> None:
    assert find_field(short_flight(), path) is None


def test_searching_needs_every_word_and_ranks_by_fit() -> None:
    entries = list_fields(short_flight())
    found = [entry.path for entry in search_fields(entries, "att roll")]
    assert found[0] == "AttitudeState.Roll"
    assert all("roll" in path.lower() for path in found)
    assert search_fields(entries, "no such thing") == []
    assert search_fields(entries, " ") == entries
    assert search_fields(entries, "roll")[0].path == "AttitudeState.Roll"


def test_dropping_an_array_plots_its_elements() -> None:
    recording = short_flight()
    paths = expand_paths(recording, "PositionState.North\nSystemAlarms.Alarm nonsense")
    assert paths[0] == "PositionState.North"
    assert "SystemAlarms.Alarm.Battery" in paths
    assert all("nonsense" not in path for path in paths)


def test_labels_say_what_tells_curves_apart() -> None:
    assert short_labels(["A.Roll", "A.Pitch"]) == ("A", ["Roll", "Pitch"])
    assert short_labels(["A.Roll", "B.Roll"]) == ("", ["A.Roll", "B.Roll"])
    assert short_labels([]) == ("", [])


def test_units_beside_numbers() -> None:
    assert [short_unit(unit) for unit in ("degrees", "m/s", "function", "")] == ["°", "m/s", "", ""]


def test_a_field_is_found_under_the_name_of_another_release() -> None:
    ref = find_field(short_flight(), "AttitudeActual.Roll")
    assert ref is not None
    assert ref.track.definition.name == "AttitudeState"
    assert ref.path == "AttitudeActual.Roll"
