"""Flight watch: all warning rules over one flight, in words for the eye and for the ear."""

from collections.abc import Iterable, Sequence

from telemetry.base.finding import Level
from telemetry.base.number_text import significant
from telemetry.recording.mode_words import mode_words
from telemetry.vehicle.vehicle import Vehicle
from telemetry.warnings.announcement import Announcement
from telemetry.warnings.firmware_needs import FirmwareNeed, why_never_told
from telemetry.warnings.rule import Premise, RuleComparison, WarningRule, names_in
from telemetry.warnings.rule_state import (
    RuleObservation,
    RulePhase,
    RuleState,
    RuleTurn,
    WatchedValue,
    compare,
)
from telemetry.warnings.station_values import STATION_VALUES
from telemetry.warnings.watched_flight import WatchedFlight, WatchedReading

JUMP_S = 5.0
"""A cursor that moves so far at once was moved by hand: rules begin anew there."""
_SPOKEN_UNITS = {
    "V": "volts",
    "A": "amperes",
    "m": "metres",
    "m/s": "metres per second",
    "km/h": "kilometres per hour",
    "%": "percent",
    "s": "seconds",
    "°": "degrees",
    "°C": "degrees",
    "mAh": "milliampere hours",
}


class FlightWatch:
    """Watches one vehicle by rules. `states` are in the order of the rules."""

    def __init__(self, vehicle: Vehicle) -> None:
        self.vehicle = vehicle
        self.watched = WatchedFlight(vehicle)
        self.states: dict[str, RuleState] = {}
        self._t: float | None = None
        self._offered: object = None
        self._never: dict[WarningRule, str] = {}

    def step(self, rules: Sequence[WarningRule], t: float) -> list[Announcement]:
        """What is to be told at `t` (seconds of the recording), the most urgent first."""
        self._take_rules(rules)
        if self._t is not None and self._was_moved(t - self._t):
            self._begin_anew()
        self._t = t
        self.watched.move_to(t)
        turns = {rule.id: self.states[rule.id].step(t, self._look(rule)) for rule in rules}
        notes = [self._note(rule, turns[rule.id]) for rule in rules]
        told = [note for note in notes if note is not None]
        return sorted(told, key=lambda note: -note.rule.priority)

    def readings(self, rule: WarningRule) -> WatchedReading:
        """What a rule looks at, as it is now."""
        return self.watched.read(rule.value, STATION_VALUES)

    def why_never(self, rule: WarningRule) -> str:
        """Why this aircraft's firmware can never tell what a rule looks at; "" if it may."""
        status = self.vehicle.status
        tracks = len(self.vehicle.recording.tracks())
        offered = (status.release, status.state, status.fetched, status.total, tracks)
        if offered != self._offered:
            self._offered = offered
            self._never.clear()
        if rule not in self._never:
            self._never[rule] = why_never_told(self.vehicle, self._needs(rule))
        return self._never[rule]

    def _needs(self, rule: WarningRule) -> list[FirmwareNeed]:
        """What has to be on board for a rule to be judged."""
        looked_at: tuple[WarningRule | Premise, ...] = (rule, *rule.only_if)
        texts = [one.value for one in looked_at]
        texts += [str(one.than) for one in looked_at if _is_name(one)]
        return [need for text in texts for need in self.watched.needs(text, STATION_VALUES)]

    def words(self, rule: WarningRule) -> str:
        """What a rule would say now."""
        return self._fill(rule.text, rule, (), is_spoken=True)

    def _take_rules(self, rules: Iterable[WarningRule]) -> None:
        """Keep the state of rules that stay as they were."""
        states = self.states
        if [s.rule for s in states.values()] != list(rules):
            known = {state.rule: state for state in states.values()}
            self.states = {rule.id: known.get(rule) or RuleState(rule) for rule in rules}

    def _was_moved(self, step_s: float) -> bool:
        """By hand; over a live flight a long step is time in which nobody looked."""
        return step_s < 0.0 or (step_s > JUMP_S and not self.vehicle.is_live)

    def _begin_anew(self) -> None:
        self.states = {rule_id: RuleState(state.rule) for rule_id, state in self.states.items()}

    def _look(self, rule: WarningRule) -> RuleObservation:
        value = self.readings(rule).value
        return RuleObservation(value, self._than(rule), self._counts(rule.only_if))

    def _than(self, rule: WarningRule | Premise) -> float | str | None:
        """The threshold: a number or word as it stands, or the value of that name."""
        than = rule.than
        if isinstance(than, float | int) or not rule.comparison.takes_number:
            return than
        value = self.watched.read(than, STATION_VALUES).value
        return value if isinstance(value, float | int) else None

    def _counts(self, premises: Sequence[Premise]) -> bool | None:
        """Whether all premises are met; None if nobody can tell."""
        met: list[bool | None] = []
        for premise in premises:
            value = self.watched.read(premise.value, STATION_VALUES).value
            met.append(
                None
                if value is None
                else compare(RuleObservation(value, self._than(premise)), premise)
            )
        if False in met:
            return False
        return None if None in met else True

    def _note(self, rule: WarningRule, turn: RuleTurn | None) -> Announcement | None:
        if turn is None or (turn is RuleTurn.REPEAT and self._is_on_ground()):
            return None
        words = self._words_left(rule, self.states[rule.id].told_words)
        if self._is_told_by_another(rule) or (
            rule.comparison is RuleComparison.LISTS and not words
        ):
            return None
        template = rule.over_text if turn is RuleTurn.OVER else rule.text
        level = Level.INFO if turn is RuleTurn.OVER else rule.level
        text, speech = (self._fill(template, rule, words, is_spoken=s) for s in (False, True))
        key = f"{self.vehicle.name}/{rule.id}"
        return Announcement(key, rule, turn, self._t or 0.0, text, speech, level)

    def _is_on_ground(self) -> bool:
        """Where what is told once is enough: nobody flies who could have missed it."""
        return self.watched.flight.armed == "Disarmed"

    def _is_told_by_another(self, rule: WarningRule) -> bool:
        """Whether an active rule of the same topic has a higher priority."""
        return any(
            other.rule.topic == rule.topic and other.rule.priority > rule.priority
            for other in self.states.values()
            if rule.topic and other.phase is RulePhase.ACTIVE
        )

    def _words_left(self, rule: WarningRule, words: tuple[str, ...]) -> tuple[str, ...]:
        """The words of a list without those that rules of their own tell about now: the aircraft's
        battery alarm, while its voltage is being told."""
        busy = (RulePhase.ACTIVE, RulePhase.WAITING)
        topics = {
            state.rule.topic.casefold()
            for state in self.states.values()
            if state.rule is not rule and state.phase in busy
        }
        return tuple(word for word in words if word.casefold() not in topics)

    def _fill(
        self, template: str, rule: WarningRule, words: tuple[str, ...], *, is_spoken: bool
    ) -> str:
        texts = {}
        for name in names_in(template):
            if name == "value" and words:
                texts[name] = ", ".join(words)
                continue
            source = {"value": rule.value, "than": str(rule.than)}.get(name, name)
            reading = self.watched.read(source, STATION_VALUES)
            if name == "than" and isinstance(rule.than, float):
                unit = self.readings(rule).unit
                reading = WatchedReading(rule.than, unit)
            texts[name] = value_text(reading, is_spoken=is_spoken)
        return template.format_map(texts)


def _is_name(rule: WarningRule | Premise) -> bool:
    """Whether it is compared with another value."""
    return rule.comparison.takes_number and isinstance(rule.than, str)


def value_text(reading: WatchedReading, *, is_spoken: bool = False) -> str:
    """A value with its unit, as it is shown or spoken; "unknown" or "–" for what is not known."""
    value: WatchedValue = reading.value
    if value is None:
        return "unknown" if is_spoken else "–"
    if isinstance(value, tuple):
        return ", ".join(value) or "none"
    if isinstance(value, str):
        return mode_words(value)
    number = significant(value, 3)
    unit = _SPOKEN_UNITS.get(reading.unit, reading.unit) if is_spoken else reading.unit
    return f"{number} {unit}".rstrip()
