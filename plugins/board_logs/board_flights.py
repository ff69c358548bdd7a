"""Flights on board: what is known of one aircraft's log, and the one thing that is done with it."""

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QTimer

from telemetry.base.folders import Folders
from telemetry.configuration.board_logs.errors import BoardLogError, BoardLogStopped
from telemetry.configuration.board_logs.log_duration import time_text
from telemetry.configuration.board_logs.retrieval import BoardFlight, BoardLog, LogProgress
from telemetry.vehicle.vehicle import Vehicle

_POLL_MS = 200
_IDLE = LogProgress()


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of the flights on board; `flights` is None until somebody has looked. `files`
    are those of downloaded ones, by number. `said` is what came of the last thing that was done,
    whole if not `has_failed`."""

    flights: tuple[BoardFlight, ...] | None = None
    files: dict[int, Path] = field(default_factory=dict)
    said: str = ""
    has_failed: bool = False

    @property
    def missing(self) -> tuple[int, ...]:
        """The flights of which not everything was downloaded."""
        return tuple(one.number for one in self.flights or () if not one.is_downloaded)


class BoardFlights:
    """Looks for flights, downloads and erases, one at a time, in a job. Kept with the vehicle, so
    that it goes on whatever shows. `version` rises whenever something has come of it."""

    def __init__(self, vehicle: Vehicle) -> None:
        self.make_log: Callable[[Vehicle, Path], BoardLog] = BoardLog
        self.folder = Folders.of_user(os.environ).board_logs
        self.recordings = Folders.of_user(os.environ).recordings
        self.known = Known()
        self.version = 0
        self._vehicle = vehicle
        self._log: BoardLog | None = None
        self.is_busy = False
        """Whether something is being done."""
        self._job: Future[Known] | None = None
        self._done: Callable[[Known], None] = lambda _known: None
        self._timer: QTimer | None = None

    @property
    def progress(self) -> LogProgress:
        """How far it is."""
        return self._log.progress if self._log is not None and self.is_busy else _IDLE

    def words(self) -> str:
        """The same as a sentence, empty while nothing is done."""
        return progress_text(self.progress) if self.is_busy else ""

    def look(self, jobs: Executor) -> None:
        """Find out which flights there are."""
        self._begin(jobs, lambda log: replace(self.known, flights=log.flights(), said=""))

    def download(
        self, jobs: Executor, numbers: Sequence[int], done: Callable[[Known], None]
    ) -> None:
        """Fetch flights and write each as a file; `done` is told once all are there."""
        self._begin(jobs, partial(self._download, numbers), done)

    def erase(self, jobs: Executor, given_up: Iterable[int]) -> None:
        """Erase all flights, which the user has agreed to. Those that are `given_up` need not have
        been downloaded."""
        lost = tuple(given_up)

        def erase(log: BoardLog) -> Known:
            log.erase(lost)
            return Known(log.flights(), said="The flash is erased.")

        self._begin(jobs, erase)

    def stop(self) -> None:
        """End what is being done; what was fetched is kept."""
        if self._log is not None:
            self._log.stop()

    def poll(self) -> None:
        """See whether it has ended; called by itself while something is done."""
        if self._job is None or not self._job.done():
            return
        job, self._job, self.is_busy = self._job, None, False
        if self._timer is not None:
            self._timer.stop()
        self.version += 1
        try:
            self.known = job.result()
        except BoardLogError as error:
            self.known = _ended_by(error, self.known)
        else:
            self._done(self.known)

    def _begin(
        self,
        jobs: Executor,
        work: Callable[[BoardLog], Known],
        done: Callable[[Known], None] = lambda _known: None,
    ) -> None:
        if self.is_busy:
            return
        self._log = log = self.make_log(self._vehicle, self.folder)
        self.known, self._done = replace(self.known, said="", has_failed=False), done
        self.is_busy = True
        self._job = jobs.submit(work, log)
        self.version += 1
        if self._timer is None:
            self._timer = QTimer()
            self._timer.setInterval(_POLL_MS)
            self._timer.timeout.connect(self.poll)
        self._timer.start()
        self.poll()

    def _download(self, numbers: Sequence[int], log: BoardLog) -> Known:
        flights = {one.number: one for one in self.known.flights or ()}
        files = dict(self.known.files)
        for number in numbers:
            try:
                flights[number] = log.download(number)
                files[number] = log.write(number, self.recordings).path
            except BoardLogError as error:
                here = max(flights[number].kept, log.progress.done)
                flights[number] = replace(flights[number], kept=here)
                return _ended_by(error, Known(tuple(flights.values()), files))
        which = ", ".join(map(str, numbers))
        said = f"Downloaded: flight{'s' if len(numbers) > 1 else ''} {which}."
        return Known(tuple(flights.values()), files, said)


def _ended_by(error: BoardLogError, known: Known) -> Known:
    has_failed = not isinstance(error, BoardLogStopped)
    return replace(known, said=str(error), has_failed=has_failed)


def board_flights_of(vehicle: Vehicle) -> BoardFlights:
    """The one of a vehicle."""
    return vehicle.attachment("board_logs.flights", lambda: BoardFlights(vehicle))


def progress_text(progress: LogProgress) -> str:
    """How far it is, how fast, and how long it still takes."""
    if not progress.total:
        return f"{progress.text} …" if progress.text else "Asking the board …"
    text = f"{progress.text}: {progress.done:,} of {progress.total:,}"
    if progress.per_s:
        text += f", {progress.per_s:.1f} a second"
    return f"{text}, {time_text(progress.left_s)} left" if progress.left_s is not None else text
