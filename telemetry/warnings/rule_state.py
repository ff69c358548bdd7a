"""Rule state: whether one warning rule is active, as a state machine that is told the time.

What is not known is neither fine nor bad: an active rule stays so without being told again, one
that waits begins to wait anew, and nothing is over because nothing is heard.
"""

import math
from dataclasses import dataclass, field
from enum import Enum

from telemetry.warnings.rule import Premise, RuleComparison, WarningRule

WatchedValue = float | str | tuple[str, ...] | None
"""A number, a word, words of a list, or None for what is not known now."""


class RulePhase(Enum):
    """How a rule stands, as the word that is shown."""

    UNKNOWN = "No data"
    FINE = "Fine"
    WAITING = "Begins"
    ACTIVE = "Active"


class RuleTurn(Enum):
    """What is to be told."""

    BEGIN = "begin"
    REPEAT = "repeat"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class RuleObservation:
    """What was seen of a rule. `counts` is whether its premises are met; None: not known."""

    value: WatchedValue
    than: float | str | None = None
    counts: bool | None = True


@dataclass(slots=True)
class RuleState:
    """One rule over one flight. `is_known` is false while an active one has no fresh data.

    `words` are those of a list that were told and have not gone.
    """

    rule: WarningRule
    phase: RulePhase = RulePhase.UNKNOWN
    is_known: bool = False
    since_s: float = 0.0
    told_s: float | None = None
    words: dict[str, float] = field(default_factory=dict)
    _waiting: dict[str, float] = field(default_factory=dict)
    _fine_s: float | None = None
    _last: WatchedValue = None

    def step(self, now: float, look: RuleObservation) -> RuleTurn | None:
        """Take in what is seen at `now` (seconds); returns what is to be told, if anything."""
        self.is_known = look.value is not None and look.counts is not None
        if not self.is_known:
            self._lose_sight()
            return None
        if not look.counts:
            self._settle()
            self._last = look.value
            return None
        if self.rule.comparison is RuleComparison.CHANGES:
            return self._step_change(now, look.value)
        if self.rule.comparison is RuleComparison.LISTS:
            return self._step_list(now, look.value)
        is_met = compare(look, self.rule, is_active=self.phase is RulePhase.ACTIVE)
        if is_met is None:
            self.is_known = False
            self._lose_sight()
            return None
        return self._meet(now) if is_met else self._release(now)

    def _lose_sight(self) -> None:
        self._fine_s = None
        self._waiting.clear()
        if self.phase is not RulePhase.ACTIVE:
            self.phase = RulePhase.UNKNOWN

    def _settle(self) -> None:
        """It is fine, or does not count."""
        self.phase, self._fine_s = RulePhase.FINE, None
        self.words.clear()
        self._waiting.clear()

    def _meet(self, now: float) -> RuleTurn | None:
        self._fine_s = None
        if self.phase is RulePhase.ACTIVE:
            return self._repeat(now)
        if self.phase is not RulePhase.WAITING:
            self.phase, self.since_s = RulePhase.WAITING, now
        if now - self.since_s < self.rule.hold_s:
            return None
        return self._begin(now)

    def _begin(self, now: float) -> RuleTurn:
        self.phase, self.since_s, self.told_s = RulePhase.ACTIVE, now, now
        return RuleTurn.BEGIN

    def _repeat(self, now: float) -> RuleTurn | None:
        repeat_s = self.rule.repeat_s
        if repeat_s <= 0.0 or self.told_s is None or now - self.told_s < repeat_s:
            return None
        self.told_s = now
        return RuleTurn.REPEAT

    def _release(self, now: float) -> RuleTurn | None:
        if self.phase is not RulePhase.ACTIVE:
            self._settle()
            return None
        if self._fine_s is None:
            self._fine_s = now
        if now - self._fine_s < self.rule.release_s:
            return None
        self._settle()
        return RuleTurn.OVER if self.rule.over_text else None

    def _step_change(self, now: float, value: WatchedValue) -> RuleTurn | None:
        """Told when another value than the last one known has stood for `hold_s`."""
        before = self._last
        if before is None or value == before:
            self._last = value
            self._settle()
            return None
        if self._waiting.get(str(value)) is None:
            self._waiting = {str(value): now}
        if now - self._waiting[str(value)] < self.rule.hold_s:
            self.phase = RulePhase.WAITING
            return None
        self._last = value
        self._settle()
        self.told_s = now
        return RuleTurn.BEGIN

    def _step_list(self, now: float, value: WatchedValue) -> RuleTurn | None:
        present = value if isinstance(value, tuple) else ()
        kept = {w: t for w, t in self.words.items() if now - t <= self.rule.release_s}
        self.words = {**kept, **{word: now for word in present if word in self.words}}
        self._waiting = {
            word: self._waiting.get(word, now) for word in present if word not in self.words
        }
        ripe = [word for word, t in self._waiting.items() if now - t >= self.rule.hold_s]
        for word in ripe:
            del self._waiting[word]
            self.words[word] = now
        if ripe:
            self._last = tuple(ripe)
            return self._begin(now)
        if not self.words:
            was_active = self.phase is RulePhase.ACTIVE
            self._waiting, waiting = {}, self._waiting
            self._settle()
            self._waiting = waiting
            self.phase = RulePhase.WAITING if waiting else RulePhase.FINE
            return RuleTurn.OVER if was_active and self.rule.over_text else None
        self._last = tuple(self.words)
        return self._repeat(now)

    @property
    def told_words(self) -> tuple[str, ...]:
        """Which words of a list are to be told."""
        return self._last if isinstance(self._last, tuple) else ()


def compare(
    look: RuleObservation, rule: WarningRule | Premise, *, is_active: bool = False
) -> bool | None:
    """Whether the value is as the rule says; an active rule's number has to come back by its
    hysteresis. None: nobody can tell."""
    comparison = rule.comparison
    if comparison.takes_text:
        is_same = _word(look.value) == _word(look.than)
        return is_same == (comparison is RuleComparison.IS)
    value, than = look.value, look.than
    if not isinstance(value, float | int) or not isinstance(than, float | int):
        return None
    if math.isnan(value) or math.isnan(than):
        return None
    back = rule.hysteresis if is_active and isinstance(rule, WarningRule) else 0.0
    return value < than + back if comparison is RuleComparison.BELOW else value > than - back


def _word(value: WatchedValue) -> str:
    """As it is compared: 3.0 is "3", and small letters are as good as capitals."""
    return f"{value:g}" if isinstance(value, float | int) else str(value).casefold()
