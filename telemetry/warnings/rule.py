"""Warning rule as data: which value is watched, when it matters, how it is told.

Rules are values. Those from a file are taken over field by field within limits, so that a file of a
stranger costs nothing but its reading, and nothing in it is ever run.
"""

import math
import string
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from telemetry.base.finding import Level
from telemetry.base.text_formats import FormatError

MOST_RULES: Final = 200
LONGEST_TEXT: Final = 200
LONGEST_S: Final = 3600.0
HIGHEST_PRIORITY: Final = 100


class RuleComparison(StrEnum):
    """When a value matters. CHANGES: it is another one than before. LISTS: words stand in it, each
    of which is told once."""

    BELOW = "below"
    ABOVE = "above"
    IS = "is"
    IS_NOT = "is not"
    CHANGES = "changes"
    LISTS = "lists"

    @property
    def lasts(self) -> bool:
        """Whether it tells of a condition, and not of what happens at an instant."""
        return self is not RuleComparison.CHANGES

    @property
    def takes_number(self) -> bool:
        """Whether it compares with a number, or with another value that is one."""
        return self in (RuleComparison.BELOW, RuleComparison.ABOVE)

    @property
    def takes_text(self) -> bool:
        """Whether it compares with a word."""
        return self in (RuleComparison.IS, RuleComparison.IS_NOT)


class WarningOutput(StrEnum):
    """A way to tell. EVENT is on the time line of this session, MARKER is kept with the flight."""

    SPEECH = "speech"
    SOUND = "sound"
    BANNER = "banner"
    EVENT = "event"
    MARKER = "marker"


@dataclass(frozen=True, slots=True)
class Premise:
    """What must be so besides, for a rule to count: `value` compared with `than`."""

    value: str
    comparison: RuleComparison
    than: float | str


@dataclass(frozen=True, slots=True)
class WarningRule:
    """One warning. `value` is a name of STATION_VALUES, a field, or an expression of fields.

    `than` is a number, a word, or the name of another value (a threshold the aircraft has itself).
    Once active, a number has to come back by `hysteresis`, in its unit, and stay so for
    `release_s`; before, it has to matter for `hold_s`. While it lasts it is told every `repeat_s`
    (0: once), on the ground once; `over_text` is told when it is over. A higher `priority` is told
    first. Of active rules with one `topic` only that of the highest priority is told. `aircraft`
    is the key of the only board it counts for, "" for all.
    """

    id: str
    title: str
    value: str
    comparison: RuleComparison
    text: str
    than: float | str = ""
    hysteresis: float = 0.0
    hold_s: float = 0.0
    release_s: float = 0.0
    repeat_s: float = 0.0
    level: Level = Level.WARNING
    priority: int = 50
    outputs: tuple[WarningOutput, ...] = (
        WarningOutput.SPEECH,
        WarningOutput.BANNER,
        WarningOutput.EVENT,
    )
    over_text: str = ""
    only_if: tuple[Premise, ...] = ()
    topic: str = ""
    aircraft: str = ""
    is_on: bool = True

    def to_json(self) -> dict[str, Any]:
        """As `rule_from_json` reads it."""
        return {
            "id": self.id,
            "title": self.title,
            "value": self.value,
            "comparison": self.comparison.value,
            "than": self.than,
            "hysteresis": self.hysteresis,
            "hold_s": self.hold_s,
            "release_s": self.release_s,
            "repeat_s": self.repeat_s,
            "level": self.level.name.lower(),
            "priority": self.priority,
            "outputs": [output.value for output in self.outputs],
            "text": self.text,
            "over_text": self.over_text,
            "only_if": [[p.value, p.comparison.value, p.than] for p in self.only_if],
            "topic": self.topic,
            "aircraft": self.aircraft,
            "is_on": self.is_on,
        }


_TOLD_LEVELS: Final = {
    level.name.lower(): level for level in (Level.INFO, Level.WARNING, Level.ERROR)
}


def rule_from_json(entry: Any) -> WarningRule:
    """A rule from JSON. Raises FormatError, which names the rule and what is wrong with it."""
    if not isinstance(entry, Mapping):
        raise FormatError("a rule is not an object")
    title = str(entry.get("title") or entry.get("id") or "without a title")[:60]
    try:
        return _rule(entry)
    except (FormatError, ValueError) as error:
        raise FormatError(f"the rule '{title}': {error}") from None


def _rule(entry: Mapping[str, Any]) -> WarningRule:
    comparison = _one_of(entry, "comparison", RuleComparison)
    rule = WarningRule(
        id=_text(entry, "id", is_needed=True),
        title=_text(entry, "title", is_needed=True),
        value=_text(entry, "value", is_needed=True),
        comparison=comparison,
        than=_than(entry.get("than", ""), comparison),
        hysteresis=_number(entry, "hysteresis", math.inf),
        hold_s=_number(entry, "hold_s", LONGEST_S),
        release_s=_number(entry, "release_s", LONGEST_S),
        repeat_s=_number(entry, "repeat_s", LONGEST_S),
        level=_level(entry.get("level", "warning")),
        priority=round(_number(entry, "priority", HIGHEST_PRIORITY, 50)),
        outputs=_outputs(entry.get("outputs", ["speech", "banner", "event"])),
        text=_text(entry, "text", is_needed=True),
        over_text=_text(entry, "over_text"),
        only_if=_premises(entry.get("only_if", [])),
        topic=_text(entry, "topic"),
        aircraft=_text(entry, "aircraft"),
        is_on=entry.get("is_on", True) is True,
    )
    for text in (rule.text, rule.over_text):
        names_in(text)
    return rule


def names_in(text: str) -> tuple[str, ...]:
    """The names in braces of a text: "{value}" and "{than}", or others of STATION_VALUES.

    Raises FormatError for braces that do not fit, and for anything but a name between them.
    """
    try:
        parts = list(string.Formatter().parse(text))
    except ValueError:
        raise FormatError("a brace in its text has no counterpart; write {value}") from None
    names = []
    for _, name, format_, conversion in parts:
        if name is None:
            continue
        if format_ or conversion or not name.isidentifier():
            raise FormatError(f"'{{{name}}}' in its text is not the name of a value")
        names.append(name)
    return tuple(names)


def _text(entry: Mapping[str, Any], key: str, *, is_needed: bool = False) -> str:
    text = entry.get(key, "")
    if not isinstance(text, str):
        raise FormatError(f"{key} is not a text")
    text = " ".join(text.split())
    if is_needed and not text:
        raise FormatError(f"{key} is missing")
    if len(text) > LONGEST_TEXT:
        raise FormatError(f"{key} has more than {LONGEST_TEXT} characters")
    if not text.isprintable():
        raise FormatError(f"{key} has characters that cannot be shown")
    return text


def _number(entry: Mapping[str, Any], key: str, most: float, usual: float = 0.0) -> float:
    number = entry.get(key, usual)
    if isinstance(number, bool) or not isinstance(number, int | float) or not number >= 0.0:
        raise FormatError(f"{key} is not a number from 0 on")
    if number > most:
        raise FormatError(f"{key} is more than {most:g}")
    return float(number)


def _one_of(entry: Mapping[str, Any], key: str, kind: type[RuleComparison]) -> RuleComparison:
    known = ", ".join(kind)
    if entry.get(key) not in list(kind):
        raise FormatError(f"{key} is none of {known}")
    return kind(entry[key])


def _than(than: Any, comparison: RuleComparison) -> float | str:
    if isinstance(than, str):
        words = _text({"than": than}, "than")
        if comparison.takes_number and not words:
            raise FormatError(f"'{comparison}' needs a number, or the name of a value")
        return words
    if not isinstance(than, int | float) or isinstance(than, bool):
        raise FormatError("than is neither a number nor a text")
    if comparison.takes_text:
        return f"{than:g}"
    if not math.isfinite(than):
        raise FormatError("than is not a finite number")
    return float(than)


def _level(word: Any) -> Level:
    if word not in _TOLD_LEVELS:
        raise FormatError(f"level is none of {', '.join(_TOLD_LEVELS)}")
    return _TOLD_LEVELS[word]


def _outputs(words: Any) -> tuple[WarningOutput, ...]:
    if not isinstance(words, list) or any(word not in list(WarningOutput) for word in words):
        raise FormatError(f"outputs is no list of {', '.join(WarningOutput)}")
    return tuple(output for output in WarningOutput if output in words)


def _premises(entries: Any) -> tuple[Premise, ...]:
    if not isinstance(entries, list) or len(entries) > 8:
        raise FormatError("its conditions are no list of up to 8")
    premises = []
    for entry in entries:
        if not isinstance(entry, list) or len(entry) != 3 or not isinstance(entry[0], str):
            raise FormatError("a condition is not a value, a comparison and a threshold")
        comparison = _one_of({"comparison": entry[1]}, "comparison", RuleComparison)
        if not (comparison.takes_number or comparison.takes_text):
            raise FormatError(f"a condition cannot say '{comparison}'")
        value = _text({"value": entry[0]}, "value", is_needed=True)
        premises.append(Premise(value, comparison, _than(entry[2], comparison)))
    return tuple(premises)
