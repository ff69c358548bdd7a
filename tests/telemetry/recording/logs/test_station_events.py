"""What a station noted in flight is known when its log is opened again."""

from pathlib import Path

import pytest

from telemetry.base.finding import Level
from telemetry.recording.events import Event
from telemetry.recording.export.cut import export_opl
from telemetry.recording.export.request import ExportRequest
from telemetry.recording.logs.reader import read_log
from telemetry.recording.logs.station_events import append_events, events_path, within
from tests.telemetry.recording.logs.books import CATALOGUE, attitudes, saved

NOTED = (
    Event(0.1 + 0.2, "device", Level.ERROR, "Gamepad “größer”: unplugged\n{}"),
    Event(0.25, "hang", Level.WARNING, "The window did not answer for 2.0 s"),
    Event(0.8, "link", Level.ERROR, "Link lost"),
)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return saved(tmp_path, *attitudes(9))


def read(log: Path) -> tuple[tuple[Event, ...], tuple[str, ...]]:
    reading = read_log(log, CATALOGUE)
    return reading.recording.noted(), reading.warnings


def test_what_was_noted_comes_back_as_it_was(log: Path) -> None:
    assert read(log) == ((), ())
    events_path(log).touch()
    assert read(log) == ((), ())
    for event in NOTED:
        append_events(log, [event])
    assert read(log) == (NOTED, ())
    shown = read_log(log, CATALOGUE).recording.events()
    assert list(shown) == sorted(NOTED, key=lambda event: event.t)


def test_the_recording_reaches_to_what_was_noted_behind_its_last_sample(log: Path) -> None:
    """The station went on when the link had ended; what it noted then is on the time bar."""
    append_events(log, [Event(0.803, "link", Level.ERROR, "It was unplugged")])
    assert read_log(log, CATALOGUE).recording.last_s == 0.803


@pytest.mark.parametrize("torn_by", range(1, 20))
def test_a_torn_line_costs_itself_alone_and_what_comes_after_it_stands(
    log: Path, torn_by: int
) -> None:
    append_events(log, NOTED[:2])
    path = events_path(log)
    path.write_bytes(path.read_bytes()[:-torn_by])
    is_whole = torn_by == 1  # the end of the line alone
    words = f"1 line of {path.name} cannot be read; the other events are shown."
    told = () if is_whole else (words,)
    assert read(log) == (NOTED[: 2 if is_whole else 1], told)
    append_events(log, NOTED[2:])
    assert read(log) == ((*NOTED[: 2 if is_whole else 1], NOTED[2]), told)


@pytest.mark.parametrize(
    "line",
    [
        b"\x00\xff",
        b"[]",
        b'{"t": 1e999, "kind": "link", "level": "ERROR", "text": "a"}',
        b'{"t": true, "kind": "link", "level": "ERROR", "text": "a"}',
        b'{"t": -1, "kind": "link", "level": "ERROR", "text": "a"}',
        b'{"t": 1, "kind": "party", "level": "ERROR", "text": "a"}',
        b'{"t": 1, "kind": ["link"], "level": "ERROR", "text": "a"}',
        b'{"t": 1, "kind": "link", "level": "AWFUL", "text": "a"}',
        b'{"t": 1, "kind": "link", "level": "ERROR", "text": 7}',
    ],
)
def test_a_damaged_line_is_left_out_with_words(log: Path, line: bytes) -> None:
    append_events(log, NOTED[:1])
    with events_path(log).open("ab") as file:
        file.write(line + b"\n")
    append_events(log, NOTED[1:])
    noted, (told,) = read(log)
    assert noted == NOTED
    assert told.startswith("1 line of flight.opl.events.jsonl cannot be read")


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b'{"forma', "Unterminated"),
        (b"{}\n", "does not begin with"),
        (b'{"format": "lapwing-events", "version": 2}\n', "another version of Lapwing"),
    ],
)
def test_a_file_of_another_kind_is_left_out_with_words(log: Path, data: bytes, why: str) -> None:
    events_path(log).write_bytes(data)
    noted, (told,) = read(log)
    assert noted == ()
    assert told.startswith("flight.opl.events.jsonl was left out: ")
    assert why in told


def test_a_disk_that_is_full_keeps_what_it_has(log: Path) -> None:
    events_path(log).symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space"):
        append_events(log, NOTED)


def test_a_part_of_a_log_has_those_of_its_stretch_at_its_own_times(
    log: Path, tmp_path: Path
) -> None:
    append_events(log, NOTED)
    whole = read_log(log, CATALOGUE).recording
    (part,) = export_opl(whole, tmp_path / "cut", ExportRequest(start_s=0.3, end_s=0.8))
    (cut, lost), told = read(part)
    assert told == ()
    assert (cut.kind, cut.text) == ("device", NOTED[0].text)
    assert (cut.t, lost.t) == pytest.approx((0.0, 0.5))


UNKNOWN = Event(0.2, "gap", Level.WARNING, "Times are not known", unknown_to_s=0.7)


def test_unknown_times_come_back_as_they_were(log: Path) -> None:
    append_events(log, [UNKNOWN])
    assert read(log) == ((UNKNOWN,), ())


@pytest.mark.parametrize("wrong", ["0.1", "true", '"0.7"', "NaN", "1e12"])
def test_unknown_times_without_an_end_are_not_taken(log: Path, wrong: str) -> None:
    append_events(log, [UNKNOWN])
    path = events_path(log)
    path.write_text(path.read_text().replace("0.7", wrong))
    events, warnings = read(log)
    assert events == ()
    assert "cannot be read" in warnings[0]


@pytest.mark.parametrize(
    ("start_s", "end_s", "left"),
    [
        (0.0, 0.5, [(0.2, 0.5)]),
        (0.3, 0.6, [(0.0, 0.3)]),
        (0.1, 0.8, [(0.1, 0.6)]),
        (0.75, 0.8, []),
    ],
)
def test_of_unknown_times_a_stretch_has_what_lies_in_it(
    start_s: float, end_s: float, left: list[tuple[float, float]]
) -> None:
    found = within([UNKNOWN], start_s, end_s)
    assert [event.t for event in found] == pytest.approx([t for t, _ in left])
    assert [event.unknown_to_s for event in found] == pytest.approx([end for _, end in left])
