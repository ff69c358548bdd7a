"""The warnings of a station: which flights are watched, muting, trying out, several aircraft."""

from plugins.testing import add, live_vehicle, replayed_vehicle
from telemetry.recording.recording import Recording
from telemetry.vehicle.vehicle import Fleet, LinkState, LinkStatus, Vehicle
from telemetry.warnings.centre import WarningCentre
from telemetry.warnings.rule_book import RuleBook
from telemetry.warnings.speaker import Speaker
from telemetry.warnings.speech_queue import Utterance
from telemetry.warnings.speech_worker import NO_VOICE, silent_worker
from tests.waiting import wait_until


class FakeSpeaker:
    voice_name = "fake"

    def __init__(self) -> None:
        self.said: list[str] = []
        self.silenced = 0
        self.closed = 0

    def say(self, utterance: Utterance) -> None:
        self.said.append(utterance.text)

    def withdraw(self, key: str) -> None:
        self.said.append(f"not {key}")

    def silence(self) -> None:
        self.silenced += 1

    def close(self) -> None:
        self.closed += 1


class WatchedStation:
    def __init__(self, *vehicles: Vehicle) -> None:
        self.fleet, self.speaker, self.now = Fleet(), FakeSpeaker(), 0.0
        for vehicle in vehicles:
            self.fleet.add(vehicle)
        self.centre = WarningCentre(self.fleet, RuleBook(), self.speaker, lambda: self.now)

    def poll(self) -> list[str]:
        self.now += 1.0
        return [note.text for note in self.centre.poll()]


def quad(name: str = "quad") -> Vehicle:
    recording = Recording()
    add(recording, 0.0, "FlightStatus", Armed="Disarmed", FlightMode="Stabilized1")
    add(recording, 0.0, "ManualControlCommand", Connected="True")
    return live_vehicle(name, recording)


def arm(vehicle: Vehicle, t: float) -> None:
    add(vehicle.recording, t, "FlightStatus", Armed="Armed", FlightMode="Stabilized1")


def test_a_live_flight_is_watched_and_polled_no_more_often_than_needed() -> None:
    vehicle = quad()
    station = WatchedStation(vehicle)
    assert station.poll() == []
    arm(vehicle, 1.0)
    station.now -= 0.9
    assert station.poll() == [], "so soon after the last time it is not looked at again"
    assert station.poll() == ["Armed"]
    assert station.speaker.said == ["Armed"]
    rule = next(rule for rule in station.centre.book.rules if rule.id == "arming")
    told = station.centre.last_told(vehicle, rule)
    assert told is not None
    assert (told.t, told.text) == (1.0, "Armed")


def test_it_is_heard_at_the_start_and_muted_at_once() -> None:
    vehicle = quad()
    station = WatchedStation(vehicle)
    assert not station.centre.is_muted
    station.poll()
    station.centre.mute(True)
    assert station.speaker.silenced == 1
    arm(vehicle, 1.0)
    assert station.poll() == ["Armed"], "told to the eye"
    assert station.speaker.said == []
    rule = station.centre.book.rules[0]
    station.centre.try_out(rule, vehicle)
    assert station.speaker.said == ["Link lost"], "who tries out wants to hear it"


def test_a_replay_speaks_only_if_asked_for() -> None:
    vehicle = replayed_vehicle()
    line = vehicle.timeline
    line.advance(0.0, 0.0, 20.0)

    def play(station: WatchedStation) -> list[str]:
        line.seek(4.5)
        line.play()
        told = []
        for step in range(20):
            line.advance(10.0 + step * 0.1, 0.0, 20.0)
            told += station.poll()
        return told

    station = WatchedStation(vehicle)
    assert play(station) == []
    station.centre.watches_replay = True
    assert play(station) == ["Armed"]


def test_of_several_aircraft_each_is_named() -> None:
    first, second = quad("red"), quad("blue")
    station = WatchedStation(first, second)
    station.poll()
    arm(second, 1.0)
    assert station.poll() == ["Armed"]
    assert station.speaker.said == ["blue: Armed"]


def test_a_link_that_is_back_takes_back_what_waits() -> None:
    vehicle = quad()
    station = WatchedStation(vehicle)
    station.poll()
    vehicle.status = LinkStatus(LinkState.LOST)
    station.poll()
    vehicle.status = LinkStatus(LinkState.CONNECTED)
    station.poll()
    assert station.speaker.said == ["Link lost", "not quad/link-lost", "Link back"]


def test_a_speaker_never_makes_anybody_wait_and_ends() -> None:
    speaker = Speaker(silent_worker)
    speaker.close()
    assert speaker.voice_name == "", "no thread before there is something to say"
    speaker = Speaker(silent_worker)
    centre = WarningCentre(Fleet(), RuleBook(), speaker)
    assert centre.try_out(centre.book.rules[1], None) == "No data for unknown"
    wait_until(lambda: speaker.voice_name == NO_VOICE)
    speaker.close()
    speaker.close()
