"""New flight from logs and videos that belong together."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from telemetry.base.unused_names import unused_name
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.recording.logs.reader import LogError, LogReading, read_log
from telemetry.recording.recording import Recording
from telemetry.recording.video_files.frame_source import VideoError
from telemetry.review.flights.file_kind import FileKind, kind_of
from telemetry.review.flights.file_reference import whole_path
from telemetry.review.flights.flight import FlightContent, FlightLog, FlightVideo
from telemetry.review.flights.lapwing_file import FlightFileError
from telemetry.review.flights.log_alignment import align_logs
from telemetry.review.flights.matching.facts import VideoFacts, read_video_facts
from telemetry.review.flights.matching.loop_recordings import group_loops


@dataclass(frozen=True, slots=True)
class NewFlight:
    """A flight that is not saved yet: `log` is its first log; `notices` are for the user."""

    log: Path
    content: FlightContent
    notices: tuple[str, ...] = ()


def gather_flight(
    files: Sequence[Path],
    catalogue: Catalogue,
    on_file: Callable[[Path], None] = lambda _file: None,
) -> NewFlight:
    """The flight of these logs and videos: the first log is its own, files of a loop recording are
    one video, and empty files are left out.

    Every file is opened, so that none is in it which is not what it seems; `on_file` is called
    before each. Raises FlightFileError.
    """
    first: tuple[Path, Recording] | None = None
    videos: list[VideoFacts] = []
    content, notices = FlightContent(), []
    for file in map(whole_path, files):
        on_file(file)
        kind = _kind(file)
        if kind is FileKind.EMPTY:
            notices.append(f"{file.name} is empty and was left out.")
        elif kind is FileKind.VIDEO:
            videos.append(_video(file))
            notices += [f"{file.name}: {warning}" for warning in videos[-1].warnings]
        else:
            reading = _read_log(file, catalogue)
            notices += [f"{file.name}: {warning}" for warning in reading.warnings]
            if first is None:
                first = file, reading.recording
            else:
                log, notice = _other_log(file, reading.recording, first[1], content)
                content = replace(content, logs=(*content.logs, log))
                notices += notice
    if first is None:
        raise FlightFileError("A flight needs a log. Name one that was recorded with the videos.")
    for video in group_loops(videos):
        name = unused_name(video.name, [other.name for other in content.videos])
        content = replace(content, videos=(*content.videos, FlightVideo(name, video.files)))
    return NewFlight(first[0], content, tuple(notices))


def _kind(file: Path) -> FileKind:
    try:
        return kind_of(file)
    except OSError as error:
        raise FlightFileError(f"Cannot read {file}: {error.strerror or error}.") from error


def _video(file: Path) -> VideoFacts:
    try:
        return read_video_facts(file)
    except VideoError as error:
        raise FlightFileError(str(error)) from error


def _read_log(file: Path, catalogue: Catalogue) -> LogReading:
    try:
        return read_log(file, catalogue)
    except LogError as error:
        raise FlightFileError(str(error)) from error


def _other_log(
    file: Path, recording: Recording, first: Recording, content: FlightContent
) -> tuple[FlightLog, list[str]]:
    """Another log of the flight, aligned with the first one, or a notice why not."""
    name = unused_name(file.name, [log.name for log in content.logs])
    found = align_logs(first, recording)
    if found.sync is None:
        return FlightLog(name, file), [f"{name} is not aligned: {found.reason}"]
    return FlightLog(name, file, sync=found.sync), []
