"""Which files become one video of a flight."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from plugins.video.adding import media_of
from telemetry.video.report import VideoReport

START = datetime(2026, 5, 1, 12, 0, 0, tzinfo=UTC)


def report(name: str, started: datetime | None, duration_s: float = 300.0) -> VideoReport:
    return VideoReport((Path(name),), (640, 480), "", duration_s, 30, 1, 1, 0, 0, False, started)


def test_files_of_a_loop_recording_are_one_video() -> None:
    starts = [START, START + timedelta(seconds=300.4), START + timedelta(seconds=600.9)]
    media = media_of([report(f"{n}.avi", start) for n, start in enumerate(starts)])
    assert media == [(Path("0.avi"), Path("1.avi"), Path("2.avi"))]


def test_recordings_apart_or_of_unknown_time_are_not() -> None:
    later = START + timedelta(seconds=900)
    files = [report("a.avi", START), report("b.avi", later), report("c.avi", None)]
    assert media_of(files) == [(Path("a.avi"),), (Path("b.avi"),), (Path("c.avi"),)]
