"""Failsafes, stopped stick streams and hangs stay on screen, and are events of the flight."""

import pytest

from app.diagnostics.hang_watch import Hang
from app.messages import Message, Messages
from app.monitoring.incidents import Incidents
from plugins.testing import add, live_vehicle, replayed_vehicle
from telemetry.base.finding import Level
from telemetry.recording.events import Event
from telemetry.recording.recording import Recording
from telemetry.vehicle.vehicle import Fleet, Vehicle


class Flight:
    def __init__(self, armed: str = "Armed") -> None:
        self.recording = Recording()
        add(self.recording, 0.0, "FlightStatus", Armed=armed, FlightMode="Stabilized1")
        add(self.recording, 1.0, "ManualControlCommand", Connected="True")
        self.fleet, self.messages = Fleet(), Messages()
        self.vehicle: Vehicle = live_vehicle("quad", self.recording)
        self.fleet.add(self.vehicle)
        self.incidents = Incidents(self.fleet, self.messages, lambda: 50.0)
        self.told()

    def told(self) -> list[Message]:
        self.incidents.poll()
        return self.messages.take()


def test_a_failsafe_stays_on_screen_with_time_and_cause() -> None:
    flight = Flight()
    add(flight.recording, 72.5, "ManualControlCommand", Connected="False")
    (message,) = flight.told()
    assert message.text == "At 1:12.5: The failsafe acts: no sticks are received."
    assert (message.level, message.about) == (Level.ERROR, "quad")
    assert flight.told() == [], "once"
    (event,) = [event for event in flight.recording.events() if event.kind == "failsafe"]
    assert event.t == 72.5


def test_a_failsafe_lasts_until_sticks_are_received_again() -> None:
    flight = Flight()
    add(flight.recording, 72.5, "ManualControlCommand", Connected="False")
    (begin,) = flight.told()
    assert begin.lasts
    assert flight.told() == []
    add(flight.recording, 80.0, "ManualControlCommand", Connected="True")
    (end,) = flight.told()
    assert (end.is_over, end.line) == (True, begin.line)
    assert flight.told() == []


def test_switching_the_transmitter_off_on_the_ground_is_no_incident() -> None:
    flight = Flight(armed="Disarmed")
    add(flight.recording, 2.0, "ManualControlCommand", Connected="False")
    assert flight.told() == []


def test_a_stick_stream_that_stops_stays_on_screen() -> None:
    flight = Flight()
    flight.recording.add_event(Event(3.0, "sticks", Level.ERROR, "The stick stream stopped. Why"))
    (message,) = flight.told()
    assert message.text == "At 0:03.0: The stick stream stopped. Why."


def test_stops_that_differ_by_numbers_only_are_one_line() -> None:
    flight = Flight()
    for t, text in ((3.0, "Silent for 1.2 s"), (9.0, "Silent for 3 s"), (9.5, "Torn off")):
        flight.recording.add_event(Event(t, "sticks", Level.ERROR, text))
    first, second, other = flight.told()
    assert first.line == second.line != other.line


def test_a_sensor_that_has_stopped_is_told_on_the_ground_too() -> None:
    flight = Flight(armed="Disarmed")
    flight.recording.add_event(Event(3.0, "sensor", Level.WARNING, "It has stopped. Start anew"))
    (message,) = flight.told()
    assert message.text == "At 0:03.0: It has stopped. Start anew."


def test_a_replay_tells_nothing() -> None:
    flight = Flight()
    vehicle = replayed_vehicle()
    flight.fleet.add(vehicle)
    vehicle.recording.add_event(Event(3.0, "sticks", Level.ERROR, "The stick stream stopped"))
    assert flight.told() == []


HANG = Hang(started_s=49.0, length_s=0.8, cause="widgets/theme.py: apply_theme", details="stack")


@pytest.mark.parametrize("armed", ["Armed", "Disarmed"])
def test_a_hang_is_an_event_and_stays_on_screen_while_somebody_flies(armed: str) -> None:
    flight = Flight(armed)
    add(flight.recording, 10.0, "FlightStatus", Armed=armed)
    flight.incidents.take_hang(HANG)
    flight.incidents.take_hang(HANG)
    events = [event for event in flight.recording.events() if event.kind == "hang"]
    assert [event.t for event in events] == [9.0, 9.0]
    assert "for 0.8 s (widgets/theme.py: apply_theme)" in events[0].text
    told = flight.messages.take()
    assert len(told) == (2 if armed == "Armed" else 0)
    if told:
        assert told[0].text.startswith("At 0:09.0: The window did not answer for 0.8 s")
        assert told[0].line == told[1].line, "both are one line"
