"""Flight comparison: another flight's log is read, aligned, and drawn beside the flight's own."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from app.background_jobs import BackgroundJobs, JobRefused
from app.messages import Message, Messages
from app.opening.logs import LogOpening
from telemetry.base.unused_names import unused_name
from telemetry.recording.recording import Recording
from telemetry.review.flights.file_reference import whole_path
from telemetry.review.flights.flight import FlightLog, flight_of
from telemetry.review.flights.lapwing_file import SUFFIX, FlightFileError, read_flight
from telemetry.review.flights.log_alignment import LogAlignment, align_logs, compare_flights
from telemetry.vehicle.vehicle import Vehicle

END_TITLE: Final = "End the comparison"
_LAID_OVER: Final = {
    "take-off": "both take off at once",
    "arming": "both are armed at once",
    "start": "both begin at once",
}


class FlightComparison:
    """One flight at a time is drawn beside another. For the GUI thread; reading and aligning are
    jobs'. `show_plots` brings plots into sight, which draw what is compared.
    """

    def __init__(self, logs: LogOpening, jobs: BackgroundJobs, messages: Messages) -> None:
        self._logs = logs
        self._jobs = jobs
        self._messages = messages
        self.show_plots: Callable[[], object] = lambda: None

    def compare_with_file(self, vehicle: Vehicle, file: Path) -> None:
        """Compare with the log in a file, or with the first log of a flight's file."""
        self._jobs.submit(
            partial(self._read, file),
            f"Opening {file.name}",
            lambda read: self.compare(vehicle, *read),
        )

    def compare(self, vehicle: Vehicle, path: Path, recording: Recording) -> None:
        """Have another flight's log among those of the vehicle's flight, and draw it once it is
        aligned."""
        flight = flight_of(vehicle)
        name = unused_name(path.name, [log.name for log in flight.logs])
        flight.logs = (*flight.logs, FlightLog(name, path, recording, is_other_flight=True))
        self._jobs.submit(
            partial(_aligned, vehicle.recording, recording),
            f"Aligning {name} with {vehicle.name}",
            partial(self._show, vehicle, name),
        )

    def end(self, vehicle: Vehicle) -> None:
        """Draw the flight alone again; the other log is no longer one of its logs."""
        flight = flight_of(vehicle)
        if not flight.compared:
            self._messages.tell(f"{vehicle.name} is not compared with another flight.")
            return
        flight.logs = tuple(log for log in flight.logs if log.name != flight.compared)
        flight.compared = ""
        self._messages.put(Message("", topic=_topic(vehicle), is_over=True))

    def _read(self, file: Path) -> tuple[Path, Recording]:
        """In a job. Raises JobRefused."""
        path = whole_path(file)
        try:
            path = read_flight(path).log if path.suffix.lower() == SUFFIX else path
        except FlightFileError as error:
            raise JobRefused(str(error)) from error
        return path, self._logs.read(path).recording

    def _show(self, vehicle: Vehicle, name: str, found: LogAlignment) -> None:
        flight = flight_of(vehicle)
        log = flight.other_log(name)
        if log is None or found.sync is None:  # it was taken out meanwhile
            return
        flight.replace_log(name, replace(log, sync=found.sync))
        flight.compared = name
        self.show_plots()
        self._messages.put(
            Message(
                f"{name} is drawn paler beside {vehicle.name}{_how(found)}",
                remedy_title=END_TITLE,
                remedy=partial(self.end, vehicle),
                topic=_topic(vehicle),
            )
        )


def _aligned(first: Recording, other: Recording) -> LogAlignment:
    """By what both recorded, else roughly, with the reason: another flight is rarely alike."""
    found = align_logs(first, other)
    return found if found.sync else replace(found, sync=compare_flights(first, other))


def _how(found: LogAlignment) -> str:
    """How the two lie over each other, as the rest of a sentence, and what can be done about it."""
    assert found.sync is not None
    if not found.reason:
        sigma_ms = 1000 * (found.sync.sigma_s or 0.0)
        return f", aligned by what both recorded, to {sigma_ms:.0f} ms."
    how = _LAID_OVER[found.sync.method]
    return f": {how}. {found.reason} Shift+Ctrl and drag in a plot moves it in time."


def _topic(vehicle: Vehicle) -> str:
    return f"comparison/{vehicle.name}"
