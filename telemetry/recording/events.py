"""Flight events: arming, mode changes, alarms and restarts, derived from samples."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from telemetry.base.finding import Level, level_of_alarm
from telemetry.recording.track import Track

Kind = Literal[
    "arming",
    "mode",
    "alarm",
    "reboot",
    "link",
    "device",
    "marker",
    "gap",
    "setting",
    "failsafe",
    "sticks",
    "hang",
    "recording",
    "sensor",
    "finding",
    "warning",
]

_FLIGHT_TIME_SLACK_MS = 1000
_NUMBERS = re.compile(r"(?<![A-Za-z\d])\d+(?:[.:]\d+)*")


@dataclass(frozen=True, slots=True)
class Event:
    """An instant worth finding again, with one short text.

    `unknown_to_s` is there where from `t` up to then the times of what was recorded are not known.
    """

    t: float
    kind: Kind
    level: Level
    text: str
    unknown_to_s: float | None = None


def alike(text: str) -> str:
    """The words of an event without its numbers, but for those in names: the same for events that
    are the same but for how much."""
    return _NUMBERS.sub("#", text)


def find_events(track: Track, start: int) -> list[Event]:
    """Events in the samples of `track` from position `start` on, each against the one before.

    Looks at FlightStatus (arming, mode), SystemAlarms, SystemStats (restarts, which show as a
    flight time that falls) and ManualControlCommand (failsafes); other objects have none.
    """
    finder = _FINDERS.get(track.definition.name)
    return list(finder(track, max(0, start - 1))) if finder and track.count > 1 else []


def has_events(track: Track) -> bool:
    """Whether events can be derived from the samples of an object like this."""
    return track.definition.name in _FINDERS


def _changes(
    track: Track, name: str, start: int, level: Callable[[str], Level] | None = None
) -> Iterator[tuple[float, str, str, str]]:
    """Yield (t, element, option before, option after) where an enum field changes.

    Compares from position `start` on; yields nothing for a field this version lacks. With `level`
    it yields the changes to and from what that calls a WARNING or worse.
    """
    if not track.definition.has_field(name):
        return
    field = track.definition.field_named(name)
    values = track.values(name, None, start)
    values = values.reshape(len(values), field.elements)
    rows, elements = np.nonzero(values[1:] != values[:-1])
    if not len(rows):
        return
    before, after = values[rows, elements], values[rows + 1, elements]
    texts = {value: field.option_text(value) for value in {*before.tolist(), *after.tolist()}}
    if level is not None:
        notable = [value for value, text in texts.items() if level(text) >= Level.WARNING]
        is_notable = np.isin(before, notable) | np.isin(after, notable)
        rows, elements = rows[is_notable], elements[is_notable]
        before, after = before[is_notable], after[is_notable]
    labels = [field.element_label(index) for index in range(field.elements)]
    times = track.times[start:][rows + 1].tolist()
    columns = zip(times, elements.tolist(), before.tolist(), after.tolist(), strict=True)
    for t, element, value, value_after in columns:
        yield t, labels[element], texts[value], texts[value_after]


def _flight_status_events(track: Track, start: int) -> Iterator[Event]:
    for t, _, _, after in _changes(track, "Armed", start):
        yield Event(t, "arming", Level.INFO, after)
    for t, _, _, after in _changes(track, "FlightMode", start):
        yield Event(t, "mode", Level.INFO, after)


def _alarm_events(track: Track, start: int) -> Iterator[Event]:
    said: dict[tuple[str, str], tuple[Level, str]] = {}  # a long log says the same again and again
    for t, label, _, after in _changes(track, "Alarm", start, level_of_alarm):
        if (label, after) not in said:
            said[label, after] = max(level_of_alarm(after), Level.INFO), f"{label}: {after}"
        yield Event(t, "alarm", *said[label, after])


def _reboot_events(track: Track, start: int) -> Iterator[Event]:
    if not track.definition.has_field("FlightTime"):
        return
    flight_ms = track.values("FlightTime", None, start).astype(np.int64)
    times = track.times[start:]
    for index in np.flatnonzero(np.diff(flight_ms) < -_FLIGHT_TIME_SLACK_MS):
        yield Event(float(times[index + 1]), "reboot", Level.ERROR, "The aircraft restarted")


def _failsafe_events(track: Track, start: int) -> Iterator[Event]:
    for t, _, before, after in _changes(track, "Connected", start):
        if (before.upper(), after.upper()) == ("TRUE", "FALSE"):
            yield Event(t, "failsafe", Level.ERROR, "The failsafe acts: no sticks are received")


_FINDERS = {
    "ManualControlCommand": _failsafe_events,
    "FlightStatus": _flight_status_events,
    "SystemAlarms": _alarm_events,
    "SystemStats": _reboot_events,
}
