"""What is kept between two looks at a track, and what ends it."""

from dataclasses import replace

from plugins.testing import add, catalogue
from telemetry.protocol.objects.values import pack_values
from telemetry.recording.flight_state import armed_spans
from telemetry.recording.recording import Recording


def flight() -> Recording:
    recording = Recording("test")
    for t, armed in ((0.0, "Disarmed"), (1.0, "Armed"), (2.0, "Armed")):
        add(recording, t, "FlightStatus", Armed=armed)
    return recording


def test_one_sample_is_one_object_until_the_next_arrives() -> None:
    recording = flight()
    before = recording.latest("FlightStatus", 2.0)
    assert recording.latest("FlightStatus", 2.5) is before
    add(recording, 2.4, "FlightStatus", Armed="Disarmed")
    after = recording.latest("FlightStatus", 2.5)
    assert after is not None
    assert after["Armed"] == "Disarmed"


def test_another_release_reads_the_same_sample_anew() -> None:
    recording = flight()
    before = recording.latest("FlightStatus", 2.0)
    assert before is not None
    other = replace(before.definition, description="The same in other words.")
    recording.take_definitions(lambda _object_id: other)
    after = recording.latest("FlightStatus", 2.0)
    assert after is not None
    assert after.definition is other


def test_every_look_at_the_time_armed_is_of_all_that_has_arrived() -> None:
    recording = flight()
    assert armed_spans(recording, 5.0) == [(1.0, 5.0)]
    assert armed_spans(recording, 6.0) == [(1.0, 6.0)]
    add(recording, 7.0, "FlightStatus", Armed="Disarmed")
    add(recording, 8.0, "FlightStatus", Armed="Armed")
    assert armed_spans(recording, 9.0) == [(1.0, 7.0), (8.0, 9.0)]


def test_a_repeated_sample_is_no_event_and_a_changed_one_is() -> None:
    recording = flight()
    assert [event.t for event in recording.events()] == [1.0]
    definition = catalogue().find("FlightStatus")
    recording.append(3.0, definition, 0, pack_values(definition, {"Armed": "Disarmed"}))
    assert [event.t for event in recording.events()] == [1.0, 3.0]
