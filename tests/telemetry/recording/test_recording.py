import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from telemetry.base.finding import Level
from telemetry.protocol.objects.definition import FieldDefinition, FieldType, ObjectDefinition
from telemetry.recording.events import Event
from telemetry.recording.recording import Recording
from telemetry.recording.sample import Key
from tests.telemetry.recording.flights import (
    ALARMS,
    ATTITUDE,
    COUNTER,
    STATUS,
    WAYPOINT,
    counted,
    packed,
)


def test_an_empty_recording_answers_everything() -> None:
    recording = Recording()
    assert (recording.version, recording.first_s, recording.last_s) == (0, 0.0, 0.0)
    assert recording.latest("AttitudeState", 5.0) is None
    assert recording.state_at(5.0) == {}
    assert recording.tracks() == ()
    assert recording.names() == ()
    assert len(recording.events()) == 0
    assert [len(column) for column in recording.series("AttitudeState.Roll")] == [0, 0]


def test_samples_are_read_by_the_names_on_the_wire() -> None:
    recording = Recording()
    recording.append(1.0, ATTITUDE, 0, packed(ATTITUDE, Roll=12.5))
    recording.append(2.0, STATUS, 0, packed(STATUS, Armed="Armed"))
    recording.append(2.0, ALARMS, 0, packed(ALARMS, **{"Alarm.GPS": "Critical"}))
    attitude = recording.latest("AttitudeState", 1.0)
    status = recording.latest("FlightStatus", 9.0)
    alarms = recording.latest("SystemAlarms", 9.0)
    assert attitude is not None
    assert status is not None
    assert alarms is not None
    assert attitude["Roll"] == attitude.raw("Roll") == 12.5
    assert (status["Armed"], status.raw("Armed"), status.t) == ("Armed", 2, 2.0)
    assert alarms["Alarm.GPS"] == "Critical"
    assert alarms["Alarm"].count("Critical") == 1
    assert alarms.raw("Alarm").count(alarms.raw("Alarm.GPS")) == 1
    assert list(attitude.as_dict()) == [field.name for field in ATTITUDE.fields]
    with pytest.raises(KeyError, match="no field 'Roul'"):
        attitude["Roul"]
    with pytest.raises(KeyError, match="no element 'X'"):
        alarms["Alarm.X"]


@pytest.mark.slow
@given(st.lists(st.floats(0, 100), min_size=1), st.floats(-10, 110))
def test_the_value_at_a_time_is_the_last_one_up_to_then(times: list[float], t: float) -> None:
    recording = Recording()
    for value, moment in enumerate(sorted(times)):
        recording.append(moment, COUNTER, 0, counted(value))
    expected = sum(moment <= t for moment in times) - 1
    sample = recording.latest("Counter", t)
    if expected < 0:
        assert sample is None
        assert recording.state_at(t) == {}
    else:
        assert sample is not None
        assert sample["Value"] == expected
        assert recording.state_at(t)[Key(COUNTER.object_id, 0)].t == sample.t


def test_a_late_stamp_is_moved_up_so_that_time_ascends() -> None:
    recording = Recording()
    recording.append(5.0, COUNTER, 0, counted(1))
    recording.append(3.0, COUNTER, 0, counted(2))
    times, values = recording.series("Counter.Value")
    assert times.tolist() == [5.0, 5.0]
    assert values.tolist() == [1, 2]


def test_a_payload_of_the_wrong_size_is_refused_and_leaves_no_trace() -> None:
    recording = Recording()
    with pytest.raises(ValueError, match="Counter has 8 bytes, not 3"):
        recording.append(1.0, COUNTER, 0, b"abc")
    assert recording.version == 0


def test_instances_are_separate_and_paths_name_them() -> None:
    recording = Recording()
    recording.append(1.0, WAYPOINT, 0, packed(WAYPOINT, **{"Position.North": 1.0}))
    recording.append(1.0, WAYPOINT, 2, packed(WAYPOINT, **{"Position.North": 7.0}))
    assert recording.instances("Waypoint") == (0, 2) == recording.instances(WAYPOINT.object_id)
    assert recording.series("Waypoint[2].Position.North")[1].tolist() == [7.0]
    assert recording.series("Waypoint.Position")[1].shape == (1, 3)
    assert recording.track("Waypoint", 1) is None


@pytest.mark.parametrize("path", ["AttitudeState.Nothing", "Waypoint[1].Velocity", "Other.Field"])
def test_what_was_never_recorded_is_an_empty_series(path: str) -> None:
    recording = Recording()
    recording.append(1.0, ATTITUDE, 0, packed(ATTITUDE))
    assert [len(column) for column in recording.series(path)] == [0, 0]


def test_text_that_is_no_path_is_refused() -> None:
    with pytest.raises(ValueError, match="is not a path"):
        Recording().series("AttitudeState")


def test_a_series_is_cut_at_both_ends_inclusively() -> None:
    recording = Recording()
    for t in range(10):
        recording.append(float(t), COUNTER, 0, counted(t))
    times, values = recording.series("Counter.Value", 2.0, 5.0)
    assert times.tolist() == [2, 3, 4, 5] == values.tolist()
    assert len(recording.series("Counter.Value", 6.5, 6.4)[0]) == 0


def test_of_two_versions_of_a_name_the_most_recent_wins() -> None:
    other = ObjectDefinition("Counter", (FieldDefinition("Value", FieldType.UINT8),))
    recording = Recording()
    recording.append(1.0, COUNTER, 0, counted(1))
    recording.append(2.0, other, 0, b"\x02")
    recording.append(3.0, COUNTER, 0, counted(3))
    assert recording.series("Counter.Value")[1].tolist() == [1, 3]
    assert [recording.latest("Counter", t)["Value"] for t in (1.5, 2.5, 3.5)] == [1, 2, 3]  # type: ignore[index]
    assert recording.names() == ("Counter",)
    assert recording.track(other.object_id) is not recording.track("Counter")


@pytest.mark.parametrize("apart", [1, 2], ids=["packed", "apart-in-memory"])
def test_columns_are_taken_over_and_can_be_appended_to(apart: int) -> None:
    recording = Recording()
    rows = np.zeros(3 * apart, COUNTER.dtype)[::apart]
    rows["Value"] = [1, 2, 3]
    recording.extend(COUNTER, 0, np.array([0.0, 1.0, 2.0]), rows)
    assert np.shares_memory(recording.tracks()[0].rows, rows)
    recording.append(3.0, COUNTER, 0, counted(4))
    recording.extend(COUNTER, 0, np.array([4.0, 5.0]), rows[:2])
    assert recording.series("Counter.Value")[1].tolist() == [1, 2, 3, 4, 1, 2]
    assert (recording.first_s, recording.last_s, recording.version) == (0.0, 5.0, 3)
    assert recording.activity().sum() == 6
    with pytest.raises(ValueError, match="do not fit"):
        recording.extend(ATTITUDE, 0, np.zeros(3), rows)


def test_versions_rise_only_with_what_they_count() -> None:
    recording = Recording()
    recording.append(1.0, COUNTER, 0, counted(1))
    counter = recording.track("Counter")
    assert counter is not None
    seen = (recording.version, counter.count)
    recording.append(2.0, ATTITUDE, 0, packed(ATTITUDE))
    assert recording.version > seen[0]
    assert counter.count == seen[1]


@pytest.mark.slow
def test_readers_never_see_a_row_that_is_not_complete() -> None:
    """Values equal their position and both fields agree, at every moment of writing."""
    recording = Recording()
    recording.append(0.0, COUNTER, 0, counted(0))
    done = threading.Event()

    def write() -> None:
        for number in range(1, 30_000):
            recording.append(number / 1000, COUNTER, 0, counted(number))
        done.set()

    writer = threading.Thread(target=write)
    writer.start()
    track = recording.track("Counter")
    assert track is not None
    while not done.is_set():
        rows, times = track.rows, track.times
        assert rows["Value"][-1] == rows["Copy"][-1] == len(rows) - 1
        assert len(times) >= len(rows)
        assert recording.latest("Counter", 1e9) is not None
    writer.join()
    assert track.count == 30_000
    assert np.array_equal(track.rows["Value"], np.arange(30_000))


def test_gaps_have_a_start_and_an_end() -> None:
    recording = Recording()
    definition = ATTITUDE
    for t in (0.0, 1.0, 2.0, 60.05, 61.0):
        recording.append(t, definition, 0, bytes(definition.size))
    gaps = recording.gaps()
    assert gaps == ((pytest.approx(2.1), pytest.approx(60.0)),)
    recording.append(61.01, definition, 0, bytes(definition.size))
    assert recording.gaps() is gaps
    recording.append(70.0, definition, 0, bytes(definition.size))
    assert len(recording.gaps()) == 2


class _CountedTime(float):
    """A time that counts how often it is compared."""

    comparisons = 0

    def __lt__(self, other: float) -> bool:
        _CountedTime.comparisons += 1
        return float(self) < float(other)


def test_another_event_is_put_in_its_place_without_ordering_those_before_it() -> None:
    recording = Recording()
    costs = []
    for number in range(20_000):
        before = _CountedTime.comparisons
        recording.add_event(Event(_CountedTime(number), "marker", Level.INFO, ""))
        if number % 50 == 0:
            recording.events()
        costs.append(_CountedTime.comparisons - before)
    assert len(recording.events()) == 20_000
    assert max(costs[:2_500]) > 40
    assert max(costs[17_500:]) <= max(costs[:2_500]) + 4  # another few halves to look into


def test_events_that_come_late_are_put_in_their_order() -> None:
    """The control: ordered all at once. Two instants are equal; nobody looks in between."""
    times = np.random.default_rng(1).integers(0, 40, 60).tolist()
    looked_at, control = Recording(), Recording()
    for number, t in enumerate(times):
        for recording in (looked_at, control):
            recording.add_event(Event(float(t), "marker", Level.INFO, str(number)))
        assert looked_at.events() is looked_at.events()
    assert looked_at.events() == control.events()
    assert [event.t for event in control.events()] == sorted(map(float, times))


def test_a_silence_that_turns_out_to_be_none_is_no_event_any_more() -> None:
    recording = Recording()
    recording.extend(ATTITUDE, 0, np.array([0.0, 10.0]), np.zeros(2, ATTITUDE.dtype))
    assert [event.kind for event in recording.events()] == ["gap"]
    every_s = np.arange(0.5, 10.0, 0.5)
    recording.extend(ATTITUDE, 1, every_s, np.zeros(len(every_s), ATTITUDE.dtype))
    assert len(recording.events()) == 0


@pytest.mark.slow
@given(st.lists(st.lists(st.floats(0.0, 60.0), min_size=1, max_size=3), max_size=12))
def test_gaps_looked_at_meanwhile_are_those_of_all_samples(several: list[list[float]]) -> None:
    """The control: nobody looks before all are there. Objects may be read one after the other."""
    looked_at, control = Recording(), Recording()
    for instance, times in enumerate(several):
        for recording in (looked_at, control):
            rows = np.zeros(len(times), ATTITUDE.dtype)
            recording.extend(ATTITUDE, instance, np.array(sorted(times)), rows)
        looked_at.gaps()
    assert looked_at.gaps() == control.gaps()
