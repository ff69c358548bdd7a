"""Station events of a log: what was noted in flight, in `<log>.events.jsonl` beside it.

One line of JSON for each event behind a line that names the format, so that one is added without
touching those before it and a torn line costs itself alone. The log stays what every reader of
`.opl` knows.
"""

import json
import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from io import FileIO
from pathlib import Path
from typing import Any, Final, NamedTuple, get_args

from telemetry.base.finding import Level
from telemetry.base.input_files import open_file
from telemetry.base.text_formats import FormatError, parse_json
from telemetry.recording.events import Event, Kind

_FORMAT, _VERSION = "lapwing-events", 1
_MOST_BYTES: Final = 16 << 20
"""A day with an event every second has 10 MB."""
_LONGEST_S: Final = 0xFFFFFFFF / 1000
"""A log's own milliseconds reach no further."""
_KINDS: Final[dict[str, Kind]] = {kind: kind for kind in get_args(Kind)}


class LogEventsError(ValueError):
    """What is wrong with the events beside a log, as a sentence."""


class ReadEvents(NamedTuple):
    """Events beside a log in the order in which they were noted; `left_out` lines are damaged."""

    events: tuple[Event, ...]
    left_out: int


def events_path(log: Path) -> Path:
    """Where the events of a log stand."""
    return log.parent / f"{log.name}.events.jsonl"


def append_events(log: Path, events: Sequence[Event]) -> None:
    """Write events behind those that stand beside a log, all of them or none.

    They are with the operating system when it returns, as the log's records are. Raises OSError.
    """
    lines = "".join(f"{json.dumps(_as_json(event))}\n" for event in events)
    with events_path(log).open("a+b", buffering=0) as file:
        size = file.seek(0, os.SEEK_END)
        data = _joint(file, size) + lines.encode()
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[file.write(rest) or 0 :]
        except OSError:
            with suppress(OSError):  # else a torn line stays, which reading and writing go past
                file.truncate(size)
            raise


def read_events(log: Path) -> ReadEvents:
    """The events beside a log, none where there are none. Raises LogEventsError."""
    path = events_path(log)
    try:
        if not path.is_file():
            return ReadEvents((), 0)
        with open_file(path) as file:
            data = file.read(_MOST_BYTES)
        if not data:  # the station ended between making the file and writing to it
            return ReadEvents((), 0)
        head, *lines = data.split(b"\n")
        _check_head(parse_json(head))
    except FormatError as error:
        raise LogEventsError(f"{path.name} was left out: {error}.") from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise LogEventsError(f"{path.name} was left out: {reason}.") from error
    found = [_event(line) for line in lines if line.strip()]
    events = tuple(event for event in found if event is not None)
    return ReadEvents(events, len(found) - len(events))


def within(events: Iterable[Event], start_s: float, end_s: float) -> list[Event]:
    """Those of a stretch, in seconds from its start; unknown times as far as they lie in it."""
    return [
        _cut(event, start_s, end_s)
        for event in events
        if event.t <= end_s and _last_s(event) >= start_s
    ]


def _cut(event: Event, start_s: float, end_s: float) -> Event:
    t = max(event.t - start_s, 0.0)
    if event.unknown_to_s is None:
        return replace(event, t=t)
    return replace(event, t=t, unknown_to_s=min(event.unknown_to_s, end_s) - start_s)


def _last_s(event: Event) -> float:
    return event.t if event.unknown_to_s is None else event.unknown_to_s


def _joint(file: FileIO, size: int) -> bytes:
    """What has to stand before the next line: the head of a new file, the end of a torn line."""
    if not size:
        return f"{json.dumps({'format': _FORMAT, 'version': _VERSION})}\n".encode()
    file.seek(size - 1)
    return b"" if file.read(1) == b"\n" else b"\n"


def _as_json(event: Event) -> dict[str, Any]:
    content = {"t": event.t, "kind": event.kind, "level": event.level.name, "text": event.text}
    if event.unknown_to_s is not None:
        content["unknown_to_s"] = event.unknown_to_s
    return content


def _check_head(value: Any) -> None:
    if not isinstance(value, dict) or value.get("format") != _FORMAT:
        raise FormatError('it does not begin with "format": "lapwing-events"')
    if value.get("version") != _VERSION:
        raise FormatError("another version of Lapwing wrote it")


def _event(line: bytes) -> Event | None:
    """What a line says; None if it is torn, damaged or of a kind that is not known here."""
    try:
        value = parse_json(line)
        t, text = value["t"], value["text"]
        kind, level = _KINDS[value["kind"]], Level[value["level"]]
        unknown_to_s = value.get("unknown_to_s")
    except (FormatError, LookupError, TypeError):
        return None
    if not _is_time(t) or not isinstance(text, str):
        return None
    if unknown_to_s is None:
        return Event(float(t), kind, level, text)
    is_end = _is_time(unknown_to_s) and unknown_to_s >= t
    return Event(float(t), kind, level, text, float(unknown_to_s)) if is_end else None


def _is_time(value: Any) -> bool:
    return (
        isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= _LONGEST_S
    )
