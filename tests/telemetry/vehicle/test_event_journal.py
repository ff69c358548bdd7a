"""The journal with its real thread. What is waited for comes within milliseconds."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from telemetry.base.finding import Level
from telemetry.recording.events import Event
from telemetry.recording.logs.station_events import events_path, read_events
from telemetry.vehicle.event_journal import EventJournal
from tests.waiting import wait_until

LOST = Event(1.0, "device", Level.ERROR, "The gamepad was unplugged")
BACK = Event(2.0, "device", Level.INFO, "The gamepad is back")


class Present:
    """The file that a recorder writes to."""

    def __init__(self) -> None:
        self.file = ""


@pytest.fixture
def present() -> Present:
    return Present()


@pytest.fixture
def journal(present: Present) -> Iterator[EventJournal]:
    journal = EventJournal(lambda: present.file, retry_s=0.001)
    journal.start()
    yield journal
    journal.close()


def written(log: Path) -> list[Event]:
    return list(read_events(log).events)


def test_an_event_is_on_the_disk_while_the_flight_goes_on(
    journal: EventJournal, present: Present, tmp_path: Path
) -> None:
    """So that a station that is killed has not lost it."""
    log = tmp_path / "a.opl"
    present.file = str(log)
    journal.keep(LOST)
    wait_until(lambda: written(log) == [LOST])
    journal.keep(BACK)
    wait_until(lambda: written(log) == [LOST, BACK])


def test_what_was_noted_before_there_was_a_file_comes_into_the_first(
    journal: EventJournal, present: Present, tmp_path: Path
) -> None:
    log = tmp_path / "a.opl"
    journal.keep(LOST)
    present.file = str(log)
    wait_until(lambda: written(log) == [LOST])


def test_what_a_full_disk_refuses_is_told_and_written_later(
    journal: EventJournal, present: Present, tmp_path: Path
) -> None:
    log = tmp_path / "a.opl"
    present.file = str(log)
    events_path(log).symlink_to("/dev/full")
    journal.keep(LOST)
    wait_until(lambda: "No space left on device" in journal.problem)
    journal.keep(BACK)
    events_path(log).unlink()  # there is room again
    wait_until(lambda: written(log) == [LOST, BACK])
    wait_until(lambda: not journal.problem)


def test_events_follow_the_recording_into_its_next_file(
    journal: EventJournal, present: Present, tmp_path: Path
) -> None:
    first, second = tmp_path / "a.opl", tmp_path / "b.opl"
    present.file = str(first)
    journal.keep(LOST)
    wait_until(lambda: written(first) == [LOST])
    present.file = ""  # it takes no more, and there is no other one yet
    journal.keep(BACK)
    wait_until(lambda: written(first) == [LOST, BACK])
    present.file = str(second)
    journal.keep(LOST)
    wait_until(lambda: written(second) == [LOST])


def test_everything_is_written_when_it_is_closed(tmp_path: Path) -> None:
    log = tmp_path / "a.opl"
    journal = EventJournal(lambda: str(log), retry_s=1e6)
    journal.start()
    for _ in range(50):
        journal.keep(LOST)
    journal.close()
    journal.close()
    assert written(log) == [LOST] * 50
