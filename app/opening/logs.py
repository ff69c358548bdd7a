"""Log opening: reads logs of all formats, for jobs off the GUI thread."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from app.background_jobs import BackgroundJobs, JobRefused
from app.messages import Messages
from plugins.api import LogFormat, resolve
from telemetry.base.finding import Level
from telemetry.base.memory import give_back_freed
from telemetry.protocol.objects.catalogue import Catalogue, DefinitionSource
from telemetry.recording.logs.definitions import unknown_sentence
from telemetry.recording.recording import Recording
from telemetry.vehicle.vehicle import Vehicle

if TYPE_CHECKING:
    from telemetry.recording.logs.reader import LogReading

_OWN_SUFFIXES = ("*.opl", "*.tll", "*.drlog")


class LogOpening:
    """Reads logs of all formats as flights to replay."""

    def __init__(
        self,
        formats: Sequence[LogFormat],
        catalogue: Callable[[], Catalogue],
        jobs: BackgroundJobs,
        messages: Messages,
    ) -> None:
        self.catalogue = catalogue
        self._formats = formats
        self._jobs = jobs
        self._messages = messages

    @property
    def patterns(self) -> str:
        """The names of logs, as a file dialog takes them."""
        return " ".join((*_OWN_SUFFIXES, *(f"*{entry.suffix}" for entry in self._formats)))

    @property
    def titles(self) -> tuple[tuple[str, str], ...]:
        """The formats that plugins bring, each with its pattern."""
        return tuple((entry.title, f"*{entry.suffix}") for entry in self._formats)

    def read(self, path: Path) -> Vehicle:
        """Read a log, in a job, see `vehicle_of`. Raises JobRefused."""
        return self.vehicle_of(path, self.read_log(path))

    def read_log(self, path: Path, more: Sequence[DefinitionSource] = ()) -> "LogReading":
        """Read a log, in a job, with `more` definitions than usual. Raises JobRefused."""
        from telemetry.recording.logs.reader import LogError, read_log

        catalogue = self.catalogue().with_own(*more)
        own = next((f for f in self._formats if path.name.lower().endswith(f.suffix)), None)
        try:
            reading: LogReading = (resolve(own.read) if own else read_log)(path, catalogue)
        except LogError as error:
            raise JobRefused(str(error)) from error
        return reading if reading.catalogue else replace(reading, catalogue=catalogue)

    def vehicle_of(self, path: Path, reading: "LogReading") -> Vehicle:
        """The vehicle of a log that was read, in a job; what is odd about it is told. That objects
        are unknown is left to UnknownObjectMonitor, which sees the vehicle in the fleet."""
        from telemetry.recording.recorded_streams import streams_beside
        from telemetry.vehicle.replay import replay_vehicle

        left_out = unknown_sentence(reading.info.unknown_frames) if reading.unknown_ids else ""
        for warning in reading.warnings:
            if warning != left_out:
                self._messages.report(f"{path.name}: {warning}", Level.WARNING)
        self.attach_streams(reading.recording, streams_beside(path))
        give_back_freed()
        return replay_vehicle(reading)

    def attach_streams(self, recording: Recording, paths: Sequence[Path]) -> None:
        """Have recorded pictures and scans in a recording, in a job; what is wrong with them is
        told."""
        from telemetry.recording.recorded_streams import attach_streams

        for problem in attach_streams(recording, paths):
            self._messages.report(problem, Level.WARNING)
