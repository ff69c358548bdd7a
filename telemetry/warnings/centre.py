"""Warning centre of a station: which flights are watched, what is said, whether it is muted."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from telemetry.base.board_store import board_key
from telemetry.base.clock import monotonic_s
from telemetry.recording.recording import Recording
from telemetry.vehicle.vehicle import Fleet, Vehicle
from telemetry.warnings.announcement import Announcement, as_test, words_without_flight
from telemetry.warnings.rule import WarningOutput, WarningRule
from telemetry.warnings.rule_book import RuleBook
from telemetry.warnings.rule_state import RulePhase, RuleTurn
from telemetry.warnings.speaker import Speaker
from telemetry.warnings.speech_queue import Utterance

if TYPE_CHECKING:
    from telemetry.warnings.flight_watch import FlightWatch

PERIOD_S = 0.2


@dataclass(frozen=True, slots=True)
class LastTold:
    """What a rule told last of a flight, and when in it."""

    t: float
    text: str


class WarningCentre:
    """For the GUI thread. `poll` watches every live flight, whatever shows; replays only while
    `watches_replay`. It is never muted at the start.
    """

    def __init__(
        self,
        fleet: Fleet,
        book: RuleBook,
        speaker: Speaker,
        clock: Callable[[], float] = monotonic_s,
    ) -> None:
        self.book = book
        self.speaker = speaker
        self.is_muted = False
        self.watches_replay = False
        self._fleet = fleet
        self._clock = clock
        self._polled_s: float | None = None
        self._watches: dict[Vehicle, FlightWatch] = {}
        self._told: dict[str, LastTold] = {}

    def poll(self) -> list[Announcement]:
        """What is to be told since the last call; it is being said already, unless muted."""
        now = self._clock()
        if self._polled_s is not None and 0.0 <= now - self._polled_s < PERIOD_S:
            return []
        self._polled_s = now
        notes: list[Announcement] = []
        wanted = [vehicle for vehicle in self._fleet.vehicles if self._is_watched(vehicle)]
        self._watches = {v: watch for v, watch in self._watches.items() if v in wanted}
        for vehicle in wanted:
            watch = self._watches.get(vehicle)
            if watch is None:
                watch = self._watches[vehicle] = _begin_watch(vehicle)
            t = vehicle.end_s if vehicle.is_live else vehicle.timeline.t
            notes += watch.step(self.book.rules_for(aircraft_key(vehicle.recording)), t)
        return [self._tell(note, now) for note in notes]

    def mute(self, is_muted: bool) -> None:
        """Be silent at once, or speak again. Banners, events and markers go on."""
        self.is_muted = is_muted
        if is_muted:
            self.speaker.silence()

    def watch_of(self, vehicle: Vehicle | None) -> "FlightWatch | None":
        """The watch over a flight, None where there is none."""
        return self._watches.get(vehicle) if vehicle is not None else None

    def active_keys(self) -> frozenset[str]:
        """The keys of all that is told of and is so still."""
        return frozenset(
            f"{vehicle.name}/{state.rule.id}"
            for vehicle, watch in self._watches.items()
            for state in watch.states.values()
            if state.phase is RulePhase.ACTIVE
        )

    def last_told(self, vehicle: Vehicle | None, rule: WarningRule) -> LastTold | None:
        """What a rule told last of a flight."""
        return self._told.get(f"{vehicle.name}/{rule.id}") if vehicle is not None else None

    def try_out(self, rule: WarningRule, vehicle: Vehicle | None) -> str:
        """Say what a rule would say now, also while muted: somebody has asked for it."""
        watch = self._watches.get(vehicle) if vehicle is not None else None
        speech = watch.words(rule) if watch is not None else words_without_flight(rule)
        self._say(as_test(rule, "test", speech), self._clock())
        return speech

    def close(self) -> None:
        """Fall silent."""
        self.speaker.close()

    def _is_watched(self, vehicle: Vehicle) -> bool:
        if vehicle.is_live:
            return True
        return self.watches_replay and vehicle.timeline.mode == "playing"

    def _tell(self, note: Announcement, now: float) -> Announcement:
        if len([v for v in self._fleet.vehicles if v.is_live]) > 1:
            name = note.key.rpartition("/")[0]
            note = replace(note, speech=f"{name}: {note.speech}")
        self._told[note.key] = LastTold(note.t, note.text)
        if note.turn is RuleTurn.OVER:
            self.speaker.withdraw(note.key)
        if not self.is_muted:
            self._say(note, now)
        return note

    def _say(self, note: Announcement, now: float) -> None:
        speaks = WarningOutput.SPEECH in note.rule.outputs
        sounds = WarningOutput.SOUND in note.rule.outputs and note.turn is not RuleTurn.OVER
        if speaks or sounds:
            priority = note.rule.priority
            utterance = Utterance(
                note.key, note.speech, priority, note.level, now, speaks=speaks, sounds=sounds
            )
            self.speaker.say(utterance)


def _begin_watch(vehicle: Vehicle) -> "FlightWatch":
    """What reads flights is imported with the first one: a station's start does without."""
    from telemetry.warnings.flight_watch import FlightWatch

    return FlightWatch(vehicle)


def aircraft_key(recording: Recording) -> str:
    """What rules for one aircraft name it by: its processor's serial number; "" until known."""
    sample = recording.latest("FirmwareIAPObj", recording.last_s)
    if sample is None or not sample.definition.has_field("CPUSerial"):
        return ""
    if sample.definition.field_named("CPUSerial").elements < 2:
        return ""
    serial = bytes(int(number) & 0xFF for number in sample["CPUSerial"])
    return board_key(serial, recording.source)


def warning_centre_of(fleet: Fleet) -> WarningCentre:
    """The warnings of this fleet. The station brings its own to the first call; without one the
    shipped rules count, and nothing is kept."""
    return fleet.attachment("warnings", lambda: WarningCentre(fleet, RuleBook(), Speaker()))


def begin_warnings(fleet: Fleet, book: RuleBook, speaker: Speaker) -> WarningCentre:
    """Give a fleet the centre that `warning_centre_of` finds from now on."""
    return fleet.attachment("warnings", lambda: WarningCentre(fleet, book, speaker))
