"""Other logs of a flight, read once what it is looked at in stands."""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

from app.background_jobs import BackgroundJobs, JobControl
from app.messages import Message, Messages
from app.opening.logs import LogOpening
from telemetry.base.finding import Level
from telemetry.recording.logs.definitions import unknown_sentence
from telemetry.recording.recording import Recording
from telemetry.review.flights.flight import Flight, FlightLog, flight_of
from telemetry.vehicle.vehicle import Fleet, Vehicle

_READERS: Final = 2
"""More do not read faster: most of it holds the interpreter's lock. Views keep a thread, too."""

_Wanted = tuple[str, Path]
"""A log's name in its flight, and its file."""


@dataclass(frozen=True, slots=True)
class _Read:
    """What has become of the log of this name; `recording` is None where `problem` says why."""

    name: str
    path: Path
    recording: Recording | None
    problem: str = ""


class OtherLogs:
    """Reads the logs of flights besides their first ones. For the GUI thread; reading is jobs'.
    What of a flight was not read when it is closed is left alone.

    `when_shown` calls what it is given as soon as the views show what has just been opened.
    """

    def __init__(
        self, fleet: Fleet, logs: LogOpening, jobs: BackgroundJobs, messages: Messages
    ) -> None:
        self._fleet = fleet
        self._logs = logs
        self._jobs = jobs
        self._messages = messages
        self.when_shown: Callable[[Callable[[], None]], object] = lambda then: then()

    def read_missing(self, vehicle: Vehicle) -> None:
        """Read those that were not read yet and are where they were, after the views show."""
        self.when_shown(partial(self._read_missing, vehicle))

    def read_from(self, vehicle: Vehicle, name: str, path: Path) -> None:
        """Read the log of this name from that file; the user is told if it cannot be read."""
        self._submit(vehicle, [(name, path)])

    def _read_missing(self, vehicle: Vehicle) -> None:
        logs = flight_of(vehicle).logs
        missing = [log for log in logs if log.recording is None and not log.problem]
        self._submit(vehicle, [(log.name, log.path) for log in missing])

    def _submit(self, vehicle: Vehicle, wanted: Sequence[_Wanted]) -> None:
        batch = _Batch(vehicle, len(wanted))
        for part in (wanted[first::_READERS] for first in range(_READERS)):
            if part:
                self._submit_part(batch, part)

    def _submit_part(self, batch: "_Batch", part: Sequence[_Wanted]) -> None:
        """Read some logs one after the other; one that fails leaves the others."""
        found: list[_Read] = []

        def read() -> None:
            for name, path in part:
                found.append(self._read(name, path, batch))
                batch.advance()

        def take(_none: None) -> None:
            self._take(flight_of(batch.vehicle), found)

        def fail(message: Message) -> None:
            name, path = part[len(found)]
            known = path.name in message.text
            text = message.text if known else f"{path.name}: {message.text}"
            self._messages.put(replace(message, text=text))
            self._take(flight_of(batch.vehicle), [*found, _Read(name, path, None, text)])
            if rest := part[len(found) + 1 :]:
                self._submit_part(batch, rest)

        names = part[0][1].name if batch.count == 1 else f"{batch.count} more logs"
        self._jobs.submit(read, f"Opening {names}", take, fail, batch.control)

    def _read(self, name: str, path: Path, batch: "_Batch") -> _Read:
        """In a job. Raises JobRefused."""
        if batch.control.is_cancelled or batch.vehicle not in self._fleet.vehicles:
            return _Read(name, path, None, f"{path.name} was not read: that was called off.")
        vehicle = self._logs.read(path)
        if vehicle.status.unknown_objects:  # it is never in the fleet
            text = f"{path.name}: {unknown_sentence(vehicle.status.unknown_frames)}"
            self._messages.report(text, Level.WARNING)
        return _Read(name, path, vehicle.recording)

    def _take(self, flight: Flight, found: Sequence[_Read]) -> None:
        read = {one.name: one for one in found}
        flight.logs = tuple(_with(log, read.get(log.name)) for log in flight.logs)


class _Batch:
    """Logs of a vehicle's flight that are read together, in several jobs."""

    def __init__(self, vehicle: Vehicle, count: int) -> None:
        self.vehicle = vehicle
        self.count = count
        self.control = JobControl(is_for_window=True)
        self._done = itertools.count(1)

    def advance(self) -> None:
        """Another one is done; in any job."""
        self.control.fraction = next(self._done) / self.count


def _with(log: FlightLog, read: _Read | None) -> FlightLog:
    """A log of a flight with what was read of it, where it was."""
    if read is None:
        return log
    if read.recording is None:
        return replace(log, problem=read.problem)
    return replace(log, path=read.path, recording=read.recording, problem="")
