"""Log and video facts: when they were recorded, and what happened in them.

Clocks are seconds since 1970 as if each were in UTC: what a zone or a wrong setting makes of that
is a shift, which `clock_shift` finds.
"""

import re
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.recording.flight_state import armed_spans
from telemetry.recording.logs.reader import read_log
from telemetry.recording.recording import Recording
from telemetry.recording.video_files.reader import open_video
from telemetry.recording.video_files.start_time import started

if TYPE_CHECKING:  # which takes scipy
    from telemetry.review.flights.synchronisation.log_motion import LogMotion

_Column = npt.NDArray[np.float64]

GPS, NAME, MODIFIED, CAMERA = "GPS", "name", "file", "camera"
"""Clocks: GPSTime in a log, a file's name, when a file was last written, the camera's own."""
_GPS_FIELDS: Final = ("Year", "Month", "Day", "Hour", "Minute", "Second")
_FIRST_GPS_YEAR: Final = 2006
"""No aircraft with UAVTalk flew before; receivers without a fix say 1980, 1999 or 0."""
_NUMBER: Final = re.compile(r"^(.*?)(\d{1,6})$")


@dataclass(frozen=True, slots=True)
class FileName:
    """A name as counting devices give it: "DVR00012" has prefix "DVR" and number 12."""

    prefix: str
    number: int | None


@dataclass(frozen=True, slots=True)
class LogFacts:
    """A log. `starts_s` has, by clock, when its second 0 was; `armed` are spans (start, end) in it;
    `power` is what its motors were told at `power_times_s`, (n,) each, maybe empty; `motion` is how
    it turned, if it tells."""

    path: Path
    first_s: float
    last_s: float
    starts_s: Mapping[str, float] = field(default_factory=dict)
    armed: tuple[tuple[float, float], ...] = ()
    power_times_s: _Column = field(default_factory=lambda: np.empty(0))
    power: _Column = field(default_factory=lambda: np.empty(0))
    motion: "LogMotion | None" = None

    @property
    def duration_s(self) -> float:
        """From the first sample to the last."""
        return self.last_s - self.first_s


@dataclass(frozen=True, slots=True)
class VideoFacts:
    """A file of a video, or several as one medium; `starts_s` as in LogFacts."""

    files: tuple[Path, ...]
    duration_s: float
    starts_s: Mapping[str, float] = field(default_factory=dict)
    has_sound: bool = False
    warnings: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The first file's."""
        return self.files[0].name


def read_log_facts(path: Path, catalogue: Catalogue) -> LogFacts:
    """Read a log for what it says. Raises LogError."""
    from telemetry.review.flights.synchronisation.log_motion import read_log_motion

    recording = read_log(path, catalogue).recording
    starts = {MODIFIED: path.stat().st_mtime - recording.last_s}
    if (told := started("", path.name)) is not None:
        starts[NAME] = _seconds(told)
    if (gps := _gps_start_s(recording)) is not None:
        starts[GPS] = gps
    motion = read_log_motion(recording)
    return LogFacts(
        path,
        recording.first_s,
        recording.last_s,
        starts,
        tuple(armed_spans(recording, recording.last_s)),
        motion.power_times_s if motion else np.empty(0),
        motion.power if motion else np.empty(0),
        motion,
    )


def read_video_facts(path: Path) -> VideoFacts:
    """Read a video's index and headers. Raises VideoError."""
    with closing(open_video([path])) as reader:
        report = reader.report
    starts = {MODIFIED: path.stat().st_mtime - report.duration_s}
    if report.started is not None:
        starts[CAMERA] = _seconds(report.started)
    return VideoFacts((path,), report.duration_s, starts, report.has_sound, report.warnings)


def file_name(path: Path) -> FileName:
    """The parts of a name that counts; a name with a date in it does not."""
    match = _NUMBER.match(path.stem)
    if match is None or started("", path.name) is not None:
        return FileName(path.stem, None)
    return FileName(match.group(1), int(match.group(2)))


def clock_text(seconds: float) -> str:
    """A clock's time as it would read."""
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M:%S}"


def _seconds(told: datetime) -> float:
    return (told if told.tzinfo else told.replace(tzinfo=UTC)).timestamp()


def _gps_start_s(recording: Recording) -> float | None:
    """When the log's second 0 was by GPS; the median, since telemetry delays single samples."""
    try:
        columns = [recording.series(f"GPSTime.{name}") for name in _GPS_FIELDS]
    except (KeyError, ValueError):
        return None
    starts = []
    rows = zip(*(values.astype(int).tolist() for _, values in columns), strict=True)
    for t, (year, month, day, hour, minute, second) in zip(
        columns[0][0].tolist(), rows, strict=True
    ):
        try:
            utc = datetime(year, month, day, hour, minute, second, tzinfo=UTC)
        except ValueError:  # 31 February, or hour 24, while there is no fix
            continue
        if year >= _FIRST_GPS_YEAR:
            starts.append(utc.timestamp() - t)
    return float(np.median(starts)) if starts else None
