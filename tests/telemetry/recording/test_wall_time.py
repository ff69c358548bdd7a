"""When a recording began, by what a GPS receiver says of the time."""

from datetime import UTC, datetime, timedelta

import pytest

from plugins.testing import add
from telemetry.recording.recording import Recording
from telemetry.recording.wall_time import began_at, gps_began_at

BEGAN = datetime(2021, 12, 31, 23, 59, 58, tzinfo=UTC)


def say(recording: Recording, t: float, utc: datetime, **other: int) -> None:
    """Whole seconds, as a receiver says them."""
    names = ("Year", "Month", "Day", "Hour", "Minute", "Second")
    add(recording, t, "GPSTime", **{n: getattr(utc, n.lower()) for n in names} | other)


def test_seconds_are_cut_off_and_arrive_late() -> None:
    """Each is told up to 1.3 s after it began; the second at which least was lost is the truest."""
    recording = Recording()
    for n in range(1, 40):
        t = n + 0.2 + (n * 0.37) % 1.0
        say(recording, t, BEGAN + timedelta(seconds=int(t - 0.2)))
    found = began_at(recording)
    assert found is not None
    assert -0.35 < (found - BEGAN).total_seconds() < 0.0


def test_what_a_receiver_says_before_it_knows_does_not_count() -> None:
    recording = Recording()
    say(recording, 0.5, datetime(1980, 1, 6, tzinfo=UTC))
    assert gps_began_at(recording) is None
    say(recording, 0.6, datetime(2021, 1, 1, tzinfo=UTC), Month=13)
    assert gps_began_at(recording) is None
    for t in (1.0, 2.0, 3.0):
        say(recording, t, BEGAN + timedelta(seconds=t))
    say(recording, 4.0, BEGAN + timedelta(days=400))
    found = gps_began_at(recording)
    assert found is not None
    assert (found - BEGAN).total_seconds() == pytest.approx(0.0, abs=1e-3)


def test_without_a_receiver_the_computers_clock_counts() -> None:
    recording = Recording()
    assert began_at(recording) is None
    recording.started_at = BEGAN
    assert began_at(recording) == BEGAN
    say(recording, 10.0, BEGAN + timedelta(seconds=70))
    assert began_at(recording) == BEGAN + timedelta(seconds=60)
