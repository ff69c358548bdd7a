"""Flight reading: what jobs read of a flight, first what is small, and last its log."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from app.background_jobs import JobRefused
from app.messages import Messages
from app.opening.logs import LogOpening
from telemetry.base.finding import Level
from telemetry.review.flights.backups import FlightBackups
from telemetry.review.flights.file_kind import FileKind
from telemetry.review.flights.file_reference import whole_path
from telemetry.review.flights.flight import FlightContent, FlightVideo
from telemetry.review.flights.lapwing_file import SUFFIX, FlightFileError, StoredFlight, read_flight
from telemetry.vehicle.replay import vehicle_without_log
from telemetry.vehicle.vehicle import Vehicle


@dataclass(frozen=True, slots=True)
class FoundFlight:
    """What is known of a flight before its log is read. `path` is what it is opened by, `stored`
    None for a log alone, `backup` None if all was saved; `videos` join it."""

    path: Path
    log: Path
    stored: StoredFlight | None
    backup: FlightContent | None
    videos: tuple[FlightVideo, ...]

    @property
    def saved(self) -> FlightContent:
        """What its file says; nothing where there is none."""
        return self.stored.content if self.stored is not None else FlightContent()


@dataclass(frozen=True, slots=True)
class ReadFlight:
    """The vehicle of a log that was read, or, with the `problem`, of a flight without one."""

    vehicle: Vehicle
    problem: str = ""


class FlightReading:
    """Reads flights. All of it is for jobs."""

    def __init__(self, logs: LogOpening, backups: FlightBackups, messages: Messages) -> None:
        self._logs = logs
        self._backups = backups
        self._messages = messages

    def find(self, path: Path, kind: FileKind, videos: Sequence[Path]) -> FoundFlight:
        """What there is of a log or a flight, with the files of `videos` that are any. Raises
        JobRefused."""
        path = whole_path(path)
        stored = _stored(path) if kind is FileKind.FLIGHT else self._flight_beside(path)
        media = tuple(self.look_at_videos(videos))
        if stored is None:
            return FoundFlight(path, path, None, self._backups.read(path, None), media)
        file = path if kind is FileKind.FLIGHT else path.with_suffix(SUFFIX)
        return FoundFlight(file, stored.log, stored, self._backups.read(stored.log, file), media)

    def read(self, found: FoundFlight) -> ReadFlight:
        """The log of that flight. Raises JobRefused where nothing else is known of it."""
        if found.stored is None:
            return ReadFlight(self._logs.read(found.log))
        try:
            return ReadFlight(self._read_stored(found.stored))
        except JobRefused as error:
            problem, catalogue = str(error), self._logs.catalogue()
            return ReadFlight(vehicle_without_log(found.path.name, problem, catalogue), problem)

    def look_at_videos(self, files: Sequence[Path]) -> list[FlightVideo]:
        """Those that are videos, files of a loop recording as one; what is odd is told."""
        from telemetry.recording.video_files.frame_source import VideoError
        from telemetry.review.flights.matching.facts import read_video_facts
        from telemetry.review.flights.matching.loop_recordings import group_loops

        found = []
        for file in files:
            try:
                found.append(read_video_facts(whole_path(file)))
            except VideoError as error:
                self._messages.report(str(error), Level.WARNING)
        for video in found:
            for warning in video.warnings:
                self._messages.report(f"{video.name}: {warning}", Level.WARNING)
        return [FlightVideo(video.name, video.files) for video in group_loops(found)]

    def _read_stored(self, stored: StoredFlight) -> Vehicle:
        """Raises JobRefused."""
        from telemetry.recording.recorded_streams import streams_beside

        if stored.problem:
            raise JobRefused(stored.problem)
        vehicle = self._logs.read(stored.log)
        streams = [one.path for one in stored.content.streams if not one.problem]
        beside = {*streams_beside(stored.log)}  # which are there already
        elsewhere = [path for path in streams if path not in beside]
        self._logs.attach_streams(vehicle.recording, elsewhere)
        return vehicle

    def _flight_beside(self, log: Path) -> StoredFlight | None:
        """The flight that was saved beside its log, under the log's name."""
        file = log.with_suffix(SUFFIX)
        try:
            stored = read_flight(file) if file.is_file() else None
        except FlightFileError as error:
            self._messages.report(str(error), Level.WARNING)
            return None
        if stored is None or stored.log != log:
            return None
        self._messages.tell(f"{log.name} is opened with {file.name}, which is beside it.")
        return stored


def _stored(path: Path) -> StoredFlight:
    """Raises JobRefused."""
    try:
        return read_flight(path)
    except FlightFileError as error:
        raise JobRefused(str(error)) from error
