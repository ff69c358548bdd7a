"""A new flight from files that belong together."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from telemetry.flights.file_kind import FileKind, kind_of
from telemetry.flights.file_reference import whole_path
from telemetry.flights.flight import FlightContent, FlightLog, FlightVideo
from telemetry.flights.flight_file import FlightFileError
from telemetry.flights.matching.facts import VideoFacts, read_video_facts
from telemetry.flights.matching.media import group_loops
from telemetry.flights.naming import unused_name
from telemetry.logs.reader import LogError, read_log
from telemetry.objects.catalogue import Catalogue
from telemetry.video.source import VideoError


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
    logs: list[Path] = []
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
            notices += _check_log(file, catalogue)
            logs.append(file)
    if not logs:
        raise FlightFileError("A flight needs a log. Name one that was recorded with the videos.")
    for video in group_loops(videos):
        name = unused_name(video.name, [other.name for other in content.videos])
        content = replace(content, videos=(*content.videos, FlightVideo(name, video.files)))
    for file in logs[1:]:
        name = unused_name(file.name, [log.name for log in content.logs])
        content = replace(content, logs=(*content.logs, FlightLog(name, file)))
    return NewFlight(logs[0], content, tuple(notices))


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


def _check_log(file: Path, catalogue: Catalogue) -> list[str]:
    try:
        return [f"{file.name}: {warning}" for warning in read_log(file, catalogue).warnings]
    except LogError as error:
        raise FlightFileError(str(error)) from error
