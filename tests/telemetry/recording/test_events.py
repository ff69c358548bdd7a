import threading

import numpy as np

from plugins.testing import add
from telemetry.base.finding import Level
from telemetry.recording.events import Event
from telemetry.recording.recording import Recording
from tests.telemetry.recording.flights import ALARMS, COUNTER, STATS, STATUS, counted, packed

_NOTING_THREADS = 3
_NOTES = 200


def kinds(recording: Recording) -> list[tuple[float, str, str, str]]:
    return [(event.t, event.kind, event.level, event.text) for event in recording.events()]


def test_arming_and_modes_are_events_when_they_change() -> None:
    recording = Recording()
    states = [
        ("Disarmed", "Stabilized1"),
        ("Arming", "Stabilized1"),
        ("Armed", "Stabilized1"),
        ("Armed", "PositionHold"),
        ("Armed", "PositionHold"),
    ]
    for t, (armed, mode) in enumerate(states):
        recording.append(float(t), STATUS, 0, packed(STATUS, Armed=armed, FlightMode=mode))
    assert kinds(recording) == [
        (1.0, "arming", Level.INFO, "Arming"),
        (2.0, "arming", Level.INFO, "Armed"),
        (3.0, "mode", Level.INFO, "PositionHold"),
    ]


def test_alarms_are_events_when_they_come_and_when_they_go() -> None:
    recording = Recording()
    for t, level in enumerate(["Uninitialised", "OK", "Warning", "Critical", "Error", "OK"]):
        recording.append(float(t), ALARMS, 0, packed(ALARMS, **{"Alarm.Battery": level}))
    assert kinds(recording) == [
        (2.0, "alarm", Level.WARNING, "Battery: Warning"),
        (3.0, "alarm", Level.ERROR, "Battery: Critical"),
        (4.0, "alarm", Level.ERROR, "Battery: Error"),
        (5.0, "alarm", Level.INFO, "Battery: OK"),
    ]


def test_a_restart_shows_as_a_flight_time_that_falls() -> None:
    recording = Recording()
    for t, flight_ms in enumerate([5000, 6000, 5900, 7000, 300, 1300]):
        recording.append(float(t), STATS, 0, packed(STATS, FlightTime=flight_ms))
    assert kinds(recording) == [(4.0, "reboot", Level.ERROR, "The aircraft restarted")]


def test_silences_of_more_than_two_seconds_are_gaps() -> None:
    recording = Recording()
    for t in (0.0, 1.9, 3.8, 7.0, 7.5):
        recording.append(t, COUNTER, 0, counted(0))
    (gap,) = recording.events()
    assert (gap.kind, gap.text) == ("gap", "No data for 3 s")
    assert abs(gap.t - 3.8) <= 0.11


def test_a_gap_filled_by_another_object_is_none() -> None:
    recording = Recording()
    times = np.array([0.0, 10.0])
    recording.extend(STATUS, 0, times, np.zeros(2, STATUS.dtype))
    assert [event.kind for event in recording.events()] == ["gap"]
    every_second = np.arange(11.0)
    recording.extend(COUNTER, 0, every_second, np.zeros(11, COUNTER.dtype))
    assert len(recording.events()) == 0


def test_added_events_stand_among_the_derived_ones_in_order_of_time() -> None:
    recording = Recording()
    for t, armed in ((0.0, "Disarmed"), (2.0, "Armed")):
        recording.append(t, STATUS, 0, packed(STATUS, Armed=armed))
    before = recording.events()
    recording.add_event(Event(1.0, "marker", Level.INFO, "Look here"))
    assert [event.kind for event in recording.events()] == ["marker", "arming"]
    assert recording.events() is not before, "so that who shows them notices"


def test_events_are_the_same_appended_one_by_one_and_all_at_once() -> None:
    payloads = [packed(STATS, FlightTime=ms) for ms in (9000, 100, 1100, 50_000, 2)]
    one_by_one, at_once = Recording(), Recording()
    for t, payload in enumerate(payloads):
        one_by_one.append(float(t), STATS, 0, payload)
    rows = np.frombuffer(b"".join(payloads), STATS.dtype)
    at_once.extend(STATS, 0, np.arange(5.0), rows)
    assert one_by_one.events() == at_once.events()
    assert len(at_once.events()) == 2


def test_asking_again_costs_nothing_while_nothing_happens() -> None:
    recording = Recording()
    recording.append(0.0, COUNTER, 0, counted(0))
    assert recording.events() is recording.events()


def test_a_receiver_that_loses_its_sticks_is_a_failsafe() -> None:
    recording = Recording()
    for t, connected in enumerate(["False", "True", "True", "False", "False", "True"]):
        add(recording, float(t), "ManualControlCommand", Connected=connected)
    assert [(t, kind, level) for t, kind, level, _ in kinds(recording)] == [
        (3.0, "failsafe", Level.ERROR)
    ]


def test_what_the_station_notes_stands_among_the_events() -> None:
    recording = Recording()
    for t, flight_ms in enumerate([5000, 300]):
        recording.append(float(t), STATS, 0, packed(STATS, FlightTime=flight_ms))
    before = recording.events()
    recording.add_event(Event(0.5, "hang", Level.WARNING, "It hung"))
    assert [event.kind for event in recording.events()] == ["hang", "reboot"]
    assert recording.events() is recording.events()
    assert recording.events() is not before


def test_the_events_are_the_same_tuple_until_there_is_another() -> None:
    recording = Recording()
    add(recording, 0.0, "FlightStatus", Armed="Disarmed")
    before = recording.events()
    for tenth in range(1, 30):
        add(recording, tenth / 10, "AttitudeState", Roll=1.0)
        assert recording.events() is before
    add(recording, 3.0, "FlightStatus", Armed="Armed")
    assert len(recording.events()) == len(before) + 1


def test_threads_note_at_once_and_none_of_it_is_lost() -> None:
    """The window, the transmitter and the link's worker note what happens, each when it does."""
    recording, kept = Recording(), list[Event]()
    recording.keep = kept.append
    turns = threading.Barrier(_NOTING_THREADS)

    def note(number: int) -> None:
        turns.wait()
        for index in range(_NOTES):
            recording.add_event(Event(float(index), "device", Level.WARNING, str(number)))

    threads = [threading.Thread(target=note, args=(n,)) for n in range(_NOTING_THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(recording.events()) == len(kept) == _NOTING_THREADS * _NOTES
    assert sorted(kept, key=lambda event: event.t) == list(recording.events())
