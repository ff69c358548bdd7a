"""Flights on board: what is known of one aircraft's log, and the one thing that is done with it."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QTimer

from telemetry.base.folders import Folders
from telemetry.configuration.board_logs.board_flight import (
    BoardFlight,
    LogProgress,
    flights_text,
)
from telemetry.configuration.board_logs.board_log import BoardLog
from telemetry.configuration.board_logs.errors import (
    BoardLogError,
    BoardLogStopped,
    EraseNotKnownError,
)
from telemetry.configuration.board_logs.log_duration import time_text
from telemetry.configuration.board_logs.opening import open_board_log
from telemetry.vehicle.vehicle import Vehicle

_POLL_MS = 200
_IDLE = LogProgress()


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of the flights on board; `flights` is None until somebody has looked. `files`
    are those of downloaded ones, by number. `said` is what came of the last thing that was done."""

    flights: tuple[BoardFlight, ...] | None = None
    files: Mapping[int, Path] = field(default_factory=dict)
    said: str = ""
    has_failed: bool = False
    was_ended: bool = False
    """Whether that did not come to its end: it has failed, or was stopped."""

    @property
    def missing(self) -> tuple[int, ...]:
        """The flights of which not everything was downloaded."""
        return tuple(one.number for one in self.flights or () if not one.is_downloaded)


class BoardFlights:
    """Looks for flights, downloads and erases, one at a time, in a job. Kept with the vehicle, so
    that it goes on whatever shows."""

    def __init__(self, vehicle: Vehicle) -> None:
        self.make_log: Callable[[Vehicle, Path], BoardLog] = open_board_log
        self.folder = Folders.of_user(os.environ).board_logs
        self.recordings = Folders.of_user(os.environ).recordings
        self.known = Known()
        self._vehicle = vehicle
        self._log: BoardLog | None = None
        self.is_busy = False
        """Whether something is being done."""
        self._job: Future[Known] | None = None
        self._done: Callable[[], None] = lambda: None
        self._timer: QTimer | None = None

    @property
    def progress(self) -> LogProgress:
        """How far it is."""
        return self._log.progress if self._log is not None and self.is_busy else _IDLE

    @property
    def rows(self) -> tuple[BoardFlight, ...]:
        """The flights on board, with what is fetched of them by now."""
        now = self.progress
        return tuple(
            replace(one, kept=max(one.kept, now.done)) if one.number == now.flight else one
            for one in self.known.flights or ()
        )

    def words(self) -> str:
        """How far it is as a sentence, empty while nothing is done."""
        if not self.is_busy:
            return ""
        waits = ". It waits for the link." if self._vehicle.commands.refusal() else ""
        return f"{progress_text(self.progress)}{waits}"

    def look(self, jobs: Executor) -> None:
        """Find out which flights there are."""
        self._begin(jobs, lambda log: replace(self.known, flights=log.flights()))

    def download(
        self, jobs: Executor, numbers: Sequence[int], done: Callable[[], None] = lambda: None
    ) -> None:
        """Fetch flights and write each as a file; `done` is told if all are there."""
        self._begin(jobs, partial(self._download, numbers), done)

    def erase(self, jobs: Executor, given_up: Iterable[int]) -> None:
        """Erase all flights, which the user has agreed to. Those that are `given_up` need not have
        been downloaded."""
        lost = tuple(given_up)

        def erase(log: BoardLog) -> Known:
            known = replace(self.known, flights=log.flights())
            try:
                log.erase(lost)
            except EraseNotKnownError as error:
                return _ended_by(error, Known())
            except BoardLogError as error:
                return _ended_by(error, known)
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
        try:
            self.known = job.result()
        except BoardLogError as error:
            self.known = _ended_by(error, self.known)
        if not self.known.was_ended:
            self._done()

    def _begin(
        self,
        jobs: Executor,
        work: Callable[[BoardLog], Known],
        done: Callable[[], None] = lambda: None,
    ) -> None:
        if self.is_busy:
            return
        self._log = log = self.make_log(self._vehicle, self.folder)
        self.known, self._done = Known(self.known.flights, self.known.files), done
        self.is_busy = True
        self._job = jobs.submit(work, log)
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
                files[number] = log.write(number, self._folder_of_files).path
            except BoardLogError as error:
                here = max(flights[number].kept, log.progress.done)
                flights[number] = replace(flights[number], kept=here)
                return _ended_by(error, Known(tuple(flights.values()), files))
            self.known = Known(tuple(flights.values()), dict(files))  # replaced whole, for the view
        said = f"Downloaded: {flights_text(numbers)}."
        return Known(tuple(flights.values()), files, said)

    @property
    def _folder_of_files(self) -> Path:
        """Beside the recording, in whatever folder the user has chosen for these."""
        recording = self._vehicle.status.recording_file
        return Path(recording).parent if recording else self.recordings


def _ended_by(error: BoardLogError, known: Known) -> Known:
    has_failed = not isinstance(error, BoardLogStopped)
    return replace(known, said=str(error), has_failed=has_failed, was_ended=True)


def board_flights_of(vehicle: Vehicle) -> BoardFlights:
    """The one of a vehicle."""
    return vehicle.attachment("board_logs.flights", lambda: BoardFlights(vehicle))


def progress_text(progress: LogProgress) -> str:
    """How far it is, how fast, and how long it still takes."""
    if not progress.total:  # of a file the board does not tell it
        done = f": {progress.done:,}" if progress.done else ""
        return f"{progress.text or 'Asking the board'}{done} …"
    text = f"{progress.text}: {progress.done:,} of {progress.total:,}"
    if progress.per_s:
        text += f", {progress.per_s:.1f} a second"
    return f"{text}, {time_text(progress.left_s)} left" if progress.left_s is not None else text
