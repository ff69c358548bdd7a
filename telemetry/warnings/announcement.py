"""Warning announcement: what a warning tells, once, for the eye and for the ear."""

from dataclasses import dataclass, replace

from telemetry.base.finding import Level
from telemetry.warnings.rule import WarningOutput, WarningRule, names_in
from telemetry.warnings.rule_state import RuleTurn


@dataclass(frozen=True, slots=True)
class Announcement:
    """What is told once. `text` is for the eye, `speech` for the ear. `key` is the same for all
    that one rule says of one aircraft."""

    key: str
    rule: WarningRule
    turn: RuleTurn
    t: float
    text: str
    speech: str
    level: Level


def words_without_flight(rule: WarningRule) -> str:
    """What a rule would say, while no value is known."""
    return rule.text.format_map(dict.fromkeys(names_in(rule.text), "unknown"))


def as_test(rule: WarningRule, name: str, speech: str) -> Announcement:
    """What trying a rule out tells: nothing but speech and sound."""
    tried = replace(rule, outputs=(WarningOutput.SPEECH, WarningOutput.SOUND))
    return Announcement(f"{name}/{rule.id}", tried, RuleTurn.BEGIN, 0.0, speech, speech, rule.level)
